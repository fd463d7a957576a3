// SPDX-License-Identifier: MIT
#include "logic/finder.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::logic {

void Finder::require(Bit fact) {
  // A conjunction is asserted input by input.
  if (!fact.is_negated() && !circuit_.inputs(fact.node()).empty()) {
    for (const Bit input : circuit_.inputs(fact.node()))
      require(input);
    return;
  }
  const std::span<const Bit> inputs = circuit_.inputs(fact.node());
  if (inputs.empty()) return require_any(std::span(&fact, 1));
  std::vector<Bit> negated;
  for (const Bit input : inputs)
    negated.push_back(~input);
  require_any(negated);
}

void Finder::require_any(std::span<const Bit> facts) {
  std::vector<Literal> clause;
  for (const Bit fact : facts) {
    if (fact == true_bit || is_stopped_) return;
    if (fact != false_bit) clause.push_back(literal(fact));
  }
  if (clause.empty()) is_contradictory_ = true;
  add(clause);
}

void Finder::prefer(Bit variable) {
  if (variable.is_constant() || is_stopped_) return;
  const Literal preferred = literal(variable);
  if (!is_stopped_) solver_.prefer(preferred);
}

// Means nothing once the work is stopped.
Literal Finder::literal(Bit bit) {
  ISOMER_ASSERT(!bit.is_constant());
  if (is_stopped_) return 0;
  pending_.push_back(bit);
  while (!pending_.empty() && !is_stopped_) {
    const Bit next = pending_.back();
    pending_.pop_back();
    define(next);
  }
  pending_.clear();
  const Literal positive = literals_[bit.node()];
  return bit.is_negated() ? -positive : positive;
}

// For g = a & b & ...: where g is needed true, g -> a, g -> b, ...; where its negation is,
// ~g -> ~a | ~b | ...
void Finder::define(Bit bit) {
  if (literals_.size() < circuit_.node_count()) {
    literals_.resize(circuit_.node_count(), 0);
    is_defined_.resize(2 * circuit_.node_count(), 0);
  }
  if (is_defined_[bit.code] != 0) return;
  is_defined_[bit.code] = 1;
  const Literal gate = shallow_literal(Bit{bit.code & ~1U});
  const std::span<const Bit> inputs = circuit_.inputs(bit.node());
  if (inputs.empty()) return;
  if (bit.is_negated()) {
    std::vector<Literal> clause{gate};
    for (const Bit input : inputs) {
      clause.push_back(-shallow_literal(input));
      pending_.push_back(~input);
    }
    add(clause);
    return;
  }
  for (const Bit input : inputs) {
    const Literal clause[] = {-gate, shallow_literal(input)};
    add(clause);
    pending_.push_back(input);
  }
}

Literal Finder::shallow_literal(Bit bit) {
  Literal& positive = literals_[bit.node()];
  if (positive == 0) positive = solver_.new_variable();
  return bit.is_negated() ? -positive : positive;
}

void Finder::add(std::span<const Literal> clause) {
  constexpr std::size_t interval = 1024;
  if (clause_count_ % interval == 0 && circuit_.is_exhausted()) is_stopped_ = true;
  if (is_stopped_) return;
  if (clause_count_ == 0) solver_.keep_clauses_for(circuit_.budget());
  solver_.add_clause(clause);
  ++clause_count_;
}

SatAnswer Finder::solve(const Budget& budget, std::span<const Bit> assumptions) {
  values_.clear();
  has_false_assumption_ = false;
  if (circuit_.is_exhausted()) is_stopped_ = true;
  if (is_stopped_) return SatAnswer::Unknown;
  std::vector<Literal> assumed;
  for (const Bit assumption : assumptions) {
    if (assumption == false_bit) has_false_assumption_ = true;
    if (!assumption.is_constant()) assumed.push_back(literal(assumption));
    if (is_stopped_) return SatAnswer::Unknown;
  }
  if (is_contradictory_ || has_false_assumption_) return SatAnswer::Unsatisfiable;
  const SatAnswer answer = solver_.solve(budget, assumed);
  if (answer == SatAnswer::Satisfiable) {
    has_model_ = true;
    evaluate();
    has_model_ = false;  // facts to come make the solver forget it
  }
  return answer;
}

// Gate literals may be off (only one side of a gate is defined), so gates are computed from
// the variables.
void Finder::evaluate() {
  literals_.resize(circuit_.node_count(), 0);
  is_defined_.resize(2 * circuit_.node_count(), 0);
  for (auto node = static_cast<std::uint32_t>(values_.size()); node < circuit_.node_count();
       ++node) {
    const std::span<const Bit> inputs = circuit_.inputs(node);
    if (inputs.empty())
      values_.push_back(has_model_ && literals_[node] != 0 &&
                        solver_.is_true(literals_[node]));
    else
      values_.push_back(std::ranges::all_of(inputs, [&](Bit bit) { return value(bit); }));
  }
}

bool Finder::is_failed(Bit assumption) const {
  if (is_contradictory_) return false;
  if (has_false_assumption_) return assumption == false_bit;
  if (assumption.is_constant()) return false;
  const Literal positive = literals_[assumption.node()];
  return solver_.is_failed(assumption.is_negated() ? -positive : positive);
}

}  // namespace isomer::logic
