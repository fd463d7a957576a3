#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Validates a JSON document against a schema of ours.

Usage: validate_schema.py SCHEMA DOCUMENT      ('-' is standard input)

Knows the part of JSON Schema (draft 2020-12) that docs/schema uses, and refuses any other
keyword, so that a schema cannot promise what is not checked.
"""
import json
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool,
         "null": type(None)}
ANNOTATIONS = {"$schema", "$id", "$defs", "title", "description"}


def has_type(value, name):
    if name in ("integer", "number"):
        kinds = int if name == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


class Validator:
    def __init__(self, root):
        self.root = root

    def resolve(self, reference):
        node = self.root
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]
        return node

    def errors(self, value, schema, path):
        for keyword, argument in schema.items():
            if keyword in ANNOTATIONS:
                continue
            check = getattr(self, "check_" + keyword.removeprefix("$"), None)
            if check is None:
                raise SystemExit(f"the validator does not know the keyword {keyword}")
            yield from check(value, argument, schema, path)

    def check_ref(self, value, argument, _schema, path):
        yield from self.errors(value, self.resolve(argument), path)

    def check_type(self, value, argument, _schema, path):
        names = argument if isinstance(argument, list) else [argument]
        if not any(has_type(value, name) for name in names):
            yield f"{path}: expected {' or '.join(names)}, found {value!r}"

    def check_const(self, value, argument, _schema, path):
        if value != argument:
            yield f"{path}: expected {argument!r}, found {value!r}"

    def check_enum(self, value, argument, _schema, path):
        if value not in argument:
            yield f"{path}: expected one of {argument}, found {value!r}"

    def check_minimum(self, value, argument, _schema, path):
        if isinstance(value, (int, float)) and value < argument:
            yield f"{path}: {value} is below {argument}"

    def check_minItems(self, value, argument, _schema, path):
        if isinstance(value, list) and len(value) < argument:
            yield f"{path}: fewer than {argument} items"

    def check_maxItems(self, value, argument, _schema, path):
        if isinstance(value, list) and len(value) > argument:
            yield f"{path}: more than {argument} items"

    def check_required(self, value, argument, _schema, path):
        for name in argument:
            if isinstance(value, dict) and name not in value:
                yield f"{path}: {name} is missing"

    def check_properties(self, value, argument, _schema, path):
        for name, schema in argument.items():
            if isinstance(value, dict) and name in value:
                yield from self.errors(value[name], schema, f"{path}.{name}")

    def check_additionalProperties(self, value, argument, schema, path):
        if not isinstance(value, dict):
            return
        for name in value.keys() - schema.get("properties", {}).keys():
            if argument is False:
                yield f"{path}: {name} is not expected"
            else:
                yield from self.errors(value[name], argument, f"{path}.{name}")

    def check_propertyNames(self, value, argument, _schema, path):
        for name in value if isinstance(value, dict) else ():
            yield from self.errors(name, argument, path)

    def check_items(self, value, argument, _schema, path):
        for index, item in enumerate(value if isinstance(value, list) else ()):
            yield from self.errors(item, argument, f"{path}[{index}]")

    def check_oneOf(self, value, argument, _schema, path):
        failures = [list(self.errors(value, schema, path)) for schema in argument]
        if sum(not failure for failure in failures) != 1:
            yield f"{path}: fits {sum(not f for f in failures)} of {len(argument)} shapes"
            for failure in failures:
                yield from failure


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        schema = json.load(file)
    with (sys.stdin if sys.argv[2] == "-" else open(sys.argv[2], encoding="utf-8")) as file:
        document = json.load(file)
    failures = list(Validator(schema).errors(document, schema, "$"))
    print("\n".join(failures[:20]) or "valid")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
