// SPDX-License-Identifier: MIT
// Reads draws: literals, and calls of the functions in the table below.  All that a draw
// could trip over later is refused here: where an integer is needed, the operand must be
// one whatever is drawn.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/text.h"
#include "program/scenario/draw.h"

namespace isomer::program {
namespace {

constexpr std::size_t depth_max = 20;
constexpr std::size_t digits_max = 15;
constexpr std::int64_t length_max = 1000;

struct Function {
  std::string_view name;
  Draw::Kind kind;
  std::size_t operands_min;
  std::size_t operands_max;
  std::size_t integers;  // so many operands, from the first, must be integers
  std::string_view form;
};

constexpr std::size_t any_number = 1000;

constexpr std::array functions{
    Function{"int", Draw::Kind::Int, 2, 2, 2, "int(first, last)"},
    Function{"numeric", Draw::Kind::Numeric, 3, 3, 3, "numeric(first, last, digits)"},
    Function{"choice", Draw::Kind::Choice, 1, any_number, 0, "choice(x, y, ..)"},
    Function{"percent", Draw::Kind::Percent, 3, 3, 1, "percent(p, x, otherwise)"},
    Function{"other", Draw::Kind::Other, 3, 3, 3, "other(than, first, last)"},
    Function{"arg", Draw::Kind::Argument, 1, 1, 1, "arg(number)"},
    Function{"if_equal", Draw::Kind::IfEqual, 4, 4, 0, "if_equal(x, y, then, otherwise)"},
    Function{"fresh", Draw::Kind::Fresh, 1, 1, 1, "fresh(first)"},
    Function{"nurand", Draw::Kind::NonUniform, 3, 3, 3, "nurand(a, first, last)"},
    Function{"last_name", Draw::Kind::LastName, 1, 1, 1, "last_name(number)"},
    Function{"list", Draw::Kind::Commas, 2, 3, 1, "list(count, x) or list(count, x, last)"},
    Function{"name", Draw::Kind::Name, 0, 0, 0, "name()"},
    Function{"text", Draw::Kind::Text, 2, 2, 2, "text(shortest, longest)"},
    Function{"timestamp", Draw::Kind::Timestamp, 0, 0, 0, "timestamp()"},
};

bool is_word(char c) {
  return is_digit(c) || is_letter(c);
}

std::optional<std::int64_t> constant(const Draw& draw) {
  if (draw.kind != Draw::Kind::Literal || !draw.is_integer) return std::nullopt;
  std::int64_t number = 0;
  const std::string& text = draw.literal;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Whether all results are integers, given the operands.
bool draws_integer(const Draw& draw, std::span<const Draw> earlier) {
  const auto integer = [](const Draw& operand) { return operand.is_integer; };
  const auto& operands = draw.operands;
  switch (draw.kind) {
    case Draw::Kind::Int:
    case Draw::Kind::Other:
    case Draw::Kind::Fresh:
    case Draw::Kind::NonUniform:
      return true;
    case Draw::Kind::Choice:
      return std::all_of(operands.begin(), operands.end(), integer);
    case Draw::Kind::Percent:
      return operands[1].is_integer && operands[2].is_integer;
    case Draw::Kind::IfEqual:
      return operands[2].is_integer && operands[3].is_integer;
    case Draw::Kind::Argument:
      return earlier[static_cast<std::size_t>(*constant(operands[0])) - 1].is_integer;
    case Draw::Kind::Literal:
      return draw.is_integer;
    case Draw::Kind::Numeric:
    case Draw::Kind::LastName:
    case Draw::Kind::Commas:
    case Draw::Kind::Name:
    case Draw::Kind::Text:
    case Draw::Kind::Timestamp:
      return false;
  }
  ISOMER_UNREACHABLE();
}

class Parser {
 public:
  Parser(std::string_view text, std::span<const Draw> earlier)
      : text_(text), earlier_(earlier) {}

  tl::expected<Draw, DrawError> whole() {
    auto draw = parse();
    skip_blanks();
    if (draw && place_ != text_.size()) return fail(place_, "expected the end of the draw");
    return draw;
  }

 private:
  static tl::unexpected<DrawError> fail(std::size_t offset, std::string message) {
    return tl::unexpected(DrawError{offset, std::move(message)});
  }

  void skip_blanks() {
    while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_])))
      ++place_;
  }

  [[nodiscard]] char next() const { return place_ < text_.size() ? text_[place_] : '\0'; }

  bool accept(char c) {
    skip_blanks();
    if (next() != c) return false;
    ++place_;
    return true;
  }

  tl::expected<Draw, DrawError> parse() {
    skip_blanks();
    if (next() == '\'') return quoted();
    if (next() == '-' || is_digit(next())) return number();
    if (is_word(next())) return word();
    return fail(place_, "expected a number, a text in single quotes or a function");
  }

  tl::expected<Draw, DrawError> quoted() {
    const std::size_t first = place_++;
    while (place_ < text_.size()) {
      if (text_[place_++] != '\'') continue;
      if (next() != '\'')
        return Draw{.literal = std::string(text_.substr(first, place_ - first))};
      ++place_;
    }
    return fail(first, "the text is not closed");
  }

  tl::expected<Draw, DrawError> number() {
    const std::size_t first = place_;
    if (next() == '-') ++place_;
    const std::size_t digits = place_;
    std::size_t points = 0;
    while (is_digit(next()) || (next() == '.' && points == 0)) {
      points += next() == '.' ? 1U : 0U;
      ++place_;
    }
    if (place_ == digits || text_[place_ - 1] == '.' || is_word(next()))
      return fail(first, "expected a number");
    if (place_ - digits > digits_max + points)
      return fail(first, fmt::format("a number has at most {} digits", digits_max));
    return Draw{.is_integer = points == 0,
                .literal = std::string(text_.substr(first, place_ - first))};
  }

  tl::expected<Draw, DrawError> word() {
    const std::size_t first = place_;
    while (is_word(next()))
      ++place_;
    const std::string_view name = text_.substr(first, place_ - first);
    if (name == "null" || name == "NULL") return Draw{.literal = "NULL"};
    if (name == "true" || name == "false") return Draw{.literal = std::string(name)};
    const auto* const function =
        std::find_if(functions.begin(), functions.end(),
                     [&](const Function& known) { return known.name == name; });
    if (function == functions.end())
      return fail(first, fmt::format("there is no draw named '{}'", name));
    if (!accept('(')) return fail(place_, fmt::format("expected {}", function->form));
    if (++depth_ > depth_max) return fail(first, "too deep");
    auto draw = call(*function, first);
    --depth_;
    return draw;
  }

  tl::expected<Draw, DrawError> call(const Function& function, std::size_t first) {
    Draw draw{.kind = function.kind};
    while (!accept(')')) {
      if (!draw.operands.empty() && !accept(','))
        return fail(place_, "expected ',' or ')'");
      skip_blanks();
      const std::size_t operand_first = place_;
      auto operand = parse();
      if (!operand) return operand;
      if (draw.operands.size() < function.integers && !operand->is_integer)
        return fail(operand_first, fmt::format("{}: expected an integer", function.form));
      draw.operands.push_back(std::move(*operand));
    }
    if (draw.operands.size() < function.operands_min ||
        draw.operands.size() > function.operands_max)
      return fail(first, fmt::format("expected {}", function.form));
    if (const std::string problem = problem_of(draw); !problem.empty())
      return fail(first, problem);
    draw.is_integer = draws_integer(draw, earlier_);
    return draw;
  }

  // What is wrong with the values of constant operands.
  [[nodiscard]] std::string problem_of(const Draw& draw) const {
    const auto value = [&](std::size_t n) { return constant(draw.operands[n]); };
    const auto is_empty = [&](std::size_t n) {
      return value(n) && value(n + 1) && *value(n) > *value(n + 1);
    };
    const auto is_outside = [&](std::size_t n, std::int64_t least, std::int64_t most) {
      return value(n) && (*value(n) < least || *value(n) > most);
    };
    switch (draw.kind) {
      case Draw::Kind::Int:
        return is_empty(0) ? "the range is empty" : "";
      case Draw::Kind::Numeric:
        if (!value(2) || is_outside(2, 0, 9)) return "digits: a constant from 0 to 9";
        return is_empty(0) ? "the range is empty" : "";
      case Draw::Kind::Other:
        return is_empty(1) ? "the range is empty" : "";
      case Draw::Kind::NonUniform:
        if (is_outside(0, 0, INT64_MAX) || is_outside(1, 0, INT64_MAX))
          return "nurand takes no negative numbers";
        return is_empty(1) ? "the range is empty" : "";
      case Draw::Kind::Percent:
        return is_outside(0, 0, 100) ? "a percentage is from 0 to 100" : "";
      case Draw::Kind::Argument:
        if (!value(0) || is_outside(0, 1, static_cast<std::int64_t>(earlier_.size())))
          return "expected the number of an earlier argument, from 1";
        return "";
      case Draw::Kind::LastName:
        return is_outside(0, 0, 999) ? "last names have numbers from 0 to 999" : "";
      case Draw::Kind::Commas:
        return is_outside(0, 0, length_max) ? "a list has at most 1000 items" : "";
      case Draw::Kind::Text:
        if (is_outside(0, 0, length_max) || is_outside(1, 0, length_max))
          return "a text has at most 1000 letters";
        return is_empty(0) ? "the range is empty" : "";
      case Draw::Kind::Literal:
      case Draw::Kind::Choice:
      case Draw::Kind::IfEqual:
      case Draw::Kind::Fresh:
      case Draw::Kind::Name:
      case Draw::Kind::Timestamp:
        return "";
    }
    ISOMER_UNREACHABLE();
  }

  std::string_view text_;
  std::span<const Draw> earlier_;
  std::size_t place_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

tl::expected<Draw, DrawError> parse_draw(std::string_view text,
                                         std::span<const Draw> earlier) {
  return Parser(text, earlier).whole();
}

}  // namespace isomer::program
