#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the complete histories of a litmus program by the definitions.

Usage: enumerate.py PROGRAM.txn BASE [LEVEL] [--no-initial]

BASE is true, RC, RA or CC; the histories that it allows are the end states of explore-ce*.
LEVEL (CC, SI, SER, or SI-difference) filters them.  Prints: end states, and histories.

A history is complete when each transaction has ended; what is added last is a transaction
that nobody depends on.  So all of them are found by adding transactions one after another in
every order that sessions allow, with every choice of who is read from that the base allows,
and keeping each history once: no reduction, nothing clever.

Two variants are no definitions of the paper but what its numbers turn out to be:

--no-initial: a key that `init` does not list has no initial version (the program of the
paper starts that way, against its section 2.2.1).  A read of such a key reads from some
transaction that wrote it; the initial transaction is a choice only if nobody has.

SI-difference: SI, but two transactions conflict if the earlier one in the history order
writes a key that the later one does not write.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from txn_program import Program  # noqa: E402


class History:
    """Transactions that have ended.  Sets of transactions are bits of a number."""
    __slots__ = ("reads", "writes", "values", "past", "commits", "status")

    def __init__(self, size):
        self.reads = [None] * size    # (key, writer) in program order; None: not there
        self.writes = [()] * size     # keys
        self.values = [{}] * size
        self.past = [0] * size        # (so u wr)+
        self.commits = [0] * size     # who must commit before it, closed
        self.status = [None] * size

    def copy(self):
        out = History.__new__(History)
        for name in History.__slots__:
            setattr(out, name, list(getattr(self, name)))
        return out


def bits(mask):
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


class Enumeration:
    def __init__(self, program, base, has_initial=True):
        self.program, self.base, self.has_initial = program, base, has_initial
        self.size = len(program.bodies)

    def start(self):
        out = History(self.size)
        out.reads[0], out.values[0], out.status[0] = (), self.program.initial, "committed"
        return out

    def writers(self, history, key):
        out = [t for t in range(1, self.size) if key in history.writes[t]]
        if self.has_initial or key in self.program.initial or not out:
            out.append(0)
        return out

    def ways(self, history, txn, reads, values):
        """Every way for the transaction to run to its end that the base allows."""
        run = self.program.run(txn, values)
        result = self.added(history, txn, run, reads)
        if result is None:
            return
        if run.wanted is None:
            yield result
            return
        for writer in self.writers(history, run.wanted):
            value = history.values[writer].get(run.wanted)
            yield from self.ways(history, txn, reads + ((run.wanted, writer),),
                                 values + (value,))

    def seen(self, history, txn, reads, index, past):
        """Section 2.2.2, phi: who must have committed before what read `index` reads."""
        if self.base == "true":
            return 0
        if self.base == "CC":
            return past
        out = 0
        for _, writer in reads[:index] if self.base == "RC" else reads:
            out |= 1 << writer
        if self.base == "RA":
            before = self.program.previous[txn]
            while before is not None:
                out |= 1 << before
                before = self.program.previous[before]
        return out

    def added(self, history, txn, run, reads):
        """The history with this transaction; None if the base forbids it."""
        before = self.program.previous[txn]
        past = history.past[before] | 1 << before
        for _, writer in reads:
            past |= history.past[writer] | 1 << writer
        out = history.copy()
        out.reads[txn], out.past[txn] = reads, past
        out.status[txn], out.values[txn] = run.status, run.writes
        out.writes[txn] = tuple(run.writes)
        out.commits[txn] = past
        for earlier in bits(past):
            out.commits[txn] |= out.commits[earlier]
        for index, (key, writer) in enumerate(reads):
            for other in bits(self.seen(history, txn, reads, index, past)):
                writes = key in history.writes[other] or other == 0
                if other != writer and writes and not self.commit_before(out, other, writer):
                    return None
        return out

    def commit_before(self, history, first, second):
        """Adds first < second to the commit order; False if that makes a cycle."""
        if first == second or history.commits[first] >> second & 1:
            return False
        new = history.commits[first] | 1 << first
        for txn in range(self.size):
            if txn == second or history.commits[txn] >> second & 1:
                history.commits[txn] |= new
        return True

    def histories(self):
        """All complete ones, each once."""
        layer = [self.start()]
        for _ in range(1, self.size):
            following = {}
            for history in layer:
                for session in self.program.sessions:
                    txn = next((t for t in session if history.reads[t] is None), None)
                    if txn is None:
                        continue
                    for result in self.ways(history, txn, (), ()):
                        following.setdefault(tuple(result.reads), result)
            layer = list(following.values())
        return layer


# --- filters ---

def satisfies_cc(program, history):
    """The axioms of CC for the whole history at once, whatever the base was."""
    size = len(program.bodies)
    commits = list(history.past)
    for reader in range(1, size):
        for key, writer in history.reads[reader]:
            for other in bits(history.past[reader]):
                if other != writer and (key in history.writes[other] or other == 0):
                    commits[writer] |= 1 << other
    placed = 0
    while placed != (1 << size) - 1:
        able = [t for t in range(size)
                if not placed >> t & 1 and not commits[t] & ~placed]
        if not able:
            return False
        for txn in able:
            placed |= 1 << txn
    return True


def last_writer(history, order, key):
    return next((t for t in reversed(order) if key in history.writes[t]), 0)


def has_order(history, order, left, may_follow):
    """Is there a commit order that begins with this one?"""
    if not left:
        return True
    for txn in left:
        if history.past[txn] & ~sum(1 << t for t in order) & ~1:
            continue
        if may_follow(order, txn) and has_order(history, order + [txn],
                                                [t for t in left if t != txn], may_follow):
            return True
    return False


def satisfies_ser(program, history):
    """Figure 2d: whoever wrote x and commits before the reader, commits before who it read."""
    def may_follow(order, txn):
        return all(last_writer(history, order, key) == writer
                   for key, writer in history.reads[txn])
    return has_order(history, [], list(range(1, len(program.bodies))), may_follow)


def satisfies_si(program, history):
    """Figures 2b and 2c: what t3 sees is all that commits up to some t4 (so u wr) before
    it, or that writes a key that t3 writes and commits before it."""
    def may_follow(order, txn):
        seen = 0
        for position, other in enumerate(order):
            conflict = set(history.writes[other]) & set(history.writes[txn])
            if conflict or is_direct(program, history, other, txn):
                seen = position + 1
        return all(last_writer(history, order[:seen], key) == writer
                   for key, writer in history.reads[txn])
    return has_order(history, [], list(range(1, len(program.bodies))), may_follow)


def is_direct(program, history, first, second):
    """so u wr"""
    session = next(s for s in program.sessions if second in s)
    return (first in session and first < second) or any(
        writer == first for _, writer in history.reads[second])


def history_order(program, history):
    """Appendix E, algorithm 3: the order in which explore-ce has put the transactions."""
    size = len(program.bodies)
    end = size  # stands for the end of the program, behind all others

    def dependent(txn, event):
        """`dep`: reads between txn and the event, as (transaction, index); or txn itself."""
        out = {(txn, -1)}
        for reader in range(1, size):
            if event != end and not history.past[event] >> reader & 1:
                continue
            for index, (_, writer) in enumerate(history.reads[reader]):
                if writer == txn or history.past[writer] >> txn & 1:
                    out.add((reader, index))
        return out

    def is_smaller(first, second):
        event = end
        while True:
            a, b = min(dependent(first, event)), min(dependent(second, event))
            if a != b:
                return a < b
            event = a[0]

    order = []
    for txn in range(1, size):
        place = 0
        while place < len(order):
            other = order[place]
            if history.past[other] >> txn & 1:
                break
            if not history.past[txn] >> other & 1 and is_smaller(txn, other):
                break
            place += 1
        order.insert(place, txn)
    return order


def conflicts_by_difference(program, history):
    order = history_order(program, history)
    return {frozenset((first, second)) for place, first in enumerate(order)
            for second in order[place + 1:]
            if set(history.writes[first]) - set(history.writes[second])}


def conflicts_by_intersection(program, history):
    numbers = range(1, len(program.bodies))
    return {frozenset((first, second)) for first in numbers for second in numbers
            if first < second and set(history.writes[first]) & set(history.writes[second])}


def satisfies_split(program, history, conflicts):
    """SI operationally: transactions begin, and read what is committed then, and commit;
    those in conflict do not overlap."""
    size = len(program.bodies)
    failed = set()

    def overwritten(txn, begun, committed):
        """Would somebody who has not begun read from somebody what txn overwrites?"""
        return any(key in history.writes[txn] and (writer == 0 or committed >> writer & 1)
                   for reader in range(1, size) if not begun >> reader & 1
                   for key, writer in history.reads[reader])

    def search(begun, committed):
        if committed == (1 << size) - 2:
            return True
        if (begun, committed) in failed:
            return False
        for txn in range(1, size):
            bit = 1 << txn
            if not begun & bit:
                if history.past[txn] & ~committed & ~1:
                    continue
                if any(frozenset((txn, other)) in conflicts
                       for other in bits(begun & ~committed)):
                    continue
                if search(begun | bit, committed):
                    return True
            elif not committed & bit and not overwritten(txn, begun, committed):
                if search(begun, committed | bit):
                    return True
        failed.add((begun, committed))
        return False

    return search(0, 0)


def satisfies_si_difference(program, history):
    return satisfies_split(program, history, conflicts_by_difference(program, history))


def satisfies_si_by_snapshots(program, history):
    return satisfies_split(program, history, conflicts_by_intersection(program, history))


FILTERS = {
    "CC": satisfies_cc,
    "SI": satisfies_si,
    "SI-snapshots": satisfies_si_by_snapshots,
    "SI-difference": satisfies_si_difference,
    "SER": satisfies_ser,
}


def counts(path, base, levels, has_initial=True):
    """End states of the base, and of these how many each level allows."""
    program = Program(path)
    found = Enumeration(program, base, has_initial).histories()
    return len(found), {level: sum(FILTERS[level](program, history) for history in found)
                        for level in levels}


def main():
    words = [word for word in sys.argv[1:] if word != "--no-initial"]
    if not 2 <= len(words) <= 3:
        sys.exit(__doc__)
    levels = words[2:]
    end_states, allowed = counts(words[0], words[1], levels, "--no-initial" not in sys.argv)
    print(end_states, *(allowed[level] for level in levels))


if __name__ == "__main__":
    main()
