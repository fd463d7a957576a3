// SPDX-License-Identifier: MIT
#include "logic/sat.h"

#include <cadical.hpp>

namespace isomer::logic {
namespace {

class Stop : public CaDiCaL::Terminator {
 public:
  explicit Stop(const Budget& budget) : budget_(budget) {}

  bool terminate() override { return budget_.is_exhausted(); }

 private:
  const Budget& budget_;
};

}  // namespace

struct SatSolver::State {
  CaDiCaL::Solver solver;
  int variables = 0;
};

SatSolver::SatSolver() : state_(std::make_unique<State>()) {
  state_->solver.set("quiet", 1);
  state_->solver.set("lucky", 0);  // the lucky phases would overrule prefer()
  // Look at the budget after each decision: with millions of clauses ten take seconds.
  state_->solver.set("terminateint", 0);
  // Below thousands of assumptions it would go back by one level at a time, from conflict
  // to conflict, and never get to a decision.
  state_->solver.set("chrono", 0);
}

SatSolver::~SatSolver() = default;

Literal SatSolver::new_variable() {
  return ++state_->variables;
}

void SatSolver::add_clause(std::span<const Literal> clause) {
  for (const Literal literal : clause)
    state_->solver.add(literal);
  state_->solver.add(0);
}

void SatSolver::prefer(Literal literal) {
  state_->solver.phase(literal);
}

SatAnswer SatSolver::solve(const Budget& budget, std::span<const Literal> assumptions) {
  for (const Literal assumption : assumptions)
    state_->solver.assume(assumption);
  Stop stop(budget);
  state_->solver.connect_terminator(&stop);
  const int status = state_->solver.solve();
  state_->solver.disconnect_terminator();
  if (status == 10) return SatAnswer::Satisfiable;
  return status == 20 ? SatAnswer::Unsatisfiable : SatAnswer::Unknown;
}

bool SatSolver::is_true(Literal literal) const {
  return state_->solver.val(literal) > 0;
}

bool SatSolver::is_failed(Literal assumption) const {
  return state_->solver.failed(assumption);
}

}  // namespace isomer::logic
