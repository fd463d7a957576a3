// SPDX-License-Identifier: MIT
// Numbers are a 128-bit integer and a scale.  The scale of a quotient follows PostgreSQL's
// select_div_scale: at least 16 significant digits, counted in groups of four decimal
// digits as its numeric type stores them, and no fewer than either operand has.  Quotients
// are made digit by digit, so no wider integer is needed.
#include "program/decimal.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.h"

namespace isomer::program {
namespace {

using Digits = Decimal::Digits;

constexpr int scale_max = 1000;
constexpr int significant_min = 16;
constexpr int group_digits = 4;

constexpr auto powers = [] {
  std::array<Digits, Decimal::digits_max + 1> out{};
  out[0] = 1;
  for (std::size_t i = 1; i < out.size(); ++i)
    out[i] = out[i - 1] * 10;
  return out;
}();

constexpr Digits limit = powers[Decimal::digits_max];  // first that is too large

Digits power_of_ten(int exponent) {
  return powers[static_cast<std::size_t>(exponent)];
}

Digits magnitude(Digits digits) {
  return digits < 0 ? -digits : digits;
}

std::optional<Digits> times_power(Digits digits, int exponent) {
  if (digits == 0) return 0;
  if (exponent > Decimal::digits_max) return std::nullopt;
  Digits out = 0;
  if (__builtin_mul_overflow(digits, power_of_ten(exponent), &out)) return std::nullopt;
  return out;
}

std::optional<Decimal> checked(Digits digits, int scale) {
  if (magnitude(digits) >= limit || scale > scale_max) return std::nullopt;
  return Decimal{.digits = digits, .scale = static_cast<std::uint16_t>(scale)};
}

int digit_count(Digits digits) {
  const Digits size = magnitude(digits);
  return static_cast<int>(std::upper_bound(powers.begin(), powers.end(), size) -
                          powers.begin());
}

int floor_divide(int a, int b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

// The position and value of the first group of four digits.
struct LeadingGroup {
  int weight = 0;
  int value = 0;
};

LeadingGroup leading_group(const Decimal& number) {
  if (number.digits == 0) return {};
  const int exponent = digit_count(number.digits) - 1 - number.scale;
  const int weight = floor_divide(exponent, group_digits);
  const int shift = number.scale + group_digits * weight;
  const Digits size = magnitude(number.digits);
  const Digits value =
      shift >= 0 ? size / power_of_ten(shift) : size * power_of_ten(-shift);
  return {.weight = weight, .value = static_cast<int>(value)};
}

int quotient_scale(const Decimal& a, const Decimal& b) {
  const LeadingGroup first = leading_group(a);
  const LeadingGroup second = leading_group(b);
  int weight = first.weight - second.weight;
  if (first.value <= second.value) --weight;
  const int scale = significant_min - weight * group_digits;
  return std::min(scale_max, std::max({scale, int{a.scale}, int{b.scale}, 0}));
}

// Both digits at the larger of the two scales.
struct Aligned {
  Digits a = 0;
  Digits b = 0;
  int scale = 0;
};

std::optional<Aligned> aligned(const Decimal& a, const Decimal& b) {
  const int scale = std::max(a.scale, b.scale);
  const auto first = times_power(a.digits, scale - a.scale);
  const auto second = times_power(b.digits, scale - b.scale);
  if (!first || !second) return std::nullopt;
  return Aligned{.a = *first, .b = *second, .scale = scale};
}

// The next digit of remainder / divisor, and what remains; both are below 10^38, so ten
// steps of addition stay within 128 bits.
int next_digit(Digits& remainder, Digits divisor) {
  Digits sum = 0;
  int digit = 0;
  for (int i = 0; i < 10; ++i) {
    sum += remainder - divisor;
    if (sum < 0)
      sum += divisor;
    else
      ++digit;
  }
  remainder = sum;
  return digit;
}

std::optional<Digits> parse_digits(std::string_view& text, int& count) {
  Digits out = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    if (out >= limit / 10) return std::nullopt;
    out = out * 10 + (text.front() - '0');
    text.remove_prefix(1);
    ++count;
  }
  return out;
}

std::string digits_text(Digits size) {
  std::string out;
  for (; size > 0; size /= 10)
    out.push_back(static_cast<char>('0' + static_cast<int>(size % 10)));
  std::reverse(out.begin(), out.end());
  return out;
}

// The exponent of "e-5"; absent if it is none that we could use.
std::optional<int> parse_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 3) return std::nullopt;
  int out = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    out = out * 10 + (c - '0');
  }
  return is_negative ? -out : out;
}

}  // namespace

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  const int scale = std::max(a.scale, b.scale);
  const auto first = times_power(a.digits, scale - a.scale);
  const auto second = times_power(b.digits, scale - b.scale);
  // One that does not fit is larger in size than any that does.
  if (!first) return a.digits <=> Digits{0};
  if (!second) return Digits{0} <=> b.digits;
  return *first <=> *second;
}

bool operator==(const Decimal& a, const Decimal& b) {
  return (a <=> b) == 0;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  int count = 0;
  auto digits = parse_digits(text, count);
  if (!digits) return std::nullopt;
  int scale = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; ++scale, ++count) {
      if (*digits >= limit / 10 || scale >= scale_max) return std::nullopt;
      digits = *digits * 10 + (text.front() - '0');
      text.remove_prefix(1);
    }
  }
  if (count == 0) return std::nullopt;
  const auto exponent = parse_exponent(text);
  if (!exponent) return std::nullopt;
  const auto shifted = times_power(*digits, std::max(0, *exponent - scale));
  if (!shifted) return std::nullopt;
  return checked(is_negative ? -*shifted : *shifted, std::max(0, scale - *exponent));
}

std::string to_text(const Decimal& number) {
  std::string digits = digits_text(magnitude(number.digits));
  const std::size_t scale = number.scale;
  if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
  if (scale > 0) digits.insert(digits.size() - scale, 1, '.');
  if (number.digits < 0) digits.insert(0, 1, '-');
  return digits;
}

Decimal decimal_of(std::int64_t number) {
  return {.digits = number, .scale = 0};
}

std::optional<std::int64_t> integer_of(const Decimal& number) {
  const auto whole = rounded(number, 0);
  if (!whole || whole->digits > INT64_MAX || whole->digits < INT64_MIN) return std::nullopt;
  return static_cast<std::int64_t>(whole->digits);
}

Decimal normalized(Decimal number) {
  while (number.scale > 0 && number.digits % 10 == 0) {
    number.digits /= 10;
    --number.scale;
  }
  return number;
}

std::optional<Decimal> add(const Decimal& a, const Decimal& b) {
  const auto both = aligned(a, b);
  if (!both) return std::nullopt;
  Digits sum = 0;
  if (__builtin_add_overflow(both->a, both->b, &sum)) return std::nullopt;
  return checked(sum, both->scale);
}

std::optional<Decimal> subtract(const Decimal& a, const Decimal& b) {
  return add(a, negated(b));
}

std::optional<Decimal> multiply(const Decimal& a, const Decimal& b) {
  Digits product = 0;
  if (__builtin_mul_overflow(a.digits, b.digits, &product)) return std::nullopt;
  return checked(product, a.scale + b.scale);
}

std::optional<Decimal> divide(const Decimal& a, const Decimal& b) {
  ISOMER_ASSERT(b.digits != 0);
  const int scale = quotient_scale(a, b);
  const Digits divisor = magnitude(b.digits);
  Digits quotient = magnitude(a.digits) / divisor;
  Digits remainder = magnitude(a.digits) % divisor;
  for (int more = scale + b.scale - a.scale; more > 0; --more) {
    if (quotient >= limit / 10) return std::nullopt;
    quotient = quotient * 10 + next_digit(remainder, divisor);
  }
  if (remainder >= divisor - remainder) ++quotient;
  return checked((a.digits < 0) != (b.digits < 0) ? -quotient : quotient, scale);
}

std::optional<Decimal> modulo(const Decimal& a, const Decimal& b) {
  ISOMER_ASSERT(b.digits != 0);
  const auto both = aligned(a, b);
  if (!both) return std::nullopt;
  return checked(both->a % both->b, both->scale);
}

std::optional<Decimal> power(const Decimal& base, std::int64_t exponent) {
  const double size = std::abs(static_cast<double>(base.digits));
  const double logarithm = base.digits == 0 ? 0 : std::log10(size) - base.scale;
  const double estimate = static_cast<double>(exponent) * logarithm;
  if (std::abs(estimate) > Decimal::digits_max) return std::nullopt;
  const int scale = std::max(significant_min, int{base.scale});
  Decimal out = decimal_of(1);
  const std::uint64_t count = exponent < 0 ? -static_cast<std::uint64_t>(exponent)
                                           : static_cast<std::uint64_t>(exponent);
  Decimal square = normalized(base);
  for (std::uint64_t rest = count; rest > 0; rest /= 2) {
    if (rest % 2 == 1) {
      const auto product = multiply(out, square);
      if (!product) return std::nullopt;
      out = *product;
    }
    if (rest == 1) break;
    const auto next = multiply(square, square);
    if (!next) return std::nullopt;
    square = *next;
  }
  if (exponent >= 0) return rounded(out, scale);
  const auto inverse = divide(decimal_of(1), out);
  return inverse ? rounded(*inverse, scale) : std::nullopt;
}

Decimal negated(const Decimal& number) {
  return {.digits = -number.digits, .scale = number.scale};
}

std::optional<Decimal> rounded(const Decimal& number, int scale) {
  const int kept = std::max(scale, 0);
  if (scale >= number.scale) {
    const auto digits = times_power(number.digits, scale - number.scale);
    return digits ? checked(*digits, scale) : std::nullopt;
  }
  const int dropped = number.scale - scale;
  if (dropped > Decimal::digits_max) return checked(0, kept);
  const Digits unit = power_of_ten(dropped);
  const Digits rest = magnitude(number.digits % unit);
  Digits digits = number.digits / unit;
  if (rest >= unit - rest) digits += number.digits < 0 ? -1 : 1;
  const auto shifted = times_power(digits, kept - scale);
  return shifted ? checked(*shifted, kept) : std::nullopt;
}

std::optional<Decimal> floor(const Decimal& number) {
  if (number.scale > Decimal::digits_max) return decimal_of(number.digits < 0 ? -1 : 0);
  const Digits unit = power_of_ten(number.scale);
  Digits whole = number.digits / unit;
  if (number.digits % unit < 0) --whole;
  return checked(whole, 0);
}

std::optional<Decimal> ceiling(const Decimal& number) {
  const auto below = floor(negated(number));
  return below ? std::optional(negated(*below)) : std::nullopt;
}

std::optional<Decimal> fitted(const Decimal& number, int precision, int scale) {
  const auto out = rounded(number, scale);
  if (!out || digit_count(out->digits) > precision) return std::nullopt;
  return out;
}

}  // namespace isomer::program
