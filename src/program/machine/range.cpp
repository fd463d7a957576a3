// SPDX-License-Identifier: MIT
// Ranges of whole numbers and of days have one form, with the lower bound in them and the
// upper one not; of other values (1,2] stays what it is.
#include "program/machine/functions.h"

#include <limits>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/machine/evaluate.h"

namespace isomer::program {
namespace {

struct Bound {
  Value value{};  // Null: there is no end
  bool is_in = false;
};

struct Range {
  bool is_empty = false;
  Bound lower{};
  Bound upper{};
};

bool is_discrete(TypeKind element) {
  return element == TypeKind::Int4 || element == TypeKind::Int8 ||
         element == TypeKind::Date;
}

Type type_of_element(TypeKind element) {
  Type out;
  out.kind = element;
  return out;
}

// --- the order of bounds ---

// Does the range end before the other begins?
bool is_before(const Bound& upper, const Bound& lower) {
  if (upper.value.is_null() || lower.value.is_null()) return false;
  const auto order = compare(upper.value, lower.value);
  return order < 0 || (order == 0 && !(upper.is_in && lower.is_in));
}

// Do all values above the first bound stand above the second one?
bool is_lower_within(const Bound& inner, const Bound& outer) {
  if (outer.value.is_null()) return true;
  if (inner.value.is_null()) return false;
  const auto order = compare(inner.value, outer.value);
  return order > 0 || (order == 0 && (outer.is_in || !inner.is_in));
}

bool is_upper_within(const Bound& inner, const Bound& outer) {
  if (outer.value.is_null()) return true;
  if (inner.value.is_null()) return false;
  const auto order = compare(inner.value, outer.value);
  return order < 0 || (order == 0 && (outer.is_in || !inner.is_in));
}

bool overlap(const Range& a, const Range& b) {
  return !a.is_empty && !b.is_empty && !is_before(a.upper, b.lower) &&
         !is_before(b.upper, a.lower);
}

bool contains(const Range& outer, const Range& inner) {
  if (inner.is_empty) return true;
  return !outer.is_empty && is_lower_within(inner.lower, outer.lower) &&
         is_upper_within(inner.upper, outer.upper);
}

// --- one form ---

std::optional<Value> next(const Value& value, TypeKind element, Context& context) {
  if (const auto* date = value.get_if<Date>())
    return Value(Value::Data(Date{.days = date->days + 1}));
  const std::int64_t number = *value.get_if<std::int64_t>();
  const std::int64_t last = element == TypeKind::Int4
                                ? std::numeric_limits<std::int32_t>::max()
                                : std::numeric_limits<std::int64_t>::max();
  if (number < last) return Value::integer(number + 1);
  context.fail("22003",
               element == TypeKind::Int4 ? "integer out of range" : "bigint out of range");
  return std::nullopt;
}

// From the next value on instead of behind this one, or the other way round.
void move_on(Bound& bound, bool is_in, TypeKind element, Context& context) {
  if (bound.value.is_null() || bound.is_in == is_in) return;
  if (auto after = next(bound.value, element, context))
    bound = {.value = std::move(*after), .is_in = is_in};
}

bool has_no_value(const Range& range) {
  if (range.lower.value.is_null() || range.upper.value.is_null()) return false;
  return compare(range.lower.value, range.upper.value) == 0 &&
         !(range.lower.is_in && range.upper.is_in);
}

std::string bound_text(const Value& value) {
  std::string text = to_text(value);
  const bool needs_quotes =
      text.empty() || text.find_first_of("\"\\()[], \t\n") != std::string::npos;
  return needs_quotes ? '"' + text + '"' : text;
}

std::string text_of(const Range& range) {
  if (range.is_empty) return "empty";
  const auto text = [](const Bound& bound) {
    return bound.value.is_null() ? std::string() : bound_text(bound.value);
  };
  return fmt::format("{}{},{}{}", range.lower.is_in ? '[' : '(', text(range.lower),
                     text(range.upper), range.upper.is_in ? ']' : ')');
}

Value value_of(Range range, TypeKind element, Context& context) {
  if (context.is_stopped()) return {};
  if (range.is_empty) return Value::text("empty");
  for (Bound* bound : {&range.lower, &range.upper})
    if (bound->value.is_null()) bound->is_in = false;
  if (!range.lower.value.is_null() && !range.upper.value.is_null() &&
      compare(range.lower.value, range.upper.value) > 0)
    return context.fail(
        "22000", "range lower bound must be less than or equal to range upper bound");
  range.is_empty = has_no_value(range);
  if (!range.is_empty && is_discrete(element)) {
    move_on(range.lower, true, element, context);
    move_on(range.upper, false, element, context);
    if (context.is_stopped()) return {};
    range.is_empty = has_no_value(range);
  }
  return Value::text(text_of(range));
}

// --- from a text ---

struct RangeText {
  std::string_view rest;
  bool is_wrong = false;

  void skip_blanks() {
    const auto first = rest.find_first_not_of(" \t\n\r\f\v");
    rest.remove_prefix(first == std::string_view::npos ? rest.size() : first);
  }

  char take() {
    if (rest.empty()) is_wrong = true;
    if (is_wrong) return '\0';
    const char out = rest.front();
    rest.remove_prefix(1);
    return out;
  }

  // Up to the comma or the end of the range; nothing: there is no bound.
  std::optional<std::string> bound() {
    if (!rest.empty() &&
        (rest.front() == ',' || rest.front() == ')' || rest.front() == ']'))
      return std::nullopt;
    std::string out;
    bool is_quoted = false;
    while (!is_wrong) {
      if (!rest.empty() && !is_quoted &&
          std::string_view(",)]([").find(rest.front()) != std::string_view::npos)
        return out;
      const char c = take();
      const bool is_doubled = c == '"' && is_quoted && rest.starts_with('"');
      if (c == '\\' || is_doubled)
        out += take();
      else if (c == '"')
        is_quoted = !is_quoted;
      else
        out += c;
    }
    return out;
  }
};

bool is_empty_word(std::string_view text) {
  constexpr std::string_view word = "empty";
  if (text.size() != word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if ((text[i] | 0x20) != word[i]) return false;
  return true;
}

// Fails if it is none.
Range parsed(const std::string& text, TypeKind element, Context& context) {
  RangeText in{.rest = text};
  in.skip_blanks();
  const auto last = in.rest.find_last_not_of(" \t\n\r\f\v");
  in.rest = in.rest.substr(0, last + 1);
  if (is_empty_word(in.rest)) return {.is_empty = true};
  Range out;
  const char first = in.take();
  in.is_wrong |= first != '[' && first != '(';
  out.lower.is_in = first == '[';
  const auto lower = in.bound();
  in.is_wrong |= in.take() != ',';
  const auto upper = in.bound();
  const char end = in.take();
  in.is_wrong |= (end != ']' && end != ')') || !in.rest.empty();
  out.upper.is_in = end == ']';
  if (in.is_wrong) {
    context.fail("22P02", fmt::format("malformed range literal: \"{}\"", text));
    return {};
  }
  const Type type = type_of_element(element);
  if (lower)
    out.lower.value = converted(Value::text(*lower), type, Conversion::Cast, context);
  if (upper)
    out.upper.value = converted(Value::text(*upper), type, Conversion::Cast, context);
  return out;
}

// Of a value, which cannot be wrong.
Range range_of(const Value& value, TypeKind element) {
  Context context;
  Range out = parsed(*value.get_if<std::string>(), element, context);
  ISOMER_ASSERT(!context.is_stopped());
  return out;
}

// --- functions ---

Value make_range(TypeKind element, std::span<const Value> arguments, Context& context) {
  Range out{.lower = {.value = arguments[0], .is_in = true},
            .upper = {.value = arguments[1], .is_in = false}};
  if (arguments.size() == 2) return value_of(std::move(out), element, context);
  const auto* flags = arguments[2].get_if<std::string>();
  if (flags == nullptr)
    return context.fail("22000", "range constructor flags argument must not be null");
  const bool is_right = flags->size() == 2 &&
                        (flags->front() == '[' || flags->front() == '(') &&
                        (flags->back() == ']' || flags->back() == ')');
  if (!is_right) return context.fail("42601", "invalid range bound flags");
  out.lower.is_in = flags->front() == '[';
  out.upper.is_in = flags->back() == ']';
  return value_of(std::move(out), element, context);
}

}  // namespace

Value to_range(const std::string& text, const Type& type, Context& context) {
  return value_of(parsed(text, type.element, context), type.element, context);
}

bool do_ranges_overlap(const Value& a, const Value& b, TypeKind element) {
  return overlap(range_of(a, element), range_of(b, element));
}

Value evaluate_range(Function function, const Type& range, std::span<const Value> arguments,
                     Context& context) {
  const TypeKind element = range.element;
  const auto argument = [&](std::size_t i) { return range_of(arguments[i], element); };
  switch (function) {
    case Function::MakeRange:
      return make_range(element, arguments, context);
    case Function::RangeOverlaps:
      return Value::boolean(overlap(argument(0), argument(1)));
    case Function::RangeContains:
      return Value::boolean(contains(argument(0), argument(1)));
    case Function::RangeContainsElement: {
      const Bound one{.value = arguments[1], .is_in = true};
      return Value::boolean(contains(argument(0), {.lower = one, .upper = one}));
    }
    case Function::RangeLower:
      return argument(0).lower.value;
    case Function::RangeUpper:
      return argument(0).upper.value;
    case Function::RangeIsEmpty:
      return Value::boolean(argument(0).is_empty);
    default:
      ISOMER_UNREACHABLE();
  }
}

}  // namespace isomer::program
