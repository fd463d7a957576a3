// SPDX-License-Identifier: MIT
#include "check/weak.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::check {

CommitGraph::CommitGraph(const Instance& in) : instance_(in) {
  arcs_.reserve(in.txn_count() + in.all_reads().size());
  for (std::uint32_t chain = 1; chain < in.chain_count(); ++chain)
    for (std::uint32_t t = in.chain_first(chain); t < in.chain_end(chain); ++t)
      arcs_.push_back({t == in.chain_first(chain) ? init.index : t - 1, t});
  wr_begin_ = static_cast<std::uint32_t>(arcs_.size());
  for (std::uint32_t t = 0; t < in.txn_count(); ++t)
    for (std::uint32_t r = in.first_read({t}); r < in.first_read({t + 1}); ++r) {
      const TxnId writer = in.all_reads()[r].writer;
      if (writer == init) continue;  // so has it
      arcs_.push_back({writer.index, t});
      read_of_.push_back(r);
    }
  version_begin_ = static_cast<std::uint32_t>(arcs_.size());
  for (const auto& [earlier, later, key] : in.version_edges()) {
    arcs_.push_back({earlier.index, later.index});
    read_of_.push_back(0);
  }
  forced_begin_ = static_cast<std::uint32_t>(arcs_.size());
}

Edge CommitGraph::edge(std::uint32_t arc) const {
  Edge e;
  e.from = {arcs_[arc].from};
  e.to = {arcs_[arc].to};
  if (arc < wr_begin_) return e;
  if (arc < version_begin_) {
    e.kind = EdgeKind::Wr;
    e.key = instance_.all_reads()[read_of_[arc - wr_begin_]].key;
    return e;
  }
  e.kind = EdgeKind::Ww;
  if (arc < forced_begin_) {
    e.key = instance_.version_edges()[arc - version_begin_].key;
    return e;
  }
  const std::uint32_t read = read_of_[arc - wr_begin_];
  e.key = instance_.all_reads()[read].key;
  e.via = instance_.reader(read);
  return e;
}

std::vector<Edge> joined(const std::vector<Edge>& path) {
  std::vector<Edge> result;
  for (const Edge& e : path)
    if (e.kind == EdgeKind::So && !result.empty() && result.back().kind == EdgeKind::So)
      result.back().to = e.to;
    else
      result.push_back(e);
  return result;
}

namespace {

// How the reader of a forced edge saw t2: the path r of the axiom, from t2 to t3.
class Seeing {
 public:
  Seeing(const CommitGraph& graph, const Digraph& all, Level level)
      : graph_(graph), all_(all), level_(level) {}

  [[nodiscard]] std::vector<Edge> path(const Edge& forced) const {
    const Instance& in = graph_.instance();
    const TxnId t2 = forced.from;
    const TxnId t3 = forced.via;
    if (level_ == Level::CC) {
      const auto arcs = shortest_path(all_, t2.index, t3.index, [&](std::uint32_t arc) {
        return arc < graph_.version_begin();
      });
      ISOMER_ASSERT(arcs.has_value());
      std::vector<Edge> edges;
      for (const std::uint32_t arc : *arcs)
        edges.push_back(graph_.edge(arc));
      return joined(edges);
    }
    Edge e;
    e.from = t2;
    e.to = t3;
    if (level_ == Level::RA && in.chain(t2) == in.chain(t3) && t2 < t3) return {e};
    for (const Read& read : in.reads(t3))
      if (read.writer == t2) {
        e.kind = EdgeKind::Wr;
        e.key = read.key;
        return {e};
      }
    ISOMER_ASSERT(false);
    return {};
  }

 private:
  const CommitGraph& graph_;
  const Digraph& all_;
  Level level_;
};

// Short cycles: one in each component that is not a single node, then through further
// nodes.
std::vector<std::vector<Edge>> cycles_of(const CommitGraph& graph, const Digraph& all,
                                         Level level, std::size_t cycles_max) {
  const Components components = strongly_connected_components(all);
  const Seeing seeing(graph, all, level);
  std::vector<std::vector<Edge>> cycles;
  std::vector<bool> is_done(components.size.size(), false);
  // A cycle must use a forced edge, if so and wr have none; so start from those first.
  const auto try_arc = [&](std::uint32_t arc) {
    const Arc& a = graph.arcs()[arc];
    const std::uint32_t component = components.component[a.from];
    if (component != components.component[a.to] || is_done[component]) return;
    if (components.size[component] == 1 && a.from != a.to) return;
    is_done[component] = true;
    std::vector<std::uint32_t> arcs{arc};
    if (a.from != a.to) {
      const auto back = shortest_path(all, a.to, a.from, [&](std::uint32_t other) {
        return components.component[graph.arcs()[other].to] == component;
      });
      arcs.insert(arcs.end(), back->begin(), back->end());
    }
    std::vector<Edge> cycle;
    for (const std::uint32_t i : arcs) {
      cycle.push_back(graph.edge(i));
      if (i >= graph.forced_begin()) cycle.back().because = seeing.path(cycle.back());
    }
    cycles.push_back(joined(cycle));
  };
  const auto count = static_cast<std::uint32_t>(graph.arcs().size());
  for (std::uint32_t arc = graph.wr_begin(); arc < count && cycles.size() < cycles_max;
       ++arc)
    try_arc(arc);
  return cycles;
}

}  // namespace

Outcome decide_weak(const Instance& instance, Level level, std::size_t cycles_max) {
  CommitGraph graph(instance);
  switch (level) {
    case Level::RC:
      force_read_committed(graph);
      break;
    case Level::RA:
      force_read_atomic(graph);
      break;
    case Level::CC:
      force_causal(graph);
      break;
    case Level::PC:
    case Level::PSI:
    case Level::SI:
    case Level::SER:
      ISOMER_ASSERT(false);
      break;
  }
  const Digraph all(instance.txn_count(), graph.arcs());
  Outcome outcome;
  if (const auto order = topological_order(all)) {
    for (const std::uint32_t t : *order)
      if (instance.took_effect({t})) outcome.order.push_back({t});
    return outcome;
  }
  outcome.cycles = cycles_of(graph, all, level, cycles_max);
  ISOMER_ASSERT(!outcome.cycles.empty());
  return outcome;
}

}  // namespace isomer::check
