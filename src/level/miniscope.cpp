// SPDX-License-Identifier: MIT
// Snapshot isolation says `forall x, y: Key { ([W[x]] ; co* ; [W[y]] ; co ; [W[y]] ;
// wr[x]^-1) \ id in co }`: a table for each pair of keys.  But
//   forall y { r in s }  is  (union over y of r) in s         if s does not speak of y
//   union over y of (a ; r ; b)  is  a ; (union over y of r) ; b     likewise a and b
//   union over y of (r \ s)  is  (union over y of r) \ s
// so one table, `union over y of [W[y]] ; co ; [W[y]]`, serves all x.  This is what
// provers call miniscoping.  It is done only where the union no longer depends on another
// variable: elsewhere it would only hide the clauses behind a disjunction.
#include "level/miniscope.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace isomer::level {
namespace {

class Miniscope {
 public:
  explicit Miniscope(const Level& level) : level_(level) {}

  // Arguments come before the terms that use them.
  Level run() {
    Level result = level_;
    std::vector<TermId> new_ids;
    for (std::uint32_t i = 0; i < level_.terms.size(); ++i) {
      const Term& term = level_.terms[{i}];
      std::vector<TermId> arguments;
      for (const TermId argument : term.arguments())
        arguments.push_back(new_ids[argument.index]);
      new_ids.push_back(rewritten(term, arguments));
    }
    for (Axiom& axiom : result.axioms)
      axiom.formula = new_ids[axiom.formula.index];
    for (Witness& witness : result.witnesses)
      if (!witness.on.is_none()) witness.on = new_ids[witness.on.index];
    result.terms = std::move(terms_);
    return result;
  }

 private:
  TermId rewritten(const Term& term, const std::vector<TermId>& arguments) {
    if (term.op == Op::Forall && term.type.first == Sort::Key)
      if (const auto better = forall(term.number, arguments[0])) return *better;
    return terms_.make(term.op, term.type, term.number, arguments);
  }

  [[nodiscard]] bool mentions(TermId id, std::uint32_t variable) const {
    return (terms_[id].free_variables >> variable & 1U) != 0;
  }

  std::optional<TermId> forall(std::uint32_t variable, TermId body) {
    const Term inclusion = terms_[body];
    if (inclusion.op != Op::In) return std::nullopt;
    const auto [left, right, unused] = inclusion.argument_ids;
    if (terms_[left].type.kind != Kind::Relation) return std::nullopt;
    if (!mentions(left, variable) || mentions(right, variable)) return std::nullopt;
    const auto united = union_over(variable, left);
    if (!united) return std::nullopt;
    const TermId arguments[] = {*united, right};
    return terms_.make(Op::In, inclusion.type, 0, arguments);
  }

  // The union of r over the variable, if some part of r that needs no other variable can
  // stand for it.
  std::optional<TermId> union_over(std::uint32_t variable, TermId id) {
    const Term term = terms_[id];
    const auto [left, right, unused] = term.argument_ids;
    if (term.op == Op::Difference && !mentions(right, variable)) {
      const auto united = union_over(variable, left);
      if (!united) return std::nullopt;
      const TermId arguments[] = {*united, right};
      return terms_.make(Op::Difference, term.type, 0, arguments);
    }
    if (term.op == Op::Compose) return union_of_chain(variable, id);
    return std::nullopt;
  }

  std::optional<TermId> union_of_chain(std::uint32_t variable, TermId id) {
    std::vector<TermId> factors;
    add_factors(id, factors);
    const auto uses = [&](TermId factor) { return mentions(factor, variable); };
    const auto first = std::find_if(factors.begin(), factors.end(), uses);
    const auto last = std::find_if(factors.rbegin(), factors.rend(), uses).base();
    const TermId middle = chain({first, last});
    if (terms_[middle].free_variables != std::uint64_t{1} << variable) return std::nullopt;
    const TermId united =
        terms_.make(Op::UnionOfKeys, terms_[middle].type, variable, std::span(&middle, 1));
    std::vector<TermId> result(factors.begin(), first);
    result.push_back(united);
    result.insert(result.end(), last, factors.end());
    return chain(with_closed_runs_joined(result));
  }

  void add_factors(TermId id, std::vector<TermId>& factors) const {
    const Term& term = terms_[id];
    if (term.op != Op::Compose) {
      factors.push_back(id);
      return;
    }
    add_factors(term.argument_ids[0], factors);
    add_factors(term.argument_ids[1], factors);
  }

  TermId chain(const std::vector<TermId>& factors) {
    TermId result = factors.front();
    for (std::size_t i = 1; i < factors.size(); ++i) {
      const Type type{Kind::Relation, terms_[result].type.first,
                      terms_[factors[i]].type.second};
      const TermId arguments[] = {result, factors[i]};
      result = terms_.make(Op::Compose, type, 0, arguments);
    }
    return result;
  }

  // What depends on no variable is computed once, so it is composed first.
  std::vector<TermId> with_closed_runs_joined(const std::vector<TermId>& factors) {
    std::vector<TermId> result;
    for (auto next = factors.begin(); next != factors.end();) {
      const auto end = std::find_if(next, factors.end(), [&](TermId factor) {
        return terms_[factor].free_variables != 0;
      });
      if (end == next) {
        result.push_back(*next++);
        continue;
      }
      result.push_back(chain({next, end}));
      next = end;
    }
    return result;
  }

  const Level& level_;
  Terms terms_;
};

}  // namespace

Level miniscoped(const Level& level) {
  return Miniscope(level).run();
}

}  // namespace isomer::level
