#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds `isomer explore`, and the numbers of PLDI'23 (table F.1), to counting by the definitions.

Usage: enumerate_test.py ISOMER [few]

enumerate.py shares no code with the program.  Where the paper has other numbers, the variant
of a definition that docs/FINDINGS.md names gives exactly these.  tools/papers-dpor does the same for all
programs; here are those that take seconds, and with `few` those that take none.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import enumerate as by_definition  # noqa: E402

LITMUS = os.path.join(os.path.dirname(HERE), "corpus", "program", "litmus")
ISOMER = sys.argv[1] if len(sys.argv) > 1 else "build/release/isomer"
IS_FEW = "few" in sys.argv[2:]

# Table F.1: histories of CC + SI.
PAPER_SI = {"courseware-1": 81, "courseware-2": 34, "courseware-4": 39, "courseware-5": 136,
            "shoppingCart-1": 108, "tpcc-1": 47, "twitter-1": 29, "twitter-2": 263,
            "twitter-3": 576}
# Table F.1: end states of BASE + CC.
PAPER_END_STATES = {
    "RA": {"courseware-1": 893, "courseware-2": 106, "courseware-4": 88, "courseware-5": 765,
           "shoppingCart-1": 1620, "twitter-1": 44, "twitter-2": 2917, "twitter-3": 2272},
    "RC": {"courseware-2": 588, "courseware-4": 2392, "twitter-3": 9514},
    "true": {"courseware-2": 1074, "courseware-4": 3779, "twitter-3": 20164},
}
# Each is counted in a tenth of a second.
SMALL = {"courseware-2", "courseware-4", "twitter-1"}


def tried(programs):
    """Of (base, program): all of them, or the small ones."""
    return [(base, name) for base, name in programs if not IS_FEW or name in SMALL]


def path_of(name):
    return os.path.join(LITMUS, name + ".txn")


def isomer(path, level, base=None):
    """End states and histories, with no branch left early."""
    command = [ISOMER, "explore", "--json", "--no-prune", "--level", level, path]
    if base:
        command += ["--base", base]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    answer = json.loads(done.stdout)
    assert answer["complete"], done.stdout
    return answer["end_states"], answer["histories"]


class Counts(unittest.TestCase):
    def test_snapshot_isolation_is_ours_and_the_paper_has_the_difference(self):
        for _, name in tried(("CC", name) for name in PAPER_SI):
            with self.subTest(name):
                paper = PAPER_SI[name]
                levels = ["SI", "SI-snapshots", "SI-difference", "SER"]
                end_states, allowed = by_definition.counts(path_of(name), "CC", levels)
                self.assertEqual(isomer(path_of(name), "SI"), (end_states, allowed["SI"]))
                self.assertEqual(isomer(path_of(name), "SER"), (end_states, allowed["SER"]))
                self.assertEqual(allowed["SI-snapshots"], allowed["SI"])
                self.assertEqual(allowed["SI-difference"], paper)

    def test_end_states_are_the_papers_without_initial_versions(self):
        for base, name in tried((base, name) for base, numbers in PAPER_END_STATES.items()
                                for name in numbers):
            with self.subTest(base=base, program=name):
                found, allowed = by_definition.counts(path_of(name), base, ["CC"], False)
                self.assertEqual(found, PAPER_END_STATES[base][name])
                self.assertEqual(allowed["CC"], isomer(path_of(name), "CC")[1])

    def test_end_states_are_ours_with_initial_versions(self):
        for base, name in tried([("RA", "shoppingCart-1"), ("RA", "twitter-3"),
                                 ("RC", "twitter-3"), ("RA", "tpcc-1"),
                                 ("true", "courseware-2")]):
            with self.subTest(base=base, program=name):
                found, allowed = by_definition.counts(path_of(name), base, ["CC"])
                self.assertEqual(isomer(path_of(name), "CC", base), (found, allowed["CC"]))


def random_statement(draw, depth):
    key = f'"k{draw.randrange(3)}"'
    kind = draw.randrange(10)
    if kind < 4:
        return f"v{draw.randrange(3)} := read({key});"
    if kind < 7:
        return f"write({key}, {draw.choice(['1', '2', 'v0', 'v1', 'null'])});"
    if kind == 7:
        return f"if (v{draw.randrange(3)} == {draw.choice(['null', '0', '1'])}) {{ abort; }}"
    if kind == 8 and depth < 2:
        inner = " ".join(random_statement(draw, depth + 1) for _ in range(2))
        return f"if (v{draw.randrange(3)} == 1) {{ {inner} }}"
    return f"v{draw.randrange(3)} := v{draw.randrange(3)} + 1;"


def random_program(seed):
    """Keys that init does not list, values of the wrong kind, transactions that do nothing,
    writes that are repeated, and aborts."""
    draw = random.Random(seed)
    lines = ['program "random"', "init {"]
    lines += [f'  "k{i}" = {draw.choice(["0", "1", "null"])};'
              for i in range(3) if draw.random() < 0.6]
    lines.append("}")
    for _ in range(draw.randint(2, 3)):
        lines.append("session {")
        for _ in range(draw.randint(0, 3)):
            body = " ".join(random_statement(draw, 0) for _ in range(draw.randint(0, 4)))
            lines.append(f"  begin v0 := null; v1 := 0; v2 := 1; {body} commit;")
        lines.append("}")
    return "\n".join(lines) + "\n"


class RandomPrograms(unittest.TestCase):
    def test_have_as_many_histories_by_definition(self):
        most = 0
        for seed in range(8 if IS_FEW else 30):
            with self.subTest(seed=seed), tempfile.NamedTemporaryFile(
                    "w", suffix=".txn", encoding="utf-8") as file:
                file.write(random_program(seed))
                file.flush()
                for base in ("true", "RC", "RA", "CC"):
                    found, allowed = by_definition.counts(file.name, base, ["CC"])
                    most = max(most, found)
                    self.assertEqual(isomer(file.name, base), (found, found))
                    if base == "CC":
                        self.assertEqual(allowed["CC"], found)
                found, allowed = by_definition.counts(file.name, "CC", ["SI", "SER"])
                self.assertEqual(isomer(file.name, "SI"), (found, allowed["SI"]))
                self.assertEqual(isomer(file.name, "SER"), (found, allowed["SER"]))
        self.assertGreater(most, 20)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
