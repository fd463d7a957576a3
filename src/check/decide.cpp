// SPDX-License-Identifier: MIT
#include "check/decide.h"

#include <algorithm>
#include <set>

#include "check/choices.h"
#include "check/weak.h"
#include "logic/sat.h"

namespace isomer::check {

using history::Status;
using logic::Literal;
using logic::SatAnswer;

Selection::Selection(const History& history) : history_(history) {
  for (std::uint32_t i = 0; i < history.ambiguous_reads().size(); ++i)
    ambiguous_.push_back(
        {i, history.reader(history.ambiguous_reads()[i]), history.candidates(i)});
  find_observers();
}

Selection::Selection(const History& history, std::vector<TxnId> transactions)
    : history_(history), transactions_(std::move(transactions)) {
  const auto is_in = [&](TxnId t) {
    return t == init || std::binary_search(transactions_->begin(), transactions_->end(), t);
  };
  for (std::uint32_t i = 0; i < history.ambiguous_reads().size(); ++i) {
    const TxnId reader = history.reader(history.ambiguous_reads()[i]);
    const auto candidates = history.candidates(i);
    if (is_in(reader) && std::all_of(candidates.begin(), candidates.end(), is_in))
      ambiguous_.push_back({i, reader, candidates});
  }
  find_observers();
}

ResolvedHistory Selection::resolve(const Writers& writers) const {
  ResolvedHistory whole = ResolvedHistory::whole(history_, writers);
  return transactions_ ? whole.part(*transactions_) : std::move(whole);
}

ResolvedHistory Selection::resolve_certain() const {
  return resolve(Writers(history_.ambiguous_reads().size(), TxnId::none()));
}

Decision decide(const Selection& selection, Level level, const Effort& effort) {
  return level <= Level::CC ? decide_weak(selection, level, effort)
                            : decide_strong(selection, level, effort);
}

// Who surely read from a transaction of unknown outcome; init stands for a list that has an
// element of it.
void Selection::find_observers() {
  if (!history_.has_unknown_outcomes()) return;
  const auto look_at = [&](TxnId t) {
    for (const Read& read : history_.reads(t))
      if (!read.writer.is_none() && history_.status(read.writer) == Status::Unknown)
        observer_.try_emplace(read.writer, t);
  };
  for (std::uint32_t x = 0; x < history_.key_count(); ++x)
    for (const TxnId t : history_.version_order({x}))
      if (history_.status(t) == Status::Unknown) observer_.try_emplace(t, init);
  if (transactions_)
    for (const TxnId t : *transactions_)
      look_at(t);
  else
    for (std::uint32_t t = 1; t < history_.txn_count(); ++t)
      look_at({t});
}

bool Selection::is_certain(TxnId t) const {
  return history_.status(t) == Status::Committed || observer_.contains(t);
}

std::vector<TxnId> Selection::with_observers(std::vector<TxnId> support) const {
  std::set<TxnId> result(support.begin(), support.end());
  for (const TxnId t : support)
    if (const auto found = observer_.find(t);
        found != observer_.end() && found->second != init)
      result.insert(found->second);
  return {result.begin(), result.end()};
}

namespace {

// Learns from the cycles of RC, RA and CC which choices cannot go together.
class WeakLearner {
 public:
  WeakLearner(const ResolvedHistory& in, Choices& choices) : in_(in), choices_(choices) {}

  std::vector<Literal> clause(const std::vector<Edge>& cycle) {
    literals_.clear();
    for (const Edge& e : cycle)
      explain(e);
    std::sort(literals_.begin(), literals_.end());
    literals_.erase(std::unique(literals_.begin(), literals_.end()), literals_.end());
    for (Literal& literal : literals_)
      literal = -literal;
    return literals_;
  }

  [[nodiscard]] const std::set<TxnId>& met() const { return met_; }

 private:
  void explain(const Edge& e) {
    meet(e.from);
    meet(e.to);
    if (e.kind == EdgeKind::Wr) explain_reads(e.from, e.to, e.key);
    if (e.kind == EdgeKind::Ww) {
      choices_.explain_effect(in_, e.from, literals_);
      choices_.explain_effect(in_, e.to, literals_);
      if (!e.via.is_none()) {
        meet(e.via);
        explain_reads(e.to, e.via, e.key);
      }
    }
    for (const Edge& reason : e.because)
      explain(reason);
  }

  // Every read of the key from the writer counts; under RC it matters which one, so all are
  // taken: together they imply the edge.
  void explain_reads(TxnId writer, TxnId reader, KeyId key) {
    for (std::uint32_t r = in_.first_read(reader); r < in_.first_read({reader.index + 1});
         ++r)
      if (in_.all_reads()[r].key == key && in_.all_reads()[r].writer == writer)
        choices_.explain_read(in_, r, literals_);
  }

  void meet(TxnId t) {
    if (t != init) met_.insert(in_.original(t));
  }

  const ResolvedHistory& in_;
  Choices& choices_;
  std::vector<Literal> literals_;
  std::set<TxnId> met_;
};

}  // namespace

Decision decide_weak(const Selection& selection, Level level, const Effort& effort) {
  const Budget& budget = effort.budget;
  constexpr std::size_t cycles_max = 32;
  logic::SatSolver solver(budget);
  Choices choices(selection, solver, budget);
  Decision decision;
  std::set<TxnId> support;
  while (true) {
    Writers writers(selection.history().ambiguous_reads().size(), TxnId::none());
    if (!choices.is_empty()) {
      ++decision.stats.solver_calls;
      const SatAnswer answer = solver.solve(budget);
      if (answer == SatAnswer::Unknown || budget.is_exhausted()) {
        decision.reason = budget.reason();
        return decision;
      }
      if (answer == SatAnswer::Unsatisfiable) break;
      writers = choices.model();
    }
    const ResolvedHistory in = selection.resolve(writers);
    const Outcome outcome =
        decide_weak(in, level, choices.is_empty() ? 1 : cycles_max, budget);
    if (outcome.is_out_of_budget) {
      decision.reason = budget.reason();
      return decision;
    }
    if (outcome.is_allowed()) {
      decision.kind = Decision::Kind::Allowed;
      for (const TxnId t : outcome.order)
        decision.order.push_back(in.original(t));
      decision.writers = std::move(writers);
      return decision;
    }
    WeakLearner learner(in, choices);
    bool is_settled = false;
    for (const auto& cycle : outcome.cycles) {
      const std::vector<Literal> clause = learner.clause(cycle);
      solver.add_clause(clause);
      ++decision.stats.learned_clauses;
      is_settled |= clause.empty();
    }
    support.insert(learner.met().begin(), learner.met().end());
    if (is_settled) break;
  }
  for (const TxnId t : choices.support())
    support.insert(t);
  decision.kind = Decision::Kind::Violated;
  decision.support = selection.with_observers({support.begin(), support.end()});
  return decision;
}

}  // namespace isomer::check
