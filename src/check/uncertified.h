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

// --- what the other levels of the standard library say where RC says no ---
//
// RC is the weakest of the built-in levels, but not of all: "read committed" has several
// definitions.  The one of Biswas & Enea has each transaction read forward; PL-2 of Adya
// and RC of Crooks et al. do not ask for that, and a locking join of PostgreSQL at READ
// COMMITTED does otherwise (it takes the newest version of the row that it locks, and the
// other rows from the snapshot of its statement).  PL-1 allows what READ UNCOMMITTED does:
// reads of values that were not committed, or not yet final.

// The levels of the library that are neither built in nor known to imply RC.
std::vector<AskedLevel> levels_beside_rc();

// Their answers, but for those that were asked already: if RC forbids the history, no level
// that was asked allows it, and it is not too large for levels that are decided from their
// text.  Empty otherwise.
std::vector<LevelResult> answers_beside_rc(const History& history,
                                           const std::vector<LevelResult>& asked,
                                           const Budget& budget);

}  // namespace isomer::check
