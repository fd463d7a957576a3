// SPDX-License-Identifier: MIT
// Random terms, each with its value under some assignments, computed from the values of its
// parts by what the operation means.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "logic/term.h"
#include "logic/term_evaluation.h"

namespace isomer::logic {

inline bool is_same(const TermValue& left, const TermValue& right) {
  if (const bool* truth = std::get_if<bool>(&left)) return *truth == std::get<bool>(right);
  return std::get<Rational>(left) == std::get<Rational>(right);
}

class RandomTerms {
 public:
  static constexpr std::size_t assignments = 6;
  using Values = std::array<TermValue, assignments>;

  explicit RandomTerms(std::uint64_t seed) : random_(seed) {
    for (const TermSort sort :
         {TermSort::Bool, TermSort::Int, TermSort::Real, TermSort::Text})
      for (int i = 0; i < 3; ++i)
        add_variable(sort);
    for (const std::int64_t value : {-2, -1, 0, 1, 2, 3, 7})
      keep(terms.integer(value), constant(number(value)));
    for (const char* value : {"-1.5", "0", "0.5", "1", "2.25", "3"})
      keep(terms.number(value, TermSort::Real), constant(*parse_rational(value)));
    for (std::size_t i = 0; i < texts_.size(); ++i)
      keep(terms.text(texts_[i]), constant(number(static_cast<std::int64_t>(i))));
    keep(terms.truth(true), constant(true));
    keep(terms.truth(false), constant(false));
  }

  void grow(int rounds) {
    for (int i = 0; i < rounds; ++i)
      make_one();
  }

  // The term that says which assignment it is.
  Term chosen(std::size_t assignment) {
    std::vector<Term> facts;
    for (const auto& [variable, values] : variables_) {
      const TermValue& value = values[assignment];
      if (const bool* truth = std::get_if<bool>(&value))
        facts.push_back(*truth ? variable : terms.negation(variable));
      else if (terms.sort(variable) == TermSort::Text)
        facts.push_back(terms.same(
            variable,
            terms.text(
                texts_[static_cast<std::size_t>(std::get<Rational>(value).numerator)])));
      else
        facts.push_back(terms.same(
            variable,
            terms.number(to_text(std::get<Rational>(value)), terms.sort(variable))));
    }
    return terms.all(facts);
  }

  // What the term means under an assignment, by its own graph.
  TermValue evaluated(Term term, std::size_t assignment) {
    TermEvaluation evaluation(terms, [&](Term leaf, std::span<const TermValue> arguments) {
      if (terms.kind(leaf) == TermKind::Apply) return applied(arguments[0]);
      if (terms.kind(leaf) == TermKind::Text)
        return TermValue(
            number(std::ranges::find(texts_, terms.text_value(leaf)) - texts_.begin()));
      if (terms.kind(leaf) == TermKind::Variable) return variables_.at(leaf)[assignment];
      // In a branch that is not taken.
      EXPECT_TRUE(is_division_by_zero(leaf, arguments));
      return TermValue(Rational{});
    });
    return evaluation.value(term);
  }

  // Whether it applies the function: a solver may choose another one.
  [[nodiscard]] bool has_function(Term term) const {
    return terms.kind(term) == TermKind::Apply ||
           std::ranges::any_of(terms.arguments(term),
                               [this](Term inner) { return has_function(inner); });
  }

  Terms terms;
  std::vector<std::pair<Term, Values>> made;

 private:
  static Rational number(std::int64_t value) {
    return {.numerator = value, .denominator = 1};
  }

  static Values constant(const TermValue& value) {
    Values result;
    result.fill(value);
    return result;
  }

  bool is_division_by_zero(Term term, std::span<const TermValue> arguments) const {
    return (terms.kind(term) == TermKind::Quotient ||
            terms.kind(term) == TermKind::Divide) &&
           std::get<Rational>(arguments[1]) == Rational{};
  }

  static TermValue applied(const TermValue& argument) {
    const Rational::Wide value = std::get<Rational>(argument).numerator;
    return number(static_cast<std::int64_t>((value * value + 3 * value) % 5));
  }

  void add_variable(TermSort sort) {
    Values values;
    for (TermValue& value : values)
      value =
          sort == TermSort::Bool ? TermValue(random_.chance(0.5))
          : sort == TermSort::Real
              ? TermValue(*fraction(static_cast<int>(random_.below(17)) - 8, 4))
          : sort == TermSort::Int
              ? TermValue(number(static_cast<std::int64_t>(random_.below(7)) - 3))
              : TermValue(number(static_cast<std::int64_t>(random_.below(texts_.size()))));
    const Term variable = terms.variable("v", sort);
    variables_.emplace(variable, values);
    keep(variable, values);
  }

  void keep(Term term, const Values& values) {
    const bool is_small = std::ranges::all_of(values, [](const TermValue& value) {
      const Rational* wide = std::get_if<Rational>(&value);
      return wide == nullptr || (wide->numerator < 1000000 && wide->numerator > -1000000 &&
                                 wide->denominator < 1000000);
    });
    made.emplace_back(term, values);
    if (is_small) pool_[terms.sort(term)].emplace_back(term, values);
  }

  const std::pair<Term, Values>& pick(TermSort sort) {
    const auto& all = pool_[sort];
    // Recent ones more often, so that terms grow.
    const std::size_t window =
        random_.chance(0.5) ? std::min<std::size_t>(all.size(), 12) : all.size();
    return all[all.size() - 1 - random_.below(window)];
  }

  template <class Function>
  void unary(TermSort sort, Term (Terms::*make)(Term), const Function& meaning) {
    const auto [term, values] = pick(sort);
    Values result;
    for (std::size_t i = 0; i < assignments; ++i)
      result[i] = meaning(values[i]);
    keep((terms.*make)(term), result);
  }

  template <class Function>
  void binary(TermSort sort, Term (Terms::*make)(Term, Term), const Function& meaning) {
    const auto [left, left_values] = pick(sort);
    const auto [right, right_values] = pick(sort);
    Values result;
    for (std::size_t i = 0; i < assignments; ++i)
      result[i] = meaning(left_values[i], right_values[i]);
    keep((terms.*make)(left, right), result);
  }

  template <class Function>
  void arithmetic(TermSort sort, Term (Terms::*make)(Term, Term), const Function& meaning) {
    binary(sort, make, [&](const TermValue& left, const TermValue& right) {
      return TermValue(*meaning(std::get<Rational>(left), std::get<Rational>(right)));
    });
  }

  // The divisor is one that is never 0.
  template <class Function>
  void division(TermSort sort, Term (Terms::*make)(Term, Term), const Function& meaning) {
    const auto [left, left_values] = pick(sort);
    const auto [right, right_values] = pick(sort);
    Values result;
    for (std::size_t i = 0; i < assignments; ++i) {
      if (std::get<Rational>(right_values[i]) == Rational{}) return;
      result[i] =
          *meaning(std::get<Rational>(left_values[i]), std::get<Rational>(right_values[i]));
    }
    keep((terms.*make)(left, right), result);
  }

  template <class Function>
  void logical(Term (Terms::*make)(Term, Term), const Function& meaning) {
    binary(TermSort::Bool, make, [&](const TermValue& left, const TermValue& right) {
      return TermValue(meaning(std::get<bool>(left), std::get<bool>(right)));
    });
  }

  void many() {
    std::vector<Term> chosen;
    Values every = constant(true);
    Values some = constant(false);
    for (std::uint64_t i = random_.below(6); i > 0; --i) {
      const auto [term, values] = pick(TermSort::Bool);
      chosen.push_back(term);
      for (std::size_t j = 0; j < assignments; ++j) {
        every[j] = std::get<bool>(every[j]) && std::get<bool>(values[j]);
        some[j] = std::get<bool>(some[j]) || std::get<bool>(values[j]);
      }
    }
    if (random_.chance(0.5))
      keep(terms.all(chosen), every);
    else
      keep(terms.any(chosen), some);
  }

  void choice(TermSort sort) {
    const auto [condition, truths] = pick(TermSort::Bool);
    const auto [then, then_values] = pick(sort);
    const auto [otherwise, otherwise_values] = pick(sort);
    Values result;
    for (std::size_t i = 0; i < assignments; ++i)
      result[i] = std::get<bool>(truths[i]) ? then_values[i] : otherwise_values[i];
    keep(terms.choose(condition, then, otherwise), result);
  }

  void rounding() {
    const auto [term, values] = pick(TermSort::Real);
    const auto digits = static_cast<unsigned>(random_.below(3));
    const Rational scale = number(digits == 0 ? 1 : digits == 1 ? 10 : 100);
    Values result;
    for (std::size_t i = 0; i < assignments; ++i) {
      const Rational value = std::get<Rational>(values[i]);
      const Rational sign = number(value < Rational{} ? -1 : 1);
      const Rational scaled = *multiply(*multiply(value, sign), scale);
      const Rational whole = floor(*logic::add(scaled, *fraction(1, 2)));
      result[i] = *multiply(*divide(whole, scale), sign);
    }
    keep(terms.round_half_away(term, digits), result);
  }

  void application() {
    const auto [term, values] = pick(TermSort::Int);
    Values result;
    std::ranges::transform(values, result.begin(), applied);
    keep(terms.apply(function_, std::array{term}), result);
  }

  void make_one() {
    static constexpr std::array sorts{TermSort::Int, TermSort::Real, TermSort::Text};
    const TermSort any_sort = sorts[random_.below(3)];
    const TermSort numeric = sorts[random_.below(2)];
    const auto same = [](const TermValue& left, const TermValue& right) {
      return TermValue(std::holds_alternative<bool>(left)
                           ? std::get<bool>(left) == std::get<bool>(right)
                           : std::get<Rational>(left) == std::get<Rational>(right));
    };
    const auto less = [](const TermValue& left, const TermValue& right) {
      return TermValue(std::get<Rational>(left) < std::get<Rational>(right));
    };
    const auto less_equal = [](const TermValue& left, const TermValue& right) {
      return TermValue(std::get<Rational>(left) <= std::get<Rational>(right));
    };
    switch (random_.below(22)) {
      case 0:
        return unary(TermSort::Bool, &Terms::negation, [](const TermValue& value) {
          return TermValue(!std::get<bool>(value));
        });
      case 1:
        return many();
      case 2:
        return logical(&Terms::both, std::logical_and<>());
      case 3:
        return logical(&Terms::either, std::logical_or<>());
      case 4:
        return logical(&Terms::implies, std::less_equal<>());
      case 5:
        return binary(TermSort::Bool, &Terms::iff, same);
      case 6:
        return choice(TermSort::Bool);
      case 7:
      case 8:
      case 9:
        return choice(any_sort);
      case 10:
      case 11:
        return binary(any_sort, &Terms::same, same);
      case 12:
        return binary(any_sort, &Terms::less, less);
      case 13:
        return binary(any_sort, &Terms::less_equal, less_equal);
      case 14:
        return arithmetic(numeric, &Terms::sum, add);
      case 15:
        return arithmetic(numeric, &Terms::difference, subtract);
      case 16:
        return arithmetic(numeric, &Terms::product, multiply);
      case 17:
        if (numeric == TermSort::Real)
          return division(TermSort::Real, &Terms::quotient, divide);
        return division(TermSort::Int, &Terms::divide, divide_towards_zero);
      case 18:
        return division(TermSort::Int, &Terms::modulo,
                        [](const Rational& left, const Rational& right) {
                          return fraction(left.numerator % right.numerator, 1);
                        });
      case 19:
        return unary(TermSort::Int, &Terms::as_real,
                     [](const TermValue& value) { return value; });
      case 20:
        return unary(TermSort::Real, &Terms::floor, [](const TermValue& value) {
          return TermValue(logic::floor(std::get<Rational>(value)));
        });
      default:
        return random_.chance(0.5) ? rounding() : application();
    }
  }

  Random random_;
  std::vector<std::string> texts_{"", "a", "b", "ba", "c"};
  std::map<Term, Values> variables_;
  std::map<TermSort, std::vector<std::pair<Term, Values>>> pool_;
  TermFunction function_ = terms.function("f", {TermSort::Int}, TermSort::Int);
};

}  // namespace isomer::logic
