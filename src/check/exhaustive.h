// SPDX-License-Identifier: MIT
// Does any commit order of a few transactions satisfy a level?  Tries them all.
#pragma once

#include <cstdint>
#include <optional>

#include "check/level.h"
#include "check/small_history.h"

namespace isomer::check {

// The most transactions, the initial one included, that exists_order() takes.
inline constexpr std::size_t exhaustive_txns_max = 15;

// Absent if the search gave up after `steps_max` placed transactions.
std::optional<bool> exists_order(const SmallHistory& history, Level level,
                                 std::uint64_t steps_max);

}  // namespace isomer::check
