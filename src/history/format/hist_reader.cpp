// SPDX-License-Identifier: MIT
// Recursive descent, one function a rule of the grammar in hist.cpp.  After a
// mistake it goes on at the next line that begins a session.
#include "history/format/hist_reader.h"

#include <optional>
#include <utility>

#include <fmt/core.h>

#include "history/builder.h"
#include "history/format/cursor.h"
#include "history/unique_elements.h"

namespace isomer::history {
namespace {

void skip_comments(Cursor& cursor) {
  cursor.skip_spaces();
  while (cursor.peek() == '#') {
    cursor.skip_line();
    cursor.skip_spaces();
  }
}

struct Name {
  std::string text;
  std::size_t offset;
  bool is_quoted;

  [[nodiscard]] bool is(std::string_view word) const { return !is_quoted && text == word; }
};

template <class T>
using Result = tl::expected<T, Diagnostic>;

class HistReader {
 public:
  explicit HistReader(const Source& source)
      : source_(source), cursor_(source.text), lines_(source.text) {}

  Expected<Parsed> run();

 private:
  struct Append {
    KeyId key;
    Value element;
    std::size_t offset;
  };

  [[nodiscard]] Diagnostic expected(std::string_view what) const;
  Result<void> expect(std::string_view punctuation, std::string_view after);
  std::optional<Name> take_unquoted(std::string_view word);
  Result<Name> name(std::string_view what);
  Result<Value> value(std::string_view what);
  Result<std::vector<Value>> list();

  Result<void> statement();
  Result<void> initial_values();
  Result<void> initial_value(const Name& key);
  Result<void> transaction(const std::optional<Name>& name);
  Result<void> operation(HistoryBuilder::Token txn);
  Result<void> place();
  Result<void> status(HistoryBuilder::Token txn);
  Result<void> check_appends();
  Result<void> check_kinds() const;
  void recover(std::size_t statement_offset);

  const Source& source_;
  Cursor cursor_;
  LineCounter lines_;
  HistoryBuilder builder_;
  UniqueElements elements_;
  std::optional<SessionId> session_;
  std::vector<Append> appends_;  // of the transaction at hand
  bool has_no_initial_ = false;
  std::optional<Value> initial_;
  std::optional<std::size_t> register_offset_;  // of the first operation that is no list's
  std::optional<std::size_t> list_offset_;      // of the first that is
};

Diagnostic HistReader::expected(std::string_view what) const {
  return expected_at(source_, cursor_.offset(), what);
}

Result<void> HistReader::expect(std::string_view punctuation, std::string_view after) {
  skip_comments(cursor_);
  if (cursor_.take(punctuation)) return {};
  return tl::unexpected(expected(fmt::format("'{}' after {}", punctuation, after)));
}

Result<Name> HistReader::name(std::string_view what) {
  skip_comments(cursor_);
  const std::size_t offset = cursor_.offset();
  if (cursor_.peek() == '"')
    return quoted_string(cursor_, source_).map([&](std::string&& text) {
      return Name{.text = std::move(text), .offset = offset, .is_quoted = true};
    });
  const std::string_view word = cursor_.take_while(is_hist_word);
  if (word.empty()) return tl::unexpected(expected(what));
  return Name{.text = std::string(word), .offset = offset, .is_quoted = false};
}

// Takes `word` if it stands here and names nothing: no ':' follows.
std::optional<Name> HistReader::take_unquoted(std::string_view word) {
  const Cursor before = cursor_;
  skip_comments(cursor_);
  const std::size_t offset = cursor_.offset();
  if (cursor_.take_while(is_hist_word) == word) {
    Cursor after = cursor_;
    skip_comments(after);
    if (after.peek() != ':' && after.peek() != '=')
      return Name{.text = std::string(word), .offset = offset, .is_quoted = false};
  }
  cursor_ = before;
  return {};
}

Result<Value> HistReader::value(std::string_view what) {
  const Result<Name> word = name(what);
  if (!word) return tl::unexpected(word.error());
  if (word->is("nil")) return Value::none();
  return word->is_quoted ? builder_.string_value(word->text)
                         : value_of_word(builder_, word->text);
}

Result<std::vector<Value>> HistReader::list() {
  std::vector<Value> elements;
  cursor_.advance();
  while (true) {
    skip_comments(cursor_);
    if (cursor_.take("]")) return elements;
    if (!elements.empty()) cursor_.take(",");
    const Result<Value> element = value("a list element or ']'");
    if (!element) return tl::unexpected(element.error());
    elements.push_back(*element);
  }
}

Result<void> HistReader::initial_value(const Name& key) {
  const Result<Value> given = value("an initial value");
  if (!given) return tl::unexpected(given.error());
  if (key.is("*"))
    initial_ = *given;
  else
    builder_.set_initial(builder_.key(key.text), *given);
  return {};
}

Result<void> HistReader::initial_values() {
  bool is_empty = true;
  if (take_unquoted("none")) {
    has_no_initial_ = true;
    is_empty = false;
  }
  while (true) {
    const Cursor before = cursor_;
    skip_comments(cursor_);
    const bool is_name = cursor_.peek() == '"' || is_hist_word(cursor_.peek());
    const Result<Name> key = is_name ? name("a key") : Name{};
    if (!key) return tl::unexpected(key.error());
    skip_comments(cursor_);
    if (!is_name || !cursor_.take("=")) {
      cursor_ = before;
      break;
    }
    if (Result<void> done = initial_value(*key); !done) return done;
    is_empty = false;
  }
  skip_comments(cursor_);
  if (is_empty) return tl::unexpected(expected("KEY=VALUE, *=VALUE or none after 'init'"));
  return {};
}

Result<void> HistReader::operation(HistoryBuilder::Token txn) {
  const std::size_t offset = cursor_.offset();
  const std::string_view kind = cursor_.take_while(is_hist_word);
  if (kind != "r" && kind != "w" && kind != "a") {
    cursor_ = Cursor(source_.text, offset);
    return tl::unexpected(expected("an operation r(KEY)=VALUE, w(KEY)=VALUE or '}'"));
  }
  if (auto done = expect("(", fmt::format("'{}'", kind)); !done) return done;
  const Result<Name> key_name = name("a key");
  if (!key_name) return tl::unexpected(key_name.error());
  const KeyId key = builder_.key(key_name->text);
  skip_comments(cursor_);
  const bool has_comma = cursor_.take(",");
  if (!has_comma) {
    if (auto done = expect(")", "the key"); !done) return done;
    if (auto done = expect("=", "the key"); !done) return done;
  }
  skip_comments(cursor_);
  if (kind == "r" && cursor_.peek() == '[') {
    Result<std::vector<Value>> elements = list();
    if (!elements) return tl::unexpected(elements.error());
    if (!list_offset_) list_offset_ = offset;
    builder_.read_list(txn, key, std::move(*elements));
  } else {
    const Result<Value> given = value(kind == "r" ? "a value or a list" : "a value");
    if (!given) return tl::unexpected(given.error());
    auto& first_offset = kind == "a" ? list_offset_ : register_offset_;
    if (!first_offset) first_offset = offset;
    if (kind == "r")
      builder_.read(txn, key, *given);
    else
      builder_.write(txn, key, *given);
    if (kind == "a") appends_.push_back({.key = key, .element = *given, .offset = offset});
  }
  return has_comma ? expect(")", "the value") : Result<void>{};
}

Result<void> HistReader::place() {
  cursor_.advance();
  if (cursor_.peek() == '"') {
    const auto text = quoted_string(cursor_, source_);
    if (!text) return tl::unexpected(text.error());
    builder_.set_place(*text);
    return {};
  }
  const std::string_view text = cursor_.take_while(is_hist_place);
  if (text.empty())
    return tl::unexpected(expected("a place such as bank.sql:12 after '@'"));
  builder_.set_place(text);
  return {};
}

Result<void> HistReader::check_appends() {
  for (const Append& append : appends_)
    if (const auto first = elements_.add(append.key, append.element, append.offset)) {
      Diagnostic twice =
          source_.at(append.offset, "this element is appended to this key a second time");
      twice.notes.push_back({position_of(source_.text, *first), "first appended here"});
      return tl::unexpected(std::move(twice));
    }
  return {};
}

Result<void> HistReader::status(HistoryBuilder::Token txn) {
  if (take_unquoted("abort")) {
    builder_.set_status(txn, Status::Aborted);
    return {};
  }
  if (take_unquoted("unknown")) builder_.set_status(txn, Status::Unknown);
  return check_appends();
}

Result<void> HistReader::transaction(const std::optional<Name>& name) {
  const std::size_t opened = cursor_.offset();
  if (!session_)
    return tl::unexpected(source_.at(
        opened, "a transaction needs a session: write its name and ':' before it"));
  const auto line = lines_.line_of(name ? name->offset : opened);
  const HistoryBuilder::Token txn = builder_.begin(*session_, line);
  if (name) builder_.set_name(txn, name->text);
  appends_.clear();
  cursor_.advance();
  while (true) {
    skip_comments(cursor_);
    if (cursor_.take("}")) return status(txn);
    if (cursor_.at_end()) {
      Diagnostic open = expected("'}' at the end of the transaction");
      open.notes.push_back({position_of(source_.text, opened), "opened here"});
      return tl::unexpected(std::move(open));
    }
    Result<void> done = operation(txn);
    if (done) {
      skip_comments(cursor_);
      if (cursor_.peek() == '@') done = place();
    }
    if (!done) {
      const Position open = position_of(source_.text, opened);
      if (done.error().at.line != open.line)
        done.error().notes.push_back({open, "in the transaction that begins here"});
      return done;
    }
  }
}

Result<void> HistReader::statement() {
  if (cursor_.peek() == '{') return transaction({});
  const Result<Name> first = name("a session name and ':', or a transaction '{ ... }'");
  if (!first) return tl::unexpected(first.error());
  skip_comments(cursor_);
  if (cursor_.take(":")) {
    session_ = builder_.session(first->text);
    return {};
  }
  if (cursor_.peek() == '{') return transaction(*first);
  if (first->is("init")) return initial_values();
  cursor_ = Cursor(source_.text, first->offset);
  return tl::unexpected(
      expected("a session 'NAME:', a transaction '{ ... }', 'abort' or 'unknown'"));
}

// Goes to the next line that begins a session or an init line.
void HistReader::recover(std::size_t statement_offset) {
  const std::size_t newline = source_.text.rfind('\n', cursor_.offset());
  const bool is_on_later_line =
      newline != std::string_view::npos && newline > statement_offset;
  if (is_on_later_line) cursor_ = Cursor(source_.text, newline);
  while (!cursor_.at_end()) {
    if (cursor_.peek() == '\n') {
      cursor_.advance();
      Cursor probe = cursor_;
      probe.skip_blanks();
      const std::string_view word = probe.take_while(is_hist_word);
      probe.skip_blanks();
      if (!word.empty() && (probe.peek() == ':' || word == "init")) return;
    }
    cursor_.skip_line();
  }
}

Result<void> HistReader::check_kinds() const {
  if (!list_offset_ || !register_offset_) return {};
  const bool is_list_first = *list_offset_ < *register_offset_;
  const std::size_t second = is_list_first ? *register_offset_ : *list_offset_;
  const std::size_t first = is_list_first ? *list_offset_ : *register_offset_;
  Diagnostic mixed = source_.at(
      second, is_list_first ? "expected an append a(KEY)=VALUE or a read of a list"
                            : "a list-append operation among plain reads and writes");
  mixed.notes.push_back(
      {position_of(source_.text, first),
       is_list_first ? "this makes the history a list-append one" : "the first of those"});
  return tl::unexpected(std::move(mixed));
}

Expected<Parsed> HistReader::run() {
  Diagnostics errors;
  builder_.reserve_operations(source_.text.size() / 8);
  Patience patience(source_.budget);
  for (skip_comments(cursor_);
       !cursor_.at_end() && errors.size() < errors_max && !patience.is_over();
       skip_comments(cursor_)) {
    const std::size_t offset = cursor_.offset();
    if (Result<void> done = statement(); !done) {
      errors.push_back(std::move(done.error()));
      recover(offset);
    }
  }
  if (Result<void> done = check_kinds(); errors.empty() && !done)
    errors.push_back(std::move(done.error()));
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  if (list_offset_) builder_.set_list_append();
  if (initial_ || !has_no_initial_)
    builder_.set_initial(
        initial_.value_or(list_offset_ ? Value::none() : Value::integer(0)));
  return Parsed{.history = builder_.build(source_.budget), .warnings = {}};
}

// A name, and what follows it.
char after_name(Cursor& cursor) {
  skip_comments(cursor);
  const Source source{.name = {}, .text = cursor.rest()};
  if (cursor.peek() == '"') {
    Cursor quoted(source.text);
    if (!quoted_string(quoted, source)) return '\0';
    cursor.advance(quoted.offset());
  } else if (cursor.take_while(is_hist_word).empty()) {
    return '\0';
  }
  skip_comments(cursor);
  return cursor.peek();
}

}  // namespace

bool is_hist_word(char c) {
  static constexpr Delimiters delimiters(":{}()=[],\"#");
  return !delimiters.contains(c);
}

bool is_hist_place(char c) {
  return c == ':' || is_hist_word(c);
}

Expected<Parsed> read_hist(const Source& source) {
  return HistReader(source).run();
}

// After comments: an init line, or a session name, ':' and the beginning of a transaction.
bool looks_like_hist(std::string_view text) {
  Cursor cursor(text);
  cursor.skip_spaces();
  Cursor first_line = cursor;
  first_line.skip_line();
  const std::string_view line =
      text.substr(cursor.offset(), first_line.offset() - cursor.offset());
  // A tagged form of EDN, not a comment.
  if (line.starts_with('#') && line.find("{:") != std::string_view::npos) return false;
  skip_comments(cursor);
  if (cursor.at_end()) return !line.empty();
  if (cursor.rest().starts_with("init") && is_space(cursor.peek(4))) return true;
  if (after_name(cursor) != ':') return false;
  cursor.advance();
  skip_comments(cursor);
  if (cursor.at_end() || cursor.peek() == '{') return true;
  const char next = after_name(cursor);
  return next == '{' || next == '(' || next == ':';
}

}  // namespace isomer::history
