// SPDX-License-Identifier: MIT
// The value of terms under a choice of values for their variables: plain evaluation, the
// judge of what a solver says.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>

#include "logic/rational.h"
#include "logic/term.h"

namespace isomer::logic {

// A number with more digits than a Rational holds.
struct LongNumber {
  std::string digits;
};

// Texts are numbers here, in the order of the texts.
using TermValue = std::variant<bool, Rational, LongNumber>;

class TermEvaluation {
 public:
  // The value of what is not computed: Variable, Apply and Text; and of operations whose
  // result or operands do not fit, and of divisions by zero.
  using Outside = std::function<TermValue(Term, std::span<const TermValue> arguments)>;

  TermEvaluation(const Terms& terms, Outside outside);

  const TermValue& value(Term term);

 private:
  const Terms& terms_;
  Outside outside_;
  std::unordered_map<Term, TermValue> values_;
};

}  // namespace isomer::logic
