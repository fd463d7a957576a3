#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes PostgreSQL's answers into files of tests/corpus/program/semantics.

    postgres_answers.py [--check] HOST FILE...

HOST is the socket folder of a running PostgreSQL 15 whose locale is C.  Each `-- call f(1)`
and `-- eval EXPRESSION` line is run in turn, in a transaction of its own, and gets
`=> ANSWER`.  With --check, files are compared instead of written.
"""
import re
import subprocess
import sys


def psql(host, database, text):
    return subprocess.run(
        ["psql", "-X", "-q", "-At", "-h", host, "-U", "postgres", "-d", database,
         "-v", "VERBOSITY=verbose", "-P", "null=NULL"],
        input=text, capture_output=True, text=True, check=False)


def answer(host, database, kind, text, procedures):
    name = text.split("(")[0].strip()
    if kind == "eval":
        statement = f"SELECT ({text})::text;"
    else:
        statement = f"CALL {text};" if name in procedures else f"SELECT {text};"
    done = psql(host, database, statement)
    error = re.search(r"ERROR:  ([0-9A-Z]{5}): (.*)", done.stderr)
    if error:
        return f"ERROR {error.group(1)} {error.group(2)}"
    return "ok" if name in procedures and kind == "call" else done.stdout.rstrip("\n")


def answered(host, path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    database = "semantics"
    psql(host, "postgres", f"DROP DATABASE IF EXISTS {database};")
    psql(host, "postgres", f"CREATE DATABASE {database};")
    application = "\n".join(lines)
    created = psql(host, database, application)
    if created.stderr:
        sys.exit(f"{path}: {created.stderr}")
    procedures = set(re.findall(r"CREATE PROCEDURE (\w+)", application))
    out = []
    for line in lines:
        match = re.match(r"-- (call|eval) (.*?)(?: => .*| =>)?$", line)
        if match:
            kind, text = match.groups()
            found = answer(host, database, kind, text, procedures)
            line = f"-- {kind} {text} => {found}".rstrip()
        out.append(line)
    return "\n".join(lines), "\n".join(out)


def main(arguments):
    check = "--check" in arguments
    host, *paths = [word for word in arguments if word != "--check"]
    wrong = False
    for path in paths:
        before, after = answered(host, path)
        if check and before != after:
            wrong = True
            for old, new in zip(before.split("\n"), after.split("\n")):
                if old != new:
                    print(f"{path}\n  file:       {old}\n  PostgreSQL: {new}")
        elif not check:
            with open(path, "w", encoding="utf-8") as file:
                file.write(after)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
