// SPDX-License-Identifier: MIT
// Exact decimal numbers, PostgreSQL's numeric up to 38 digits.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace isomer::program {

// digits / 10^scale.  1.50 and 1.5 are equal, but print differently.
struct Decimal {
  __extension__ using Digits = __int128;

  static constexpr int digits_max = 38;

  Digits digits = 0;
  std::uint16_t scale = 0;

  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b);
};

// [+-]digits[.digits][e[+-]digits]; absent if it is not a number or has more digits than
// we hold.
std::optional<Decimal> parse_decimal(std::string_view text);
std::string to_text(const Decimal& number);

Decimal decimal_of(std::int64_t number);
// Rounded; absent if it does not fit.
std::optional<std::int64_t> integer_of(const Decimal& number);
// Without zeros at the end of the fraction.
Decimal normalized(Decimal number);

// Results have PostgreSQL's scale; absent if they need more than 38 digits.
std::optional<Decimal> add(const Decimal& a, const Decimal& b);
std::optional<Decimal> subtract(const Decimal& a, const Decimal& b);
std::optional<Decimal> multiply(const Decimal& a, const Decimal& b);
std::optional<Decimal> divide(const Decimal& a, const Decimal& b);  // b is not 0
std::optional<Decimal> modulo(const Decimal& a, const Decimal& b);  // b is not 0
std::optional<Decimal> power(const Decimal& base, std::int64_t exponent);
Decimal negated(const Decimal& number);

// To this many digits after the point (before it, if negative), half away from zero.
std::optional<Decimal> rounded(const Decimal& number, int scale);
std::optional<Decimal> ceiling(const Decimal& number);
std::optional<Decimal> floor(const Decimal& number);

// As a numeric(precision, scale); absent if it has too many digits before the point.
std::optional<Decimal> fitted(const Decimal& number, int precision, int scale);

}  // namespace isomer::program
