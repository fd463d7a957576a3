// SPDX-License-Identifier: MIT
// Our JSON, in two shapes with the same transactions.  JSON lines, for large histories:
//
//   {"isomer-history": 1, "initial": 0}
//   {"session": "a", "operations": [["r", "x", 0], ["w", "x", 1]]}
//   {"session": "b", "name": "T7", "status": "aborted", "operations": [["w", "x", 2]]}
//
// and one document, as --json prints histories:
//
//   {"sessions": [{"name": "a", "transactions": [{"operations": [["w", "x", 1]]}]}]}
//
// "initial" is what every key begins with and "initial_of" what single keys do.  Without
// "initial", JSON lines begin with nothing at all; a document begins with 0 (with the empty
// list in a list-append history) unless it says "has_initial": false.  List-append:
// ["append", "x", 3] and ["r", "x", [1, 2, 3]].  A fourth element of an operation says
// where the program made it: ["r", "x", 0, "bank.sql:12"].
#include <optional>

#include <fmt/core.h>
#include <fmt/format.h>

#include "history/builder.h"
#include "history/format/cursor.h"
#include "history/format/format.h"
#include "history/format/json_values.h"
#include "history/format/numbering.h"
#include "history/unique_elements.h"

namespace isomer::history {
namespace {

constexpr std::string_view header_field = "isomer-history";

template <class T>
using Result = tl::expected<T, Diagnostic>;

// What keys begin with where the file does not say: nothing, or 0 and the empty list.
enum class Unsaid : std::uint8_t { Nothing, Zero };

// What both shapes share: transactions and initial values from trees.
class TransactionReader {
 public:
  explicit TransactionReader(const Source& source) : source_(source), lines_(source.text) {}

  Result<SessionId> session(const Datum& name);
  Result<void> initial_values(const Datum& object);
  Result<void> transaction(SessionId session, const Datum& object);
  Result<Parsed> finish(Unsaid unsaid);

 private:
  Result<void> operation(HistoryBuilder::Token txn, const Datum& op, Status status);
  Result<void> place(const Datum& place);
  Result<void> append(HistoryBuilder::Token txn, KeyId key, Value element, const Datum& op,
                      Status status);
  Result<Status> status(const Datum& object) const;

  const Source& source_;
  LineCounter lines_;
  HistoryBuilder builder_;
  UniqueElements elements_;
  bool has_initial_ = false;
  std::optional<std::size_t> register_offset_;
  std::optional<std::size_t> list_offset_;
};

Result<SessionId> TransactionReader::session(const Datum& name) {
  if (name.is(DatumKind::Integer)) return builder_.session(name.number());
  if (name.is(DatumKind::Text)) return builder_.session(name.text());
  return tl::unexpected(unexpected_datum(source_, name, "a session name"));
}

Result<void> TransactionReader::initial_values(const Datum& object) {
  if (const auto initial = object.find("initial")) {
    const auto value = value_of(builder_, source_, *initial);
    if (!value) return tl::unexpected(value.error());
    builder_.set_initial(*value);
    has_initial_ = true;
  }
  const auto initial_of = object.find("initial_of");
  if (!initial_of) return {};
  if (!initial_of->is(DatumKind::Map))
    return tl::unexpected(unexpected_datum(source_, *initial_of, "an object of keys"));
  for (auto i = initial_of->begin(); i != initial_of->end(); ++i) {
    const KeyId key = builder_.key((*i).text());
    ++i;
    const auto value = value_of(builder_, source_, *i);
    if (!value) return tl::unexpected(value.error());
    builder_.set_initial(key, *value);
  }
  return {};
}

Result<Status> TransactionReader::status(const Datum& object) const {
  const auto status = object.find("status");
  if (!status || status->is_word("committed")) return Status::Committed;
  if (status->is_word("aborted")) return Status::Aborted;
  if (status->is_word("unknown")) return Status::Unknown;
  return tl::unexpected(
      unexpected_datum(source_, *status, "\"committed\", \"aborted\" or \"unknown\""));
}

Result<void> TransactionReader::append(HistoryBuilder::Token txn, KeyId key, Value element,
                                       const Datum& op, Status status) {
  builder_.write(txn, key, element);
  if (!list_offset_) list_offset_ = op.offset();
  if (status == Status::Aborted) return {};
  const auto first = elements_.add(key, element, op.offset());
  if (!first) return {};
  Diagnostic twice =
      source_.at(op.offset(), "this element is appended to this key a second time");
  twice.notes.push_back({position_of(source_.text, *first), "first appended here"});
  return tl::unexpected(std::move(twice));
}

Result<void> TransactionReader::place(const Datum& place) {
  if (!place.is(DatumKind::Text))
    return tl::unexpected(
        unexpected_datum(source_, place, "a place such as \"bank.sql:12\""));
  builder_.set_place(place.text());
  return {};
}

Result<void> TransactionReader::operation(HistoryBuilder::Token txn, const Datum& op,
                                          Status status) {
  if (!op.is(DatumKind::List) || op.size() < 3 || op.size() > 4)
    return tl::unexpected(
        unexpected_datum(source_, op, "an operation such as [\"r\", \"x\", 0]"));
  const Datum kind = op.child(0);
  const Datum given = op.child(2);
  const auto key = key_of(builder_, source_, op.child(1));
  if (!key) return tl::unexpected(key.error());
  if (kind.is_word("r") && given.is(DatumKind::List)) {
    auto list = list_of(builder_, source_, given);
    if (!list) return tl::unexpected(list.error());
    if (!list_offset_) list_offset_ = op.offset();
    builder_.read_list(txn, *key, std::move(*list));
    return {};
  }
  const auto value = value_of(builder_, source_, given);
  if (!value) return tl::unexpected(value.error());
  if (kind.is_word("append")) return append(txn, *key, *value, op, status);
  if (!register_offset_) register_offset_ = op.offset();
  if (kind.is_word("r"))
    builder_.read(txn, *key, *value);
  else if (kind.is_word("w"))
    builder_.write(txn, *key, *value);
  else
    return tl::unexpected(unexpected_datum(source_, kind, "\"r\", \"w\" or \"append\""));
  return {};
}

Result<void> TransactionReader::transaction(SessionId session, const Datum& object) {
  if (!object.is(DatumKind::Map))
    return tl::unexpected(unexpected_datum(source_, object, "a transaction object"));
  const auto operations = object.find("operations");
  if (!operations)
    return tl::unexpected(
        source_.at(object.offset(), "this transaction has no \"operations\""));
  if (!operations->is(DatumKind::List))
    return tl::unexpected(unexpected_datum(source_, *operations, "a list of operations"));
  const Result<Status> outcome = status(object);
  if (!outcome) return tl::unexpected(outcome.error());
  const auto txn = builder_.begin(session, lines_.line_of(object.offset()));
  builder_.set_status(txn, *outcome);
  if (const auto name = object.find("name")) {
    if (!name->is(DatumKind::Text))
      return tl::unexpected(unexpected_datum(source_, *name, "a transaction name"));
    builder_.set_name(txn, name->text());
  }
  for (const Datum op : *operations) {
    if (Result<void> done = operation(txn, op, *outcome); !done) return done;
    if (op.size() < 4) continue;
    if (Result<void> done = place(op.child(3)); !done) return done;
  }
  return {};
}

Result<Parsed> TransactionReader::finish(Unsaid unsaid) {
  if (list_offset_ && register_offset_) {
    Diagnostic mixed = source_.at(std::max(*list_offset_, *register_offset_),
                                  "list-append operations and plain ones do not mix");
    mixed.notes.push_back(
        {position_of(source_.text, std::min(*list_offset_, *register_offset_)),
         "the other kind is here"});
    return tl::unexpected(std::move(mixed));
  }
  if (list_offset_) builder_.set_list_append();
  if (!has_initial_ && unsaid == Unsaid::Zero)
    builder_.set_initial(list_offset_ ? Value::none() : Value::integer(0));
  return Parsed{.history = builder_.build(source_.budget), .warnings = {}};
}

// --- JSON lines ---

class JsonLinesReader {
 public:
  explicit JsonLinesReader(const Source& source) : source_(source), reader_(source) {}

  Expected<Parsed> run();

 private:
  Result<void> line(std::size_t first, std::size_t end);
  Result<void> header(const Datum& object);

  const Source& source_;
  TransactionReader reader_;
  JsonParser parser_;
  DatumTree tree_;
  bool is_first_ = true;
};

Result<void> JsonLinesReader::header(const Datum& object) {
  const Datum version = *object.find(header_field);
  if (!version.is(DatumKind::Integer) || version.number() != 1)
    return tl::unexpected(unexpected_datum(source_, version, "version 1 of this format"));
  return reader_.initial_values(object);
}

Result<void> JsonLinesReader::line(std::size_t first, std::size_t end) {
  if (auto done = parser_.parse(source_, first, end, tree_); !done) return done;
  const Datum object = tree_.root();
  if (!object.is(DatumKind::Map))
    return tl::unexpected(unexpected_datum(source_, object, "a transaction object"));
  const bool is_header = is_first_ && object.find(header_field);
  is_first_ = false;
  if (is_header) return header(object);
  const auto name = object.find("session");
  if (!name)
    return tl::unexpected(
        source_.at(object.offset(), "this transaction has no \"session\""));
  const Result<SessionId> session = reader_.session(*name);
  if (!session) return tl::unexpected(session.error());
  return reader_.transaction(*session, object);
}

Expected<Parsed> JsonLinesReader::run() {
  Diagnostics errors;
  const std::string_view text = source_.text;
  Patience patience(source_.budget);
  for (std::size_t offset = 0;
       offset < text.size() && errors.size() < errors_max && !patience.is_over();) {
    const std::size_t end = std::min(text.find('\n', offset), text.size());
    const std::string_view line_text = text.substr(offset, end - offset);
    if (line_text.find_first_not_of(" \t\r") != std::string_view::npos)
      if (Result<void> done = line(offset, end); !done)
        errors.push_back(std::move(done.error()));
    offset = end + 1;
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return reader_.finish(Unsaid::Nothing).map_error([](Diagnostic d) {
    return Diagnostics{d};
  });
}

// --- one document ---

Result<Parsed> read_document(const Source& source) {
  JsonParser parser;
  DatumTree tree;
  TransactionReader reader(source);
  if (auto done = parser.parse(source, 0, source.text.size(), tree); !done)
    return tl::unexpected(done.error());
  const Datum document = tree.root();
  const auto sessions = document.find("sessions");
  if (!sessions || !sessions->is(DatumKind::List))
    return tl::unexpected(
        source.at(document.offset(), "expected an object with a list of \"sessions\""));
  if (auto done = reader.initial_values(document); !done)
    return tl::unexpected(done.error());
  Patience patience(source.budget);
  for (const Datum session : *sessions) {
    const auto name = session.find("name");
    const auto transactions = session.find("transactions");
    if (!name || !transactions || !transactions->is(DatumKind::List))
      return tl::unexpected(source.at(
          session.offset(), "expected a session with a \"name\" and \"transactions\""));
    const Result<SessionId> id = reader.session(*name);
    if (!id) return tl::unexpected(id.error());
    for (const Datum transaction : *transactions) {
      if (patience.is_over()) break;
      if (auto done = reader.transaction(*id, transaction); !done)
        return tl::unexpected(done.error());
    }
  }
  const auto has_initial = document.find("has_initial");
  const bool has_none = has_initial && has_initial->is_word("false");
  return reader.finish(has_none ? Unsaid::Nothing : Unsaid::Zero);
}

// --- writing ---

void append_value(std::string& out, const History& history, Value value) {
  switch (value.kind) {
    case ValueKind::None:
      out += "null";
      return;
    case ValueKind::Int:
      out += fmt::format_int(value.bits).c_str();
      return;
    case ValueKind::String:
      append_quoted(out, history.string(value));
      return;
  }
}

void append_key(std::string& out, const History& history, KeyId x) {
  if (const auto number = history.key_number(x))
    out += fmt::format_int(*number).c_str();
  else
    append_quoted(out, history.key_name(x));
}

void append_operation(std::string& out, const History& history, std::uint32_t index) {
  const Operation& op = history.operations()[index];
  const bool is_list = history.is_list_append();
  out += op.kind == OpKind::Read ? "[\"r\"," : is_list ? "[\"append\"," : "[\"w\",";
  append_key(out, history, op.key);
  out += ",";
  if (is_list && op.kind == OpKind::Read) {
    out += "[";
    if (const ListRead* const list = history.list_of(index))
      for (const Value& element : history.list(*list)) {
        if (out.back() != '[') out += ",";
        append_value(out, history, element);
      }
    out += "]";
  } else {
    append_value(out, history, op.value());
  }
  if (const std::string_view place = history.place(index); !place.empty()) {
    out += ",";
    append_quoted(out, place);
  }
  out += "]";
}

std::string_view name_of(Status status) {
  switch (status) {
    case Status::Committed:
      return "committed";
    case Status::Aborted:
      return "aborted";
    case Status::Unknown:
      return "unknown";
  }
  return {};
}

// A document says what became of every transaction; lines only if it did not commit.
enum class Shape : std::uint8_t { Lines, Document };

// The fields of a transaction, without braces.
void append_transaction(std::string& out, const History& history, TxnId t, Shape shape) {
  if (history.has_own_name(t)) {
    out += "\"name\":";
    append_quoted(out, history.txn_name(t));
    out += ",";
  }
  if (shape == Shape::Document || history.status(t) != Status::Committed)
    out += fmt::format("\"status\":\"{}\",", name_of(history.status(t)));
  out += "\"operations\":[";
  const std::uint32_t first = history.first_op(t);
  for (std::uint32_t i = 0; i < history.operations(t).size(); ++i) {
    if (i > 0) out += ",";
    append_operation(out, history, first + i);
  }
  out += "]";
}

// The fields "initial" and "initial_of", each after a comma.
void append_initial_values(std::string& out, const History& history) {
  const std::optional<Value> initial = history.default_initial_value();
  if (initial) {
    out += ",\"initial\":";
    append_value(out, history, *initial);
  }
  std::string entries;
  for (KeyId x{0}; x.index < history.key_count(); ++x.index) {
    const std::optional<Value> own = history.initial_value(x);
    if (!own || own == initial) continue;
    if (!entries.empty()) entries += ",";
    append_quoted(entries, history.key_name(x));
    entries += ":";
    append_value(entries, history, *own);
  }
  if (!entries.empty()) out += fmt::format(",\"initial_of\":{{{}}}", entries);
}

Expected<WriteResult> write_json_lines(const History& history) {
  WriteResult result;
  std::string& out = result.bytes;
  out += fmt::format("{{\"{}\":1", header_field);
  append_initial_values(out, history);
  out += "}\n";
  const std::vector<std::string> names = session_names(history);
  std::string session;
  for (SessionId s{0}; s.index < history.session_count(); ++s.index) {
    session = "{\"session\":";
    append_quoted(session, names[s.index]);
    session += ",";
    for (TxnId t = history.first_txn(s); t < history.end_txn(s); ++t.index) {
      out += session;
      append_transaction(out, history, t, Shape::Lines);
      out += "}\n";
    }
  }
  return result;
}

Expected<WriteResult> write_document(const History& history) {
  WriteResult result;
  std::string& out = result.bytes;
  const std::vector<std::string> names = session_names(history);
  out += "{\"sessions\":[";
  for (SessionId s{0}; s.index < history.session_count(); ++s.index) {
    out += s.index == 0 ? "\n{\"name\":" : ",\n{\"name\":";
    append_quoted(out, names[s.index]);
    out += ",\"transactions\":[";
    for (TxnId t = history.first_txn(s); t < history.end_txn(s); ++t.index) {
      out += t == history.first_txn(s) ? "\n {" : ",\n {";
      append_transaction(out, history, t, Shape::Document);
      out += "}";
    }
    out += "]}";
  }
  out += "]";
  append_initial_values(out, history);
  if (!history.default_initial_value()) out += ",\"has_initial\":false";
  out += "}\n";
  return result;
}

bool is_object(std::string_view text) {
  Cursor cursor(text);
  cursor.skip_spaces();
  return cursor.peek() == '{';
}

bool looks_like_json_lines(std::string_view text) {
  return is_object(text) &&
         (has_json_field(text, header_field) || has_json_field(text, "operations"));
}

bool looks_like_document(std::string_view text) {
  return is_object(text) && has_json_field(text, "sessions");
}

}  // namespace

const FormatRow jsonl_format{
    .format = {.name = "jsonl",
               .title = "Isomer's JSON lines, one transaction a line; for large histories",
               .is_writable = true,
               .is_directory = false},
    .is_text = true,
    .keeps_places = true,
    .keeps = Keeps::EmptyTransactions,
    .looks_like = looks_like_json_lines,
    .read = [](const Source& source) { return JsonLinesReader(source).run(); },
    .read_directory = nullptr,
    .write = write_json_lines,
};

const FormatRow json_format{
    .format = {.name = "json",
               .title = "one JSON document, as --json prints histories",
               .is_writable = true,
               .is_directory = false},
    .is_text = true,
    .keeps_places = true,
    .keeps = Keeps::EmptySessions,
    .looks_like = looks_like_document,
    .read = [](const Source& source) -> Expected<Parsed> {
      return read_document(source).map_error([](Diagnostic d) { return Diagnostics{d}; });
    },
    .read_directory = nullptr,
    .write = write_document,
};

}  // namespace isomer::history
