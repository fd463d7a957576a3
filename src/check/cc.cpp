// SPDX-License-Identifier: MIT
// Axiom Causal Consistency: if t3 reads x from t1, and another writer t2 of x happens
// before t3, hb = (so | wr)+, then t2 commits before t1.
//
// A vector clock says how many transactions of each session happen before t3.  Of the
// writers of x in one session only the last one that happens before t3 matters: the earlier
// ones are so- before it.  Within the reader's session clocks only grow, so a cursor for
// each (key, session) moves forward only, and the pass costs O(reads * sessions + writes *
// sessions).  Edges that hb itself implies are not added.
//
// Clocks take transactions * sessions words; sessions are done in blocks that fit in
// memory.
#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "check/weak.h"

namespace isomer::check {
namespace {

constexpr std::size_t clock_bytes_max = std::size_t{1} << 29;

// Clocks of one block of chains: clock(t)[c] transactions of chain first + c happen before
// t.
class Clocks {
 public:
  Clocks(const ResolvedHistory& in, std::uint32_t first, std::uint32_t count)
      : in_(in),
        first_(first),
        count_(count),
        counts_(static_cast<std::size_t>(in.txn_count()) * count, 0) {}

  void compute(const std::vector<std::uint32_t>& order, Patience& patience) {
    for (const std::uint32_t t : order) {
      if (patience.is_over()) return;
      if (t == init.index) continue;
      if (in_.place({t}) > 0) join(t, t - 1);
      for (const Read& read : in_.reads({t}))
        if (read.writer != init) join(t, read.writer.index);
    }
  }

  [[nodiscard]] const std::uint32_t* clock(TxnId t) const {
    return &counts_[static_cast<std::size_t>(t.index) * count_];
  }

 private:
  void join(std::uint32_t t, std::uint32_t before) {
    std::uint32_t* to = &counts_[static_cast<std::size_t>(t) * count_];
    const std::uint32_t* from = &counts_[static_cast<std::size_t>(before) * count_];
    for (std::uint32_t c = 0; c < count_; ++c)
      to[c] = std::max(to[c], from[c]);
    const std::uint32_t chain = in_.chain({before}) - first_;
    if (chain < count_) to[chain] = std::max(to[chain], in_.place({before}) + 1);
  }

  const ResolvedHistory& in_;
  std::uint32_t first_;
  std::uint32_t count_;
  std::vector<std::uint32_t> counts_;
};

// The reads of each key, by reader.
struct KeyReads {
  struct Entry {
    TxnId reader;
    std::uint32_t read;
  };

  std::vector<std::uint32_t> first;
  std::vector<Entry> entries;

  explicit KeyReads(const ResolvedHistory& in)
      : first(in.key_count() + 1, 0), entries(in.all_reads().size()) {
    for (const Read& read : in.all_reads())
      ++first[read.key.index + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t t = 0; t < in.txn_count(); ++t)
      for (std::uint32_t r = in.first_read({t}); r < in.first_read({t + 1}); ++r)
        entries[next[in.all_reads()[r].key.index]++] = {{t}, r};
  }
};

// The forced edges of one key after another, through the sessions of one block.  Key by
// key, because then all that moves stays in the cache.
class CausalBlock {
 public:
  CausalBlock(CommitGraph& graph, const Clocks& clocks, std::uint32_t first,
              std::uint32_t count)
      : graph_(graph),
        in_(graph.resolved()),
        clocks_(clocks),
        first_(first),
        count_(count) {}

  void force(KeyId x, std::span<const KeyReads::Entry> reads) {
    gather(x);
    if (groups_.empty()) return;
    std::uint32_t chain = 0;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      if (i + ahead < reads.size()) prefetch(reads[i + ahead]);
      const auto& [reader, read] = reads[i];
      if (in_.chain(reader) != chain) restart();
      chain = in_.chain(reader);
      force_read(reader, read);
    }
  }

 private:
  static constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::size_t ahead = 8;

  // The writers of the key in one chain, and how far the current reader's session has come.
  struct Group {
    std::uint32_t chain;       // within the block
    std::uint32_t next_place;  // of the first writer that the reader does not see
    std::uint32_t seen_end;    // one more than the place of the last that it sees; or 0
    std::uint32_t next;        // into the places
    std::uint32_t begin;       // into the places
    TxnId forced_to;           // the end of the last edge added from the last writer seen
  };

  // Each group's places are followed by a place that nobody sees.
  void gather(KeyId x) {
    groups_.clear();
    places_.clear();
    std::uint32_t last_chain = 0;
    for (const TxnId writer : in_.writers(x)) {
      const std::uint32_t chain = in_.chain(writer);
      if (chain - first_ >= count_) continue;
      if (chain != last_chain) {
        places_.push_back(no_place);
        const auto begin = static_cast<std::uint32_t>(places_.size());
        groups_.push_back({chain - first_, 0, 0, begin, begin, TxnId::none()});
      }
      places_.push_back(in_.place(writer));
      last_chain = chain;
    }
    places_.push_back(no_place);
  }

  void prefetch(const KeyReads::Entry& entry) const {
    const TxnId writer = in_.all_reads()[entry.read].writer;
    for (std::uint32_t c = 0; c < count_; c += 16) {
      __builtin_prefetch(clocks_.clock(entry.reader) + c);
      __builtin_prefetch(clocks_.clock(writer) + c);
    }
  }

  void restart() {
    for (Group& group : groups_) {
      group.next = group.begin;
      group.next_place = places_[group.begin];
      group.seen_end = 0;
      group.forced_to = TxnId::none();
    }
  }

  void force_read(TxnId t3, std::uint32_t r) {
    const std::uint32_t* seen = clocks_.clock(t3);
    const std::uint32_t* seen_by_writer = clocks_.clock(in_.all_reads()[r].writer);
    for (Group& group : groups_) {
      if (group.next_place < seen[group.chain]) advance(group, seen[group.chain]);
      if (group.seen_end > seen_by_writer[group.chain]) force_last(group, r);
      // Otherwise nothing is seen, or hb already puts it before the writer.
    }
  }

  void advance(Group& group, std::uint32_t seen) {
    do
      ++group.next;
    while (places_[group.next] < seen);
    group.seen_end = places_[group.next - 1] + 1;
    group.next_place = places_[group.next];
    group.forced_to = TxnId::none();
  }

  void force_last(Group& group, std::uint32_t r) {
    const TxnId writer = in_.all_reads()[r].writer;
    const TxnId last{in_.chain_first(first_ + group.chain) + group.seen_end - 1};
    if (last == writer || group.forced_to == writer) return;
    group.forced_to = writer;
    graph_.force(last, r);
  }

  CommitGraph& graph_;
  const ResolvedHistory& in_;
  const Clocks& clocks_;
  std::uint32_t first_;
  std::uint32_t count_;
  std::vector<std::uint32_t> places_;  // of the writers in their chains, group by group
  std::vector<Group> groups_;
};

}  // namespace

void force_causal(CommitGraph& graph, Patience& patience) {
  const ResolvedHistory& in = graph.resolved();
  const auto order = topological_order(Digraph(in.txn_count(), graph.happens_before()));
  if (!order) return;  // so and wr have a cycle; nothing needs to be forced
  const KeyReads reads(in);
  const std::size_t row_max = clock_bytes_max / sizeof(std::uint32_t) / in.txn_count();
  const auto block = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(row_max, 1, std::max(1U, in.chain_count())));
  for (std::uint32_t first = 1; first < in.chain_count(); first += block) {
    const std::uint32_t count = std::min(block, in.chain_count() - first);
    Clocks clocks(in, first, count);
    clocks.compute(*order, patience);
    if (patience.is_over()) return;
    CausalBlock forced(graph, clocks, first, count);
    for (std::uint32_t x = 0; x < in.key_count() && !patience.is_over(); ++x)
      forced.force({x}, std::span(reads.entries)
                            .subspan(reads.first[x], reads.first[x + 1] - reads.first[x]));
  }
}

}  // namespace isomer::check
