// SPDX-License-Identifier: MIT
// What a random level text says of a random history, three ways: evaluated, encoded with
// everything constant, and searched for with everything open against all executions tried
// one by one.
#pragma once

#include <optional>
#include <string>

#include "base/random.h"
#include "history/history.h"
#include "level/level.h"

namespace isomer::check {

struct ThreeWaysOutcome {
  std::string fault;           // empty if there is none
  std::optional<bool> exists;  // an execution; absent if there are too many to try
};

ThreeWaysOutcome three_ways(const history::History& history, const level::Level& level,
                            Random& random);

}  // namespace isomer::check
