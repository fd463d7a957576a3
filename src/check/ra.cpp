// SPDX-License-Identifier: MIT
// Axiom Read Atomic: if t3 reads x from t1, and another writer t2 of x is so- or wr-before
// t3, then t2 commits before t1.  Only direct edges count: with their transitive closure
// this would be Causal Consistency.
//
// Through so, the last writer of x before t3 in its session implies the earlier ones.
// Through wr, each writer t2 that t3 reads from is matched with the reads of t3, walking
// the shorter of the two sides, as for RC but without regard to program order.
#include <algorithm>

#include "check/weak.h"

namespace isomer::check {
namespace {

constexpr std::size_t short_txn = 16;

void force_through_so(CommitGraph& graph) {
  const Instance& in = graph.instance();

  struct Last {
    TxnId writer;
    std::uint32_t chain = 0;
  };

  std::vector<Last> last(in.key_count());
  for (std::uint32_t chain = 1; chain < in.chain_count(); ++chain)
    for (std::uint32_t t = in.chain_first(chain); t < in.chain_end(chain); ++t) {
      for (std::uint32_t r = in.first_read({t}); r < in.first_read({t + 1}); ++r) {
        const Read& read = in.all_reads()[r];
        const Last& l = last[read.key.index];
        if (l.chain == chain && l.writer != read.writer) graph.force(l.writer, r);
      }
      for (const KeyId x : in.writes({t}))
        last[x.index] = {{t}, chain};
    }
}

void force_pairs(CommitGraph& graph, TxnId t3) {
  const Instance& in = graph.instance();
  const auto reads = in.reads(t3);
  for (std::size_t i = 0; i < reads.size(); ++i)
    for (std::size_t j = 0; j < reads.size(); ++j) {
      const TxnId t2 = reads[j].writer;
      if (t2 == init || t2 == reads[i].writer) continue;
      if (in.is_writer(t2, reads[i].key))
        graph.force(t2, in.first_read(t3) + static_cast<std::uint32_t>(i));
    }
}

void force_long(CommitGraph& graph, TxnId t3, std::vector<std::uint32_t>& by_key,
                std::vector<TxnId>& seen_by) {
  const Instance& in = graph.instance();
  const std::uint32_t first = in.first_read(t3);
  const auto reads = in.reads(t3);
  const auto key = [&](std::uint32_t read) { return in.all_reads()[read].key; };
  by_key.clear();
  for (std::uint32_t i = 0; i < reads.size(); ++i)
    by_key.push_back(first + i);
  std::sort(by_key.begin(), by_key.end(), [&](std::uint32_t left, std::uint32_t right) {
    return key(left) < key(right);
  });
  for (const Read& through : reads) {
    const TxnId t2 = through.writer;
    if (t2 == init || seen_by[t2.index] == t3) continue;
    seen_by[t2.index] = t3;
    if (in.writes(t2).size() <= reads.size()) {
      for (const KeyId x : in.writes(t2)) {
        auto at =
            std::lower_bound(by_key.begin(), by_key.end(), x,
                             [&](std::uint32_t read, KeyId k) { return key(read) < k; });
        for (; at != by_key.end() && key(*at) == x; ++at)
          if (in.all_reads()[*at].writer != t2) graph.force(t2, *at);
      }
    } else {
      for (std::uint32_t i = 0; i < reads.size(); ++i)
        if (reads[i].writer != t2 && in.is_writer(t2, reads[i].key))
          graph.force(t2, first + i);
    }
  }
}

}  // namespace

void force_read_atomic(CommitGraph& graph) {
  const Instance& in = graph.instance();
  force_through_so(graph);
  std::vector<std::uint32_t> by_key;
  std::vector<TxnId> seen_by;  // by writer: the last long transaction that read from it
  for (std::uint32_t t = 0; t < in.txn_count(); ++t) {
    if (in.reads({t}).size() <= short_txn) {
      force_pairs(graph, {t});
      continue;
    }
    if (seen_by.empty()) seen_by.assign(in.txn_count(), TxnId::none());
    force_long(graph, {t}, by_key, seen_by);
  }
}

}  // namespace isomer::check
