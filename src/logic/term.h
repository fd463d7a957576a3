// SPDX-License-Identifier: MIT
// Terms over truth values, integers, rationals and texts, as a shared graph: equal terms
// are stored once, and constants, units and opposites are simplified away as terms are
// made, so what is concrete costs nothing later.  logic/term_solver.h asks about them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"

namespace isomer::logic {

using Term = Id<struct TermTag>;
using TermFunction = Id<struct TermFunctionTag>;

// Texts are ordered bytewise; all that is known of them is which are equal and which is
// before which.
enum class TermSort : std::uint8_t { Bool, Int, Real, Text };

enum class TermKind : std::uint8_t {
  Truth,     // true or false
  Number,    // of sort Int or Real
  Text,      // a constant text
  Variable,  // free
  Apply,     // an uninterpreted function and its arguments
  Not,
  And,
  Or,
  Same,    // two terms of one sort
  Less,    // two terms of one sort, not Bool
  Choose,  // condition, then, otherwise
  Sum,
  Product,
  Quotient,  // of Reals, exact; the divisor is not zero (else the value is any)
  Divide,    // of Ints, towards zero; likewise
  AsReal,    // an Int
  Floor,     // a Real, to an Int
};

class Terms {
 public:
  Terms();
  ~Terms();
  Terms(const Terms&) = delete;
  Terms& operator=(const Terms&) = delete;

  // --- leaves ---
  Term truth(bool value);
  Term integer(std::int64_t value);
  // "-12.50", as a Real; or as an Int if it has no point and `sort` says so.
  Term number(std::string_view decimal, TermSort sort);
  Term text(std::string_view value);
  // A new variable each time; the name is for scripts and debugging.
  Term variable(std::string_view name, TermSort sort);
  TermFunction function(std::string_view name, std::vector<TermSort> arguments,
                        TermSort result);
  Term apply(TermFunction function, std::span<const Term> arguments);

  // --- logic ---
  Term negation(Term a);
  Term all(std::span<const Term> terms);
  Term any(std::span<const Term> terms);
  Term both(Term a, Term b);
  Term either(Term a, Term b);
  Term implies(Term a, Term b);
  Term iff(Term a, Term b);
  Term choose(Term condition, Term then, Term otherwise);

  // --- comparison ---
  Term same(Term a, Term b);
  Term less(Term a, Term b);
  Term less_equal(Term a, Term b);

  // --- arithmetic ---
  Term sum(Term a, Term b);
  Term difference(Term a, Term b);
  Term product(Term a, Term b);
  Term minus(Term a);
  Term quotient(Term a, Term b);  // Reals
  Term divide(Term a, Term b);    // Ints, towards zero
  Term modulo(Term a, Term b);    // a - divide(a, b) * b
  Term as_real(Term a);           // itself if it is one
  Term floor(Term a);
  Term round_half_away(Term a, unsigned digits);  // of a Real, to a Real

  // --- looking at terms ---
  [[nodiscard]] TermKind kind(Term term) const;
  [[nodiscard]] TermSort sort(Term term) const;
  [[nodiscard]] std::span<const Term> arguments(Term term) const;
  [[nodiscard]] bool is_true(Term term) const;   // the constant
  [[nodiscard]] bool is_false(Term term) const;  // the constant
  // Truth, Number and Text.
  [[nodiscard]] bool is_constant(Term term) const;
  [[nodiscard]] std::optional<std::int64_t> integer_value(Term term) const;
  [[nodiscard]] std::string text_value(Term term) const;  // Number: decimal; Text: itself
  [[nodiscard]] std::size_t size() const;

 private:
  friend class TermSolver;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace isomer::logic
