// SPDX-License-Identifier: MIT
// Sums are kept as linear forms: x + 1 - 1 is x, and x - x is 0.  Operations on choices
// between constants are done on the constants: 3 + choose(c, 1, 2) is choose(c, 4, 5), so
// that data which is concrete but for who wrote it stays so.
#include <algorithm>
#include <array>

#include "base/assert.h"
#include "logic/term_state.h"

namespace isomer::logic {
namespace {

constexpr Rational one{.numerator = 1, .denominator = 1};
constexpr Rational minus_one{.numerator = -1, .denominator = 1};

// No numeric has more of them.
constexpr unsigned digits_max = 38;

constexpr std::size_t parts_max = 64;
// Pairs of constants that an operation on two choices may have.
constexpr std::size_t pairs_max = 16;

Rational power_of_ten(unsigned digits) {
  Rational result = one;
  for (unsigned i = 0; i < digits; ++i)
    result.numerator *= 10;
  return result;
}

}  // namespace

template <class Function>
Term Terms::lifted(Term choices, const Function& function) {
  if (kind(choices) != TermKind::Choose) return function(choices);
  const std::span<const Term> inner = arguments(choices);
  const Term then = lifted(inner[1], function);
  return choose(inner[0], then, lifted(inner[2], function));
}

template <class Function>
std::optional<Term> Terms::lifted(Term a, Term b, const Function& function) {
  const std::size_t pairs = leaves(a) * leaves(b);
  const bool has_constant = is_constant(a) || is_constant(b);
  if (pairs < 2 || (pairs > pairs_max && !has_constant)) return std::nullopt;
  return lifted(a, [&](Term left) {
    return lifted(b, [&](Term right) { return function(left, right); });
  });
}

// a + factor * b; absent if a number does not fit or there are too many parts.
std::optional<Terms::Linear> Terms::combination(const Linear& a, const Linear& b,
                                                const Rational& factor) {
  const auto added = [&](const Rational& left, const Rational& right) {
    const std::optional<Rational> product = multiply(right, factor);
    return product ? add(left, *product) : std::nullopt;
  };
  const std::optional<Rational> constant = added(a.constant, b.constant);
  if (!constant) return std::nullopt;
  Linear result{.parts = a.parts, .constant = *constant};
  for (const auto& [term, coefficient] : b.parts) {
    auto at = std::ranges::lower_bound(result.parts, term, {},
                                       [](const auto& part) { return part.first; });
    if (at == result.parts.end() || at->first != term)
      at = result.parts.insert(at, {term, Rational{}});
    const std::optional<Rational> sum = added(at->second, coefficient);
    if (!sum) return std::nullopt;
    at->second = *sum;
    if (*sum == Rational{}) result.parts.erase(at);
  }
  if (result.parts.size() > parts_max) return std::nullopt;
  return result;
}

// A sum or a multiple that was not too large to compute with.
bool Terms::is_linear(Term term) const {
  if ((*state_)[term].payload != 0) return false;
  if (kind(term) == TermKind::Sum) return true;
  return kind(term) == TermKind::Product && rational_value(arguments(term)[0]);
}

Terms::Linear Terms::linear(Term term) const {
  Linear result;
  const auto add_part = [&](Term part) {
    if (const std::optional<Rational> value = rational_value(part))
      result.constant = *value;
    else if (kind(part) == TermKind::Product && is_linear(part))
      result.parts.emplace_back(arguments(part)[1], *rational_value(arguments(part)[0]));
    else
      result.parts.emplace_back(part, one);
  };
  if (kind(term) == TermKind::Sum && is_linear(term))
    std::ranges::for_each(arguments(term), add_part);
  else
    add_part(term);
  return result;
}

// Its summands are in the order of the parts, the constant last.
Term Terms::linear_term(const Linear& form, TermSort sort) {
  std::vector<Term> summands;
  for (const auto& [term, factor] : form.parts)
    summands.push_back(factor == one ? term
                                     : node(TermKind::Product, sort,
                                            std::array{number(factor, sort), term}));
  if (summands.empty()) return number(form.constant, sort);
  if (form.constant != Rational{}) summands.push_back(number(form.constant, sort));
  if (summands.size() == 1) return summands[0];
  return node(TermKind::Sum, sort, summands);
}

// A node that is never taken apart again.
Term Terms::opaque(TermKind kind, Term a, Term b) {
  return state_->add(kind, sort(a), 1, std::array{a, b});
}

// a + factor * b.
Term Terms::linear_sum(Term a, Term b, const Rational& factor) {
  ISOMER_ASSERT(sort(a) == sort(b));
  const auto direct = [&](Term left, Term right) {
    if (const auto form = combination(linear(left), linear(right), factor))
      return linear_term(*form, sort(a));
    if (factor != one) right = opaque(TermKind::Product, number(factor, sort(a)), right);
    return opaque(TermKind::Sum, left, right);
  };
  const std::optional<Term> result = lifted(a, b, direct);
  return result ? *result : direct(a, b);
}

Term Terms::sum(Term a, Term b) {
  return linear_sum(a, b, one);
}

Term Terms::difference(Term a, Term b) {
  return linear_sum(a, b, minus_one);
}

Term Terms::minus(Term a) {
  return linear_sum(number(Rational{}, sort(a)), a, minus_one);
}

Term Terms::product(Term a, Term b) {
  ISOMER_ASSERT(sort(a) == sort(b));
  if (!rational_value(a)) std::swap(a, b);
  if (const std::optional<Rational> factor = rational_value(a))
    return linear_sum(number(Rational{}, sort(a)), b, *factor);
  if (leaves(b) > 1) std::swap(a, b);
  if (leaves(a) > 1 && leaves(a) <= pairs_max)
    return lifted(a, [&](Term factor) { return product(factor, b); });
  return node(TermKind::Product, sort(a), std::array{std::min(a, b), std::max(a, b)});
}

Term Terms::quotient(Term a, Term b) {
  ISOMER_ASSERT(sort(a) == TermSort::Real && sort(b) == TermSort::Real);
  const auto direct = [&](Term dividend, Term divisor) {
    const std::optional<Rational> value = rational_value(divisor);
    const std::optional<Rational> factor =
        value ? logic::divide(one, *value) : std::nullopt;
    if (factor) return linear_sum(number(Rational{}, TermSort::Real), dividend, *factor);
    return node(TermKind::Quotient, TermSort::Real, std::array{dividend, divisor});
  };
  const std::optional<Term> result = lifted(a, b, direct);
  return result ? *result : direct(a, b);
}

Term Terms::divide(Term a, Term b) {
  ISOMER_ASSERT(sort(a) == TermSort::Int && sort(b) == TermSort::Int);
  const auto direct = [&](Term dividend, Term divisor) {
    const std::optional<Rational> by = rational_value(divisor);
    if (by == one) return dividend;
    if (by == minus_one) return minus(dividend);
    const std::optional<Rational> value = rational_value(dividend);
    const auto known = by && value ? divide_towards_zero(*value, *by) : std::nullopt;
    if (known) return number(*known, TermSort::Int);
    return node(TermKind::Divide, TermSort::Int, std::array{dividend, divisor});
  };
  const std::optional<Term> result = lifted(a, b, direct);
  return result ? *result : direct(a, b);
}

Term Terms::modulo(Term a, Term b) {
  return difference(a, product(divide(a, b), b));
}

Term Terms::as_real(Term a) {
  if (sort(a) == TermSort::Real) return a;
  if (kind(a) == TermKind::Number) return number(text_value(a), TermSort::Real);
  if (leaves(a) > 0) return lifted(a, [this](Term leaf) { return as_real(leaf); });
  if (!is_linear(a)) return node(TermKind::AsReal, TermSort::Real, std::array{a});
  Linear form = linear(a);
  for (auto& [term, factor] : form.parts)
    term = as_real(term);
  std::ranges::sort(form.parts, {}, [](const auto& part) { return part.first; });
  return linear_term(form, TermSort::Real);
}

Term Terms::floor(Term a) {
  ISOMER_ASSERT(sort(a) == TermSort::Real);
  if (kind(a) == TermKind::AsReal) return arguments(a)[0];
  if (const std::optional<Rational> value = rational_value(a))
    return number(logic::floor(*value), TermSort::Int);
  if (leaves(a) > 1) return lifted(a, [this](Term leaf) { return floor(leaf); });
  return node(TermKind::Floor, TermSort::Int, std::array{a});
}

// floor(|a| * 10^digits + 1/2) / 10^digits, with the sign of a.
Term Terms::round_half_away(Term a, unsigned digits) {
  if (kind(a) == TermKind::AsReal || digits > digits_max) return a;
  if (leaves(a) > 1)
    return lifted(a, [&](Term leaf) { return round_half_away(leaf, digits); });
  const Term scale = number(power_of_ten(digits), TermSort::Real);
  const Term half = number("0.5", TermSort::Real);
  const Term zero = number(Rational{}, TermSort::Real);
  const auto rounded = [&](Term positive) {
    return quotient(as_real(floor(sum(product(positive, scale), half))), scale);
  };
  return choose(less(a, zero), minus(rounded(minus(a))), rounded(a));
}

}  // namespace isomer::logic
