// SPDX-License-Identifier: MIT
// PC, PSI, SI, SER: split into parts that share neither keys nor sessions, saturate what is
// forced, and search for the rest.  NP-complete in general (Biswas & Enea, OOPSLA'19);
// histories of real systems are decided by saturation and the first guess.
#include <algorithm>
#include <numeric>

#include "check/decide.h"
#include "check/order_graph.h"
#include "check/search.h"

namespace isomer::check {
namespace {

// Transactions that share a key or a session, transitively; each part by id.  Reads from
// init count as touching the key.
class Parts {
 public:
  explicit Parts(const ResolvedHistory& in) : parent_(in.txn_count()) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    std::vector<std::uint32_t> touched_by(in.key_count(), init.index);
    const auto touch = [&](std::uint32_t t, KeyId x) {
      if (touched_by[x.index] != init.index) join(t, touched_by[x.index]);
      touched_by[x.index] = t;
    };
    for (std::uint32_t t = 1; t < in.txn_count(); ++t) {
      if (in.place({t}) > 0) join(t, t - 1);
      for (const Read& read : in.reads({t}))
        touch(t, read.key);
      for (const KeyId x : in.writes({t}))
        touch(t, x);
    }
  }

  std::vector<std::vector<TxnId>> lists() {
    std::vector<std::vector<TxnId>> result;
    std::vector<std::uint32_t> index(parent_.size(), 0);
    for (std::uint32_t t = 1; t < parent_.size(); ++t) {
      std::uint32_t& i = index[root(t)];
      if (i == 0) {
        result.emplace_back();
        i = static_cast<std::uint32_t>(result.size());
      }
      result[i - 1].push_back({t});
    }
    return result;
  }

 private:
  std::uint32_t root(std::uint32_t t) {
    while (parent_[t] != t)
      t = parent_[t] = parent_[parent_[t]];
    return t;
  }

  void join(std::uint32_t a, std::uint32_t b) { parent_[root(a)] = root(b); }

  std::vector<std::uint32_t> parent_;
};

Decision decide_part(const Selection& selection, const ResolvedHistory& certain,
                     Level level, const Effort& effort) {
  OrderGraph known(certain, level);
  Decision decision;
  switch (known.saturate(effort.budget)) {
    case OrderGraph::Outcome::Acyclic:
      decision = search(selection, level, known, effort);
      break;
    case OrderGraph::Outcome::Cyclic:
      decision.kind = Decision::Kind::Violated;
      for (const TxnId t : known.support(known.cycle()))
        decision.support.push_back(certain.original(t));
      break;
    case OrderGraph::Outcome::OutOfBudget:
      decision.reason = effort.budget.reason();
      break;
    case OrderGraph::Outcome::OutOfMemory:
      decision.reason = "memory";
      break;
  }
  decision.stats.known_edges = known.links().size();
  decision.support = selection.with_observers(std::move(decision.support));
  return decision;
}

void add(Stats& sum, const Stats& more) {
  sum.known_edges += more.known_edges;
  sum.solver_calls += more.solver_calls;
  sum.learned_clauses += more.learned_clauses;
}

}  // namespace

Decision decide_strong(const Selection& selection, Level level, const Effort& effort) {
  const ResolvedHistory certain = selection.resolve_certain();
  std::vector<std::vector<TxnId>> parts;
  // An ambiguous read may link any two parts; such histories are taken whole.
  if (selection.ambiguous().empty()) parts = Parts(certain).lists();
  if (parts.size() < 2) return decide_part(selection, certain, level, effort);

  Decision all;
  all.kind = Decision::Kind::Allowed;
  all.order = {init};
  all.writers.assign(selection.history().ambiguous_reads().size(), TxnId::none());
  for (std::vector<TxnId>& part : parts) {
    const ResolvedHistory in = certain.part(part);
    for (TxnId& t : part)
      t = certain.original(t);
    const Decision decision =
        decide_part(Selection(selection.history(), part), in, level, effort);
    add(all.stats, decision.stats);
    if (decision.kind != Decision::Kind::Allowed) {
      Decision result = decision;
      result.stats = all.stats;
      return result;
    }
    // Parts do not touch each other, so their orders may follow one another.
    for (const TxnId t : decision.order)
      if (t != init) all.order.push_back(t);
  }
  return all;
}

}  // namespace isomer::check
