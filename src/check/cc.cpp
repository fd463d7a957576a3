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

#include "check/weak.h"

namespace isomer::check {
namespace {

constexpr std::size_t clock_bytes_max = std::size_t{1} << 29;

// Clocks of one block of chains: clock(t)[c] transactions of chain first + c happen before
// t.
class Clocks {
 public:
  Clocks(const Instance& in, std::uint32_t first, std::uint32_t count)
      : in_(in),
        first_(first),
        count_(count),
        counts_(static_cast<std::size_t>(in.txn_count()) * count, 0) {}

  void compute(const std::vector<std::uint32_t>& order) {
    for (const std::uint32_t t : order) {
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

  const Instance& in_;
  std::uint32_t first_;
  std::uint32_t count_;
  std::vector<std::uint32_t> counts_;
};

// The writers of one key in one chain, and how far the current reader's session has come.
// Small, for a read looks at all groups of its key.
struct Group {
  std::uint32_t chain;       // within the block
  std::uint32_t begin;       // into the places
  std::uint32_t next_place;  // of the first writer that the reader does not see
  std::uint32_t seen_end;    // one more than the place of the last that it sees; or 0
};

// The rest of a group, which is seldom needed.
struct Cursor {
  std::uint32_t next;  // into the places
  TxnId forced_to;     // the end of the last edge that was added from the last writer seen
};

class CausalBlock {
 public:
  CausalBlock(CommitGraph& graph, const Clocks& clocks, std::uint32_t first,
              std::uint32_t count)
      : graph_(graph),
        in_(graph.instance()),
        clocks_(clocks),
        first_(first),
        reader_chain_(in_.key_count(), 0) {
    first_group_.push_back(0);
    for (std::uint32_t x = 0; x < in_.key_count(); ++x) {
      std::uint32_t last_chain = 0;
      for (const TxnId writer : in_.writers({x})) {
        const std::uint32_t chain = in_.chain(writer);
        if (chain - first_ >= count) continue;
        if (chain != last_chain) begin_group(chain - first_);
        places_.push_back(in_.place(writer));
        last_chain = chain;
      }
      first_group_.push_back(static_cast<std::uint32_t>(groups_.size()));
    }
    places_.push_back(no_place);
    cursors_.resize(groups_.size());
  }

  void force() {
    for (std::uint32_t chain = 1; chain < in_.chain_count(); ++chain)
      for (std::uint32_t t = in_.chain_first(chain); t < in_.chain_end(chain); ++t)
        for (std::uint32_t r = in_.first_read({t}); r < in_.first_read({t + 1}); ++r)
          force_read({t}, chain, r);
  }

 private:
  static constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

  // Each group's places are followed by a place that nobody sees.
  void begin_group(std::uint32_t chain) {
    if (!places_.empty()) places_.push_back(no_place);
    groups_.push_back({chain, static_cast<std::uint32_t>(places_.size()), 0, 0});
  }

  void force_read(TxnId t3, std::uint32_t chain, std::uint32_t r) {
    const Read& read = in_.all_reads()[r];
    if (reader_chain_[read.key.index] != chain) restart(read.key, chain);
    const std::uint32_t* seen = clocks_.clock(t3);
    const std::uint32_t* seen_by_writer = clocks_.clock(read.writer);
    const std::uint32_t end = first_group_[read.key.index + 1];
    for (std::uint32_t g = first_group_[read.key.index]; g < end; ++g) {
      const std::uint32_t c = groups_[g].chain;
      if (groups_[g].next_place < seen[c]) advance(g, seen[c]);
      if (groups_[g].seen_end > seen_by_writer[c]) force_last(g, r);
      // Otherwise nothing is seen, or hb already puts it before the writer.
    }
  }

  void force_last(std::uint32_t g, std::uint32_t r) {
    const TxnId writer = in_.all_reads()[r].writer;
    const TxnId last{in_.chain_first(first_ + groups_[g].chain) + groups_[g].seen_end - 1};
    if (last == writer || cursors_[g].forced_to == writer) return;
    cursors_[g].forced_to = writer;
    graph_.force(last, r);
  }

  void restart(KeyId x, std::uint32_t chain) {
    reader_chain_[x.index] = chain;
    for (std::uint32_t g = first_group_[x.index]; g < first_group_[x.index + 1]; ++g) {
      groups_[g].next_place = places_[groups_[g].begin];
      groups_[g].seen_end = 0;
      cursors_[g] = {groups_[g].begin, TxnId::none()};
    }
  }

  void advance(std::uint32_t g, std::uint32_t seen) {
    std::uint32_t& next = cursors_[g].next;
    while (places_[next] < seen)
      ++next;
    cursors_[g].forced_to = TxnId::none();
    groups_[g].seen_end = places_[next - 1] + 1;
    groups_[g].next_place = places_[next];
  }

  CommitGraph& graph_;
  const Instance& in_;
  const Clocks& clocks_;
  std::uint32_t first_;
  std::vector<std::uint32_t> places_;  // of the writers in their chains, group by group
  std::vector<Group> groups_;          // key by key
  std::vector<Cursor> cursors_;        // by group
  std::vector<std::uint32_t> first_group_;   // by key
  std::vector<std::uint32_t> reader_chain_;  // by key: whose progress its groups have
};

}  // namespace

void force_causal(CommitGraph& graph) {
  const Instance& in = graph.instance();
  const auto order = topological_order(Digraph(in.txn_count(), graph.happens_before()));
  if (!order) return;  // so and wr have a cycle; nothing needs to be forced
  const std::size_t row_max = clock_bytes_max / sizeof(std::uint32_t) / in.txn_count();
  const auto block = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(row_max, 1, std::max(1U, in.chain_count())));
  for (std::uint32_t first = 1; first < in.chain_count(); first += block) {
    const std::uint32_t count = std::min(block, in.chain_count() - first);
    Clocks clocks(in, first, count);
    clocks.compute(*order);
    CausalBlock(graph, clocks, first, count).force();
  }
}

}  // namespace isomer::check
