// SPDX-License-Identifier: MIT
// SQL functions on text.  Positions and lengths count characters of UTF-8; comparison and
// case follow the C collation.
#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/characters.h"
#include "program/machine/functions.h"

namespace isomer::program {
namespace {

std::string ascii_mapped(std::string text, char first, char last, int shift) {
  for (char& c : text)
    if (c >= first && c <= last) c = static_cast<char>(c + shift);
  return text;
}

// One step of a LIKE pattern.
struct Wildcard {
  enum class Kind : std::uint8_t { Byte, Character, Any } kind = Kind::Byte;
  char byte = 0;
};

// Absent if the pattern ends in the middle of an escape.
std::optional<std::vector<Wildcard>> wildcards_of(std::string_view pattern) {
  std::vector<Wildcard> out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '%') {
      out.push_back({.kind = Wildcard::Kind::Any});
    } else if (pattern[i] == '_') {
      out.push_back({.kind = Wildcard::Kind::Character});
    } else {
      if (pattern[i] == '\\' && ++i == pattern.size()) return std::nullopt;
      out.push_back({.kind = Wildcard::Kind::Byte, .byte = pattern[i]});
    }
  }
  return out;
}

// Only the last '%' can need another try, so going back to it suffices.
bool matches(std::string_view text, const std::vector<Wildcard>& pattern) {
  std::size_t at = 0;
  std::size_t step = 0;
  std::optional<std::size_t> any_step;
  std::size_t any_at = 0;
  while (at < text.size() || step < pattern.size()) {
    if (step < pattern.size() && pattern[step].kind == Wildcard::Kind::Any) {
      any_step = step++;
      any_at = at;
      continue;
    }
    if (step < pattern.size() && at < text.size()) {
      if (pattern[step].kind == Wildcard::Kind::Character) {
        at += prefix_bytes(text.substr(at), 1);
        ++step;
        continue;
      }
      if (pattern[step].byte == text[at]) {
        ++at;
        ++step;
        continue;
      }
    }
    if (!any_step || any_at >= text.size()) return false;
    any_at += prefix_bytes(text.substr(any_at), 1);
    at = any_at;
    step = *any_step + 1;
  }
  return true;
}

Value like(const std::string& text, const std::string& pattern, Context& context) {
  const auto wildcards = wildcards_of(pattern);
  if (!wildcards)
    return context.fail("22025", "LIKE pattern must not end with escape character");
  context.spend(text.size() * pattern.size() / 64);
  if (context.is_stopped()) return {};
  return Value::boolean(matches(text, *wildcards));
}

// substring(text, from [, count]): characters [from, from + count), where from may be
// before the text.
Value substring(std::span<const Value> arguments, Context& context) {
  const std::string& text = *arguments[0].get_if<std::string>();
  const std::int64_t from = *arguments[1].get_if<std::int64_t>();
  std::int64_t end = INT64_MAX;
  if (arguments.size() > 2) {
    const std::int64_t count = *arguments[2].get_if<std::int64_t>();
    if (count < 0) return context.fail("22011", "negative substring length not allowed");
    end = from + count;
  }
  const std::int64_t begin = std::max<std::int64_t>(from, 1);
  if (end <= begin) return Value::text("");
  const std::size_t first = prefix_bytes(text, static_cast<std::size_t>(begin - 1));
  const std::size_t last = prefix_bytes(text, static_cast<std::size_t>(end - 1));
  return Value::text(text.substr(first, last - first));
}

Value position(const std::string& text, const std::string& piece, Context& context) {
  context.spend(text.size() * piece.size() / 64);
  if (context.is_stopped()) return {};
  const std::size_t found = text.find(piece);
  if (found == std::string::npos) return Value::integer(0);
  return Value::integer(static_cast<std::int64_t>(character_count(text.substr(0, found))) +
                        1);
}

// split_part(text, separator, n): the n-th piece, from the end if n is negative.
Value split_part(std::span<const Value> arguments, Context& context) {
  const std::string& text = *arguments[0].get_if<std::string>();
  const std::string& separator = *arguments[1].get_if<std::string>();
  std::int64_t number = *arguments[2].get_if<std::int64_t>();
  if (number == 0) return context.fail("22023", "field position must not be zero");
  context.spend(text.size() * separator.size() / 64);
  if (context.is_stopped()) return {};
  std::vector<std::string_view> pieces;
  std::size_t first = 0;
  std::size_t found = separator.empty() ? std::string::npos : text.find(separator);
  for (; found != std::string::npos; found = text.find(separator, first)) {
    pieces.push_back(std::string_view(text).substr(first, found - first));
    first = found + separator.size();
  }
  pieces.push_back(std::string_view(text).substr(first));
  const auto count = static_cast<std::int64_t>(pieces.size());
  if (number < 0) number += count + 1;
  if (number < 1 || number > count) return Value::text("");
  return Value::text(std::string(pieces[static_cast<std::size_t>(number - 1)]));
}

std::string shown_as_text(const Value& value) {
  if (const auto* truth = value.get_if<bool>()) return *truth ? "true" : "false";
  return to_text(value);
}

}  // namespace

std::size_t character_count(std::string_view text) {
  return text.size() - static_cast<std::size_t>(
                           std::count_if(text.begin(), text.end(), continues_character));
}

std::size_t prefix_bytes(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; count > 0 && at < text.size(); --count)
    at = character_end(text, at);
  return at;
}

Value checked_text(std::string text, Context& context) {
  if (text.size() <= text_bytes_max) return Value::text(std::move(text));
  return context.fail("54000",
                      fmt::format("a text is longer than {} bytes", text_bytes_max));
}

Value call_text(Function function, std::span<const Value> arguments, Context& context) {
  if (function == Function::Concat) {
    std::string out;
    for (const Value& argument : arguments)
      out += shown_as_text(argument);
    return checked_text(std::move(out), context);
  }
  const auto* first = arguments[0].get_if<std::string>();
  ISOMER_ASSERT(first != nullptr);
  const auto second = [&] { return *arguments[1].get_if<std::string>(); };
  switch (function) {
    case Function::Length:
      return Value::integer(static_cast<std::int64_t>(character_count(*first)));
    case Function::Lower:
      return Value::text(ascii_mapped(*first, 'A', 'Z', 'a' - 'A'));
    case Function::Upper:
      return Value::text(ascii_mapped(*first, 'a', 'z', 'A' - 'a'));
    case Function::Substring:
      return substring(arguments, context);
    case Function::Position:
      return position(*first, second(), context);
    case Function::Like:
      return like(*first, second(), context);
    case Function::SplitPart:
      return split_part(arguments, context);
    case Function::StartsWith:
      return Value::boolean(first->starts_with(second()));
    case Function::EndsWith:
      return Value::boolean(first->ends_with(second()));
    default:
      return context.fail("0A000", fmt::format("SQL has no '{}'", name(function)));
  }
}

}  // namespace isomer::program
