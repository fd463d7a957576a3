// SPDX-License-Identifier: MIT
// Arithmetic on cells.  Integers are mathematical ones, with a fault where the result's
// type has no such number if the options ask for it; numerics are exact.
//
// What is rounded to PostgreSQL's scale of a quotient is not rounded here: an approximation
// that says so.
#include <algorithm>

#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

using Kind = Approximation::Kind;

// Fails where it is zero; may it be anything else?
bool check_divisor(Term divisor, Term runs, Span at, Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const Term zero = terms.number("0", terms.sort(divisor));
  const Term is_zero = terms.same(divisor, zero);
  evaluation.fail(terms.both(runs, is_zero), "22012", "division by zero", at);
  return !terms.is_true(is_zero);
}

Cell in_range(const Expression& call, Term data, Term runs, Evaluation& evaluation) {
  Cell out = value_cell(evaluation.terms, call.type, data);
  check_range(out, runs, call.at, evaluation);
  return out;
}

Cell integer_arithmetic(const Expression& call, Term a, Term b, Term runs,
                        Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const bool divides =
      call.function == Function::Divide || call.function == Function::Modulo;
  if (divides && !check_divisor(b, runs, call.at, evaluation))
    return null_cell(terms, call.type);
  if (call.function == Function::Modulo)
    return value_cell(terms, call.type, terms.modulo(a, b));
  const Term out = call.function == Function::Add        ? terms.sum(a, b)
                   : call.function == Function::Subtract ? terms.difference(a, b)
                   : call.function == Function::Multiply ? terms.product(a, b)
                                                         : terms.divide(a, b);
  return in_range(call, out, runs, evaluation);
}

// a - trunc(a / b) * b.
Term real_modulo(Terms& terms, Term a, Term b) {
  const Term quotient = terms.quotient(a, b);
  const Term zero = terms.number("0", TermSort::Real);
  const Term whole =
      terms.choose(terms.less(quotient, zero),
                   terms.minus(terms.floor(terms.minus(quotient))), terms.floor(quotient));
  return terms.difference(a, terms.product(terms.as_real(whole), b));
}

std::optional<Scale> result_scale(Function function, const Cell& a, const Cell& b) {
  const auto first = scale_of(a);
  const auto second = scale_of(b);
  if (!first || !second || function == Function::Divide) return std::nullopt;
  if (function != Function::Multiply)
    return Scale{.least = std::max(first->least, second->least),
                 .most = std::max(first->most, second->most)};
  return Scale{.least = static_cast<std::uint16_t>(first->least + second->least),
               .most = static_cast<std::uint16_t>(first->most + second->most)};
}

Term real_result(Function function, Term a, Term b, Terms& terms) {
  switch (function) {
    case Function::Add:
      return terms.sum(a, b);
    case Function::Subtract:
      return terms.difference(a, b);
    case Function::Multiply:
      return terms.product(a, b);
    case Function::Divide:
      return terms.quotient(a, b);
    default:
      return real_modulo(terms, a, b);
  }
}

Cell numeric_arithmetic(const Expression& call, const Cell& a, const Cell& b, Term runs,
                        Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const Term first = as_real(terms, a);
  const Term second = as_real(terms, b);
  const bool divides =
      call.function == Function::Divide || call.function == Function::Modulo;
  if (divides && !check_divisor(second, runs, call.at, evaluation))
    return null_cell(terms, call.type);
  if (call.function == Function::Divide)
    approximate(Kind::Arithmetic, runs, "division of numerics", call.at, evaluation);
  return value_cell(terms, call.type, real_result(call.function, first, second, terms),
                    result_scale(call.function, a, b));
}

Cell date_arithmetic(const Expression& call, const Cell& a, const Cell& b, Term runs,
                     Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const bool are_dates = a.type.kind == b.type.kind;
  if (are_dates && call.function == Function::Subtract)
    return value_cell(terms, call.type, terms.difference(a.data, b.data));
  if (!are_dates && call.function == Function::Add)
    return in_range(call, terms.sum(a.data, b.data), runs, evaluation);
  if (!are_dates && call.function == Function::Subtract && is_integer(b.type))
    return in_range(call, terms.difference(a.data, b.data), runs, evaluation);
  return beyond(call.type, runs, "0A000",
                "dates allow only date + integer, date - integer and date - date", call.at,
                evaluation);
}

Cell binary(const Expression& call, const Cell& a, const Cell& b, Term runs,
            Evaluation& evaluation) {
  if (a.type.kind == TypeKind::Date || b.type.kind == TypeKind::Date)
    return date_arithmetic(call, a, b, runs, evaluation);
  if (is_integer(a.type) && is_integer(b.type) && call.type.kind != TypeKind::Numeric)
    return integer_arithmetic(call, a.data, b.data, runs, evaluation);
  if (a.type.kind != TypeKind::Timestamp && b.type.kind != TypeKind::Timestamp)
    return numeric_arithmetic(call, a, b, runs, evaluation);
  return beyond(call.type, runs, "0A000", "arithmetic on timestamps is not supported",
                call.at, evaluation);
}

// Negate, and Abs where it is negative.
Cell negated(const Expression& call, const Cell& cell, Term runs, Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const Term zero = terms.number("0", terms.sort(cell.data));
  const Term turns =
      call.function == Function::Abs ? terms.less(cell.data, zero) : terms.truth(true);
  const Term negative = terms.minus(cell.data);
  if (is_integer(cell.type)) in_range(call, negative, terms.both(runs, turns), evaluation);
  return value_cell(terms, call.type, terms.choose(turns, negative, cell.data),
                    scale_of(cell));
}

}  // namespace

Term as_real(Terms& terms, const Cell& cell) {
  return terms.as_real(cell.data);
}

Term rounded_data(Terms& terms, const Cell& cell, std::uint16_t digits) {
  const auto scale = scale_of(cell);
  if (scale && scale->most <= digits) return as_real(terms, cell);
  return terms.round_half_away(as_real(terms, cell), digits);
}

Cell arithmetic(const Expression& call, std::span<const Cell> arguments, Term runs,
                Evaluation& evaluation) {
  if (call.function == Function::Negate || call.function == Function::Abs)
    return negated(call, arguments[0], runs, evaluation);
  return binary(call, arguments[0], arguments[1], runs, evaluation);
}

}  // namespace isomer::verify
