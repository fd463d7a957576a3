// SPDX-License-Identifier: MIT
// A goal follows if its negation, the assumptions and the encoder's facts have no common
// model.
//
// What the encoder cannot say of a closure r+ is that it is the least transitive relation
// that contains r.  So wherever it is proved that r in S and S is transitive, for some
// relation S that occurs in the problem, r+ in S is assumed from then on.  These are the
// lemmas; each instance is asked for on its own, since the solver does poorly when it has
// to find out by itself which S is useful.
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

constexpr std::uint32_t steps_first = 300'000;
constexpr std::uint32_t steps_lemma = 200'000;
constexpr std::uint32_t steps_last = 5'000'000;

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
  const bool is_compound = term.op == Op::Witness || term.op == Op::Plus ||
                           term.op == Op::Compose || term.op == Op::Union ||
                           term.op == Op::Intersection || term.op == Op::Difference;
  return is_compound && term.type.kind == Kind::Relation &&
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
    if (!follows(maker.formula(Op::Transitive, {candidate}), steps_lemma)) continue;
    assume(lemma);
    lemmas_.push_back(lemma);
  }
}

void Obligations::prove_lemmas() {
  has_lemmas_ = true;
  std::set<TermId> formulas = assumed_;
  formulas.insert(goals_.begin(), goals_.end());
  std::vector<TermId> candidates;
  std::vector<TermId> closed_over;
  for (const TermId id : subterms(problem_.terms, formulas)) {
    const Term& term = problem_.terms[id];
    if (may_bound_closure(term)) candidates.push_back(id);
    const bool is_closure = term.op == Op::Plus || term.op == Op::Acyclic;
    if (is_closure && term.free_variables == 0) closed_over.push_back(term.argument_ids[0]);
  }
  std::stable_partition(candidates.begin(), candidates.end(),
                        [&](TermId id) { return problem_.terms[id].op == Op::Witness; });
  for (const TermId relation : closed_over)
    prove_closure_bounds(relation, candidates);
}

std::size_t Obligations::proved_count() {
  for (std::size_t i = 0; i < goals_.size(); ++i) {
    if (follows(goals_[i], steps_first)) continue;
    if (!has_lemmas_) prove_lemmas();
    if (!follows(goals_[i], steps_last)) return i;
  }
  return goals_.size();
}

}  // namespace isomer::synth
