// SPDX-License-Identifier: MIT
// The axioms of the built-in levels, evaluated on a given order (private to certify.cpp).
#pragma once

#include <optional>
#include <string>

#include "check/settled_history.h"

namespace isomer::check {

using Failure = std::optional<std::string>;

// Absent if the order satisfies the axioms of the level; else one instance that fails.
// Expects so, wr and the known version orders to be in the order already.
Failure failing_axiom(const SettledHistory& ordered, Level level);

// Of a single level, in three families.
// What a reader sees are its direct predecessors (certify_direct.cpp).
Failure failing_read_committed(const SettledHistory& ordered);
Failure failing_read_atomic(const SettledHistory& ordered);

// It is transitive (certify_transitive.cpp).
Failure failing_causal(const SettledHistory& ordered);
Failure failing_parallel_snapshot(const SettledHistory& ordered);

// It is a prefix of the order (certify_prefix.cpp).
Failure failing_prefix(const SettledHistory& ordered);
Failure failing_snapshot(const SettledHistory& ordered);
Failure failing_serializability(const SettledHistory& ordered);

}  // namespace isomer::check
