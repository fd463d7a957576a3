// SPDX-License-Identifier: MIT
// Random runs at a level, and whether a level allows what came of them.
#pragma once

#include <cstdint>
#include <variant>

#include "check/uncertified.h"
#include "store/store.h"

namespace isomer::store {

inline Options random_at(check::Level level, std::uint64_t seed) {
  Options options;
  options.policy = Policy::Random;
  options.level = level;
  options.seed = seed;
  return options;
}

inline bool allows(const history::History& history, check::Level level) {
  const check::Result result = check::uncertified_answers(
      history, {.levels = {level}, .budget = {}, .explain = false});
  return std::holds_alternative<check::Consistent>(result.levels.front().verdict);
}

}  // namespace isomer::store
