// SPDX-License-Identifier: MIT
// Saturation: every ww and rw edge that is forced, to a fixpoint.
//
// Let a and b write x.  "a is older" means ww(a, b).
//   seen       r reads x from b and sees a               =>  a is older than b
//              (else r would have to see only versions before a: rw(r, a))
//   exclusive  under SI and PSI, b older than a would close a cycle
//              because a already reaches b through an rw  =>  a is older than b
//   read       r reads x from a, and a is older than b    =>  rw(r, b)
//
// Of the writers of x in one session it is enough to add the edge for the last a, and for
// the first b: session order implies the others.  So one pass costs O(operations *
// sessions) clock look-ups; after it, clocks are computed anew, and only transactions whose
// clock moved are looked at again.
#include <algorithm>

#include "check/order_graph.h"

namespace isomer::check {

namespace {

constexpr std::size_t clock_bytes_max = std::size_t{6} << 30;

}  // namespace

class Saturation {
 public:
  Saturation(OrderGraph& graph, const Budget& budget)
      : graph_(graph),
        in_(graph.resolved_),
        shape_(graph.shape_),
        budget_(budget),
        patience_(budget),
        groups_(in_),
        version_reads_(in_),
        chains_(in_.chain_count()),
        is_dirty_(in_.txn_count(), true) {}

  OrderGraph::Outcome run() {
    const std::size_t cells =
        static_cast<std::size_t>(in_.txn_count()) * shape_.node_count * chains_;
    if (cells * sizeof(std::uint32_t) > clock_bytes_max)
      return OrderGraph::Outcome::OutOfMemory;
    clocks_.assign(cells, 0);
    std::size_t before = 0;
    while (true) {
      if (budget_.is_exhausted()) return OrderGraph::Outcome::OutOfBudget;
      const bool is_much = (graph_.links_.size() - before) * 50 > graph_.links_.size();
      const bool is_acyclic = is_much ? compute_clocks() : extend_clocks(before);
      if (patience_.is_over()) return OrderGraph::Outcome::OutOfBudget;
      if (!is_acyclic) return OrderGraph::Outcome::Cyclic;
      before = graph_.links_.size();
      for (std::uint32_t t = 1; t < in_.txn_count() && !patience_.is_over(); ++t)
        if (is_dirty_[t]) {
          add_seen({t});
          add_older({t});
        }
      if (patience_.is_over()) return OrderGraph::Outcome::OutOfBudget;
      if (graph_.links_.size() == before) return OrderGraph::Outcome::Acyclic;
    }
  }

 private:
  const std::uint32_t* clock(TxnId t, std::uint32_t layer) const {
    return &clocks_[static_cast<std::size_t>(graph_.node(t, layer)) * chains_];
  }

  // The position of a node in its chain, plus 1.
  std::uint32_t position(TxnId t, std::uint32_t layer) const {
    return in_.place(t) * shape_.node_count + layer + 1;
  }

  // How many transactions of a chain, from its first, reach a node by their node `layer`.
  std::uint32_t reached_by(std::uint32_t clock, std::uint32_t layer) const {
    return (clock + shape_.node_count - 1 - layer) / shape_.node_count;
  }

  bool reaches(TxnId a, TxnId b, const Layers& layers) const {
    return clock(b, layers.to)[in_.chain(a)] >= position(a, layers.from);
  }

  // The node's clock takes in what its predecessor knows; true if that was news.
  bool join(std::uint32_t node, std::uint32_t before) {
    const std::uint32_t* from = &clocks_[static_cast<std::size_t>(before) * chains_];
    std::uint32_t* to = &clocks_[static_cast<std::size_t>(node) * chains_];
    std::uint32_t news = 0;
    for (std::uint32_t c = 0; c < chains_; ++c) {
      news |= to[c] < from[c];
      to[c] = std::max(to[c], from[c]);
    }
    const TxnId t{before / shape_.node_count};
    std::uint32_t& own = to[in_.chain(t)];
    const std::uint32_t place = position(t, before % shape_.node_count);
    news |= own < place;
    own = std::max(own, place);
    return news != 0;
  }

  // From scratch, in topological order.  False if there is a cycle.  Marks the transactions
  // whose clock moved.
  bool compute_clocks() {
    nodes_.emplace(in_, shape_, graph_.links_);
    more_.assign(nodes_->digraph().node_count(), {});
    const auto order = topological_order(nodes_->digraph());
    if (!order) return false;
    const std::vector<std::uint32_t> old = std::move(clocks_);
    clocks_.assign(old.size(), 0);
    for (const std::uint32_t node : *order) {
      if (patience_.is_over()) return true;
      for (const auto& out : nodes_->digraph().out(node))
        join(out.to, node);
    }
    const std::size_t row = static_cast<std::size_t>(chains_) * shape_.node_count;
    for (std::uint32_t t = 0; t < in_.txn_count(); ++t)
      is_dirty_[t] =
          is_first_ || !std::equal(&old[t * row], &old[t * row] + row, &clocks_[t * row]);
    is_first_ = false;
    return true;
  }

  // The same for the links from `first` on: what they change is carried along the arcs
  // until nothing moves.  A node that learns of itself is on a cycle.
  bool extend_clocks(std::size_t first) {
    is_dirty_.assign(in_.txn_count(), false);
    std::vector<std::uint32_t> queue;
    std::vector<bool> is_queued(more_.size(), false);
    bool is_acyclic = true;
    const auto pass_on = [&](std::uint32_t node, std::uint32_t next) {
      if (!join(next, node)) return;
      const TxnId t{next / shape_.node_count};
      is_dirty_[t.index] = true;
      const std::uint32_t own =
          clocks_[static_cast<std::size_t>(next) * chains_ + in_.chain(t)];
      is_acyclic &= own < position(t, next % shape_.node_count);
      if (is_queued[next]) return;
      is_queued[next] = true;
      queue.push_back(next);
    };
    const NodeGraph added(in_, shape_, std::span(graph_.links_).subspan(first));
    for (std::uint32_t arc = 0; added.has_arc(arc); ++arc)
      if (added.link_of(arc) != NodeGraph::no_link)
        more_[added.arc(arc).from].push_back(added.arc(arc).to);
    for (std::uint32_t arc = 0; added.has_arc(arc); ++arc)
      if (added.link_of(arc) != NodeGraph::no_link)
        pass_on(added.arc(arc).from, added.arc(arc).to);
    for (std::size_t head = 0; head < queue.size() && is_acyclic && !patience_.is_over();
         ++head) {
      const std::uint32_t node = queue[head];
      is_queued[node] = false;
      for (const auto& out : nodes_->digraph().out(node))
        pass_on(node, out.to);
      for (const std::uint32_t next : more_[node])
        pass_on(node, next);
    }
    return is_acyclic;
  }

  // How many writers of x, counted from the first of all sessions, there are up to the last
  // one in this group among the first `limit` transactions of its chain.
  std::uint32_t writers_within(std::span<const TxnId> writers, const WriterGroup& group,
                               std::uint32_t limit) const {
    const std::uint32_t end = in_.chain_first(group.chain) + limit;
    if (writers[group.begin].index >= end) return group.begin;
    if (writers[group.end - 1].index < end) return group.end;
    const auto found = std::lower_bound(writers.begin() + group.begin,
                                        writers.begin() + group.end, TxnId{end});
    return static_cast<std::uint32_t>(found - writers.begin());
  }

  TxnId last_writer(KeyId x, const WriterGroup& group, std::uint32_t limit) const {
    const auto writers = in_.writers(x);
    const std::uint32_t end = writers_within(writers, group, limit);
    return end == group.begin ? TxnId::none() : writers[end - 1];
  }

  void add(TxnId from, TxnId to, EdgeKind kind, KeyId key, TxnId via) {
    graph_.links_.push_back({from, to, kind, key, via});
  }

  // Rule "seen", for all reads of r.
  void add_seen(TxnId r) {
    const std::uint32_t* seen = clock(r, shape_.wr.to);
    for (const Read& read : in_.reads(r))
      for (const WriterGroup& group : groups_.of(read.key)) {
        const TxnId a =
            last_writer(read.key, group, reached_by(seen[group.chain], shape_.wr.from));
        if (a.is_none() || a == read.writer) continue;
        if (read.writer == init || !reaches(a, read.writer, shape_.ww))
          add(a, read.writer, EdgeKind::Ww, read.key, r);
      }
  }

  // Rules "exclusive" and "read", for all writes of b.
  void add_older(TxnId b) {
    for (const KeyId x : in_.writes(b)) {
      const TxnId previous = previous_writer(x, b);
      for (const WriterGroup& group : groups_.of(x)) {
        if (shape_.is_ww_exclusive) add_exclusive(x, group, b);
        add_reads(x, group, b, previous);
      }
      if (previous.is_none()) add_reads_of(x, version_reads_.of_initial(x), init, b);
    }
  }

  // The writer of x before b in b's session.
  TxnId previous_writer(KeyId x, TxnId b) const {
    const auto writers = in_.writers(x);
    const auto found = std::lower_bound(writers.begin(), writers.end(), b);
    if (found == writers.begin() || in_.chain(*(found - 1)) != in_.chain(b))
      return TxnId::none();
    return *(found - 1);
  }

  void add_exclusive(KeyId x, const WriterGroup& group, TxnId b) {
    const std::uint32_t reached = clock(b, shape_.rw.to)[group.chain];
    TxnId a = last_writer(x, group, reached_by(reached, shape_.rw.from));
    if (a == b) return;  // the same session: so has it
    if (!a.is_none() && !reaches(a, b, shape_.ww))
      add(a, b, EdgeKind::Ww, x, TxnId::none());
  }

  // b follows the last older version of each session.  If the writer before b in b's
  // session already follows it, session order has the rest.
  void add_reads(KeyId x, const WriterGroup& group, TxnId b, TxnId previous) {
    const auto older = [&](TxnId t) {
      return reached_by(clock(t, shape_.ww.to)[group.chain], shape_.ww.from);
    };
    const auto writers = in_.writers(x);
    const std::uint32_t end = writers_within(writers, group, older(b));
    if (end == group.begin) return;
    const TxnId a = writers[end - 1];
    if (!previous.is_none() && previous != a && in_.place(a) < older(previous)) return;
    add_reads_of(x, version_reads_.of_writer(x, end - 1), a, b);
  }

  void add_reads_of(KeyId x, std::span<const VersionReads::Reader> readers, TxnId a,
                    TxnId b) {
    for (const auto& [r, read] : readers)
      if (r != b && !reaches(r, b, shape_.rw)) add(r, b, EdgeKind::Rw, x, a);
  }

  OrderGraph& graph_;
  const ResolvedHistory& in_;
  const Shape& shape_;
  const Budget& budget_;
  Patience patience_;
  WriterGroups groups_;
  VersionReads version_reads_;
  std::uint32_t chains_;
  std::vector<std::uint32_t> clocks_;
  std::optional<NodeGraph> nodes_;                // of the last computation from scratch
  std::vector<std::vector<std::uint32_t>> more_;  // arcs since then, by node
  std::vector<bool> is_dirty_;
  bool is_first_ = true;
};

OrderGraph::Outcome OrderGraph::saturate(const Budget& budget) {
  node_graph_.reset();
  return Saturation(*this, budget).run();
}

}  // namespace isomer::check
