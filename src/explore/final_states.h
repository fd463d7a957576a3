// SPDX-License-Identifier: MIT
// The final states of a complete history: the last version of each key, for each commit
// order that the level admits.  Orders differ in their final state only where several
// writers of a key can be the last.  A level that is decided from its text need not have
// such an order; there, the last versions are what an observer may read who has seen all
// (store/final_states.h).
#pragma once

#include <functional>
#include <vector>

#include "explore/consistency.h"

namespace isomer::explore {

struct FinalVersion {
  KeyNumber key;
  TxnNumber writer;
  ValueNumber value;
};

struct FinalVersions {
  std::vector<FinalVersion> versions;  // of the keys that somebody wrote, by key
  // What a commit order must have for these to be the last versions.
  std::vector<Precedence> precedences;
};

// Which final states a level admits; those of some keys are asked for, too.
struct Admission {
  // The commit order extends what is forced in the search.
  bool extends_forced = true;
  std::function<bool(const FinalVersions&)> admits;
};

// Visits different final states until `visit` returns false.
template <std::size_t Words>
void for_each_final_state(const OrderedHistory<Words>& history, const Admission& admission,
                          const std::function<bool(const FinalVersions&)>& visit);

extern template void for_each_final_state(const OrderedHistory<1>&, const Admission&,
                                          const std::function<bool(const FinalVersions&)>&);
extern template void for_each_final_state(const OrderedHistory<4>&, const Admission&,
                                          const std::function<bool(const FinalVersions&)>&);

}  // namespace isomer::explore
