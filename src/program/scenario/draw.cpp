// SPDX-License-Identifier: MIT
#include "program/scenario/draw.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "base/assert.h"

namespace isomer::program {
namespace {

constexpr std::int64_t length_max = 1000;

// Draws made of others can leave what the parser allows for constants; then the nearest
// that is allowed counts.
std::int64_t integer(const Draw& draw, const DrawContext& context) {
  const std::string text = drawn(draw, context);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  ISOMER_ASSERT(error == std::errc() && end == text.data() + text.size());
  return number;
}

std::int64_t uniform(Random& random, std::int64_t first, std::int64_t last) {
  if (last <= first) return first;
  return first + static_cast<std::int64_t>(
                     random.below(static_cast<std::uint64_t>(last - first) + 1));
}

std::string numeric(const Draw& draw, const DrawContext& context) {
  const auto digits = integer(draw.operands[2], context);
  std::int64_t unit = 1;
  for (std::int64_t i = 0; i < digits; ++i)
    unit *= 10;
  const std::int64_t bound = INT64_MAX / (2 * unit);
  const auto edge = [&](std::size_t n) {
    return std::clamp(integer(draw.operands[n], context), -bound, bound) * unit;
  };
  const std::int64_t number = uniform(context.random, edge(0), edge(1));
  const std::string whole =
      fmt::format("{}{}", number < 0 ? "-" : "", std::abs(number) / unit);
  return digits == 0 ? whole
                     : fmt::format("{}.{:0{}}", whole, std::abs(number) % unit, digits);
}

std::string other(const Draw& draw, const DrawContext& context) {
  const std::int64_t than = integer(draw.operands[0], context);
  const std::int64_t first = integer(draw.operands[1], context);
  const std::int64_t last = integer(draw.operands[2], context);
  if (than < first || than > last || first >= last)
    return fmt::to_string(uniform(context.random, first, last));
  const std::int64_t number = uniform(context.random, first, last - 1);
  return fmt::to_string(number < than ? number : number + 1);
}

// NURand(A, x, y) = (((random(0, A) | random(x, y)) + C) % (y - x + 1)) + x, TPC-C 2.1.6;
// its run-time constant C is A / 3 here.
std::string non_uniform(const Draw& draw, const DrawContext& context) {
  const std::int64_t a = std::max<std::int64_t>(integer(draw.operands[0], context), 0);
  const std::int64_t x = std::max<std::int64_t>(integer(draw.operands[1], context), 0);
  const std::int64_t y = std::max(integer(draw.operands[2], context), x);
  const std::int64_t left = uniform(context.random, 0, a);
  const std::int64_t right = uniform(context.random, x, y);
  return fmt::to_string(((left | right) + a / 3) % (y - x + 1) + x);
}

std::string last_name(std::int64_t number) {
  static constexpr std::array<std::string_view, 10> syllables{
      "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"};
  const auto n = static_cast<std::size_t>(std::clamp<std::int64_t>(number, 0, 999));
  return fmt::format("'{}{}{}'", syllables[n / 100], syllables[n / 10 % 10],
                     syllables[n % 10]);
}

std::string list(const Draw& draw, const DrawContext& context) {
  const auto count =
      std::clamp<std::int64_t>(integer(draw.operands[0], context), 0, length_max);
  std::string items;
  for (std::int64_t i = 1; i <= count; ++i) {
    const std::string item =
        drawn(i == count ? draw.operands.back() : draw.operands[1], context);
    if (i > 1) items += ',';
    items += item.starts_with('\'') ? item.substr(1, item.size() - 2) : item;
  }
  return "'" + items + "'";
}

std::string text(const Draw& draw, const DrawContext& context) {
  const std::int64_t shortest = integer(draw.operands[0], context);
  const std::int64_t longest = integer(draw.operands[1], context);
  const auto size =
      std::clamp<std::int64_t>(uniform(context.random, shortest, longest), 0, length_max);
  std::string letters;
  for (std::int64_t i = 0; i < size; ++i)
    letters += static_cast<char>('a' + context.random.below(26));
  return "'" + letters + "'";
}

std::string name(Random& random) {
  static constexpr std::array<std::string_view, 10> names{
      "ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal", "ida", "joe"};
  return fmt::format("'{}'", names[random.below(names.size())]);
}

// One second a call, from noon of a day.
std::string timestamp(std::uint64_t calls) {
  const std::uint64_t second = calls % (12 * 60 * 60);
  return fmt::format("'2024-06-01 {:02}:{:02}:{:02}'", 12 + second / 3600, second / 60 % 60,
                     second % 60);
}

}  // namespace

std::string drawn(const Draw& draw, const DrawContext& context) {
  const auto& operands = draw.operands;
  switch (draw.kind) {
    case Draw::Kind::Literal:
      return draw.literal;
    case Draw::Kind::Int: {
      const std::int64_t first = integer(operands[0], context);
      return fmt::to_string(uniform(context.random, first, integer(operands[1], context)));
    }
    case Draw::Kind::Numeric:
      return numeric(draw, context);
    case Draw::Kind::Choice:
      return drawn(operands[context.random.below(operands.size())], context);
    case Draw::Kind::Percent: {
      const std::int64_t percentage = integer(operands[0], context);
      const bool hit = uniform(context.random, 1, 100) <= percentage;
      return drawn(operands[hit ? 1 : 2], context);
    }
    case Draw::Kind::Other:
      return other(draw, context);
    case Draw::Kind::Argument: {
      const auto number = static_cast<std::size_t>(integer(operands[0], context));
      return context.arguments[number - 1];
    }
    case Draw::Kind::IfEqual: {
      const std::string left = drawn(operands[0], context);
      const bool equal = left == drawn(operands[1], context);
      return drawn(operands[equal ? 2 : 3], context);
    }
    case Draw::Kind::Fresh:
      return fmt::to_string(integer(operands[0], context) +
                            static_cast<std::int64_t>(context.calls_of_type));
    case Draw::Kind::NonUniform:
      return non_uniform(draw, context);
    case Draw::Kind::LastName:
      return last_name(integer(operands[0], context));
    case Draw::Kind::Commas:
      return list(draw, context);
    case Draw::Kind::Name:
      return name(context.random);
    case Draw::Kind::Text:
      return text(draw, context);
    case Draw::Kind::Timestamp:
      return timestamp(context.calls);
  }
  ISOMER_UNREACHABLE();
}

}  // namespace isomer::program
