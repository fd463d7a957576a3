// SPDX-License-Identifier: MIT
#include "logic/term.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/effort.h"
#include "unit/logic/random_terms.h"

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

  Term negated(Term term) { return terms.negation(term); }
};

TEST_F(TermTest, equal_terms_are_stored_once) {
  EXPECT_EQ(terms.sum(x, y), terms.sum(y, x));
  EXPECT_EQ(both(a, both(b, c)), both(both(c, a), b));
  EXPECT_EQ(real("1.50"), real("+01.5"));
  EXPECT_EQ(real("-0.0"), real("0"));
  EXPECT_NE(terms.variable("x", TermSort::Int), x);
  EXPECT_EQ(negated(either(a, b)), both(negated(a), negated(b)));
}

TEST_F(TermTest, conjunctions_lose_what_the_rest_implies) {
  EXPECT_EQ(both(a, negated(a)), no);
  EXPECT_EQ(both(a, either(a, b)), a);
  EXPECT_EQ(both(a, either(negated(a), b)), both(a, b));
  EXPECT_EQ(either(both(a, b), both(a, negated(b))), a);
  EXPECT_EQ(either(both(a, b), both(a, both(negated(b), c))),
            either(both(a, b), both(a, c)));
  EXPECT_EQ(both(terms.same(x, of(1)), terms.same(x, of(2))), no);
  EXPECT_EQ(both(terms.same(x, of(1)), negated(terms.same(x, of(2)))),
            terms.same(x, of(1)));
}

TEST_F(TermTest, choices_that_decide_nothing_go_away) {
  EXPECT_EQ(terms.choose(a, x, x), x);
  EXPECT_EQ(terms.choose(negated(a), x, y), terms.choose(a, y, x));
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
  EXPECT_EQ(terms.same(chain, of(2)), both(negated(a), b));
  EXPECT_EQ(terms.same(chain, of(4)), no);
  EXPECT_EQ(terms.less(chain, of(3)), either(a, b));
  EXPECT_EQ(terms.less(terms.sum(chain, of(5)), of(8)), either(a, b));
  EXPECT_EQ(terms.less(terms.as_real(chain), real("2.5")), either(a, b));
  EXPECT_EQ(terms.same(terms.choose(a, terms.text("k"), terms.text("l")), terms.text("l")),
            negated(a));
}

TEST_F(TermTest, choices_of_constants_are_the_same_where_both_are_one_constant) {
  const Term d = terms.variable("d", TermSort::Bool);
  const std::vector numbers{of(1), of(2), of(3), of(4)};
  const Term left = terms.choose(a, of(1), terms.choose(b, of(2), of(3)));
  const Term right = terms.choose(c, of(2), terms.choose(d, of(3), of(4)));
  EXPECT_EQ(terms.chosen_constants(left),
            std::vector(numbers.begin(), numbers.begin() + 3));
  EXPECT_TRUE(terms.chosen_constants(x).empty());
  EXPECT_TRUE(terms.chosen_constants(terms.choose(a, of(1), x)).empty());
  const Term same = terms.same(left, right);
  for (unsigned bits = 0; bits < 16; ++bits) {
    const auto bit = [&](Term variable) {
      return variable == a   ? bits & 1U
             : variable == b ? bits & 2U
             : variable == c ? bits & 4U
                             : bits & 8U;
    };
    const int left_value = bit(a) ? 1 : bit(b) ? 2 : 3;
    const int right_value = bit(c) ? 2 : bit(d) ? 3 : 4;
    TermEvaluation evaluation(terms, [&](Term leaf, std::span<const TermValue>) {
      return TermValue(bit(leaf) != 0);
    });
    EXPECT_EQ(std::get<bool>(evaluation.value(same)), left_value == right_value) << bits;
  }
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
