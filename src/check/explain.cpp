// SPDX-License-Identifier: MIT
#include "check/explain.h"

#include <algorithm>

#include "base/assert.h"
#include "check/anomaly.h"
#include "check/order_graph.h"
#include "check/weak.h"

namespace isomer::check {
namespace {

// Drops transactions one at a time while the rest stays inconsistent.  Each decision names
// a support that is often much smaller than what it was asked about, so few rounds are
// needed.
class Minimizer {
 public:
  Minimizer(const History& h, Level level, const Budget& budget)
      : h_(h), level_(level), budget_(budget) {}

  bool minimize(std::vector<TxnId>& core) {
    while (true) {
      const Decision decision = decide(Selection(h_, core), level_, {budget_});
      if (decision.kind == Decision::Kind::Unknown) return false;
      ISOMER_ASSERT(decision.kind == Decision::Kind::Violated);
      if (decision.support.size() >= core.size()) break;
      core = decision.support;
    }
    for (std::size_t i = core.size(); i-- > 0;) {
      std::vector<TxnId> rest = core;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      const Decision decision = decide(Selection(h_, rest), level_, {budget_});
      if (decision.kind == Decision::Kind::Unknown) return false;
      if (decision.kind == Decision::Kind::Allowed) continue;
      // What lies behind i was needed before, and so is still: only smaller indices remain.
      const TxnId tried = core[i];
      core = decision.support;
      i = static_cast<std::size_t>(std::lower_bound(core.begin(), core.end(), tried) -
                                   core.begin());
    }
    return true;
  }

 private:
  const History& h_;
  Level level_;
  const Budget& budget_;
};

Edge in_original_ids(const Instance& in, const Edge& e) {
  Edge result{
      in.original(e.from), in.original(e.to), e.kind, in.original(e.key), e.via, {}};
  if (!e.via.is_none()) result.via = in.original(e.via);
  for (const Edge& reason : e.because)
    result.because.push_back(in_original_ids(in, reason));
  return result;
}

// RC, RA, CC.  A forced edge t2 -ww-> t1 (t3 saw t2, but read from t1) on a cycle says that
// the other way round, t1 before t2, is already settled by the rest of the cycle; so t3's
// version was overwritten by t2.  People follow the latter more easily: t2 ~> t3 -rw-> t2.
std::vector<Edge> as_anti_dependency(const std::vector<Edge>& cycle) {
  const auto forced = std::find_if(cycle.begin(), cycle.end(), [](const Edge& e) {
    return e.kind == EdgeKind::Ww && !e.via.is_none();
  });
  if (forced == cycle.end()) return cycle;
  std::vector<Edge> result = forced->because;
  Edge rw{forced->via, forced->from, EdgeKind::Rw, forced->key, forced->to, {}};
  if (forced->to != init) {
    rw.because.assign(forced + 1, cycle.end());
    rw.because.insert(rw.because.end(), cycle.begin(), forced);
  }
  result.push_back(rw);
  return result;
}

// Only the shortest of all ways to tell it.
std::vector<Edge> weak_cycle(const Instance& in, Level level) {
  Outcome outcome = decide_weak(in, level, 1);
  ISOMER_ASSERT(!outcome.is_allowed());
  return as_anti_dependency(outcome.cycles.front());
}

std::vector<Edge> strong_cycle(const Instance& in, Level level, const Budget& budget) {
  OrderGraph known(in, level);
  if (known.saturate(budget) != OrderGraph::Outcome::Cyclic) return {};
  std::vector<Edge> cycle;
  std::size_t edges_max = 500;
  for (const std::uint32_t link : known.cycle()) {
    auto edge = known.justified(link, edges_max);
    if (!edge) return {};
    cycle.push_back(std::move(*edge));
  }
  return joined(cycle);
}

// The weakest level, no stronger than `level`, that forbids the core already.
Level weakest_forbidding(const Selection& core, Level level, const Budget& budget) {
  for (const Level weak : all_levels)
    if (weak != level && is_stronger_or_equal(level, weak) &&
        decide(core, weak, {budget}).kind == Decision::Kind::Violated)
      return weak;
  return level;
}

bool mentions_init(const std::vector<Edge>& edges) {
  return std::any_of(edges.begin(), edges.end(), [](const Edge& e) {
    return e.from == init || e.to == init || e.via == init || mentions_init(e.because);
  });
}

}  // namespace

Violated explain(const History& history, Level level, std::vector<TxnId> support,
                 const Budget& budget) {
  Violated result;
  std::vector<TxnId> core = std::move(support);
  result.is_minimal = Minimizer(history, level, budget).minimize(core);
  const Selection selection(history, core);
  const Level weakest =
      result.is_minimal ? weakest_forbidding(selection, level, budget) : level;
  result.axioms = {std::string(info(weakest).axiom)};
  Anomaly anomaly;
  if (selection.ambiguous().empty()) {
    const Instance in = selection.certain_instance();
    const std::vector<Edge> cycle =
        weakest <= Level::CC ? weak_cycle(in, weakest) : strong_cycle(in, weakest, budget);
    anomaly = name_anomaly(weakest, &in, cycle);
    for (const Edge& e : cycle)
      result.cycle.push_back(in_original_ids(in, e));
  } else {
    anomaly = name_anomaly(weakest, nullptr, {});
  }
  result.anomaly = anomaly.name;
  result.summary = anomaly.summary;
  if (mentions_init(result.cycle)) core.insert(core.begin(), init);
  result.transactions = std::move(core);
  return result;
}

Violated explain(const History&, const history::Problem& problem) {
  const Anomaly anomaly = name_problem(problem.kind);
  Violated result;
  result.anomaly = anomaly.name;
  result.summary = anomaly.summary;
  result.axioms = {"read consistency"};
  result.problem = problem;
  result.transactions = {problem.reader};
  if (!problem.other.is_none() && problem.other != problem.reader)
    result.transactions.push_back(problem.other);
  std::sort(result.transactions.begin(), result.transactions.end());
  return result;
}

}  // namespace isomer::check
