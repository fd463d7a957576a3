// SPDX-License-Identifier: MIT
// Exact fractions of 128-bit integers.  What would not fit is absent, never wrong.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace isomer::logic {

// In lowest terms, with a positive denominator.
struct Rational {
  __extension__ using Wide = __int128;

  Wide numerator = 0;
  Wide denominator = 1;

  [[nodiscard]] bool is_integer() const { return denominator == 1; }

  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);
  friend bool operator==(const Rational& a, const Rational& b) = default;
};

std::optional<Rational> fraction(Rational::Wide numerator, Rational::Wide denominator);

// "-12", "12.50" or "-1/3".
std::optional<Rational> parse_rational(std::string_view text);
// "-12.5"; "1/3" if the decimal has no end.
std::string to_text(const Rational& number);

std::optional<Rational> add(const Rational& a, const Rational& b);
std::optional<Rational> subtract(const Rational& a, const Rational& b);
std::optional<Rational> multiply(const Rational& a, const Rational& b);
std::optional<Rational> divide(const Rational& a, const Rational& b);  // absent if b is 0
std::optional<Rational> divide_towards_zero(const Rational& a, const Rational& b);
Rational floor(const Rational& number);

}  // namespace isomer::logic
