// SPDX-License-Identifier: MIT
// round(), ceil(), floor() and power() on cells.
#include <algorithm>

#include <fmt/format.h>

#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

using Kind = Approximation::Kind;

constexpr std::int64_t exponent_max = 16;      // as a product; beyond that any function
constexpr std::uint16_t power_scale_min = 16;  // power() has at least so many digits
constexpr std::int64_t round_scale_max = 1000;

Term power_of_ten(Terms& terms, int exponent) {
  const auto zeros = static_cast<std::size_t>(exponent < 0 ? -exponent : exponent);
  const std::string text = exponent < 0 ? fmt::format("0.{}1", std::string(zeros - 1, '0'))
                                        : fmt::format("1{}", std::string(zeros, '0'));
  return terms.number(text, TermSort::Real);
}

Term whole_below(Terms& terms, Term real) {
  return terms.as_real(terms.floor(real));
}

std::optional<std::int64_t> known_number(const Terms& terms, const Cell& cell) {
  const auto value = known_value(terms, cell);
  if (!value) return std::nullopt;
  if (const auto* number = value->get_if<std::int64_t>()) return *number;
  const auto* decimal = value->get_if<program::Decimal>();
  const auto whole = decimal != nullptr ? program::integer_of(*decimal) : std::nullopt;
  if (!whole || program::decimal_of(*whole) != *decimal) return std::nullopt;
  return whole;
}

Cell rounded_cell(const Expression& call, const Cell& number, int digits,
                  Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const auto kept = static_cast<std::uint16_t>(std::max(digits, 0));
  const Scale scale{.least = kept, .most = kept};
  if (digits >= 0)
    return value_cell(terms, call.type, rounded_data(terms, number, kept), scale);
  const Term shifted = terms.product(as_real(terms, number), power_of_ten(terms, digits));
  return value_cell(
      terms, call.type,
      terms.product(terms.round_half_away(shifted, 0), power_of_ten(terms, -digits)),
      scale);
}

Cell any_result(const Expression& call, std::span<const Cell> arguments, Term runs,
                Evaluation& evaluation) {
  const std::string name(program::name(call.function));
  approximate(Kind::Uninterpreted, runs, fmt::format("{}()", name), call.at, evaluation);
  return value_cell(evaluation.terms, call.type,
                    any_function(name, arguments, sort_of(call.type), evaluation));
}

Cell rounded_to(const Expression& call, std::span<const Cell> arguments, Term runs,
                Evaluation& evaluation) {
  if (arguments.size() == 1) return rounded_cell(call, arguments[0], 0, evaluation);
  const auto digits = known_number(evaluation.terms, arguments[1]);
  if (!digits) return any_result(call, arguments, runs, evaluation);
  if (*digits >= -round_scale_max && *digits <= round_scale_max)
    return rounded_cell(call, arguments[0], static_cast<int>(*digits), evaluation);
  return beyond(call.type, runs, "22003", "round() to that many digits is not supported",
                call.at, evaluation);
}

Term product_of(Terms& terms, Term base, std::int64_t exponent) {
  Term out = terms.number("1", TermSort::Real);
  for (std::int64_t i = 0; i < exponent; ++i)
    out = terms.product(out, base);
  return out;
}

std::optional<Scale> power_scale(const Cell& base) {
  const auto scale = scale_of(base);
  if (!scale) return std::nullopt;
  return Scale{.least = std::max(scale->least, power_scale_min),
               .most = std::max(scale->most, power_scale_min)};
}

// Rounded to that scale there; exact here.
Cell known_power(const Expression& call, const Cell& base, std::int64_t exponent, Term runs,
                 Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const auto scale = scale_of(base);
  if (exponent < 0 || !scale || scale->most * exponent > power_scale_min)
    approximate(Kind::Arithmetic, runs, "power()", call.at, evaluation);
  const Term product = product_of(terms, as_real(terms, base), std::abs(exponent));
  const Term out =
      exponent < 0 ? terms.quotient(terms.number("1", TermSort::Real), product) : product;
  return value_cell(terms, call.type, out, power_scale(base));
}

}  // namespace

Cell rounding(const Expression& call, std::span<const Cell> arguments, Term runs,
              Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  if (call.function == Function::Round)
    return rounded_to(call, arguments, runs, evaluation);
  const Term number = as_real(terms, arguments[0]);
  const Term out = call.function == Function::Floor
                       ? whole_below(terms, number)
                       : terms.minus(whole_below(terms, terms.minus(number)));
  return value_cell(terms, call.type, out, Scale{});
}

Cell raised(const Expression& call, std::span<const Cell> arguments, Term runs,
            Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const Term base = as_real(terms, arguments[0]);
  const Term exponent = as_real(terms, arguments[1]);
  const Term zero = terms.number("0", TermSort::Real);
  const Term is_whole = terms.same(whole_below(terms, exponent), exponent);
  beyond(call.type, terms.both(runs, terms.negation(is_whole)), "0A000",
         "only whole exponents are supported", call.at, evaluation);
  const Term has_none = terms.both(terms.less(exponent, zero), terms.same(base, zero));
  evaluation.fail(terms.both(runs, has_none), "2201F",
                  "zero raised to a negative power is undefined", call.at);
  if (terms.is_false(is_whole) || terms.is_true(has_none))
    return null_cell(terms, call.type);
  const auto known = known_number(terms, arguments[1]);
  return known && *known >= -exponent_max && *known <= exponent_max
             ? known_power(call, arguments[0], *known, runs, evaluation)
             : any_result(call, arguments, runs, evaluation);
}

}  // namespace isomer::verify
