// SPDX-License-Identifier: MIT
#include "logic/rational.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/random.h"

namespace isomer::logic {
namespace {

TEST(RationalTest, is_read_and_written) {
  const std::array<std::array<std::string, 2>, 9> cases{
      {{"-12", "-12"},
       {"12.50", "12.5"},
       {"0.05", "0.05"},
       {"-0.00", "0"},
       {"2/6", "1/3"},
       {"-3/8", "-0.375"},
       {"1.0000000000000000000000000000000"
        "000000000000000000000",
        "1"},
       {"100", "100"},
       {"007.070", "7.07"}}};
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(to_text(*parse_rational(text)), expected);
  for (const std::string text :
       {"", "-", "x", "1/0", "1e5", "1.2.3", "999999999999999999999999999999999999999999"})
    EXPECT_EQ(parse_rational(text), std::nullopt) << text;
}

TEST(RationalTest, results_that_do_not_fit_are_absent) {
  const Rational large = *parse_rational("99999999999999999999999999999999999999");
  EXPECT_EQ(multiply(large, large), std::nullopt);
  EXPECT_EQ(add(large, large), std::nullopt);
  EXPECT_EQ(subtract(large, large), Rational{});
  EXPECT_EQ(divide(large, Rational{}), std::nullopt);
  const Rational small = *divide(Rational{.numerator = 1, .denominator = 1}, large);
  EXPECT_LT(small, large);
  EXPECT_LT(Rational{}, small);
  EXPECT_LT(*subtract(Rational{}, large), small);
}

TEST(RationalTest, agrees_with_small_fractions) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const auto pick = [&random] {
      const auto numerator = static_cast<long>(random.below(41)) - 20;
      return std::pair(numerator, static_cast<long>(random.below(12)) + 1);
    };
    const auto [p, q] = pick();
    const auto [r, s] = pick();
    const Rational a = *fraction(p, q);
    const Rational b = *fraction(r, s);
    EXPECT_EQ(a < b, p * s < r * q);
    EXPECT_EQ(a == b, p * s == r * q);
    EXPECT_EQ(*add(a, b), *fraction(p * s + r * q, q * s));
    EXPECT_EQ(*multiply(a, b), *fraction(p * r, q * s));
    EXPECT_LE(floor(a), a);
    EXPECT_LT(a, *add(floor(a), *fraction(1, 1)));
    EXPECT_EQ(r == 0 ? a : *multiply(*divide(a, b), b), a);
  }
}

}  // namespace
}  // namespace isomer::logic
