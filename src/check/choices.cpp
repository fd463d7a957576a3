// SPDX-License-Identifier: MIT
#include "check/choices.h"

#include <algorithm>
#include <set>

namespace isomer::check {

using logic::Literal;

Choices::Choices(const Selection& selection, logic::SatSolver& solver, const Budget& budget)
    : selection_(selection), solver_(solver) {
  const History& h = selection.history();
  std::map<TxnId, std::vector<Literal>> observers;
  Patience patience(budget);
  for (std::uint32_t i = 0; i < selection.ambiguous().size(); ++i) {
    const auto& ambiguous = selection.ambiguous()[i];
    by_read_[h.ambiguous_reads()[ambiguous.index].index] = i;
    first_.push_back(static_cast<std::uint32_t>(choices_.size()));
    std::vector<Literal> some;
    for (const TxnId writer : ambiguous.candidates) {
      if (patience.is_over()) return;
      const Literal literal = solver.new_variable();
      some.push_back(literal);
      choices_.push_back({i, writer, literal});
      if (!selection.is_certain(writer)) observers[writer].push_back(literal);
    }
    solver.add_clause(some);
  }
  first_.push_back(static_cast<std::uint32_t>(choices_.size()));
  for (auto& [writer, literals] : observers) {
    const Literal effect = solver.new_variable();
    effect_[writer] = effect;
    for (const Literal literal : literals)
      solver.add_clause(std::array{-literal, effect});
    literals.push_back(-effect);
    solver.add_clause(literals);
  }
  is_used_.assign(selection.ambiguous().size(), false);
}

// A read may have several true literals: only "at least one" is a clause, for pairs of
// candidates would be too many.  Any true one will do; every other clause has the literals
// negated.
Writers Choices::model() const {
  Writers writers(selection_.history().ambiguous_reads().size(), TxnId::none());
  for (const Choice& choice : choices_) {
    TxnId& writer = writers[selection_.ambiguous()[choice.ambiguous].index];
    if (writer.is_none() && solver_.is_true(choice.literal)) writer = choice.writer;
  }
  return writers;
}

void Choices::explain_read(const ResolvedHistory& in, std::uint32_t read,
                           std::vector<Literal>& literals) {
  const auto found = by_read_.find(in.original_read(read).index);
  if (found == by_read_.end()) return;
  is_used_[found->second] = true;
  const TxnId writer = in.original(in.all_reads()[read].writer);
  for (std::uint32_t i = first_[found->second]; i < first_[found->second + 1]; ++i)
    if (choices_[i].writer == writer) literals.push_back(choices_[i].literal);
}

void Choices::explain_effect(const ResolvedHistory& in, TxnId t,
                             std::vector<Literal>& literals) {
  const auto found = effect_.find(in.original(t));
  if (found == effect_.end()) return;
  literals.push_back(found->second);
  // Whoever may have read from it decides.
  for (const Choice& choice : choices_)
    if (choice.writer == found->first) is_used_[choice.ambiguous] = true;
}

std::vector<TxnId> Choices::support() const {
  std::set<TxnId> result;
  for (std::uint32_t i = 0; i < is_used_.size(); ++i) {
    if (!is_used_[i]) continue;
    const auto& ambiguous = selection_.ambiguous()[i];
    result.insert(ambiguous.reader);
    result.insert(ambiguous.candidates.begin(), ambiguous.candidates.end());
  }
  result.erase(init);
  return {result.begin(), result.end()};
}

}  // namespace isomer::check
