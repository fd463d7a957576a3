// SPDX-License-Identifier: MIT
// The value of terms under a choice of values for their variables: plain evaluation, the
// judge of what a solver says.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "logic/rational.h"
#include "logic/term.h"

namespace isomer::logic {

// A number with more digits than a Rational holds.
struct LongNumber {
  std::string digits;
};

// What hangs on a number with more digits than anybody wants to compute: a loop that
// squares has millions of them, and billions.
struct TooLong {};

// Texts are numbers here, in the order of the texts.
using TermValue = std::variant<bool, Rational, LongNumber, TooLong>;

class TermEvaluation {
 public:
  // The value of what is not computed: Variable, Apply and Text; and of operations whose
  // result or operands do not fit, and of divisions by zero.  No argument is TooLong.
  using Outside = std::function<TermValue(Term, std::span<const TermValue> arguments)>;

  TermEvaluation(const Terms& terms, Outside outside);

  const TermValue& value(Term term);

 private:
  // The terms whose values are needed for that of `term`, and are not known yet.
  [[nodiscard]] std::vector<Term> needed_first(Term term) const;
  [[nodiscard]] Term chosen(Term choice) const;
  [[nodiscard]] TermValue value_now(Term term) const;

  const Terms& terms_;
  Outside outside_;
  std::unordered_map<Term, TermValue> values_;
};

}  // namespace isomer::logic
