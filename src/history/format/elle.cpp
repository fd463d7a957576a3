// SPDX-License-Identifier: MIT
// Elle's histories as EDN (read and written) and as JSON (read).
//
//   {:index 0, :type :invoke, :process 0, :f :txn, :value [[:append :x 1] [:r :y nil]]}
//   {:index 1, :type :ok,     :process 0, :f :txn, :value [[:append :x 1] [:r :y [3 4]]]}
#include <fmt/core.h>
#include <fmt/format.h>

#include "history/format/edn.h"
#include "history/format/elle_operations.h"
#include "history/format/format.h"
#include "history/format/json_values.h"
#include "history/format/numbering.h"

namespace isomer::history {
namespace {

Expected<Parsed> finish(ElleReader& reader) {
  return reader.finish().map_error([](Diagnostic d) { return Diagnostics{std::move(d)}; });
}

Expected<Parsed> read_edn(const Source& source) {
  EdnParser parser(source);
  ElleReader reader(source);
  DatumTree tree;
  Diagnostics errors;
  Patience patience(source.budget);
  while (errors.size() < errors_max && !patience.is_over()) {
    const auto has_form = parser.next(tree);
    if (!has_form) {
      // After a mistake of syntax nobody knows where the next form begins.
      errors.push_back(has_form.error());
      break;
    }
    if (!*has_form) break;
    if (auto done = reader.add(tree.root()); !done)
      errors.push_back(std::move(done.error()));
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return finish(reader);
}

Expected<Parsed> read_json(const Source& source) {
  JsonParser parser;
  DatumTree tree;
  if (auto done = parser.parse(source, 0, source.text.size(), tree); !done)
    return failure(std::move(done.error()));
  if (!tree.root().is(DatumKind::List))
    return failure(unexpected_datum(source, tree.root(), "an array of operations"));
  ElleReader reader(source);
  Diagnostics errors;
  Patience patience(source.budget);
  for (const Datum operation : tree.root()) {
    if (errors.size() == errors_max || patience.is_over()) break;
    if (auto done = reader.add(operation); !done) errors.push_back(std::move(done.error()));
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return finish(reader);
}

// --- writing ---

bool is_keyword(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name[0]) &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return is_letter(c) || is_digit(c) || c == '-' || c == '.';
         });
}

class ElleWriter {
 public:
  explicit ElleWriter(const History& history) : history_(history) {}

  WriteResult run();

 private:
  enum class Moment : std::uint8_t { Invocation, Completion };

  void append_value(KeyId x, Value value);
  void append_micro(std::uint32_t index, Moment moment);
  void append_operation(TxnId t, std::int64_t process, Moment moment);

  const History& history_;
  std::string out_;
  std::size_t index_ = 0;
  bool renames_initial_ = false;
};

// The initial value is nil here; a nil that is something else becomes a text.
void ElleWriter::append_value(KeyId x, Value value) {
  const bool is_initial = value == history_.initial_value(x);
  renames_initial_ = renames_initial_ || (is_initial && value != Value::none());
  if (is_initial)
    out_ += "nil";
  else if (value.kind == ValueKind::Int)
    out_ += fmt::format_int(value.bits).c_str();
  else
    append_quoted(out_, history_.text(value));
}

void ElleWriter::append_micro(std::uint32_t index, Moment moment) {
  const Operation& op = history_.operations()[index];
  const bool is_list = history_.is_list_append();
  const bool is_read = op.kind == OpKind::Read;
  out_ += is_read ? "[:r " : is_list ? "[:append " : "[:w ";
  const std::string key = history_.key_name(op.key);
  if (history_.key_number(op.key))
    out_ += key;
  else if (is_keyword(key))
    out_ += fmt::format(":{}", key);
  else
    append_quoted(out_, key);
  out_ += " ";
  if (is_read && moment == Moment::Invocation) {
    out_ += "nil";
  } else if (is_read && is_list) {
    out_ += "[";
    if (const ListRead* const list = history_.list_of(index))
      for (const Value& element : history_.list(*list)) {
        if (out_.back() != '[') out_ += " ";
        append_value(op.key, element);
      }
    out_ += "]";
  } else {
    append_value(op.key, op.value());
  }
  out_ += "]";
}

void ElleWriter::append_operation(TxnId t, std::int64_t process, Moment moment) {
  const Status status = history_.status(t);
  const std::string_view type = moment == Moment::Invocation  ? ":invoke"
                                : status == Status::Committed ? ":ok"
                                : status == Status::Aborted   ? ":fail"
                                                              : ":info";
  out_ += fmt::format("{{:index {}, :type {}, :process {}, :f :txn, :value [", index_++,
                      type, process);
  const std::uint32_t first = history_.first_op(t);
  for (std::uint32_t i = 0; i < history_.operations(t).size(); ++i) {
    if (i > 0) out_ += " ";
    append_micro(first + i, moment);
  }
  out_ += "]}\n";
}

WriteResult ElleWriter::run() {
  const std::vector<std::int64_t> processes = session_numbers(history_);
  for (SessionId s{0}; s.index < history_.session_count(); ++s.index)
    for (TxnId t = history_.first_txn(s); t < history_.end_txn(s); ++t.index) {
      append_operation(t, processes[s.index], Moment::Invocation);
      append_operation(t, processes[s.index], Moment::Completion);
    }
  WriteResult result{.bytes = std::move(out_), .warnings = {}};
  if (renames_initial_) result.warnings.emplace_back("the initial value is written as nil");
  return result;
}

bool looks_like_edn(std::string_view text) {
  std::size_t offset = first_edn_form(text);
  if (offset < text.size() && (text[offset] == '[' || text[offset] == '(')) {
    ++offset;
    offset += first_edn_form(text.substr(offset));
  }
  if (offset >= text.size() || text[offset] != '{') return false;
  const std::size_t inner = offset + 1 + first_edn_form(text.substr(offset + 1));
  return inner < text.size() && text[inner] == ':';
}

bool looks_like_json(std::string_view text) {
  Cursor cursor(text);
  cursor.skip_spaces();
  return cursor.peek() == '[' && has_json_field(text, "type");
}

}  // namespace

const FormatRow elle_format{
    .format = {.name = "elle",
               .title = "Jepsen and Elle EDN, list-append or rw-register",
               .is_writable = true,
               .is_directory = false},
    .is_text = true,
    .keeps_places = false,
    .keeps = Keeps::EmptyTransactions,
    .looks_like = looks_like_edn,
    .read = read_edn,
    .read_directory = nullptr,
    .write = [](const History& history) -> Expected<WriteResult> {
      return ElleWriter(history).run();
    },
};

const FormatRow elle_json_format{
    .format = {.name = "elle-json",
               .title = "the same as JSON, as elle-cli takes it",
               .is_writable = false,
               .is_directory = false},
    .is_text = true,
    .keeps_places = false,
    .keeps = Keeps::EmptyTransactions,
    .looks_like = looks_like_json,
    .read = read_json,
    .read_directory = nullptr,
    .write = nullptr,
};

}  // namespace isomer::history
