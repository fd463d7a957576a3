// SPDX-License-Identifier: MIT
// AWDIT's test format: one operation a line, a line of dashes between transactions, a line
// of equal signs between sessions.  Nothing is written initially: a history that begins
// with 0 says so in a transaction of its own.
//
//   w 0 1
//   -----
//   r 0 1
//   =====
//   r 0 1
#include <optional>

#include <fmt/core.h>
#include <fmt/format.h>

#include "history/builder.h"
#include "history/format/cursor.h"
#include "history/format/format.h"
#include "history/format/numbering.h"

namespace isomer::history {
namespace {

class AwditReader {
 public:
  explicit AwditReader(const Source& source) : source_(source), cursor_(source.text) {}

  Expected<Parsed> run();

 private:
  tl::expected<void, Diagnostic> line();
  tl::expected<std::string_view, Diagnostic> number(std::string_view what);

  [[nodiscard]] bool at_line_end() const {
    return cursor_.at_end() || cursor_.peek() == '\n';
  }

  const Source& source_;
  Cursor cursor_;
  std::uint32_t line_ = 0;
  std::int64_t sessions_ = 0;
  HistoryBuilder builder_;
  std::optional<SessionId> session_;
  std::optional<HistoryBuilder::Token> txn_;
};

tl::expected<std::string_view, Diagnostic> AwditReader::number(std::string_view what) {
  cursor_.skip_blanks();
  const std::size_t offset = cursor_.offset();
  const std::string_view digits = cursor_.take_while(is_digit);
  if (!digits.empty()) return digits;
  return tl::unexpected(expected_at(source_, offset, what));
}

tl::expected<void, Diagnostic> AwditReader::line() {
  cursor_.skip_blanks();
  const std::size_t offset = cursor_.offset();
  const char kind = cursor_.peek();
  if (at_line_end()) return {};
  if (kind == '=' || kind == '-') {
    cursor_.take_while([&](char c) { return c == kind; });
    txn_.reset();
    if (kind == '=') session_.reset();
    return {};
  }
  cursor_.advance();
  if ((kind != 'r' && kind != 'w') || !is_blank(cursor_.peek()))
    return tl::unexpected(
        expected_at(source_, offset, "'r KEY VALUE', 'w KEY VALUE', ----- or ====="));
  const auto key_digits = number("a key");
  if (!key_digits) return tl::unexpected(key_digits.error());
  const auto value_digits = number("a value");
  if (!value_digits) return tl::unexpected(value_digits.error());
  if (!session_) session_ = builder_.session(sessions_++);
  if (!txn_) txn_ = builder_.begin(*session_, line_);
  const KeyId key = builder_.key(*key_digits);
  const Value value = value_of_word(builder_, *value_digits);
  if (kind == 'r')
    builder_.read(*txn_, key, value);
  else
    builder_.write(*txn_, key, value);
  return {};
}

Expected<Parsed> AwditReader::run() {
  Diagnostics errors;
  Patience patience(source_.budget);
  while (!cursor_.at_end() && errors.size() < errors_max && !patience.is_over()) {
    ++line_;
    if (const auto done = line(); !done) {
      errors.push_back(done.error());
    } else {
      cursor_.skip_blanks();
      if (!at_line_end())
        errors.push_back(expected_at(source_, cursor_.offset(), "the end of the line"));
    }
    cursor_.skip_line();
    cursor_.advance();
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return Parsed{.history = builder_.build(source_.budget), .warnings = {}};
}

void append_initial_transaction(std::string& out, const History& history,
                                const RegisterView& view) {
  for (KeyId x{0}; x.index < history.key_count(); ++x.index)
    if (history.initial_value(x)) out += fmt::format("w {} 0\n", view.key(x));
}

Expected<WriteResult> write_awdit(const History& history) {
  WriteResult result;
  const RegisterView view(history, result.warnings);
  append_initial_transaction(result.bytes, history, view);
  if (!result.bytes.empty())
    result.warnings.emplace_back(
        "the initial values are written by a session of their own, which in this format "
        "does not come before the others");
  if (view.has_aborted()) result.warnings.emplace_back("aborted transactions are left out");
  for (SessionId s{0}; s.index < history.session_count(); ++s.index) {
    std::string session;
    for (TxnId t = history.first_txn(s); t < history.end_txn(s); ++t.index) {
      if (view.status(t) == Status::Aborted) continue;
      if (!session.empty() && !session.ends_with("-----\n")) session += "-----\n";
      for (const Operation& op : view.operations(t))
        session += fmt::format("{} {} {}\n", op.kind == OpKind::Read ? 'r' : 'w',
                               view.key(op.key), view.value(op));
    }
    if (!session.empty() && !result.bytes.empty()) result.bytes += "=====\n";
    result.bytes += session;
  }
  return result;
}

// A line "r 1 2", or a separator and then such a line.
bool looks_like_awdit(std::string_view text) {
  Cursor cursor(text);
  cursor.take_while([](char c) { return is_space(c) || c == '=' || c == '-'; });
  if (cursor.peek() != 'r' && cursor.peek() != 'w') return false;
  cursor.advance();
  if (!is_blank(cursor.peek())) return false;
  cursor.skip_blanks();
  return is_digit(cursor.peek());
}

}  // namespace

const FormatRow awdit_format{
    .format = {.name = "awdit",
               .title = "AWDIT's test format: w 0 1, ----- and =====",
               .is_writable = true,
               .is_directory = false},
    .is_text = true,
    .keeps_places = false,
    .keeps = Keeps::Operations,
    .looks_like = looks_like_awdit,
    .read = [](const Source& source) { return AwditReader(source).run(); },
    .read_directory = nullptr,
    .write = write_awdit,
};

}  // namespace isomer::history
