// SPDX-License-Identifier: MIT
// What can be predicted from a run, by trying everything.  Written from the definitions of
// the paper (sections 4.1, 4.2 and 4.5, appendix B); shares nothing with the engine but the
// names of its options.
#pragma once

#include <optional>
#include <vector>

#include "predict/predict.h"
#include "support/predict/trace.h"

namespace isomer::predict {

// Who takes part, with how many of its operations, and who reads from whom.
struct Guess {
  std::vector<int> length;  // by transaction: operations kept; -1: takes no part
  std::vector<std::vector<int>> writer;  // by transaction and operation, of reads kept
  int changes = 0;

  auto operator<=>(const Guess&) const = default;
};

// All guesses that the rules allow, without repetition; absent if there are more than
// `count_max` to try.
std::optional<std::vector<Guess>> guesses(const Trace& trace, bool is_strict,
                                          Boundary boundary, std::size_t count_max);

// A write of the key is kept.
bool writes(const Trace& trace, const Guess& guess, int txn, int key);

// Some order of the transactions explains all reads.
bool is_serializable(const Trace& trace, const Guess& guess);

// The least pco has a cycle.
bool has_pco_cycle(const Trace& trace, const Guess& guess);

// What happened, operation by operation: a transaction that is cut has written what it had
// written by then.
history::History history_of(const Trace& trace, const Guess& guess);

}  // namespace isomer::predict
