// SPDX-License-Identifier: MIT
// What certify.cpp derives again (private to it): a commit order, by the axioms of the
// built-in levels; a read that no built-in level allows, and a cycle, piece by piece.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/settled_history.h"

namespace isomer::check {

// --- witnesses ---

using Failure = std::optional<std::string>;

// Absent if the order satisfies the axioms of the level; else one instance that fails.
// Expects so, wr and the known version orders to be in the order already.
Failure failing_axiom(const SettledHistory& ordered, Level level);

// Of a single level, in three families.
// What a reader sees are its direct predecessors (direct.cpp).
Failure failing_read_committed(const SettledHistory& ordered);
Failure failing_read_atomic(const SettledHistory& ordered);

// It is transitive (transitive.cpp).
Failure failing_causal(const SettledHistory& ordered);
Failure failing_parallel_snapshot(const SettledHistory& ordered);

// It is a prefix of the order (prefix.cpp).
Failure failing_prefix(const SettledHistory& ordered);
Failure failing_snapshot(const SettledHistory& ordered);
Failure failing_serializability(const SettledHistory& ordered);

// --- violations (problem.cpp, cycle.cpp) ---

// Absent if the raw operations show the problem; else what is wrong with it.
std::optional<std::string> refute_problem(const History& history,
                                          const history::Problem& problem);

// Absent if each edge follows from the history and the level forbids cycles of this shape;
// else what is wrong with it.
std::optional<std::string> refute_cycle(const History& history, Level level,
                                        const std::vector<Edge>& cycle);

}  // namespace isomer::check
