// SPDX-License-Identifier: MIT
// dbcop's text:
//
//   // session 1
//   [x:=1 y:=2] [y==2 x:=3]
//   [z:=1]!
//   ---
//   [x==1 z==?]
//
// ":=" writes, "==" reads, "?" is the initial state, "]!" ends a transaction that did not
// commit, a line of dashes ends a session.
#include <optional>

#include <fmt/core.h>

#include "history/format/cursor.h"
#include "history/format/dbcop_sessions.h"
#include "history/format/format.h"

namespace isomer::history {
namespace {

bool is_word(char c) {
  static constexpr Delimiters delimiters(":=[]!?/,");
  return !delimiters.contains(c);
}

void skip_comments(Cursor& cursor) {
  while (true) {
    cursor.take_while([](char c) { return is_space(c) || c == ','; });
    if (!cursor.take("//")) return;
    cursor.skip_line();
  }
}

class DbcopTextReader {
 public:
  explicit DbcopTextReader(const Source& source)
      : source_(source), cursor_(source.text), lines_(source.text) {}

  Expected<Parsed> run();

 private:
  using Done = tl::expected<void, Diagnostic>;

  Done item();
  Done transaction();
  Done event(HistoryBuilder::Token txn);
  void recover();

  [[nodiscard]] tl::unexpected<Diagnostic> expected(std::string_view what) const {
    return tl::unexpected(expected_at(source_, cursor_.offset(), what));
  }

  const Source& source_;
  Cursor cursor_;
  LineCounter lines_;
  VersionedBuilder versions_;
  std::int64_t session_ = 1;
};

DbcopTextReader::Done DbcopTextReader::event(HistoryBuilder::Token txn) {
  const std::string_view name = cursor_.take_while(is_word);
  if (name.empty()) return expected("a variable or ']'");
  const KeyId key = versions_.builder().key(name);
  const bool is_write = cursor_.take(":=");
  if (!is_write && !cursor_.take("=="))
    return expected("':=' (a write) or '==' (a read) after the variable");
  if (!is_write && cursor_.take("?")) {
    versions_.read(txn, key, {});
    return {};
  }
  const std::string_view digits = cursor_.take_while(is_word);
  if (digits.empty()) return expected(is_write ? "a version" : "a version or '?'");
  const Value version = value_of_word(versions_.builder(), digits);
  if (is_write)
    versions_.write(txn, key, version);
  else
    versions_.read(txn, key, version);
  return {};
}

DbcopTextReader::Done DbcopTextReader::transaction() {
  const std::size_t opened = cursor_.offset();
  HistoryBuilder& builder = versions_.builder();
  const auto txn = builder.begin(builder.session(session_), lines_.line_of(opened));
  cursor_.advance();
  while (true) {
    skip_comments(cursor_);
    if (cursor_.take("]")) break;
    if (cursor_.at_end()) {
      Diagnostic open = expected("']' at the end of the transaction").value();
      open.notes.push_back({position_of(source_.text, opened), "opened here"});
      return tl::unexpected(std::move(open));
    }
    if (Done done = event(txn); !done) return done;
  }
  if (cursor_.take("!")) builder.set_status(txn, Status::Aborted);
  return {};
}

DbcopTextReader::Done DbcopTextReader::item() {
  if (cursor_.peek() == '[') return transaction();
  if (!cursor_.take("---")) return expected("a transaction '[...]' or a line '---'");
  cursor_.take_while([](char c) { return c == '-'; });
  ++session_;
  return {};
}

// Goes to the next line that begins a transaction or ends a session.
void DbcopTextReader::recover() {
  do {
    cursor_.skip_line();
    cursor_.skip_spaces();
  } while (!cursor_.at_end() && cursor_.peek() != '[' &&
           !cursor_.rest().starts_with("---"));
}

Expected<Parsed> DbcopTextReader::run() {
  Diagnostics errors;
  Patience patience(source_.budget);
  for (skip_comments(cursor_);
       !cursor_.at_end() && errors.size() < errors_max && !patience.is_over();
       skip_comments(cursor_))
    if (Done done = item(); !done) {
      errors.push_back(std::move(done.error()));
      recover();
    }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return Parsed{.history = versions_.build(source_.budget), .warnings = {}};
}

// '[', and then a variable with ":=" or "==", or ']'.
bool looks_like_dbcop_text(std::string_view text) {
  Cursor cursor(text);
  const bool has_comment = cursor.rest().starts_with("//");
  skip_comments(cursor);
  if (cursor.at_end()) return has_comment;
  if (!cursor.take("[")) return has_comment;
  skip_comments(cursor);
  if (cursor.peek() == ']' && cursor.peek(1) == '!') return true;
  if (cursor.take_while(is_word).empty()) return false;
  return cursor.take(":=") || cursor.take("==");
}

}  // namespace

const FormatRow dbcop_text_format{
    .format = {.name = "dbcop-text",
               .title = "dbcop's text: [x:=1 y==2]",
               .is_writable = false,
               .is_directory = false},
    .is_text = true,
    .keeps_places = false,
    .keeps = Keeps::EmptySessions,
    .looks_like = looks_like_dbcop_text,
    .read = [](const Source& source) { return DbcopTextReader(source).run(); },
    .read_directory = nullptr,
    .write = nullptr,
};

}  // namespace isomer::history
