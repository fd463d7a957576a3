// SPDX-License-Identifier: MIT
#include "program/value.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "program/calendar.h"

namespace isomer::program {
namespace {

// Integers and decimals are one kind: they compare by value.
std::size_t kind_of(const Value& value) {
  const std::size_t index = value.data().index();
  return value.get_if<Decimal>() != nullptr ? index - 1 : index;
}

Decimal number_of(const Value& value) {
  if (const auto* decimal = value.get_if<Decimal>()) return *decimal;
  return decimal_of(*value.get_if<std::int64_t>());
}

std::strong_ordering compare_text(const std::string& a, const std::string& b) {
  return a.compare(b) <=> 0;
}

std::strong_ordering compare_lists(std::span<const Value> a, std::span<const Value> b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (const auto order = a[i] <=> b[i]; order != 0) return order;
  return a.size() <=> b.size();
}

bool needs_quotes(std::string_view text) {
  return text.empty() || is_null_word(text) ||
         std::any_of(text.begin(), text.end(), [](char c) {
           return is_array_blank(c) || c == '"' || c == '\\' || c == '{' || c == '}' ||
                  c == ',';
         });
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string list_text(std::span<const Value> items) {
  std::string out = "[";
  for (const Value& item : items) {
    if (out.size() > 1) out += ", ";
    out += to_text(item);
  }
  return out + "]";
}

}  // namespace

Value Value::list(std::vector<Value> items) {
  return Value(Data(std::make_shared<const std::vector<Value>>(std::move(items))));
}

std::span<const Value> Value::items() const {
  const auto* list = get_if<List>();
  return list != nullptr ? std::span<const Value>(**list) : std::span<const Value>();
}

bool operator==(const Value& a, const Value& b) {
  return (a <=> b) == 0;
}

std::strong_ordering operator<=>(const Value& a, const Value& b) {
  if (kind_of(a) != kind_of(b)) return kind_of(a) <=> kind_of(b);
  if (const auto* left = a.get_if<std::int64_t>())
    if (const auto* right = b.get_if<std::int64_t>()) return *left <=> *right;
  if (const auto* left = a.get_if<std::string>())
    return compare_text(*left, *b.get_if<std::string>());
  if (const auto* left = a.get_if<bool>()) return *left <=> *b.get_if<bool>();
  if (const auto* left = a.get_if<Date>()) return *left <=> *b.get_if<Date>();
  if (const auto* left = a.get_if<Timestamp>()) return *left <=> *b.get_if<Timestamp>();
  if (const auto* left = a.get_if<List>()) {
    if (*left == *b.get_if<List>()) return std::strong_ordering::equal;
    return compare_lists(a.items(), b.items());
  }
  if (a.is_null()) return std::strong_ordering::equal;
  return number_of(a) <=> number_of(b);
}

std::string to_text(const Value& value) {
  if (value.is_null()) return "NULL";
  if (const auto* truth = value.get_if<bool>()) return *truth ? "t" : "f";
  if (const auto* number = value.get_if<std::int64_t>()) return fmt::to_string(*number);
  if (const auto* number = value.get_if<Decimal>()) return to_text(*number);
  if (const auto* text = value.get_if<std::string>()) return *text;
  if (const auto* date = value.get_if<Date>()) return to_text(*date);
  if (const auto* time = value.get_if<Timestamp>()) return to_text(*time);
  return list_text(value.items());
}

bool is_null_word(std::string_view word) {
  constexpr std::string_view null = "null";
  return std::equal(word.begin(), word.end(), null.begin(), null.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

std::string array_text(const Value& array) {
  std::string out = "{";
  for (const Value& item : array.items()) {
    if (out.size() > 1) out += ',';
    const std::string text = to_text(item);
    out += item.is_null() || !needs_quotes(text) ? text : in_quotes(text);
  }
  return out + '}';
}

}  // namespace isomer::program
