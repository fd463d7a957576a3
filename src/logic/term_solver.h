// SPDX-License-Identifier: MIT
// Is there a choice of values for the variables that makes terms true?  (Z3, behind a small
// interface.)  Texts become rationals: constants by their rank, so that a model can be
// given back as texts in the right order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/budget.h"
#include "logic/sat.h"
#include "logic/term.h"

namespace isomer::logic {

class TermSolver {
 public:
  // Every text constant must have been made before the solver is.
  explicit TermSolver(const Terms& terms);
  ~TermSolver();
  TermSolver(const TermSolver&) = delete;
  TermSolver& operator=(const TermSolver&) = delete;

  void add(Term formula);

  // The assumptions hold for this call alone.  Unknown when the budget runs out, when the
  // memory limit is reached, or when the arithmetic is too hard; `why_unknown` says which.
  // So it is after `steps_max` steps, in the solver's own unit.
  SatAnswer solve(std::span<const Term> assumptions, const Budget& budget,
                  std::optional<std::uint32_t> steps_max = std::nullopt);

  // Satisfiable if one of the cases is: that one is assumed, and `possible` is its index.
  // They are asked in turn, and what is learned of one helps with the next.  This is for
  // questions that solve() finds hard, because it looks at all cases at once.
  struct CaseAnswer {
    SatAnswer answer = SatAnswer::Unknown;
    std::size_t possible = 0;
  };

  CaseAnswer solve_cases(std::span<const Term> cases, const Budget& budget,
                         std::uint32_t steps_max);
  [[nodiscard]] std::string why_unknown() const;

  // After Satisfiable: the value of any term, also of one that was not in the question.
  // They are computed from the values of variables and functions alone, and with them every
  // formula and assumption was found true before the answer was given.
  [[nodiscard]] bool truth(Term term) const;
  [[nodiscard]] std::string number(Term term) const;  // "-12.5"; "1/3" if it has no end
  // Equal where the model says so, in the order of bytes, and printable.  Absent if that is
  // impossible: nothing printable is between "a" and "a ".
  [[nodiscard]] std::optional<std::string> text(Term term) const;

  // False if a value that was asked for hangs on a number of thousands of digits, which are
  // not computed; what came back for it is any value.
  [[nodiscard]] bool has_all_values() const;

  // The question as an SMT-LIB script: what was added, and the latest assumptions.
  [[nodiscard]] std::string script() const;

  // How much was asked, for reports.
  [[nodiscard]] std::size_t formula_size() const;  // distinct terms in it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace isomer::logic
