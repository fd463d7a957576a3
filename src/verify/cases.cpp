// SPDX-License-Identifier: MIT
#include "verify/cases.h"

#include <algorithm>

namespace isomer::verify {
namespace {

using logic::Term;
using logic::TermKind;
using logic::Terms;

constexpr std::size_t cases_max = 2000;
constexpr unsigned depth_max = 5;

std::vector<Term> arguments_of(const Terms& terms, Term term) {
  const auto arguments = terms.arguments(term);
  return {arguments.begin(), arguments.end()};
}

// Disjunctions are negated conjunctions of negations (logic/term.h).
std::vector<Term> disjuncts(Terms& terms, Term term) {
  if (terms.kind(term) != TermKind::Not) return {term};
  const Term inner = terms.arguments(term)[0];
  if (terms.kind(inner) != TermKind::And) return {term};
  std::vector<Term> out = arguments_of(terms, inner);
  for (Term& part : out)
    part = terms.negation(part);
  return out;
}

std::vector<Term> split(Terms& terms, Term term, unsigned depth);

// By the conjunct that has most disjuncts.
std::vector<Term> split_conjunction(Terms& terms, Term term, unsigned depth) {
  std::vector<Term> rest = arguments_of(terms, term);
  const auto most = std::ranges::max_element(
      rest, {}, [&](Term t) { return disjuncts(terms, t).size(); });
  const Term chosen = *most;
  if (disjuncts(terms, chosen).size() == 1) return {term};
  rest.erase(most);
  const Term always = terms.all(rest);
  std::vector<Term> out = split(terms, chosen, depth + 1);
  for (Term& one : out)
    one = terms.both(always, one);
  return out;
}

std::vector<Term> split(Terms& terms, Term term, unsigned depth) {
  if (depth == depth_max) return {term};
  if (terms.kind(term) == TermKind::And) return split_conjunction(terms, term, depth);
  const std::vector<Term> parts = disjuncts(terms, term);
  if (parts.size() == 1) return parts;
  std::vector<Term> out;
  for (const Term part : parts) {
    const std::vector<Term> cases = split(terms, part, depth + 1);
    out.insert(out.end(), cases.begin(), cases.end());
    if (out.size() > cases_max) return parts;
  }
  return out;
}

}  // namespace

std::vector<Term> cases_of(Terms& terms, Term term) {
  std::vector<Term> out = split(terms, term, 0);
  if (out.size() > cases_max) return {term};
  return out;
}

}  // namespace isomer::verify
