// SPDX-License-Identifier: MIT
#include "logic/term.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/random.h"
#include "logic/term_evaluation.h"
#include "support/effort.h"

namespace isomer::logic {
namespace {

struct TermTest : testing::Test {
  Terms terms;
  Term a = terms.variable("a", TermSort::Bool);
  Term b = terms.variable("b", TermSort::Bool);
  Term c = terms.variable("c", TermSort::Bool);
  Term x = terms.variable("x", TermSort::Int);
  Term y = terms.variable("y", TermSort::Int);
  Term r = terms.variable("r", TermSort::Real);
  Term s = terms.variable("s", TermSort::Text);
  Term yes = terms.truth(true);
  Term no = terms.truth(false);

  Term of(std::int64_t value) { return terms.integer(value); }

  Term real(std::string_view value) { return terms.number(value, TermSort::Real); }

  Term either(Term left, Term right) { return terms.either(left, right); }

  Term both(Term left, Term right) { return terms.both(left, right); }

  Term no_(Term term) { return terms.negation(term); }
};

TEST_F(TermTest, equal_terms_are_stored_once) {
  EXPECT_EQ(terms.sum(x, y), terms.sum(y, x));
  EXPECT_EQ(both(a, both(b, c)), both(both(c, a), b));
  EXPECT_EQ(real("1.50"), real("+01.5"));
  EXPECT_EQ(real("-0.0"), real("0"));
  EXPECT_NE(terms.variable("x", TermSort::Int), x);
  EXPECT_EQ(no_(either(a, b)), both(no_(a), no_(b)));
}

TEST_F(TermTest, conjunctions_lose_what_the_rest_implies) {
  EXPECT_EQ(both(a, no_(a)), no);
  EXPECT_EQ(both(a, either(a, b)), a);
  EXPECT_EQ(both(a, either(no_(a), b)), both(a, b));
  EXPECT_EQ(either(both(a, b), both(a, no_(b))), a);
  EXPECT_EQ(either(both(a, b), both(a, both(no_(b), c))),
            both(a, either(b, c)) == either(both(a, b), both(a, c))
                ? both(a, either(b, c))
                : either(both(a, b), both(a, c)));
  EXPECT_EQ(both(terms.same(x, of(1)), terms.same(x, of(2))), no);
  EXPECT_EQ(both(terms.same(x, of(1)), no_(terms.same(x, of(2)))), terms.same(x, of(1)));
}

TEST_F(TermTest, choices_that_decide_nothing_go_away) {
  EXPECT_EQ(terms.choose(a, x, x), x);
  EXPECT_EQ(terms.choose(no_(a), x, y), terms.choose(a, y, x));
  EXPECT_EQ(terms.choose(a, terms.choose(a, x, y), y), terms.choose(a, x, y));
  EXPECT_EQ(terms.choose(both(a, b), terms.choose(a, x, of(3)), y),
            terms.choose(both(a, b), x, y));
  EXPECT_EQ(terms.choose(a, b, no), both(a, b));
  EXPECT_EQ(terms.choose(a, yes, b), either(a, b));
  EXPECT_EQ(terms.choose(a, x, terms.choose(b, x, y)), terms.choose(either(a, b), x, y));
}

TEST_F(TermTest, choices_of_constants_compare_without_numbers) {
  const Term chain = terms.choose(a, of(1), terms.choose(b, of(2), of(3)));
  EXPECT_EQ(terms.same(chain, of(1)), a);
  EXPECT_EQ(terms.same(chain, of(2)), both(no_(a), b));
  EXPECT_EQ(terms.same(chain, of(4)), no);
  EXPECT_EQ(terms.less(chain, of(3)), either(a, b));
  EXPECT_EQ(terms.less(terms.sum(chain, of(5)), of(8)), either(a, b));
  EXPECT_EQ(terms.less(terms.as_real(chain), real("2.5")), either(a, b));
  EXPECT_EQ(terms.same(terms.choose(a, terms.text("k"), terms.text("l")), terms.text("l")),
            no_(a));
}

TEST_F(TermTest, sums_are_linear_forms) {
  EXPECT_EQ(terms.difference(terms.sum(x, of(1)), of(1)), x);
  EXPECT_EQ(terms.difference(x, x), of(0));
  EXPECT_EQ(terms.sum(terms.product(of(2), x), x), terms.product(x, of(3)));
  EXPECT_EQ(terms.same(terms.sum(x, of(1)), of(3)), terms.same(x, of(2)));
  EXPECT_EQ(terms.same(terms.product(of(2), x), of(3)), no);
  EXPECT_EQ(terms.less(terms.product(of(2), x), of(5)), terms.less(x, of(3)));
  EXPECT_EQ(terms.less(terms.sum(x, y), terms.sum(y, x)), no);
  EXPECT_EQ(terms.less(terms.as_real(x), real("2.5")), terms.less(x, of(3)));
  EXPECT_EQ(terms.modulo(of(-7), of(2)), of(-1));
  EXPECT_EQ(terms.round_half_away(real("-2.345"), 2), real("-2.35"));
  EXPECT_EQ(terms.text_value(terms.quotient(real("1"), real("3"))), "1/3");
}

TEST_F(TermTest, numbers_that_do_not_fit_are_left_as_they_are) {
  const std::string digits(60, '7');
  const Term large = terms.number(digits, TermSort::Int);
  EXPECT_EQ(terms.text_value(large), digits);
  EXPECT_EQ(terms.integer_value(large), std::nullopt);
  EXPECT_EQ(terms.kind(terms.less(large, of(3))), TermKind::Less);
  EXPECT_EQ(terms.same(large, of(3)), no);
  Term power = x;
  for (int i = 0; i < 10; ++i)
    power = terms.product(power, of(std::int64_t{1} << 40));
  EXPECT_EQ(terms.difference(power, power), terms.difference(power, power));
}

TEST_F(TermTest, arguments_outlive_new_terms) {
  const std::span<const Term> inner = terms.arguments(both(a, b));
  for (int i = 0; i < 20000; ++i)
    terms.sum(x, of(i));
  EXPECT_TRUE(std::ranges::equal(inner, std::array{a, b}));
}

// Random terms, each with its value under some assignments, computed from the values of
// its parts by what the operation means.
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

bool is_same(const TermValue& left, const TermValue& right) {
  if (const bool* truth = std::get_if<bool>(&left)) return *truth == std::get<bool>(right);
  return std::get<Rational>(left) == std::get<Rational>(right);
}

TEST(RandomTermTest, simplified_terms_mean_what_was_made) {
  for (std::uint64_t seed = 1; seed <= effort(400U, 40U); ++seed) {
    RandomTerms random(seed);
    random.grow(150);
    for (const auto& [term, values] : random.made)
      for (std::size_t i = 0; i < RandomTerms::assignments; ++i)
        ASSERT_TRUE(is_same(random.evaluated(term, i), values[i]))
            << "seed " << seed << ", term " << term.index << ", assignment " << i;
  }
}

}  // namespace
}  // namespace isomer::logic
