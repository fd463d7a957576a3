// SPDX-License-Identifier: MIT
// The edges that RC and RA force through wr: t3 reads from t2, t2 also writes x, and t3
// reads x from t1, so t2 commits before t1.  Under RC only reads of x after that of t2
// count.
//
// For each pair (a writer t2 that t3 reads from, a read of t3) this asks whether t2 writes
// the key.  In a long transaction we walk what t2 writes or what t3 reads, whichever is
// shorter: with n operations in all, a transaction that reads k keys costs at most the sum
// over its writers of min(k, writes), which is O(n^1.5).
#include <algorithm>

#include "check/weak.h"

namespace isomer::check {
namespace {

constexpr std::size_t short_txn = 16;

class ThroughReads {
 public:
  ThroughReads(CommitGraph& graph, CountedReads counted)
      : graph_(graph),
        in_(graph.resolved()),
        is_later_only_(counted == CountedReads::Later) {}

  void force_short(TxnId t3) {
    const auto reads = in_.reads(t3);
    for (std::size_t i = 0; i < reads.size(); ++i)
      for (std::size_t j = 0; j < (is_later_only_ ? i : reads.size()); ++j) {
        const TxnId t2 = reads[j].writer;
        if (t2 == init || t2 == reads[i].writer) continue;
        if (in_.is_writer(t2, reads[i].key))
          graph_.force(t2, in_.first_read(t3) + static_cast<std::uint32_t>(i));
      }
  }

  void force_long(TxnId t3) {
    if (seen_by_.empty()) seen_by_.assign(in_.txn_count(), TxnId::none());
    first_ = in_.first_read(t3);
    end_ = in_.first_read({t3.index + 1});
    by_key_.clear();
    for (std::uint32_t r = first_; r < end_; ++r)
      by_key_.push_back({in_.all_reads()[r].key, r});
    std::sort(by_key_.begin(), by_key_.end());
    for (std::uint32_t r = first_; r < end_; ++r) {
      const TxnId t2 = in_.all_reads()[r].writer;
      if (t2 == init || seen_by_[t2.index] == t3)
        continue;  // its first read has the most after
      seen_by_[t2.index] = t3;
      force_writer(t2, is_later_only_ ? r + 1 : first_);
    }
  }

 private:
  struct KeyRead {
    KeyId key;
    std::uint32_t read;

    friend auto operator<=>(const KeyRead&, const KeyRead&) = default;
  };

  // The reads from `from` on of keys that t2 writes.
  void force_writer(TxnId t2, std::uint32_t from) {
    if (in_.writes(t2).size() > end_ - from) {
      for (std::uint32_t r = from; r < end_; ++r)
        if (in_.is_writer(t2, in_.all_reads()[r].key)) force(t2, r);
      return;
    }
    for (const KeyId x : in_.writes(t2))
      for (auto at = std::lower_bound(by_key_.begin(), by_key_.end(), KeyRead{x, from});
           at != by_key_.end() && at->key == x; ++at)
        force(t2, at->read);
  }

  void force(TxnId t2, std::uint32_t read) {
    if (in_.all_reads()[read].writer != t2) graph_.force(t2, read);
  }

  CommitGraph& graph_;
  const ResolvedHistory& in_;
  bool is_later_only_;
  std::uint32_t first_ = 0;  // of the current transaction's reads
  std::uint32_t end_ = 0;
  std::vector<KeyRead> by_key_;
  std::vector<TxnId> seen_by_;  // by writer: the last long transaction that read from it
};

}  // namespace

void force_through_reads(CommitGraph& graph, CountedReads counted, Patience& patience) {
  const ResolvedHistory& in = graph.resolved();
  ThroughReads forced(graph, counted);
  for (std::uint32_t t = 0; t < in.txn_count() && !patience.is_over(); ++t)
    if (in.reads({t}).size() <= short_txn)
      forced.force_short({t});
    else
      forced.force_long({t});
}

// Axiom Read Committed: if t3 reads x from t1, after (in program order) it read anything
// from another writer t2 of x, then t2 commits before t1.
void force_read_committed(CommitGraph& graph, Patience& patience) {
  force_through_reads(graph, CountedReads::Later, patience);
}

}  // namespace isomer::check
