// SPDX-License-Identifier: MIT
// Sessions that nobody can tell apart, so that one order of them stands for all.
//
// Swap two sessions, and with them the symbols (?x) of their calls.  If that leaves the
// other calls, [assume] and the invariants as they are, it is an automorphism of the
// program: initial rows and the text of a level name no session, and what a transaction
// does depends on its type, its arguments and what it reads.  So it maps each run that the
// level allows, with its witness relations, to one that the level allows, and that breaks
// what the first one breaks.  Automorphisms compose: where two swaps share a session, the
// third swap is one too, and a class of sessions that are swapped pairwise may be put in
// any order.  If some run breaks an invariant, then one does in which the first
// transactions of each class come, in the total order of the level, as in the scenario.
#pragma once

#include <cstdint>
#include <vector>

#include "program/ir.h"
#include "verify/exact.h"

namespace isomer::verify {

// Classes of two or more sessions, ascending.
std::vector<std::vector<std::uint32_t>> interchangeable_sessions(
    const program::Program& program);

// Each class in the order of the scenario; nothing where the level has no total order of
// transactions.
std::vector<Term> ordered_sessions(const SymbolicProgram& symbolic,
                                   const ExecutionTerms& execution);

}  // namespace isomer::verify
