// SPDX-License-Identifier: MIT
#include "check/weak.h"

#include <algorithm>
#include <map>

#include "base/assert.h"

namespace isomer::check {

CommitGraph::CommitGraph(const ResolvedHistory& in) : resolved_(in) {
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
    e.key = resolved_.all_reads()[read_of_[arc - wr_begin_]].key;
    return e;
  }
  e.kind = EdgeKind::Ww;
  if (arc < forced_begin_) {
    e.key = resolved_.version_edges()[arc - version_begin_].key;
    return e;
  }
  const std::uint32_t read = read_of_[arc - wr_begin_];
  e.key = resolved_.all_reads()[read].key;
  e.via = resolved_.reader(read);
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
    const ResolvedHistory& in = graph_.resolved();
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

// All edges of a cycle, with the reasons.
std::size_t length(const std::vector<Edge>& cycle) {
  std::size_t sum = cycle.size();
  for (const Edge& e : cycle)
    sum += length(e.because);
  return sum;
}

// One cycle in each component that is not a single node: the shortest of those through its
// first few arcs.  (All arcs of a small graph, one of a large one.)
class CycleFinder {
 public:
  CycleFinder(const CommitGraph& graph, const Digraph& all, Level level)
      : graph_(graph),
        all_(all),
        seeing_(graph, all, level),
        components_(strongly_connected_components(all)),
        tries_left_(components_.size.size(), all.node_count() < 1000 ? 1000U : 1U) {}

  std::vector<std::vector<Edge>> run(std::size_t cycles_max) {
    std::map<std::uint32_t, std::vector<Edge>> best;
    const auto count = static_cast<std::uint32_t>(graph_.arcs().size());
    // so alone has no cycle, so each has one of the other arcs.
    for (std::uint32_t arc = graph_.wr_begin(); arc < count; ++arc) {
      const std::uint32_t component = components_.component[graph_.arcs()[arc].from];
      if (!is_inside(arc) || tries_left_[component] == 0) continue;
      if (best.size() >= cycles_max && !best.contains(component)) continue;
      --tries_left_[component];
      std::vector<Edge> cycle = cycle_through(arc);
      const auto [found, is_new] = best.try_emplace(component, cycle);
      if (!is_new && length(cycle) < length(found->second))
        found->second = std::move(cycle);
    }
    std::vector<std::vector<Edge>> cycles;
    for (auto& [component, cycle] : best)
      cycles.push_back(std::move(cycle));
    return cycles;
  }

 private:
  [[nodiscard]] bool is_inside(std::uint32_t arc) const {
    const Arc& a = graph_.arcs()[arc];
    return components_.component[a.from] == components_.component[a.to];
  }

  [[nodiscard]] std::vector<Edge> cycle_through(std::uint32_t arc) const {
    const Arc& a = graph_.arcs()[arc];
    std::vector<std::uint32_t> arcs{arc};
    if (a.from != a.to) {
      const auto back = shortest_path(
          all_, a.to, a.from, [&](std::uint32_t other) { return is_inside(other); });
      ISOMER_ASSERT(back.has_value());
      arcs.insert(arcs.end(), back->begin(), back->end());
    }
    std::vector<Edge> cycle;
    for (const std::uint32_t i : arcs) {
      cycle.push_back(graph_.edge(i));
      if (i >= graph_.forced_begin()) cycle.back().because = seeing_.path(cycle.back());
    }
    return joined(cycle);
  }

  const CommitGraph& graph_;
  const Digraph& all_;
  Seeing seeing_;
  Components components_;
  std::vector<std::uint32_t> tries_left_;  // by component
};

}  // namespace

Outcome decide_weak(const ResolvedHistory& resolved, Level level, std::size_t cycles_max,
                    const Budget& budget) {
  CommitGraph graph(resolved);
  Patience patience(budget);
  switch (level) {
    case Level::RC:
      force_read_committed(graph, patience);
      break;
    case Level::RA:
      force_read_atomic(graph, patience);
      break;
    case Level::CC:
      force_causal(graph, patience);
      break;
    case Level::PC:
    case Level::PSI:
    case Level::SI:
    case Level::SER:
      ISOMER_ASSERT(false);
      break;
  }
  Outcome outcome;
  outcome.is_out_of_budget = budget.is_exhausted();
  if (outcome.is_out_of_budget) return outcome;
  const Digraph all(resolved.txn_count(), graph.arcs());
  if (const auto order = topological_order(all)) {
    for (const std::uint32_t t : *order)
      if (resolved.took_effect({t})) outcome.order.push_back({t});
    return outcome;
  }
  outcome.cycles = CycleFinder(graph, all, level).run(cycles_max);
  ISOMER_ASSERT(!outcome.cycles.empty());
  return outcome;
}

}  // namespace isomer::check
