// SPDX-License-Identifier: MIT
// SQL functions on text.  Positions and lengths count characters of UTF-8; comparison and
// case follow the C collation.
#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/text.h"
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
  // Dangling: an escape at the end, with nothing behind it.
  enum class Kind : std::uint8_t { Byte, Character, Any, Dangling } kind = Kind::Byte;
  char byte = 0;
};

std::vector<Wildcard> wildcards_of(std::string_view pattern) {
  std::vector<Wildcard> out;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '%') {
      out.push_back({.kind = Wildcard::Kind::Any});
    } else if (pattern[i] == '_') {
      out.push_back({.kind = Wildcard::Kind::Character});
    } else {
      const bool is_escape = pattern[i] == '\\';
      if (is_escape) ++i;
      if (i == pattern.size())
        out.push_back({.kind = Wildcard::Kind::Dangling});
      else
        out.push_back({.kind = Wildcard::Kind::Byte, .byte = pattern[i]});
    }
  }
  return out;
}

// Matches a text from left to right.  Only the last '%' can need another try, so going back
// to it suffices.
class LikeMatch {
 public:
  using Kind = Wildcard::Kind;

  LikeMatch(std::string_view text, const std::vector<Wildcard>& pattern)
      : text_(text), pattern_(pattern) {}

  // Absent if it comes to a dangling escape while there is text left, or right behind '%'.
  std::optional<bool> result() {
    while (at_ < text_.size() || step_ < pattern_.size()) {
      if (is_at(Kind::Any)) {
        if (!pass_any()) return false;
      } else if (at_ < text_.size() && is_at(Kind::Character)) {
        pass_character();
      } else if (at_ < text_.size() && is_at(Kind::Byte) &&
                 pattern_[step_].byte == text_[at_]) {
        ++at_;
        ++step_;
      } else if (is_at(Kind::Dangling) && (at_ < text_.size() || is_behind_any())) {
        return std::nullopt;
      } else if (!go_back()) {
        return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] bool is_at(Kind kind) const {
    return step_ < pattern_.size() && pattern_[step_].kind == kind;
  }

  void pass_character() {
    at_ += prefix_bytes(text_.substr(at_), 1);
    ++step_;
  }

  // '%' with the wildcards behind it; false if the text is too short for those.
  bool pass_any() {
    const bool is_at_end = at_ == text_.size();
    while (is_at(Kind::Any) || (!is_at_end && is_at(Kind::Character))) {
      if (is_at(Kind::Any))
        ++step_;
      else if (at_ == text_.size())
        return false;
      else
        pass_character();
    }
    any_met_text_ = !is_at_end;
    any_step_ = step_;
    any_at_ = at_;
    return true;
  }

  bool go_back() {
    if (!any_step_ || any_at_ >= text_.size()) return false;
    any_at_ += prefix_bytes(text_.substr(any_at_), 1);
    at_ = any_at_;
    step_ = *any_step_;
    return true;
  }

  [[nodiscard]] bool is_behind_any() const { return any_met_text_ && step_ == any_step_; }

  std::string_view text_;
  const std::vector<Wildcard>& pattern_;
  std::size_t at_ = 0;
  std::size_t step_ = 0;
  std::optional<std::size_t> any_step_;  // behind the last '%'
  std::size_t any_at_ = 0;
  bool any_met_text_ = false;
};

Value like(const std::string& text, const std::string& pattern, Context& context) {
  const auto wildcards = wildcards_of(pattern);
  context.spend(text.size() * pattern.size() / 64);
  if (context.is_stopped()) return {};
  if (const auto result = LikeMatch(text, wildcards).result())
    return Value::boolean(*result);
  return context.fail("22025", "LIKE pattern must not end with escape character");
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
  return context.give_up("54000",
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
      return context.give_up("0A000", fmt::format("SQL has no '{}'", name(function)));
  }
}

}  // namespace isomer::program
