// SPDX-License-Identifier: MIT
// Terms over truth values, integers, rationals and texts, as a shared graph: equal terms
// are stored once, and constants, units and opposites are simplified away as terms are
// made, so what is concrete costs nothing later.  logic/term_solver.h asks about them.
//
// Disjunction is the negation of a conjunction of negations, so that De Morgan's laws need
// no search: a term and its opposite are always recognised as such.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "logic/rational.h"

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
  // A new function each time.
  TermFunction function(std::string_view name, std::vector<TermSort> arguments,
                        TermSort result);
  // The same one for the same name and sorts.
  TermFunction shared_function(std::string_view name, std::vector<TermSort> arguments,
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
  // Of a Number, unless it has too many digits.
  [[nodiscard]] std::optional<Rational> rational_value(Term term) const;
  // Number: "-12.5", or "1/3" if the decimal has no end; Text: itself; Variable: its name.
  [[nodiscard]] std::string text_value(Term term) const;
  // Ascending and each once; empty if the term is not a choice between constants alone, or
  // a long one.
  [[nodiscard]] std::vector<Term> chosen_constants(Term term) const;
  [[nodiscard]] TermFunction function_of(Term application) const;
  [[nodiscard]] std::string_view function_name(TermFunction function) const;
  [[nodiscard]] std::span<const TermSort> function_arguments(TermFunction function) const;
  [[nodiscard]] TermSort function_result(TermFunction function) const;
  // Arguments come before the terms that have them: Term{0} .. Term{size() - 1}.
  [[nodiscard]] std::size_t size() const;

 private:
  struct State;

  Term node(TermKind kind, TermSort sort, std::span<const Term> arguments);
  Term number(const Rational& value, TermSort sort);

  [[nodiscard]] Term known_negation(Term term) const;
  [[nodiscard]] std::size_t leaves(Term term) const;
  [[nodiscard]] bool contains(std::span<const Term> conjuncts, Term term) const;
  [[nodiscard]] bool contains_negation(std::span<const Term> conjuncts, Term term) const;
  [[nodiscard]] std::optional<bool> known_truth(Term term, Term given) const;
  [[nodiscard]] Term known_choice(Term chosen, Term given) const;
  std::optional<Term> simpler_conjunct(std::span<const Term> conjuncts, Term conjunct);
  std::optional<Term> merged_choice(Term condition, Term then, Term otherwise);
  Term choose_truth(Term condition, Term then, Term otherwise);

  struct Linear;
  [[nodiscard]] bool is_linear(Term term) const;
  [[nodiscard]] Linear linear(Term term) const;
  Term linear_term(const Linear& form, TermSort sort);
  Term linear_sum(Term a, Term b, const Rational& factor);
  Term opaque(TermKind kind, Term a, Term b);
  static std::optional<Linear> combination(const Linear& a, const Linear& b,
                                           const Rational& factor);

  // The function of each constant below choices.
  template <class Function>
  Term lifted(Term choices, const Function& function);
  template <class Function>
  std::optional<Term> lifted(Term a, Term b, const Function& function);

  Term plain_comparison(TermKind kind, Term a, Term b);
  Term comparison(TermKind kind, Term a, Term b, unsigned depth);
  std::optional<Term> linear_comparison(TermKind kind, Term a, Term b);
  Term bound_comparison(TermKind kind, const Linear& difference, TermSort sort);
  std::optional<Term> converted_comparison(TermKind kind, Term a, Term b);
  std::optional<Term> split_comparison(TermKind kind, Term a, Term b, unsigned depth);
  std::optional<Term> same_choices(Term a, Term b, unsigned depth);
  [[nodiscard]] bool is_worth_splitting(Term choice, Term other) const;

  std::unique_ptr<State> state_;
};

}  // namespace isomer::logic
