// SPDX-License-Identifier: MIT
// Axiom Causal Consistency: if t3 reads x from t1, and another writer t2 of x happens
// before t3, hb = (so | wr)+, then t2 commits before t1.
//
// A vector clock says how many transactions of each session happen before t3.  Of the
// writers of x in one session only the last one that happens before t3 matters: the earlier
// ones are so-before it.  Within the reader's session clocks only grow, so a cursor for
// each (key, session) moves forward only, and the pass costs O(reads * sessions + writes *
// sessions).  Edges that hb itself implies are not added.
//
// Clocks take transactions * sessions words; sessions are done in blocks that fit in
// memory.
#include <algorithm>
#include <limits>
#include <numeric>

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

struct KeyRead {
  TxnId reader;
  std::uint32_t read;  // index into all_reads()
};

// All reads, key by key, and of one key by reader.
class ReadsByKey {
 public:
  explicit ReadsByKey(const Instance& in) : offsets_(in.key_count() + 1, 0) {
    for (const Read& read : in.all_reads())
      ++offsets_[read.key.index + 1];
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    reads_.resize(in.all_reads().size());
    std::vector<std::uint32_t> end(offsets_.begin(), offsets_.end() - 1);
    for (std::uint32_t t = 0; t < in.txn_count(); ++t)
      for (std::uint32_t r = in.first_read({t}); r < in.first_read({t + 1}); ++r)
        reads_[end[in.all_reads()[r].key.index]++] = {{t}, r};
  }

  [[nodiscard]] std::span<const KeyRead> of(KeyId x) const {
    return std::span(reads_).subspan(offsets_[x.index],
                                     offsets_[x.index + 1] - offsets_[x.index]);
  }

 private:
  std::vector<std::uint32_t> offsets_;
  std::vector<KeyRead> reads_;
};

// The writers of the current key in one chain, and how far the reader's session has come.
struct Group {
  std::uint32_t chain;       // within the block
  std::uint32_t begin;       // into the places
  std::uint32_t next;        // into the places: the first writer that the reader misses
  std::uint32_t next_place;  // of that writer
  std::uint32_t seen_end;    // one more than the place of the last that it sees; or 0
  TxnId forced_to;           // the end of the last edge that was added from the last seen
};

// Goes key by key, so that what a read looks at is small and near.
class CausalBlock {
 public:
  CausalBlock(CommitGraph& graph, const Clocks& clocks, std::uint32_t first,
              std::uint32_t count)
      : graph_(graph),
        in_(graph.instance()),
        clocks_(clocks),
        first_(first),
        count_(count) {}

  void force_key(KeyId x, std::span<const KeyRead> reads) {
    if (reads.empty()) return;
    find_groups(x);
    std::uint32_t chain = 0;
    for (const KeyRead& read : reads) {
      if (in_.chain(read.reader) != chain) restart();
      chain = in_.chain(read.reader);
      force_read(read);
    }
  }

 private:
  static constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

  // The places of each group are followed by one that nobody sees.
  void find_groups(KeyId x) {
    groups_.clear();
    places_.clear();
    std::uint32_t last_chain = 0;
    for (const TxnId writer : in_.writers(x)) {
      const std::uint32_t chain = in_.chain(writer);
      if (chain - first_ >= count_) continue;
      if (chain != last_chain) {
        places_.push_back(no_place);
        const auto begin = static_cast<std::uint32_t>(places_.size());
        groups_.push_back({chain - first_, begin, begin, 0, 0, TxnId::none()});
      }
      places_.push_back(in_.place(writer));
      last_chain = chain;
    }
    places_.push_back(no_place);
  }

  void restart() {
    for (Group& group : groups_) {
      group.next = group.begin;
      group.next_place = places_[group.begin];
      group.seen_end = 0;
      group.forced_to = TxnId::none();
    }
  }

  void force_read(const KeyRead& read) {
    const TxnId writer = in_.all_reads()[read.read].writer;
    const std::uint32_t* seen = clocks_.clock(read.reader);
    const std::uint32_t* seen_by_writer = clocks_.clock(writer);
    for (Group& group : groups_) {
      if (group.next_place < seen[group.chain]) advance(group, seen[group.chain]);
      if (group.seen_end <= seen_by_writer[group.chain]) continue;  // none, or hb has it
      const TxnId last{in_.chain_first(first_ + group.chain) + group.seen_end - 1};
      if (last == writer || group.forced_to == writer) continue;
      group.forced_to = writer;
      graph_.force(last, read.read);
    }
  }

  void advance(Group& group, std::uint32_t seen) {
    while (places_[group.next] < seen)
      ++group.next;
    group.next_place = places_[group.next];
    group.seen_end = places_[group.next - 1] + 1;
    group.forced_to = TxnId::none();
  }

  CommitGraph& graph_;
  const Instance& in_;
  const Clocks& clocks_;
  std::uint32_t first_;
  std::uint32_t count_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> places_;  // of the writers in their chains, group by group
};

}  // namespace

void force_causal(CommitGraph& graph) {
  const Instance& in = graph.instance();
  const auto order = topological_order(Digraph(in.txn_count(), graph.happens_before()));
  if (!order) return;  // so and wr have a cycle; nothing needs to be forced
  const ReadsByKey reads(in);
  const std::size_t row_max = clock_bytes_max / sizeof(std::uint32_t) / in.txn_count();
  const auto block = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(row_max, 1, std::max(1U, in.chain_count())));
  for (std::uint32_t first = 1; first < in.chain_count(); first += block) {
    const std::uint32_t count = std::min(block, in.chain_count() - first);
    Clocks clocks(in, first, count);
    clocks.compute(*order);
    CausalBlock pass(graph, clocks, first, count);
    for (std::uint32_t x = 0; x < in.key_count(); ++x)
      pass.force_key({x}, reads.of({x}));
  }
}

}  // namespace isomer::check
