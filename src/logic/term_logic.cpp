// SPDX-License-Identifier: MIT
// Conjunction, negation and choice.
//
// Symbolic execution makes path conditions: p && c and p && !c for two branches, joined as
// (p && c) || (p && !c), and errors as "this one, and none of those before".  The rules
// below are what such formulas need, each for one level of nesting, so that the cost of a
// term is about linear in its arguments:
//
//   a && !(a && b)        = a && !b          (unit propagation)
//   a && !(!a && b)       = a
//   !(c && l) && !(c && !l && d) = !(c && l) && !(c && d)   (which joins branches)
//   !c && !(c && d)       = !c               (subsumption)
//   x = 1 && x = 2        = false,  x = 1 && x != 2  =  x = 1
#include <algorithm>
#include <array>

#include "base/assert.h"
#include "logic/term_state.h"

namespace isomer::logic {
namespace {

// Longer conjunctions are not copied into those around them, or simplified.
constexpr std::size_t flat_max = 32;
constexpr std::size_t simplified_max = 64;

bool is_conjunction(const Terms& terms, Term term) {
  return terms.kind(term) == TermKind::And;
}

bool is_negation(const Terms& terms, Term term) {
  return terms.kind(term) == TermKind::Not;
}

// Of !(x && y): x, y.
std::span<const Term> disjuncts(const Terms& terms, Term term) {
  if (!is_negation(terms, term)) return {};
  const Term inner = terms.arguments(term)[0];
  return is_conjunction(terms, inner) ? terms.arguments(inner) : std::span<const Term>{};
}

void add_conjunct(const Terms& terms, Term term, std::vector<Term>& conjuncts) {
  if (is_conjunction(terms, term) && terms.arguments(term).size() <= flat_max)
    for (const Term argument : terms.arguments(term))
      conjuncts.push_back(argument);
  else
    conjuncts.push_back(term);
}

void sort_unique(std::vector<Term>& terms) {
  std::ranges::sort(terms);
  const auto rest = std::ranges::unique(terms);
  terms.erase(rest.begin(), rest.end());
}

// x = k with a constant k.
bool fixes_value(const Terms& terms, Term term) {
  return terms.kind(term) == TermKind::Same && terms.is_constant(terms.arguments(term)[1]);
}

// Whether the conjuncts say x = k with another k than the term x = k'.
bool fix_other_value(const Terms& terms, std::span<const Term> conjuncts, Term term) {
  if (!fixes_value(terms, term)) return false;
  const std::span<const Term> sides = terms.arguments(term);
  return std::ranges::any_of(conjuncts, [&](Term other) {
    return fixes_value(terms, other) && terms.arguments(other)[0] == sides[0] &&
           terms.arguments(other)[1] != sides[1];
  });
}

std::vector<Term> without(std::span<const Term> terms, Term removed) {
  std::vector<Term> result(terms.begin(), terms.end());
  std::erase(result, removed);
  return result;
}

}  // namespace

Term Terms::negation(Term a) {
  if (kind(a) == TermKind::Truth) return truth(is_false(a));
  if (kind(a) == TermKind::Not) return arguments(a)[0];
  if (const Term made = known_negation(a); !made.is_none()) return made;
  ISOMER_ASSERT(sort(a) == TermSort::Bool);
  const Term result = node(TermKind::Not, TermSort::Bool, std::array{a});
  state_->nodes[a.index].negation = result;
  state_->nodes[result.index].negation = a;
  return result;
}

bool Terms::contains(std::span<const Term> conjuncts, Term term) const {
  return std::ranges::binary_search(conjuncts, term);
}

bool Terms::contains_negation(std::span<const Term> conjuncts, Term term) const {
  const Term negation = known_negation(term);
  return !negation.is_none() && contains(conjuncts, negation);
}

// Another form of the conjunct that holds in the same cases if the others do; absent if
// there is no simpler one.
std::optional<Term> Terms::simpler_conjunct(std::span<const Term> conjuncts,
                                            Term conjunct) {
  if (fix_other_value(*this, conjuncts, conjunct)) return truth(false);
  if (is_negation(*this, conjunct) &&
      fix_other_value(*this, conjuncts, arguments(conjunct)[0]))
    return truth(true);
  const std::span<const Term> inner = disjuncts(*this, conjunct);
  for (const Term literal : inner) {
    if (contains_negation(conjuncts, literal) || fix_other_value(*this, conjuncts, literal))
      return truth(true);
    if (contains(conjuncts, literal)) return negation(all(without(inner, literal)));
  }
  for (const Term other : conjuncts) {
    const std::span<const Term> smaller = disjuncts(*this, other);
    if (smaller.empty() || other == conjunct || smaller.size() > inner.size()) continue;
    Term opposite = Term::none();
    std::size_t missing = 0;
    for (const Term literal : smaller) {
      if (contains(inner, literal)) continue;
      ++missing;
      if (contains_negation(inner, literal)) opposite = known_negation(literal);
    }
    if (missing == 0) return truth(true);
    if (missing == 1 && !opposite.is_none()) return negation(all(without(inner, opposite)));
  }
  return std::nullopt;
}

Term Terms::all(std::span<const Term> terms) {
  std::vector<Term> conjuncts;
  for (const Term term : terms)
    add_conjunct(*this, term, conjuncts);
  for (bool is_simpler = true; is_simpler;) {
    is_simpler = false;
    sort_unique(conjuncts);
    std::erase_if(conjuncts, [this](Term term) { return is_true(term); });
    if (!conjuncts.empty() && is_false(conjuncts[0])) return truth(false);
    for (const Term term : conjuncts)
      if (contains_negation(conjuncts, term)) return truth(false);
    if (conjuncts.size() > simplified_max) break;
    for (const Term term : conjuncts)
      if (const std::optional<Term> simpler = simpler_conjunct(conjuncts, term)) {
        std::erase(conjuncts, term);
        add_conjunct(*this, *simpler, conjuncts);
        is_simpler = true;
        break;
      }
  }
  if (conjuncts.empty()) return truth(true);
  if (conjuncts.size() == 1) return conjuncts[0];
  return node(TermKind::And, TermSort::Bool, conjuncts);
}

Term Terms::any(std::span<const Term> terms) {
  std::vector<Term> negations;
  for (const Term term : terms)
    negations.push_back(negation(term));
  return negation(all(negations));
}

Term Terms::both(Term a, Term b) {
  return all(std::array{a, b});
}

Term Terms::either(Term a, Term b) {
  return any(std::array{a, b});
}

Term Terms::implies(Term a, Term b) {
  return either(negation(a), b);
}

Term Terms::iff(Term a, Term b) {
  return same(a, b);
}

// The value of the term where `given` is true, if that is easily seen.
std::optional<bool> Terms::known_truth(Term term, Term given) const {
  const std::array only{given};
  const std::span<const Term> facts =
      is_conjunction(*this, given) ? arguments(given) : std::span<const Term>(only);
  const auto holds = [&](Term a) { return a == given || contains(facts, a); };
  const auto fails = [&](Term a) {
    return contains_negation(facts, a) || fix_other_value(*this, facts, a);
  };
  if (holds(term)) return true;
  if (fails(term)) return false;
  if (is_negation(*this, term)) {
    const std::optional<bool> inner = known_truth(arguments(term)[0], given);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (!is_conjunction(*this, term)) return std::nullopt;
  if (std::ranges::any_of(arguments(term), fails)) return false;
  if (const std::span<const Term> excluded = disjuncts(*this, given);
      !excluded.empty() && std::ranges::includes(arguments(term), excluded))
    return false;
  if (std::ranges::all_of(arguments(term), holds)) return true;
  return std::nullopt;
}

Term Terms::known_choice(Term chosen, Term given) const {
  while (kind(chosen) == TermKind::Choose) {
    const std::optional<bool> condition = known_truth(arguments(chosen)[0], given);
    if (!condition) break;
    chosen = arguments(chosen)[*condition ? 1 : 2];
  }
  return chosen;
}

// Two choices with a common branch are one.
std::optional<Term> Terms::merged_choice(Term condition, Term then, Term otherwise) {
  if (kind(otherwise) == TermKind::Choose) {
    const std::span<const Term> inner = arguments(otherwise);
    if (inner[1] == then) return choose(either(condition, inner[0]), then, inner[2]);
    if (inner[2] == then)
      return choose(either(condition, negation(inner[0])), then, inner[1]);
  }
  if (kind(then) == TermKind::Choose) {
    const std::span<const Term> inner = arguments(then);
    if (inner[2] == otherwise)
      return choose(both(condition, inner[0]), inner[1], otherwise);
    if (inner[1] == otherwise)
      return choose(both(condition, negation(inner[0])), inner[2], otherwise);
  }
  return std::nullopt;
}

Term Terms::choose_truth(Term condition, Term then, Term otherwise) {
  if (const auto known = known_truth(then, condition)) then = truth(*known);
  if (const auto known = known_truth(otherwise, negation(condition)))
    otherwise = truth(*known);
  if (then == otherwise) return then;
  if (is_true(then)) return either(condition, otherwise);
  if (is_false(then)) return both(negation(condition), otherwise);
  if (is_true(otherwise)) return implies(condition, then);
  if (is_false(otherwise)) return both(condition, then);
  if (then == negation(otherwise)) return iff(condition, then);
  return node(TermKind::Choose, TermSort::Bool, std::array{condition, then, otherwise});
}

Term Terms::choose(Term condition, Term then, Term otherwise) {
  ISOMER_ASSERT(sort(then) == sort(otherwise));
  if (kind(condition) == TermKind::Truth) return is_true(condition) ? then : otherwise;
  if (kind(condition) == TermKind::Not)
    return choose(arguments(condition)[0], otherwise, then);
  then = known_choice(then, condition);
  otherwise = known_choice(otherwise, negation(condition));
  if (then == otherwise) return then;
  if (const std::optional<Term> merged = merged_choice(condition, then, otherwise))
    return *merged;
  if (sort(then) == TermSort::Bool) return choose_truth(condition, then, otherwise);
  return node(TermKind::Choose, sort(then), std::array{condition, then, otherwise});
}

}  // namespace isomer::logic
