// SPDX-License-Identifier: MIT
// dbcop's JSON: an array of sessions, or an object with that array in "data".  A session is
// an array of transactions {"events": [...], "committed": true}; an event is
//
//   {"Write": {"variable": 0, "version": 1}}     or   ["w", 0, 1]
//   {"Read": {"variable": 0, "version": null}}   or   ["r", 0, null]
#include <optional>

#include <algorithm>

#include <fmt/core.h>
#include <fmt/format.h>

#include "history/datum.h"
#include "history/format/cursor.h"
#include "history/format/dbcop_sessions.h"
#include "history/format/format.h"
#include "history/format/json_values.h"
#include "history/format/numbering.h"

namespace isomer::history {
namespace {

template <class T>
using Result = tl::expected<T, Diagnostic>;

class DbcopReader {
 public:
  explicit DbcopReader(const Source& source)
      : source_(source), lines_(source.text), patience_(source.budget) {}

  Expected<Parsed> run();

 private:
  Result<void> session(const Datum& session, std::int64_t number);
  Result<void> transaction(const Datum& transaction, SessionId session);
  Result<void> event(const Datum& event, HistoryBuilder::Token txn);
  Result<void> event(const Datum& kind, const Datum& variable, const Datum& version,
                     HistoryBuilder::Token txn);

  const Source& source_;
  LineCounter lines_;
  Patience patience_;
  VersionedBuilder versions_;
  Diagnostics errors_;
};

Result<void> DbcopReader::event(const Datum& kind, const Datum& variable,
                                const Datum& version, HistoryBuilder::Token txn) {
  const bool is_read = kind.is_word("r") || kind.is_word("Read");
  if (!is_read && !kind.is_word("w") && !kind.is_word("Write"))
    return tl::unexpected(unexpected_datum(source_, kind, "a Read or a Write"));
  const auto key = key_of(versions_.builder(), source_, variable);
  if (!key) return tl::unexpected(key.error());
  if (is_read && version.is(DatumKind::Nil)) {
    versions_.read(txn, *key, {});
    return {};
  }
  const auto value = value_of(versions_.builder(), source_, version);
  if (!value) return tl::unexpected(value.error());
  if (version.is(DatumKind::Nil))
    return tl::unexpected(
        unexpected_datum(source_, version, "the version that is written"));
  if (is_read)
    versions_.read(txn, *key, *value);
  else
    versions_.write(txn, *key, *value);
  return {};
}

Result<void> DbcopReader::event(const Datum& event_form, HistoryBuilder::Token txn) {
  if (event_form.is(DatumKind::List) && event_form.size() == 3)
    return event(event_form.child(0), event_form.child(1), event_form.child(2), txn);
  if (event_form.is(DatumKind::Map) && event_form.size() == 2) {
    const Datum fields = event_form.child(1);
    const auto variable = fields.find("variable");
    const auto version = fields.find("version");
    if (variable && version) return event(event_form.child(0), *variable, *version, txn);
  }
  return tl::unexpected(unexpected_datum(
      source_, event_form,
      "an event such as {\"Write\": {\"variable\": 0, \"version\": 1}} or [\"w\", 0, 1]"));
}

Result<void> DbcopReader::transaction(const Datum& transaction, SessionId session) {
  const auto events = transaction.find("events");
  if (!events || !events->is(DatumKind::List))
    return tl::unexpected(
        unexpected_datum(source_, transaction, "a transaction with a list of \"events\""));
  const auto txn = versions_.builder().begin(session, lines_.line_of(transaction.offset()));
  if (const auto committed = transaction.find("committed")) {
    if (!committed->is_word("true") && !committed->is_word("false"))
      return tl::unexpected(unexpected_datum(source_, *committed, "true or false"));
    if (committed->is_word("false")) versions_.builder().set_status(txn, Status::Aborted);
  }
  for (const Datum one : *events)
    if (auto done = event(one, txn); !done) return done;
  return {};
}

Result<void> DbcopReader::session(const Datum& session, std::int64_t number) {
  if (!session.is(DatumKind::List))
    return tl::unexpected(
        unexpected_datum(source_, session, "a session (an array of transactions)"));
  const SessionId id = versions_.builder().session(number);
  for (const Datum one : session) {
    if (errors_.size() == errors_max || patience_.is_over()) break;
    if (auto done = transaction(one, id); !done) errors_.push_back(std::move(done.error()));
  }
  return {};
}

Expected<Parsed> DbcopReader::run() {
  JsonParser parser;
  DatumTree tree;
  if (auto done = parser.parse(source_, 0, source_.text.size(), tree); !done)
    return failure(std::move(done.error()));
  const Datum root = tree.root();
  const Datum sessions = root.find("data").value_or(root);
  if (!sessions.is(DatumKind::List))
    return failure(unexpected_datum(
        source_, sessions, "an array of sessions, or an object with one in \"data\""));
  std::int64_t number = 0;
  for (const Datum one : sessions) {
    if (errors_.size() == errors_max) break;
    if (auto done = session(one, ++number); !done)
      errors_.push_back(std::move(done.error()));
  }
  if (!errors_.empty()) return tl::unexpected(std::move(errors_));
  return Parsed{.history = versions_.build(source_.budget), .warnings = {}};
}

// --- writing ---

// Variables to which somebody writes what they begin with: there a read of 0 is a read of
// that write, and the initial state cannot be told from it.
std::vector<bool> keys_with_written_zero(const History& history, const RegisterView& view) {
  std::vector<bool> is_written(history.key_count(), false);
  for (const Operation& op : history.operations())
    if (op.kind == OpKind::Write && view.value(op) == 0) is_written[op.key.index] = true;
  return is_written;
}

Expected<WriteResult> write_dbcop(const History& history) {
  WriteResult result;
  const RegisterView view(history, result.warnings);
  const std::vector<bool> has_zero = keys_with_written_zero(history, view);
  if (std::find(has_zero.begin(), has_zero.end(), true) != has_zero.end())
    result.warnings.emplace_back(
        "the initial value of some key is also written: its reads are written as reads of "
        "that write");
  std::string& out = result.bytes;
  out += "[";
  for (SessionId s{0}; s.index < history.session_count(); ++s.index) {
    out += s.index == 0 ? "[" : ",\n[";
    for (TxnId t = history.first_txn(s); t < history.end_txn(s); ++t.index) {
      out += t == history.first_txn(s) ? "{\"events\":[" : ",\n {\"events\":[";
      for (const Operation& op : view.operations(t)) {
        if (out.back() != '[') out += ",";
        const bool is_read = op.kind == OpKind::Read;
        const std::int64_t version = view.value(op);
        const bool is_initial = is_read && version == 0 && !has_zero[op.key.index];
        fmt::format_to(std::back_inserter(out),
                       "{{\"{}\":{{\"variable\":{},\"version\":{}}}}}",
                       is_read ? "Read" : "Write", view.key(op.key),
                       is_initial ? "null" : fmt::format_int(version).c_str());
      }
      out += view.status(t) == Status::Committed ? "],\"committed\":true}"
                                                 : "],\"committed\":false}";
    }
    out += "]";
  }
  out += "]\n";
  return result;
}

// [[{"events"...  or  {"data": ...
bool looks_like_dbcop(std::string_view text) {
  Cursor cursor(text);
  cursor.skip_spaces();
  if (cursor.peek() == '{') return has_json_field(text, "data");
  if (!cursor.take("[")) return false;
  cursor.skip_spaces();
  return cursor.peek() == '[' || cursor.peek() == ']';
}

}  // namespace

const FormatRow dbcop_format{
    .format = {.name = "dbcop",
               .title = "dbcop's JSON",
               .is_writable = true,
               .is_directory = false},
    .is_text = true,
    .keeps_places = false,
    .keeps = Keeps::EmptySessions,
    .looks_like = looks_like_dbcop,
    .read = [](const Source& source) { return DbcopReader(source).run(); },
    .read_directory = nullptr,
    .write = write_dbcop,
};

}  // namespace isomer::history
