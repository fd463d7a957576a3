// SPDX-License-Identifier: MIT
// Results were taken from PostgreSQL 15.
#include "program/decimal.h"

#include <gtest/gtest.h>

namespace isomer::program {
namespace {

Decimal number(std::string_view text) {
  return parse_decimal(text).value();
}

std::string shown(const std::optional<Decimal>& decimal) {
  return decimal ? to_text(*decimal) : "too long";
}

TEST(Decimal, prints_what_it_parsed) {
  for (const std::string text : {"0", "1.50", "-0.001", "123456789.000", "0.00",
                                 "99999999999999999999999999999999999999"})
    EXPECT_EQ(to_text(number(text)), text);
  EXPECT_EQ(to_text(number(".5")), "0.5");
  EXPECT_EQ(to_text(number("1.5e3")), "1500");
  EXPECT_EQ(to_text(number("15e-3")), "0.015");
}

TEST(Decimal, refuses_what_is_no_number_or_too_long) {
  for (const std::string text : {"", ".", "1.2.3", "1e", "x", "--1", "1 2", "1e999",
                                 "100000000000000000000000000000000000000"})
    EXPECT_FALSE(parse_decimal(text)) << text;
}

TEST(Decimal, compares_by_value) {
  EXPECT_EQ(number("1.50"), number("1.5"));
  EXPECT_LT(number("-1.5"), number("-1.49"));
  EXPECT_GT(number("99999999999999999999999999999999999999"), number("0.00000000001"));
  EXPECT_LT(number("0.00000000001"), number("99999999999999999999999999999999999999"));
}

TEST(Decimal, sums_and_products_have_postgres_scales) {
  EXPECT_EQ(shown(add(number("1.50"), number("2.5"))), "4.00");
  EXPECT_EQ(shown(subtract(number("1"), number("0.001"))), "0.999");
  EXPECT_EQ(shown(multiply(number("1.50"), number("2.5"))), "3.750");
  EXPECT_EQ(shown(multiply(number("99999999999999999999"), number("99999999999999999999"))),
            "too long");
}

TEST(Decimal, quotients_have_postgres_scales) {
  EXPECT_EQ(shown(divide(number("1"), number("3"))), "0.33333333333333333333");
  EXPECT_EQ(shown(divide(number("3"), number("2"))), "1.5000000000000000");
  EXPECT_EQ(shown(divide(number("2"), number("3"))), "0.66666666666666666667");
  EXPECT_EQ(shown(divide(number("-2"), number("3"))), "-0.66666666666666666667");
  EXPECT_EQ(shown(divide(number("10000"), number("3"))), "3333.3333333333333333");
  EXPECT_EQ(shown(divide(number("123456789.12"), number("0.05"))), "2469135782.40000000");
  EXPECT_EQ(shown(divide(number("0.001"), number("1000"))), "0.000001000000000000000000");
  EXPECT_EQ(shown(divide(number("0"), number("7"))), "0.00000000000000000000");
}

TEST(Decimal, remainders_have_the_sign_of_the_dividend) {
  EXPECT_EQ(shown(modulo(number("7.5"), number("2"))), "1.5");
  EXPECT_EQ(shown(modulo(number("-7.5"), number("2"))), "-1.5");
}

TEST(Decimal, rounds_half_away_from_zero) {
  EXPECT_EQ(shown(rounded(number("2.5"), 0)), "3");
  EXPECT_EQ(shown(rounded(number("-2.5"), 0)), "-3");
  EXPECT_EQ(shown(rounded(number("2.449"), 1)), "2.4");
  EXPECT_EQ(shown(rounded(number("1250"), -2)), "1300");
  EXPECT_EQ(shown(rounded(number("1.5"), 3)), "1.500");
  EXPECT_EQ(shown(ceiling(number("-1.5"))), "-1");
  EXPECT_EQ(shown(floor(number("-1.5"))), "-2");
  EXPECT_EQ(shown(ceiling(number("1.01"))), "2");
}

TEST(Decimal, fits_into_precision_and_scale) {
  EXPECT_EQ(shown(fitted(number("12.345"), 4, 2)), "12.35");
  EXPECT_EQ(shown(fitted(number("99.995"), 4, 2)), "too long");
  EXPECT_EQ(shown(fitted(number("123"), 4, 2)), "too long");
}

TEST(Decimal, powers_have_postgres_scales) {
  EXPECT_EQ(shown(power(number("2"), 3)), "8.0000000000000000");
  EXPECT_EQ(shown(power(number("1.5"), 2)), "2.2500000000000000");
  EXPECT_EQ(shown(power(number("2"), -2)), "0.2500000000000000");
}

TEST(Decimal, becomes_an_integer_by_rounding) {
  EXPECT_EQ(integer_of(number("2.5")), 3);
  EXPECT_EQ(integer_of(number("-9223372036854775808")), INT64_MIN);
  EXPECT_EQ(integer_of(number("9223372036854775808")), std::nullopt);
}

}  // namespace
}  // namespace isomer::program
