// SPDX-License-Identifier: MIT
// The SAT solver (CaDiCaL) behind a small interface.  Variables count from 1; a literal is
// a variable or its negation, as in DIMACS.
#pragma once

#include <memory>
#include <span>

#include "base/budget.h"

namespace isomer::logic {

using Literal = int;

enum class SatAnswer { Satisfiable, Unsatisfiable, Unknown };

class SatSolver {
 public:
  SatSolver();

  explicit SatSolver(const Budget& budget) : SatSolver() { keep_clauses_for(budget); }

  ~SatSolver();
  SatSolver(const SatSolver&) = delete;
  SatSolver& operator=(const SatSolver&) = delete;

  // Called before the first clause, it keeps them all if whoever looks on through this
  // budget keeps questions (base/inspection.h).
  void keep_clauses_for(const Budget& budget);

  Literal new_variable();
  void add_clause(std::span<const Literal> clause);

  // The value to try first.
  void prefer(Literal literal);

  // Unknown only when the budget runs out.  The assumptions hold for this call alone.
  SatAnswer solve(const Budget& budget, std::span<const Literal> assumptions = {});

  // After Satisfiable.
  [[nodiscard]] bool is_true(Literal literal) const;

  // After Unsatisfiable: whether this assumption was used.
  [[nodiscard]] bool is_failed(Literal assumption) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace isomer::logic
