// SPDX-License-Identifier: MIT
#include "logic/rational.h"

#include <fmt/format.h>

#include <algorithm>

namespace isomer::logic {
namespace {

using Wide = Rational::Wide;

constexpr Wide wide_min = Wide{1} << 127;

Wide magnitude(Wide number) {
  return number < 0 ? -number : number;
}

Wide common_divisor(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Wide floor_quotient(Wide a, Wide b) {  // b > 0
  return a / b - (a % b < 0 ? 1 : 0);
}

Wide floor_rest(Wide a, Wide b) {  // b > 0
  return a % b + (a % b < 0 ? b : 0);
}

std::optional<Wide> product(Wide a, Wide b) {
  Wide result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}

std::optional<Wide> parse_digits(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  Wide result = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return std::nullopt;
    if (__builtin_mul_overflow(result, Wide{10}, &result)) return std::nullopt;
    if (__builtin_add_overflow(result, Wide{digit - '0'}, &result)) return std::nullopt;
  }
  return result;
}

std::optional<Wide> power_of_ten(std::size_t exponent) {
  Wide result = 1;
  for (std::size_t i = 0; i < exponent; ++i)
    if (__builtin_mul_overflow(result, Wide{10}, &result)) return std::nullopt;
  return result;
}

std::string digits_of(Wide number) {  // not negative
  std::string result;
  do {
    result += static_cast<char>('0' + static_cast<int>(number % 10));
    number /= 10;
  } while (number != 0);
  std::ranges::reverse(result);
  return result;
}

// The digits after the point that the denominator needs, if they have an end.
std::optional<std::size_t> decimal_places(Wide denominator) {
  std::size_t twos = 0;
  std::size_t fives = 0;
  for (; denominator % 2 == 0; denominator /= 2)
    ++twos;
  for (; denominator % 5 == 0; denominator /= 5)
    ++fives;
  if (denominator != 1) return std::nullopt;
  return std::max(twos, fives);
}

std::optional<Rational> parse_unsigned(std::string_view text) {
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::optional<Wide> numerator = parse_digits(text.substr(0, slash));
    const std::optional<Wide> denominator = parse_digits(text.substr(slash + 1));
    if (!numerator || !denominator) return std::nullopt;
    return fraction(*numerator, *denominator);
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  std::string_view places = point < text.size() ? text.substr(point + 1) : "";
  while (places.ends_with('0'))
    places.remove_suffix(1);
  digits += places;
  const std::optional<Wide> numerator = parse_digits(digits);
  const std::optional<Wide> denominator = power_of_ten(places.size());
  if (!numerator || !denominator) return std::nullopt;
  return fraction(*numerator, *denominator);
}

}  // namespace

// By whole parts, then by the reciprocals of the rests, as in a continued fraction: no
// product that could overflow.
std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  const Wide whole_a = floor_quotient(a.numerator, a.denominator);
  const Wide whole_b = floor_quotient(b.numerator, b.denominator);
  if (whole_a != whole_b)
    return whole_a < whole_b ? std::strong_ordering::less : std::strong_ordering::greater;
  const Wide rest_a = floor_rest(a.numerator, a.denominator);
  const Wide rest_b = floor_rest(b.numerator, b.denominator);
  if (rest_a == 0 || rest_b == 0) return (rest_a != 0 ? 1 : 0) <=> (rest_b != 0 ? 1 : 0);
  return Rational{.numerator = b.denominator, .denominator = rest_b} <=>
         Rational{.numerator = a.denominator, .denominator = rest_a};
}

std::optional<Rational> fraction(Wide numerator, Wide denominator) {
  if (denominator == 0 || numerator == wide_min || denominator == wide_min)
    return std::nullopt;
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const Wide divisor = common_divisor(magnitude(numerator), denominator);
  return Rational{.numerator = numerator / divisor, .denominator = denominator / divisor};
}

std::optional<Rational> parse_rational(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  std::optional<Rational> result = parse_unsigned(text);
  if (result && is_negative) result->numerator = -result->numerator;
  return result;
}

std::string to_text(const Rational& number) {
  const std::string_view sign = number.numerator < 0 ? "-" : "";
  const Wide numerator = magnitude(number.numerator);
  if (number.is_integer()) return fmt::format("{}{}", sign, digits_of(numerator));
  const std::optional<std::size_t> places = decimal_places(number.denominator);
  const std::optional<Wide> scale = places ? power_of_ten(*places) : std::nullopt;
  const std::optional<Wide> digits =
      scale ? product(numerator, *scale / number.denominator) : std::nullopt;
  if (!digits)
    return fmt::format("{}{}/{}", sign, digits_of(numerator),
                       digits_of(number.denominator));
  std::string text = digits_of(*digits);
  if (text.size() <= *places) text = fmt::format("{:0>{}}", text, *places + 1);
  const std::size_t point = text.size() - *places;
  return fmt::format("{}{}.{}", sign, text.substr(0, point), text.substr(point));
}

std::optional<Rational> add(const Rational& a, const Rational& b) {
  const Wide divisor = common_divisor(a.denominator, b.denominator);
  const std::optional<Wide> left = product(a.numerator, b.denominator / divisor);
  const std::optional<Wide> right = product(b.numerator, a.denominator / divisor);
  const std::optional<Wide> denominator = product(a.denominator, b.denominator / divisor);
  Wide numerator = 0;
  if (!left || !right || !denominator) return std::nullopt;
  if (__builtin_add_overflow(*left, *right, &numerator)) return std::nullopt;
  return fraction(numerator, *denominator);
}

std::optional<Rational> subtract(const Rational& a, const Rational& b) {
  return add(a, {.numerator = -b.numerator, .denominator = b.denominator});
}

std::optional<Rational> multiply(const Rational& a, const Rational& b) {
  const std::optional<Rational> left = fraction(a.numerator, b.denominator);
  const std::optional<Rational> right = fraction(b.numerator, a.denominator);
  const std::optional<Wide> numerator = product(left->numerator, right->numerator);
  const std::optional<Wide> denominator = product(left->denominator, right->denominator);
  if (!numerator || !denominator) return std::nullopt;
  return fraction(*numerator, *denominator);
}

std::optional<Rational> divide(const Rational& a, const Rational& b) {
  const std::optional<Rational> reciprocal = fraction(b.denominator, b.numerator);
  return reciprocal ? multiply(a, *reciprocal) : std::nullopt;
}

std::optional<Rational> divide_towards_zero(const Rational& a, const Rational& b) {
  std::optional<Rational> result = divide(a, b);
  if (result)
    *result = {.numerator = result->numerator / result->denominator, .denominator = 1};
  return result;
}

Rational floor(const Rational& number) {
  return {.numerator = floor_quotient(number.numerator, number.denominator),
          .denominator = 1};
}

}  // namespace isomer::logic
