// SPDX-License-Identifier: MIT
// A goal follows if its negation, the assumptions and the encoder's facts have no common
// model.
//
// What the encoder cannot say of a closure r+ is that it is the least transitive relation
// that contains r.  So wherever it is proved that r in S and S is transitive, for some
// relation S that occurs in the problem, r+ in S is assumed from then on.  These are the
// lemmas; each instance is asked for on its own, since the solver does poorly when it has
// to find out by itself which S is useful.  Only closures of the goal need bounds: where
// r+(t, u) was derived from steps of r, S(t, u) can be derived from them as well.
#include "synth/obligation.h"

#include <algorithm>
#include <utility>

#include "level/rewrite.h"

namespace isomer::synth {
namespace {

using level::Kind;
using level::Op;
using level::Term;
using level::TermId;

constexpr std::uint32_t steps_first = 200'000;
constexpr std::uint32_t steps_lemma = 400'000;
constexpr std::uint32_t steps_last = 2'000'000;

// Every term below the formulas, each once.
std::set<TermId> subterms(const level::Terms& terms, const std::set<TermId>& formulas) {
  std::set<TermId> seen;
  const auto visit = [&](const auto& self, TermId id) -> void {
    if (!seen.insert(id).second) return;
    for (const TermId argument : terms[id].arguments())
      self(self, argument);
  };
  for (const TermId formula : formulas)
    visit(visit, formula);
  return seen;
}

bool may_bound_closure(const Term& term) {
  const bool is_likely =
      term.op == Op::Witness || term.op == Op::Plus || term.op == Op::Compose;
  return is_likely && term.type.kind == Kind::Relation &&
         term.type.first == term.type.second && term.free_variables == 0;
}

}  // namespace

Obligations::Obligations(level::Level& problem, std::vector<TermId> assumptions,
                         std::vector<TermId> goals, const Budget& budget)
    : problem_(problem),
      goals_(std::move(goals)),
      budget_(budget),
      encoder_(smt_, problem) {
  for (const TermId assumption : assumptions)
    assume(assumption);
}

void Obligations::assume(TermId formula) {
  if (assumed_.insert(formula).second) formulas_.push_back(encoder_.encode(formula));
}

bool Obligations::follows(TermId goal, std::uint32_t steps_max) {
  if (assumed_.contains(goal)) return true;
  std::vector<logic::SmtFormula> question = formulas_;
  question.push_back(smt_.negation(encoder_.encode(goal)));
  question.insert(question.end(), encoder_.facts().begin(), encoder_.facts().end());
  ++question_count_;
  return smt_.solve(question, budget_, steps_max) == logic::SatAnswer::Unsatisfiable;
}

void Obligations::prove_closure_bounds(TermId relation,
                                       const std::vector<TermId>& candidates) {
  level::TermMaker maker(problem_);
  const level::Type type = problem_.terms[relation].type;
  const TermId closure = maker.make(Op::Plus, type, 0, std::array{relation});
  for (const TermId candidate : candidates) {
    if (budget_.is_exhausted()) return;
    if (candidate == closure || candidate == relation) continue;
    if (problem_.terms[candidate].type != type) continue;
    const TermId lemma = maker.formula(Op::In, {closure, candidate});
    if (assumed_.contains(lemma)) continue;
    if (!follows(maker.formula(Op::In, {relation, candidate}), steps_lemma)) continue;
    if (!maker.is_transitive(candidate) &&
        !follows(maker.formula(Op::Transitive, {candidate}), steps_lemma))
      continue;
    assume(lemma);
    lemmas_.push_back(lemma);
  }
}

void Obligations::prove_lemmas(TermId goal) {
  std::set<TermId> formulas = assumed_;
  formulas.insert(goals_.begin(), goals_.end());
  std::vector<TermId> candidates;
  for (const TermId id : subterms(problem_.terms, formulas))
    if (may_bound_closure(problem_.terms[id])) candidates.push_back(id);
  for (const TermId id : subterms(problem_.terms, {goal})) {
    const Term term = problem_.terms[id];
    if (term.op != Op::Plus || term.free_variables != 0) continue;
    if (bounded_.insert(id).second) prove_closure_bounds(term.argument_ids[0], candidates);
  }
}

std::size_t Obligations::proved_count() {
  for (std::size_t i = 0; i < goals_.size(); ++i) {
    if (follows(goals_[i], steps_first)) continue;
    prove_lemmas(goals_[i]);
    if (!follows(goals_[i], steps_last)) return i;
  }
  return goals_.size();
}

}  // namespace isomer::synth
