// SPDX-License-Identifier: MIT
// Axiom Read Committed: if t3 reads x from t1, after (in program order) it read anything
// from another writer t2 of x, then t2 commits before t1.
#include "check/weak.h"

namespace isomer::check {

void force_read_committed(CommitGraph& graph) {
  force_through_reads(graph, CountedReads::Later);
}

}  // namespace isomer::check
