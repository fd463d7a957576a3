// SPDX-License-Identifier: MIT
// Conversions between types, with PostgreSQL's errors.
#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/calendar.h"
#include "program/machine/functions.h"

namespace isomer::program {
namespace {

char lower_letter(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\n\r\f\v";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

Value bad_syntax(std::string_view type, std::string_view text, Context& context,
                 std::string_view sqlstate = "22P02") {
  return context.fail(std::string(sqlstate),
                      fmt::format("invalid input syntax for type {}: \"{}\"", type, text));
}

Value mismatch(std::string_view type, const Value& value, Context& context) {
  return context.fail("42846",
                      fmt::format("cannot convert {} to type {}", to_text(value), type));
}

Value to_boolean(const Value& value, Context& context) {
  if (const auto* number = value.get_if<std::int64_t>())
    return Value::boolean(*number != 0);
  const auto* text = value.get_if<std::string>();
  if (text == nullptr) return mismatch("boolean", value, context);
  std::string word(trimmed(*text));
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  const auto begins = [&](std::string_view whole, std::size_t least) {
    return word.size() >= least && whole.starts_with(word);
  };
  if (begins("true", 1) || begins("yes", 1) || word == "on" || word == "1")
    return Value::boolean(true);
  if (begins("false", 1) || begins("no", 1) || begins("off", 2) || word == "0")
    return Value::boolean(false);
  return bad_syntax("boolean", *text, context);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t out = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), out);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    return std::nullopt;
  return out;
}

bool is_integer_syntax(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Value to_integer(const Value& value, TypeKind kind, Context& context) {
  const std::string_view type = kind == TypeKind::Int2   ? "smallint"
                                : kind == TypeKind::Int4 ? "integer"
                                                         : "bigint";
  std::optional<std::int64_t> number;
  if (const auto* integer = value.get_if<std::int64_t>()) {
    number = *integer;
  } else if (const auto* truth = value.get_if<bool>()) {
    number = *truth ? 1 : 0;
  } else if (const auto* decimal = value.get_if<Decimal>()) {
    number = integer_of(*decimal);
  } else if (const auto* text = value.get_if<std::string>()) {
    if (!is_integer_syntax(*text)) return bad_syntax(type, *text, context);
    number = parse_integer(*text);
    if (!number || !fits_into(*number, kind))
      return context.fail(
          "22003", fmt::format("value \"{}\" is out of range for type {}", *text, type));
  } else {
    return mismatch(type, value, context);
  }
  if (!number || !fits_into(*number, kind))
    return context.fail("22003", fmt::format("{} out of range", type));
  return Value::integer(*number);
}

// NaN and the infinities, which PostgreSQL's numeric has.
bool is_special_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), lower_letter);
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

// 12, 1.5, .5, 1e6: with more digits than we compute with.
bool is_decimal_syntax(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const auto digits = [&] {
    std::size_t count = 0;
    while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
      text.remove_prefix(1);
      ++count;
    }
    return count;
  };
  std::size_t count = digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    count += digits();
  }
  if (count == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

Value to_numeric(const Value& value, const Type& type, Context& context) {
  std::optional<Decimal> number;
  if (const auto* integer = value.get_if<std::int64_t>()) {
    number = decimal_of(*integer);
  } else if (const auto* decimal = value.get_if<Decimal>()) {
    number = *decimal;
  } else if (const auto* text = value.get_if<std::string>()) {
    number = parse_decimal(trimmed(*text));
    if (!number && is_special_number(trimmed(*text)))
      return context.give_up("0A000",
                             fmt::format("\"{}\" is not supported as a numeric", *text));
    if (!number && is_decimal_syntax(trimmed(*text)))
      return context.give_up(
          "22003",
          fmt::format("a numeric has more than {} digits, which is all that Isomer "
                      "computes with",
                      Decimal::digits_max));
    if (!number) return bad_syntax("numeric", *text, context);
  } else {
    return mismatch("numeric", value, context);
  }
  if (type.precision) number = fitted(*number, *type.precision, type.scale);
  return number ? Value(*number) : context.fail("22003", "numeric field overflow");
}

Value without_padding(const Value& value) {
  const std::string& text = *value.get_if<std::string>();
  return Value::text(text.substr(0, text.find_last_not_of(' ') + 1));
}

Value to_limited_text(Value value, const Type& type, Conversion conversion,
                      Context& context) {
  if (const auto* truth = value.get_if<bool>())
    value = Value::text(*truth ? "true" : "false");
  else if (value.get_if<List>() != nullptr)
    value = checked_text(array_text(value), context);
  else if (value.get_if<std::string>() == nullptr)
    value = Value::text(to_text(value));
  if (context.is_stopped()) return {};
  if (type.is_padded) value = without_padding(value);
  const auto& text = *value.get_if<std::string>();
  if (!type.length_max || character_count(text) <= *type.length_max) return value;
  const std::size_t kept = prefix_bytes(text, *type.length_max);
  const bool drops_blanks = text.find_first_not_of(' ', kept) == std::string::npos;
  if (conversion == Conversion::Cast || drops_blanks)
    return type.is_padded ? without_padding(Value::text(text.substr(0, kept)))
                          : Value::text(text.substr(0, kept));
  return context.fail("22001",
                      fmt::format("value too long for type character{}({})",
                                  type.is_padded ? "" : " varying", *type.length_max));
}

// PostgreSQL reads moments in many ways; all of them have a digit, or are a word like now.
bool may_be_a_moment(std::string_view text) {
  constexpr std::array words{"now",   "today",    "tomorrow",  "yesterday",
                             "epoch", "infinity", "-infinity", "allballs"};
  const std::string_view inner = trimmed(text);
  std::string lower(inner);
  std::ranges::transform(lower, lower.begin(), lower_letter);
  return lower.find_first_of("0123456789") != std::string::npos ||
         std::ranges::find(words, lower) != words.end();
}

std::string unsupported_moment(std::string_view type, std::string_view text) {
  return fmt::format("\"{}\" is not supported as a {}: write it as 2024-01-31{}", text,
                     type, type == "date" ? "" : " 10:30:00");
}

Value bad_moment(CalendarError error, std::string_view type, const std::string& text,
                 Context& context) {
  switch (error) {
    case CalendarError::Syntax:
      if (may_be_a_moment(text))
        return context.give_up("22007", unsupported_moment(type, text));
      return bad_syntax(type, text, context, "22007");
    case CalendarError::OutOfRange:
      return context.fail("22008",
                          fmt::format("date/time field value out of range: \"{}\"", text));
    case CalendarError::Displacement:
      return context.fail("22009",
                          fmt::format("time zone displacement out of range: \"{}\"", text));
    case CalendarError::Unsupported:
      return context.give_up("0A000", unsupported_moment(type, text));
  }
  ISOMER_UNREACHABLE();
}

Value to_date(const Value& value, Context& context) {
  if (const auto* time = value.get_if<Timestamp>())
    return Value(Value::Data(date_of(*time)));
  const auto* text = value.get_if<std::string>();
  if (text == nullptr) return mismatch("date", value, context);
  const auto date = parse_date(trimmed(*text));
  return date ? Value(Value::Data(*date))
              : bad_moment(date.error(), "date", *text, context);
}

Value to_timestamp(const Value& value, Context& context) {
  if (const auto* date = value.get_if<Date>()) {
    const auto midnight = midnight_of(*date);
    return midnight ? Value(Value::Data(*midnight))
                    : context.fail("22008", "date out of range for timestamp");
  }
  const auto* text = value.get_if<std::string>();
  if (text == nullptr) return mismatch("timestamp", value, context);
  const auto time = parse_timestamp(trimmed(*text));
  return time ? Value(Value::Data(*time))
              : bad_moment(time.error(), "timestamp", *text, context);
}

Value to_array(const Value& value, const Type& type, Conversion conversion,
               Context& context) {
  if (const auto* text = value.get_if<std::string>())
    return array_of_text(*text, type, context);
  if (value.get_if<List>() == nullptr) return mismatch("array", value, context);
  Type element;
  element.kind = type.element;
  std::vector<Value> out;
  bool is_same = true;
  for (const Value& item : value.items()) {
    out.push_back(converted(item, element, conversion, context));
    if (context.is_stopped()) return {};
    is_same = is_same && out.back().data().index() == item.data().index();
  }
  return is_same ? value : Value::list(std::move(out));
}

}  // namespace

bool fits_into(std::int64_t number, TypeKind kind) {
  if (kind == TypeKind::Int2) return number >= INT16_MIN && number <= INT16_MAX;
  return kind == TypeKind::Int8 || (number >= INT32_MIN && number <= INT32_MAX);
}

Value converted(Value value, const Type& type, Conversion conversion, Context& context) {
  if (value.is_null()) return value;
  switch (type.kind) {
    case TypeKind::Any:
    case TypeKind::Record:
      return value;
    case TypeKind::Bool:
      return value.get_if<bool>() != nullptr ? value : to_boolean(value, context);
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
      return to_integer(value, type.kind, context);
    case TypeKind::Numeric:
      return to_numeric(value, type, context);
    case TypeKind::Text:
      return to_limited_text(std::move(value), type, conversion, context);
    case TypeKind::Date:
      return value.get_if<Date>() != nullptr ? value : to_date(value, context);
    case TypeKind::Timestamp:
      return value.get_if<Timestamp>() != nullptr ? value : to_timestamp(value, context);
    case TypeKind::Array:
      return to_array(value, type, conversion, context);
    case TypeKind::Range:
      return value.get_if<std::string>() != nullptr
                 ? to_range(*value.get_if<std::string>(), type, context)
                 : mismatch("range", value, context);
  }
  return value;
}

}  // namespace isomer::program
