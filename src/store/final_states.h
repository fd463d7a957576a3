// SPDX-License-Identifier: MIT
// Which final states does a level admit after a run?  (Private to store.cpp.)
//
// The reads of a run are fixed, but a level need not fix which of two concurrent writes of
// a key is the last.  So the final state is what an observer may read who has seen every
// transaction: a transaction of a session of its own that comes after all of them.  A
// choice of last writers is admitted if and only if the level allows the run together with
// an observer who reads from these.
//
// How that is asked: each writer of a key in question also writes a mark, a key of its own;
// the observer reads all marks, and then the keys.  Every built-in level has the axiom that
// a read does not return a version older than one that the reader has surely seen (RC has
// it for what was read before), so the chosen writer must come after every other writer of
// that key.  Conversely the observer can be put at the end of any order of commits that
// explains the run.  Marks are nobody else's, so they add no conflict.  (`observed`, in
// consistency.h.)
#pragma once

#include <vector>

#include "store/consistency.h"
#include "store/ran_transaction.h"

namespace isomer::store {

struct FinalStates {
  // By the latest writers first: the first one is nearest to the order of the run.  Empty:
  // the level does not allow the run at all.
  std::vector<FinalState> states;
  bool is_complete = true;  // false: there may be more
};

FinalStates final_states(const FinalState& initial, const std::vector<RanTransaction>& ran,
                         const check::AskedLevel& level, const Budget& budget);

// The one final state of a run whose commits are taken in the order of the run.
FinalState final_state_in_order(const FinalState& initial,
                                const std::vector<RanTransaction>& ran);

}  // namespace isomer::store
