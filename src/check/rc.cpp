// SPDX-License-Identifier: MIT
// Axiom Read Committed: if t3 reads x from t1, after (in program order) it read anything
// from another writer t2 of x, then t2 commits before t1.
//
// For each pair (an earlier writer t2, a later read) this asks whether t2 writes the key.
// In a long transaction we walk what t2 writes or what t3 reads, whichever is shorter: with
// n operations in all, a transaction that reads k keys costs at most the sum over its
// writers of min(k, writes), which is O(n^1.5).
#include <algorithm>

#include "check/weak.h"

namespace isomer::check {
namespace {

constexpr std::size_t short_txn = 16;

struct KeyRead {
  KeyId key;
  std::uint32_t read;

  friend auto operator<=>(const KeyRead&, const KeyRead&) = default;
};

void force_pairs(CommitGraph& graph, TxnId t3) {
  const Instance& in = graph.instance();
  const auto reads = in.reads(t3);
  for (std::size_t later = 1; later < reads.size(); ++later)
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const TxnId t2 = reads[earlier].writer;
      if (t2 == init || t2 == reads[later].writer) continue;
      if (in.is_writer(t2, reads[later].key))
        graph.force(t2, in.first_read(t3) + static_cast<std::uint32_t>(later));
    }
}

void force_long(CommitGraph& graph, TxnId t3, std::vector<KeyRead>& by_key,
                std::vector<TxnId>& seen_by) {
  const Instance& in = graph.instance();
  const std::uint32_t first = in.first_read(t3);
  const auto reads = in.reads(t3);
  by_key.clear();
  for (std::uint32_t i = 0; i < reads.size(); ++i)
    by_key.push_back({reads[i].key, first + i});
  std::sort(by_key.begin(), by_key.end());
  for (std::uint32_t i = 0; i < reads.size(); ++i) {
    const TxnId t2 = reads[i].writer;
    if (t2 == init || seen_by[t2.index] == t3) continue;  // its first read is the widest
    seen_by[t2.index] = t3;
    const auto force_key = [&](KeyId x) {
      for (auto at = std::lower_bound(by_key.begin(), by_key.end(), KeyRead{x, first + i});
           at != by_key.end() && at->key == x; ++at)
        if (at->read > first + i && in.all_reads()[at->read].writer != t2)
          graph.force(t2, at->read);
    };
    if (in.writes(t2).size() <= reads.size() - i) {
      for (const KeyId x : in.writes(t2))
        force_key(x);
    } else {
      for (std::uint32_t later = i + 1; later < reads.size(); ++later)
        if (reads[later].writer != t2 && in.is_writer(t2, reads[later].key))
          graph.force(t2, first + later);
    }
  }
}

}  // namespace

void force_read_committed(CommitGraph& graph) {
  const Instance& in = graph.instance();
  std::vector<KeyRead> by_key;
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
