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
struct Group {
  std::uint32_t chain;  // within the block
  std::uint32_t begin;  // into the writers of the key
  std::uint32_t end;
  std::uint32_t next = 0;        // the first writer that the reader does not see yet
  std::uint32_t next_place = 0;  // its place; the largest number if there is none
  std::uint32_t reader_chain = 0;
  TxnId last = TxnId::none();       // the last writer that the reader sees
  TxnId forced_to = TxnId::none();  // the last edge from `last` that was added
};

class CausalBlock {
 public:
  CausalBlock(CommitGraph& graph, const Clocks& clocks, std::uint32_t first,
              std::uint32_t count)
      : graph_(graph),
        in_(graph.instance()),
        clocks_(clocks),
        first_(first),
        count_(count) {
    first_group_.push_back(0);
    for (std::uint32_t x = 0; x < in_.key_count(); ++x) {
      const auto writers = in_.writers({x});
      for (std::uint32_t i = 0; i < writers.size();) {
        const std::uint32_t chain = in_.chain(writers[i]);
        const std::uint32_t begin = i;
        const std::uint32_t chain_end = in_.chain_end(chain);
        while (i < writers.size() && writers[i].index < chain_end)
          ++i;
        if (chain - first_ < count_) groups_.push_back({chain - first_, begin, i});
      }
      first_group_.push_back(static_cast<std::uint32_t>(groups_.size()));
    }
  }

  void force() {
    for (std::uint32_t chain = 1; chain < in_.chain_count(); ++chain)
      for (std::uint32_t t = in_.chain_first(chain); t < in_.chain_end(chain); ++t)
        for (std::uint32_t r = in_.first_read({t}); r < in_.first_read({t + 1}); ++r)
          force_read({t}, chain, r);
  }

 private:
  void force_read(TxnId t3, std::uint32_t chain, std::uint32_t r) {
    const Read& read = in_.all_reads()[r];
    const std::uint32_t* seen = clocks_.clock(t3);
    const std::uint32_t* seen_by_writer = clocks_.clock(read.writer);
    const std::uint32_t end = first_group_[read.key.index + 1];
    for (std::uint32_t g = first_group_[read.key.index]; g < end; ++g) {
      Group& group = groups_[g];
      if (group.reader_chain != chain) restart(group, read.key, chain);
      if (group.next_place < seen[group.chain]) advance(group, read.key, seen[group.chain]);
      if (group.last.is_none() || group.last == read.writer) continue;
      if (group.forced_to == read.writer) continue;
      if (in_.place(group.last) < seen_by_writer[group.chain]) continue;  // hb implies it
      group.forced_to = read.writer;
      graph_.force(group.last, r);
    }
  }

  void restart(Group& group, KeyId x, std::uint32_t chain) {
    group.reader_chain = chain;
    group.next = group.begin;
    group.last = TxnId::none();
    group.forced_to = TxnId::none();
    group.next_place = in_.place(in_.writers(x)[group.begin]);
  }

  void advance(Group& group, KeyId x, std::uint32_t seen) {
    const auto writers = in_.writers(x);
    while (group.next < group.end && in_.place(writers[group.next]) < seen)
      ++group.next;
    group.last = writers[group.next - 1];
    group.forced_to = TxnId::none();
    group.next_place = group.next < group.end ? in_.place(writers[group.next])
                                              : std::numeric_limits<std::uint32_t>::max();
  }

  CommitGraph& graph_;
  const Instance& in_;
  const Clocks& clocks_;
  std::uint32_t first_;
  std::uint32_t count_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> first_group_;  // by key
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
