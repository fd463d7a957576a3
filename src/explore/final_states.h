// SPDX-License-Identifier: MIT
// The final states of a complete history: the last version of each key, for each commit
// order that the level admits.  Orders differ in their final state only where several
// writers of a key can be the last.
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

// Visits different final states until `visit` returns false.  Without `level`, commit
// orders need only extend what is forced already (levels decided from their text).
template <std::size_t Words>
void for_each_final_state(const OrderedHistory<Words>& history, Consistency<Words>* level,
                          const std::function<bool(const FinalVersions&)>& visit);

extern template void for_each_final_state(const OrderedHistory<1>&, Consistency<1>*,
                                          const std::function<bool(const FinalVersions&)>&);
extern template void for_each_final_state(const OrderedHistory<4>&, Consistency<4>*,
                                          const std::function<bool(const FinalVersions&)>&);

}  // namespace isomer::explore
