// SPDX-License-Identifier: MIT
#include "history/format/edn.h"

#include <fmt/core.h>

namespace isomer::history {
namespace {

bool is_symbol(char c) {
  static constexpr Delimiters delimiters(",;\"()[]{}");
  return !delimiters.contains(c);
}

void skip_edn_blanks(Cursor& cursor) {
  while (true) {
    cursor.take_while([](char c) { return is_space(c) || c == ',' || c == '\f'; });
    if (cursor.peek() != ';') return;
    cursor.skip_line();
  }
}

}  // namespace

void EdnParser::skip_blanks() {
  skip_edn_blanks(cursor_);
}

Diagnostic EdnParser::expected(std::string_view what) const {
  return expected_at(source_, cursor_.offset(), what);
}

// Blanks, comments, and forms discarded by #_ .
EdnParser::Done EdnParser::skip_ignored(DatumTree& tree, std::size_t depth) {
  if (depth > nesting_max)
    return tl::unexpected(source_.at(cursor_.offset(), "this is nested too deeply"));
  skip_blanks();
  while (cursor_.peek() == '#' && cursor_.take("#_")) {
    const std::uint32_t before = tree.size();
    if (Done done = skip_ignored(tree, depth + 1); !done) return done;
    if (Done done = form(tree, depth + 1); !done) return done;
    tree.cut(before);
    skip_blanks();
  }
  return {};
}

EdnParser::Done EdnParser::sequence(DatumTree& tree, DatumKind kind, char closer,
                                    std::size_t depth) {
  const std::size_t opened = cursor_.offset();
  const std::uint32_t node = tree.add(kind, opened);
  cursor_.advance();
  std::size_t count = 0;
  while (true) {
    if (Done done = skip_ignored(tree, depth); !done) return done;
    if (cursor_.peek() == closer && !cursor_.at_end()) break;
    if (cursor_.at_end()) {
      Diagnostic open = expected(fmt::format("'{}'", closer));
      open.notes.push_back({position_of(source_.text, opened), "opened here"});
      return tl::unexpected(std::move(open));
    }
    if (Done done = form(tree, depth + 1); !done) return done;
    ++count;
  }
  if (kind == DatumKind::Map && count % 2 != 0)
    return tl::unexpected(source_.at(opened, "this map has a key without a value"));
  cursor_.advance();
  tree.close(node);
  return {};
}

EdnParser::Done EdnParser::text(DatumTree& tree) {
  const std::size_t offset = cursor_.offset();
  const std::string_view rest = cursor_.rest().substr(1);
  // EDN strings may span lines, so the end is sought here and the rare escapes after.
  std::size_t end = 0;
  bool has_escapes = false;
  while (end < rest.size() && rest[end] != '"') {
    has_escapes = has_escapes || rest[end] == '\\';
    end += rest[end] == '\\' ? 2 : 1;
  }
  if (end >= rest.size())
    return tl::unexpected(source_.at(offset, "this string is not closed"));
  const std::string_view raw = rest.substr(0, end);
  std::string_view decoded = raw;
  if (has_escapes && raw.find('\n') == std::string_view::npos) {
    auto string = quoted_string(cursor_, source_);
    if (!string) return tl::unexpected(string.error());
    decoded = tree.keep(std::move(*string));
  } else {
    cursor_.advance(end + 2);
  }
  tree.add_text(DatumKind::Text, offset, decoded);
  return {};
}

// Numbers, keywords, symbols and characters.
EdnParser::Done EdnParser::atom(DatumTree& tree) {
  const std::size_t offset = cursor_.offset();
  if (cursor_.take("\\")) {
    cursor_.advance();
    cursor_.take_while(is_symbol);
    const std::size_t length = cursor_.offset() - offset;
    tree.add_text(DatumKind::Text, offset, source_.text.substr(offset, length));
    return {};
  }
  std::string_view word = cursor_.take_while(is_symbol);
  if (word.empty()) return tl::unexpected(expected("a form"));
  if (word.starts_with(':')) {
    tree.add_text(DatumKind::Keyword, offset, word.substr(1));
    return {};
  }
  if (word == "nil") {
    tree.add(DatumKind::Nil, offset);
    return {};
  }
  std::string_view digits = word;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.ends_with('N')) digits.remove_suffix(1);
  if (const auto number = is_integer(digits) ? integer_of(digits) : std::nullopt)
    tree.add_integer(offset, *number);
  else
    tree.add_text(DatumKind::Text, offset, is_integer(digits) ? digits : word);
  return {};
}

// After '#': a set, a regular expression, or a tag and its form.
EdnParser::Done EdnParser::hash_form(DatumTree& tree, std::size_t depth) {
  cursor_.advance();
  if (cursor_.peek() == '{') return sequence(tree, DatumKind::List, '}', depth);
  if (cursor_.peek() == '"') return text(tree);
  if (cursor_.take_while(is_symbol).empty())
    return tl::unexpected(expected("a tag after '#'"));
  if (Done done = skip_ignored(tree, depth); !done) return done;
  return form(tree, depth + 1);
}

EdnParser::Done EdnParser::form(DatumTree& tree, std::size_t depth) {
  switch (cursor_.peek()) {
    case '(':
      return sequence(tree, DatumKind::List, ')', depth);
    case '[':
      return sequence(tree, DatumKind::List, ']', depth);
    case '{':
      return sequence(tree, DatumKind::Map, '}', depth);
    case '#':
      return hash_form(tree, depth);
    case '"':
      return text(tree);
    default:
      return atom(tree);
  }
}

tl::expected<bool, Diagnostic> EdnParser::next(DatumTree& tree) {
  tree.clear();
  if (Done done = skip_ignored(tree, 0); !done) return tl::unexpected(done.error());
  if (!is_begun_ && (cursor_.peek() == '[' || cursor_.peek() == '(')) {
    closer_ = cursor_.peek() == '[' ? ']' : ')';
    opened_ = cursor_.offset();
    cursor_.advance();
    if (Done done = skip_ignored(tree, 0); !done) return tl::unexpected(done.error());
  }
  is_begun_ = true;
  if (closer_ != 0 && cursor_.at_end()) {
    Diagnostic open = expected(fmt::format("'{}' at the end of the history", closer_));
    open.notes.push_back({position_of(source_.text, opened_), "opened here"});
    return tl::unexpected(std::move(open));
  }
  if (closer_ != 0 && cursor_.peek() == closer_) {
    cursor_.advance();
    closer_ = 0;
    if (Done done = skip_ignored(tree, 0); !done) return tl::unexpected(done.error());
    if (!cursor_.at_end()) return tl::unexpected(expected("the end of the file"));
  }
  if (cursor_.at_end()) return false;
  if (Done done = form(tree, 0); !done) return tl::unexpected(done.error());
  return true;
}

std::size_t first_edn_form(std::string_view text) {
  Cursor cursor(text);
  skip_edn_blanks(cursor);
  if (cursor.peek() == '#' && is_symbol(cursor.peek(1))) {
    cursor.take_while(is_symbol);
    skip_edn_blanks(cursor);
  }
  return cursor.offset();
}

}  // namespace isomer::history
