# SPDX-License-Identifier: MIT
"""The benchmarks of table 2 (Kulahcioglu Ozkan, NETYS 2020) with any number of transactions:
the scenarios of examples/apps/*/any_*.toml are those with the paper's number."""
import os

from measured import ROOT

HIGHEST_BID_WINS = """
[invariant]
"highest bid wins" = '''
SELECT NOT EXISTS (
  SELECT 1 FROM auction a JOIN bid b ON b.auction_id = a.id
  WHERE a.status = 'closed' AND b.bidder IS DISTINCT FROM a.winner
    AND b.amount > coalesce((SELECT amount FROM bid w
                             WHERE w.auction_id = a.id AND w.bidder = a.winner), 0))
'''
"""


def numbered(count, text):
    return [text.format(i=i) for i in range(1, count + 1)]


def auction_v1(count):
    calls = ["start_auction(1)", *numbered(count - 2, "place_bid(1, 'bidder {i}', ?x{i})"),
             "close_auction(1)"]
    return "INSERT INTO auction VALUES (1, 'new', NULL);", calls, HIGHEST_BID_WINS


def auction_v2(count):
    tokens = ", ".join(numbered(count - 2, "(1, {i}, true)"))
    init = f"INSERT INTO auction VALUES (1, 'new', NULL); INSERT INTO token VALUES {tokens};"
    calls = ["start_auction(1)",
             *numbered(count - 2, "place_last_bid(1, {i}, 'bidder {i}', ?x{i})"),
             "close_auction(1)"]
    return init, calls, HIGHEST_BID_WINS


def names(count):
    return "", numbered(count, "add_course(?i{i}, ?n{i}, 30)"), """
[invariant]
"names are unique" = '''
SELECT NOT EXISTS (SELECT 1 FROM course a JOIN course b ON a.name = b.name WHERE a.id < b.id)
'''
"""


def slots(count):
    courses = ", ".join(numbered(count + 1, "({i}, 'course {i}', 30, true, NULL)"))
    free = ", ".join(numbered(count + 1, "({i}, NULL)"))
    init = f"INSERT INTO course VALUES {courses}; INSERT INTO timetable VALUES {free};"
    return init, numbered(count, "schedule_course(?c{i})"), """
[invariant]
"one course a slot" = '''
SELECT NOT EXISTS (SELECT 1 FROM course a JOIN course b ON a.slot = b.slot WHERE a.id < b.id)
'''
"""


def enrolment(count):
    kinds = ("add_student(?s{i}, ?n{i})", "add_course(?c{i}, ?m{i}, ?seats{i})",
             "enroll(?t{i}, ?d{i})")
    return "", [kinds[i % 3].format(i=i // 3 + 1) for i in range(count)], """
[invariant]
"students exist" = '''
SELECT NOT EXISTS (SELECT 1 FROM enrolment LEFT JOIN student ON student.id = student_id
                   WHERE student.id IS NULL)
'''
"courses exist" = '''
SELECT NOT EXISTS (SELECT 1 FROM enrolment LEFT JOIN course ON course.id = course_id
                   WHERE course.id IS NULL)
'''
"""


def tickets(count):
    init = "INSERT INTO venue VALUES (1, 1); INSERT INTO event VALUES (1, 1, 10, 1, 0);"
    takings = " ".join(f"WHEN {sold} THEN {10 * sold + sold * (sold - 1) // 2}"
                       for sold in range(count + 1))
    return init, numbered(count, "purchase(1, ?b{i})"), f"""
[invariant]
"takings" = '''
SELECT coalesce(sum(paid), 0) = CASE count(*) {takings} END FROM ticket WHERE event_id = 1
'''
"""


def venues(count):
    init = "INSERT INTO venue VALUES " + ", ".join(numbered(count, "({i}, NULL)")) + ";"
    return init, numbered(count, "add_event(?e{i}, ?v{i}, ?p{i})"), """
[invariant]
"one event a venue" = '''
SELECT NOT EXISTS (SELECT 1 FROM event a JOIN event b ON a.venue_id = b.venue_id WHERE a.id < b.id)
'''
"""


def bank(count):
    accounts = ", ".join(numbered(count, "({i}, 'ann', 60)"))
    return (f"INSERT INTO account VALUES {accounts};",
            numbered(count, "withdraw({i}, ?x{i})"), """
[invariant]
"no overdraft" = "SELECT sum(balance) >= 0 FROM account WHERE owner = 'ann'"
""")


# Name, application, scenario, the most transactions to ask for, verdicts at SER, SI, PSI, PC, CC.
BENCHMARKS = [
    ("auction V1", "auction_v1", auction_v1, 8, "hvvvv"),
    ("auction V2", "auction_v2", auction_v2, 8, "hhhhh"),
    ("courseware B1", "courseware", names, 8, "hvvvv"),
    ("courseware B2", "courseware", slots, 8, "hhhvv"),
    ("courseware B3", "courseware", enrolment, 8, "hhhhh"),
    ("fusion ticket B1", "fusion_ticket", tickets, 8, "hhhvv"),
    ("fusion ticket B2", "fusion_ticket", venues, 8, "hhhvv"),
    ("simple bank", "simple_bank", bank, 8, "hvvvv"),
]


def write(folder, application, scenario, count):
    """The path of the scenario with so many transactions, each in a session of its own."""
    init, calls, invariants = scenario(count)
    app = os.path.join(ROOT, "examples", "apps", application, application + ".sql")
    lines = [f'app = "{app}"']
    if init:
        lines += ["[init]", f'sql = """{init}"""']
    for call in calls:
        lines += ["[[session]]", f'calls = ["{call}"]']
    path = os.path.join(folder, f"{scenario.__name__}-{count}.toml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n" + invariants)
    return path
