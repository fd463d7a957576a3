// SPDX-License-Identifier: MIT
// Equality and order.
//
// What a read returns is a long choice between the writes it may see.  Compared with a
// constant, a choice between constants is a formula without numbers:
//
//   choose(c, 1, choose(d, 2, 3)) = 2   is   !c && d
//
// Two choices between constants are the same if both are one of the constants: that has as
// many parts as there are constants, not as there are pairs, and tells the solver what to
// branch on.
//
// Linear forms are compared by their difference: x + 1 < 3 is x < 2.
#include <algorithm>
#include <array>
#include <iterator>

#include "base/assert.h"
#include "logic/term_state.h"

namespace isomer::logic {
namespace {

// Longer chains of choices are left to the solver.
constexpr unsigned depth_max = 400;
constexpr std::size_t pairs_max = 256;

// Shorter choices are compared branch by branch.
constexpr std::size_t choice_min = 3;
constexpr std::size_t common_max = 32;

Rational negated(const Rational& number) {
  return {.numerator = -number.numerator, .denominator = number.denominator};
}

Rational ceiling(const Rational& number) {
  return negated(floor(negated(number)));
}

}  // namespace

Term Terms::plain_comparison(TermKind kind, Term a, Term b) {
  if (kind == TermKind::Same && (is_constant(a) || (!is_constant(b) && b < a)))
    std::swap(a, b);
  return node(kind, TermSort::Bool, std::array{a, b});
}

// 0 = or < the difference.
Term Terms::bound_comparison(TermKind kind, const Linear& difference, TermSort sort) {
  const auto& [term, factor] = difference.parts[0];
  const std::optional<Rational> bound = logic::divide(negated(difference.constant), factor);
  if (!bound) return Term::none();
  const bool is_real = sort == TermSort::Real;
  if (kind == TermKind::Same) {
    if (!is_real && !bound->is_integer()) return truth(false);
    return comparison(kind, term, number(*bound, sort), 0);
  }
  if (factor > Rational{})
    return comparison(kind, number(is_real ? *bound : logic::floor(*bound), sort), term, 0);
  return comparison(kind, term, number(is_real ? *bound : ceiling(*bound), sort), 0);
}

std::optional<Term> Terms::linear_comparison(TermKind kind, Term a, Term b) {
  if (!is_linear(a) && !is_linear(b)) return std::nullopt;
  const Rational minus_one{.numerator = -1, .denominator = 1};
  std::optional<Linear> difference = combination(linear(b), linear(a), minus_one);
  if (!difference) return std::nullopt;
  if (difference->parts.empty())
    return truth(kind == TermKind::Same ? difference->constant == Rational{}
                                        : difference->constant > Rational{});
  if (difference->parts.size() == 1) {
    const Term result = bound_comparison(kind, *difference, sort(a));
    return result.is_none() ? std::nullopt : std::optional(result);
  }
  const bool is_turned = kind == TermKind::Same && difference->parts[0].second < Rational{};
  Linear left;
  Linear right;
  for (const auto& [term, factor] : difference->parts)
    if ((factor > Rational{}) != is_turned)
      right.parts.emplace_back(term, is_turned ? negated(factor) : factor);
    else
      left.parts.emplace_back(term, is_turned ? factor : negated(factor));
  const Rational constant =
      is_turned ? negated(difference->constant) : difference->constant;
  (left.parts.empty() ? left : right).constant =
      left.parts.empty() ? negated(constant) : constant;
  const Term x = linear_term(left, sort(a));
  const Term y = linear_term(right, sort(a));
  if (!is_linear(x) && !is_linear(y)) return comparison(kind, x, y, 0);
  return plain_comparison(kind, x, y);
}

// Integers as Reals are compared as integers.
std::optional<Term> Terms::converted_comparison(TermKind kind, Term a, Term b) {
  const bool converts_a = this->kind(a) == TermKind::AsReal;
  const bool converts_b = this->kind(b) == TermKind::AsReal;
  if (converts_a && converts_b)
    return comparison(kind, arguments(a)[0], arguments(b)[0], 0);
  const std::optional<Rational> bound = rational_value(converts_a ? b : a);
  if ((!converts_a && !converts_b) || !bound) return std::nullopt;
  if (kind == TermKind::Same && !bound->is_integer()) return truth(false);
  if (converts_a)
    return comparison(kind, arguments(a)[0], number(ceiling(*bound), TermSort::Int), 0);
  return comparison(kind, number(logic::floor(*bound), TermSort::Int), arguments(b)[0], 0);
}

std::optional<Term> Terms::same_choices(Term a, Term b, unsigned depth) {
  if (leaves(a) < choice_min || leaves(b) < choice_min) return std::nullopt;
  std::vector<Term> common;
  std::ranges::set_intersection(chosen_constants(a), chosen_constants(b),
                                std::back_inserter(common));
  if (common.size() > common_max) return std::nullopt;
  std::vector<Term> cases;
  for (const Term constant : common)
    cases.push_back(both(comparison(TermKind::Same, a, constant, depth + 1),
                         comparison(TermKind::Same, b, constant, depth + 1)));
  return any(cases);
}

// Whether comparing each branch of the choice makes something constant.
bool Terms::is_worth_splitting(Term choice, Term other) const {
  if (kind(choice) != TermKind::Choose) return false;
  const std::span<const Term> inner = arguments(choice);
  if (inner[1] == other || inner[2] == other) return true;
  if (kind(other) == TermKind::Choose && arguments(other)[0] == inner[0]) return true;
  if (is_constant(other))
    return is_constant(inner[1]) || is_constant(inner[2]) || leaves(choice) > 0;
  const std::size_t pairs = leaves(choice) * leaves(other);
  return pairs > 0 && pairs <= pairs_max;
}

std::optional<Term> Terms::split_comparison(TermKind kind, Term a, Term b, unsigned depth) {
  if (depth > depth_max) return std::nullopt;
  if (kind == TermKind::Same)
    if (const auto result = same_choices(a, b, depth)) return result;
  const bool splits_a = is_worth_splitting(a, b);
  if (!splits_a && !is_worth_splitting(b, a)) return std::nullopt;
  const Term condition = arguments(splits_a ? a : b)[0];
  const auto branch = [&](Term term, std::size_t which) {
    if (this->kind(term) != TermKind::Choose || arguments(term)[0] != condition)
      return term;
    return arguments(term)[which];
  };
  const Term then = comparison(kind, branch(a, 1), branch(b, 1), depth + 1);
  return choose(condition, then, comparison(kind, branch(a, 2), branch(b, 2), depth + 1));
}

Term Terms::comparison(TermKind kind, Term a, Term b, unsigned depth) {
  if (a == b) return truth(kind == TermKind::Same);
  if (is_constant(a) && is_constant(b)) {
    if (kind == TermKind::Same) return truth(false);
    if (sort(a) == TermSort::Text) return truth(text_value(a) < text_value(b));
    const std::optional<Rational> left = rational_value(a);
    const std::optional<Rational> right = rational_value(b);
    if (left && right) return truth(*left < *right);
  }
  if (kind == TermKind::Less && this->kind(b) == TermKind::Text && text_value(b).empty())
    return truth(false);
  if (const auto result = linear_comparison(kind, a, b)) return *result;
  if (const auto result = converted_comparison(kind, a, b)) return *result;
  if (const auto result = split_comparison(kind, a, b, depth)) return *result;
  return plain_comparison(kind, a, b);
}

Term Terms::same(Term a, Term b) {
  ISOMER_ASSERT(sort(a) == sort(b));
  if (sort(a) != TermSort::Bool) return comparison(TermKind::Same, a, b, 0);
  if (a == b) return truth(true);
  if (kind(b) == TermKind::Truth) std::swap(a, b);
  if (kind(a) == TermKind::Truth) return is_true(a) ? b : negation(b);
  if (kind(a) == TermKind::Not) return negation(same(arguments(a)[0], b));
  if (kind(b) == TermKind::Not) return negation(same(a, arguments(b)[0]));
  return plain_comparison(TermKind::Same, a, b);
}

Term Terms::less(Term a, Term b) {
  ISOMER_ASSERT(sort(a) == sort(b) && sort(a) != TermSort::Bool);
  return comparison(TermKind::Less, a, b, 0);
}

Term Terms::less_equal(Term a, Term b) {
  return negation(less(b, a));
}

}  // namespace isomer::logic
