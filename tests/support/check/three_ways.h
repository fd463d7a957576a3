// SPDX-License-Identifier: MIT
// Random level texts, and what one says of a random history, three ways: evaluated, encoded
// with everything constant, and searched for with everything open against all executions
// tried one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/random.h"
#include "history/history.h"
#include "level/level.h"

namespace isomer::check {

// A framework with one or two witnesses and a level of one to three axioms, small enough
// that all executions can be tried.  A witness that is no order is bound to be part of
// `so | wr`.
std::string random_level_text(std::uint64_t seed);

struct ThreeWaysOutcome {
  std::string fault;           // empty if there is none
  std::optional<bool> exists;  // an execution; absent if there are too many to try
};

ThreeWaysOutcome three_ways(const history::History& history, const level::Level& level,
                            Random& random);

}  // namespace isomer::check
