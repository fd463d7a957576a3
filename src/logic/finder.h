// SPDX-License-Identifier: MIT
// A SAT solver that speaks of circuits: facts are asserted one after another, each question
// may assume some more, and a model gives every bit a value.
//
// Gates become clauses when first needed (Tseitin), and only for the side that is needed
// (Plaisted & Greenbaum 1986).
#pragma once

#include <span>
#include <vector>

#include "base/budget.h"
#include "logic/circuit.h"
#include "logic/sat.h"

namespace isomer::logic {

class Finder {
 public:
  // The clauses are kept if whoever looks on through this budget, or that of the circuit's
  // limit, keeps questions (base/inspection.h).
  explicit Finder(const Circuit& circuit, const Budget& budget = {})
      : circuit_(circuit), solver_(budget) {}

  // `fact` holds from now on.
  void require(Bit fact);
  // At least one of `facts` holds from now on.
  void require_any(std::span<const Bit> facts);

  // The value to try first for a variable.
  void prefer(Bit variable);

  // Unknown if the budget runs out, or the limit of the circuit was met.
  SatAnswer solve(const Budget& budget, std::span<const Bit> assumptions = {});

  // After Satisfiable, until the next call of solve; also of gates made since.  A variable
  // that no fact mentions is false.
  [[nodiscard]] bool value(Bit bit) {
    if (bit.node() >= values_.size()) evaluate();
    return (values_[bit.node()] != 0) != bit.is_negated();
  }

  // After Unsatisfiable: whether this assumption was used.
  [[nodiscard]] bool is_failed(Bit assumption) const;

  [[nodiscard]] std::size_t clause_count() const { return clause_count_; }

 private:
  Literal literal(Bit bit);
  Literal shallow_literal(Bit bit);
  void define(Bit bit);
  void add(std::span<const Literal> clause);
  void evaluate();

  const Circuit& circuit_;
  SatSolver solver_;
  std::vector<Literal> literals_;         // by node; 0: none yet
  std::vector<std::uint8_t> is_defined_;  // by code
  std::vector<Bit> pending_;
  std::vector<std::uint8_t> values_;  // by node, of the last model
  bool has_model_ = false;            // the solver still knows the model
  std::size_t clause_count_ = 0;
  bool is_contradictory_ = false;
  bool is_stopped_ = false;  // the limit of the circuit was met: clauses are missing
  bool has_false_assumption_ = false;
};

}  // namespace isomer::logic
