// SPDX-License-Identifier: MIT
// Functions on arrays, and arrays read from text, as PostgreSQL 15 has them.
#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/machine/functions.h"

namespace isomer::program {
namespace {

// NULL is the same as NULL here.
bool is_same(const Value& a, const Value& b) {
  if (a.is_null() || b.is_null()) return a.is_null() && b.is_null();
  return compare(a, b) == 0;
}

std::vector<Value> copied(const Value& array) {
  const auto items = array.items();
  return {items.begin(), items.end()};
}

// A null array is as an empty one.
Value appended(const Value& array, const Value& element, Context& context) {
  std::vector<Value> out = copied(array);
  out.push_back(element);
  context.spend(out.size());
  return Value::list(std::move(out));
}

Value prepended(const Value& element, const Value& array, Context& context) {
  std::vector<Value> out{element};
  out.insert(out.end(), array.items().begin(), array.items().end());
  context.spend(out.size());
  return Value::list(std::move(out));
}

Value joined(const Value& a, const Value& b, Context& context) {
  if (a.is_null()) return b;
  if (b.is_null()) return a;
  std::vector<Value> out = copied(a);
  out.insert(out.end(), b.items().begin(), b.items().end());
  context.spend(out.size());
  return Value::list(std::move(out));
}

Value removed(const Value& array, const Value& element) {
  if (array.is_null()) return {};
  std::vector<Value> out = copied(array);
  std::erase_if(out, [&](const Value& item) { return is_same(item, element); });
  return Value::list(std::move(out));
}

Value position(const Value& array, const Value& element) {
  const auto items = array.items();
  for (std::size_t i = 0; i < items.size(); ++i)
    if (is_same(items[i], element)) return Value::integer(static_cast<std::int64_t>(i + 1));
  return {};
}

Value element(const Value& array, const Value& place) {
  const std::int64_t index = *place.get_if<std::int64_t>();
  const auto items = array.items();
  if (index < 1 || index > static_cast<std::int64_t>(items.size())) return {};
  return items[static_cast<std::size_t>(index - 1)];
}

Value length(const Value& array, const Value& dimension) {
  if (*dimension.get_if<std::int64_t>() != 1 || array.items().empty()) return {};
  return Value::integer(static_cast<std::int64_t>(array.items().size()));
}

// NULL is contained in nothing.
bool contains(const Value& array, const Value& element) {
  const auto items = array.items();
  return !element.is_null() &&
         std::any_of(items.begin(), items.end(), [&](const Value& item) {
           return !item.is_null() && compare(item, element) == 0;
         });
}

// --- as text ---

// Reads {a, "b c", NULL}: all of it, before any element is converted.
class ArrayReader {
 public:
  ArrayReader(const std::string& text, const Type& element, Context& context)
      : text_(text), element_(element), context_(context) {}

  Value read() {
    skip_blanks();
    if (peek() == '[')
      return context_.give_up("0A000", "arrays that do not start at 1 are not supported");
    if (!accept('{')) return malformed();
    skip_blanks();
    if (!accept('}') && !read_items()) return malformed();
    skip_blanks();
    if (at_ != text_.size()) return malformed();
    std::vector<Value> out;
    for (const Value& word : words_) {
      out.push_back(converted(word, element_, Conversion::Cast, context_));
      if (context_.is_stopped()) return {};
    }
    return Value::list(std::move(out));
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  void skip_blanks() {
    while (is_array_blank(peek()))
      ++at_;
  }

  Value malformed() {
    return context_.fail("22P02", fmt::format("malformed array literal: \"{}\"", text_));
  }

  bool read_items() {
    do {
      if (!read_item()) return false;
      skip_blanks();
    } while (accept(','));
    return accept('}');
  }

  bool read_item() {
    skip_blanks();
    if (peek() == '{') {
      context_.give_up("0A000", "arrays of more than one dimension are not supported");
      return false;
    }
    std::string word;
    const bool is_quoted = peek() == '"';
    if (!(is_quoted ? read_quoted(word) : read_plain(word))) return false;
    const bool is_null = !is_quoted && !has_escape_ && is_null_word(word);
    words_.push_back(is_null ? Value() : Value::text(std::move(word)));
    return true;
  }

  bool read_quoted(std::string& word) {
    ++at_;
    while (at_ < text_.size() && peek() != '"') {
      accept('\\');
      if (at_ < text_.size()) word += text_[at_++];
    }
    return accept('"');
  }

  // Up to the next delimiter, without the blanks at its end that are not escaped.
  bool read_plain(std::string& word) {
    has_escape_ = false;
    std::size_t kept = 0;
    while (at_ < text_.size() && peek() != ',' && peek() != '}') {
      if (peek() == '{' || peek() == '"') return false;
      const bool is_escaped = accept('\\');
      if (at_ == text_.size()) return false;
      word += text_[at_];
      if (is_escaped || !is_array_blank(text_[at_])) kept = word.size();
      has_escape_ = has_escape_ || is_escaped;
      ++at_;
    }
    word.resize(kept);
    return kept > 0;
  }

  const std::string& text_;
  const Type& element_;
  Context& context_;
  std::size_t at_ = 0;
  bool has_escape_ = false;
  std::vector<Value> words_;
};

}  // namespace

Value call_array(Function function, std::span<const Value> arguments, Context& context) {
  const Value& first = arguments[0];
  switch (function) {
    case Function::ArrayAppend:
      return appended(first, arguments[1], context);
    case Function::ArrayPrepend:
      return prepended(first, arguments[1], context);
    case Function::ArrayConcat:
      return joined(first, arguments[1], context);
    case Function::ArrayRemove:
      return removed(first, arguments[1]);
    case Function::ArrayPosition:
      return position(first, arguments[1]);
    case Function::Element:
      return element(first, arguments[1]);
    case Function::ArrayLength:
      return length(first, arguments[1]);
    case Function::Cardinality:
      return Value::integer(static_cast<std::int64_t>(first.items().size()));
    case Function::ArrayContains: {
      const auto wanted = arguments[1].items();
      return Value::boolean(
          std::all_of(wanted.begin(), wanted.end(),
                      [&](const Value& item) { return contains(first, item); }));
    }
    case Function::ArrayOverlaps: {
      const auto wanted = arguments[1].items();
      return Value::boolean(
          std::any_of(wanted.begin(), wanted.end(),
                      [&](const Value& item) { return contains(first, item); }));
    }
    default:
      ISOMER_UNREACHABLE();
  }
}

Value array_of_text(const std::string& text, const Type& type, Context& context) {
  Type element;
  element.kind = type.element;
  return ArrayReader(text, element, context).read();
}

}  // namespace isomer::program
