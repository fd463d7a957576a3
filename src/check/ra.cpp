// SPDX-License-Identifier: MIT
// Axiom Read Atomic: if t3 reads x from t1, and another writer t2 of x is so- or wr-before
// t3, then t2 commits before t1.  Only direct edges count: with their transitive closure
// this would be Causal Consistency.
//
// Through so, the last writer of x before t3 in its session implies the earlier ones.
// Through wr, it is Read Committed without regard to program order.
#include "check/weak.h"

namespace isomer::check {
namespace {

void force_through_so(CommitGraph& graph, Patience& patience) {
  const ResolvedHistory& in = graph.resolved();

  struct Last {
    TxnId writer;
    std::uint32_t chain = 0;
  };

  std::vector<Last> last(in.key_count());
  for (std::uint32_t chain = 1; chain < in.chain_count(); ++chain)
    for (std::uint32_t t = in.chain_first(chain);
         t < in.chain_end(chain) && !patience.is_over(); ++t) {
      for (std::uint32_t r = in.first_read({t}); r < in.first_read({t + 1}); ++r) {
        const Read& read = in.all_reads()[r];
        const Last& l = last[read.key.index];
        if (l.chain == chain && l.writer != read.writer) graph.force(l.writer, r);
      }
      for (const KeyId x : in.writes({t}))
        last[x.index] = {{t}, chain};
    }
}

}  // namespace

void force_read_atomic(CommitGraph& graph, Patience& patience) {
  force_through_so(graph, patience);
  force_through_reads(graph, CountedReads::All, patience);
}

}  // namespace isomer::check
