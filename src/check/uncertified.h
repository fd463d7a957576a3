// SPDX-License-Identifier: MIT
// What the checkers say before anything is derived again: for the inner loops of searches
// (what these find is certified in the end), for benchmarks, and for tests of the checkers.
// Nothing of it is shown to anybody.
#pragma once

#include <vector>

#include "check/check.h"

namespace isomer::check {

struct Question {
  std::vector<AskedLevel> levels{all_levels.begin(), all_levels.end()};
  Budget budget;
  bool explain = true;  // off: a violation has no evidence
};

Result uncertified_answers(const History& history, const Question& question);

// Of one level, without evidence.
Verdict uncertified_verdict(const History& history, const AskedLevel& level,
                            const Budget& budget);

}  // namespace isomer::check
