// SPDX-License-Identifier: MIT
// Our readable text, small enough for a slide:
//
//   # a comment
//   init x=0 y=5
//   a: { r(x)=0 w(x)=1 } { r(x)=1 }
//   b: T7 { r(x)=0 w(x)=2 } abort
//
//   file        = { init | session | transaction }
//   init        = "init" ["none"] { (key | "*") "=" value }
//   session     = name ":"                      what follows belongs to this session
//   transaction = [name] "{" { operation } "}" ["abort" | "unknown"]
//   operation   = access ["@" place]
//   access      = ("r" | "w" | "a") "(" key ")" "=" value      or   "(" key "," value ")"
//   place       = word with ':' in it | string     where the program made it, bank.sql:12
//   value       = number | "nil" | word | string | "[" { value } "]"
//
// Line ends are blanks.  Without an init line every key begins with 0, or with the empty
// list in a list-append history, which is one with appends a(x)=1 or reads r(x)=[1 2].
#include <algorithm>
#include <optional>

#include <fmt/core.h>
#include <fmt/format.h>

#include "history/format/cursor.h"
#include "history/format/format.h"
#include "history/format/hist_reader.h"
#include "history/format/numbering.h"

namespace isomer::history {
namespace {

constexpr std::size_t line_width = 88;

bool is_reserved(std::string_view word) {
  return word == "nil" || word == "none" || word == "init" || word == "abort" ||
         word == "unknown" || word == "*";
}

void append_name(std::string& out, std::string_view name) {
  // At the start of the file a byte order mark would be taken off.
  const bool is_bare =
      !name.empty() && !is_reserved(name) && !name.starts_with("\xef\xbb\xbf") &&
      std::find_if_not(name.begin(), name.end(), is_hist_word) == name.end();
  if (is_bare)
    out += name;
  else
    append_quoted(out, name);
}

void append_value(std::string& out, const History& history, Value value) {
  switch (value.kind) {
    case ValueKind::None:
      out += "nil";
      return;
    case ValueKind::Int:
      out += fmt::format_int(value.bits).c_str();
      return;
    case ValueKind::String: {
      const std::string_view text = history.string(value);
      if (is_integer(text))
        append_quoted(out, text);
      else
        append_name(out, text);
      return;
    }
  }
}

void append_initial_values(std::string& out, const History& history) {
  const std::optional<Value> initial = history.default_initial_value();
  const Value usual = history.is_list_append() ? Value::none() : Value::integer(0);
  std::string entries;
  if (!initial) {
    entries += " none";
  } else if (*initial != usual) {
    entries += " *=";
    append_value(entries, history, *initial);
  }
  for (KeyId x{0}; x.index < history.key_count(); ++x.index) {
    const std::optional<Value> own = history.initial_value(x);
    if (!own || own == initial) continue;
    entries += " ";
    append_name(entries, history.key_name(x));
    entries += "=";
    append_value(entries, history, *own);
  }
  if (!entries.empty()) out += fmt::format("init{}\n", entries);
}

void append_access(std::string& out, const History& history, std::uint32_t index) {
  const Operation& op = history.operations()[index];
  const ListRead* const list = history.list_of(index);
  const bool is_append = op.kind == OpKind::Write && history.is_list_append();
  out += op.kind == OpKind::Read ? "r(" : is_append ? "a(" : "w(";
  append_name(out, history.key_name(op.key));
  out += ")=";
  if (list == nullptr && !(history.is_list_append() && op.kind == OpKind::Read)) {
    append_value(out, history, op.value());
    return;
  }
  out += "[";
  if (list != nullptr)
    for (const Value& element : history.list(*list)) {
      if (out.back() != '[') out += " ";
      append_value(out, history, element);
    }
  out += "]";
}

void append_operation(std::string& out, const History& history, std::uint32_t index) {
  append_access(out, history, index);
  const std::string_view place = history.place(index);
  if (place.empty()) return;
  out += "  @";
  if (std::find_if_not(place.begin(), place.end(), is_hist_place) == place.end())
    out += place;
  else
    append_quoted(out, place);
}

void append_transaction(std::string& out, const History& history, TxnId t) {
  if (history.has_own_name(t)) {
    append_name(out, history.txn_name(t));
    out += " ";
  }
  const bool has_places = history.has_places();
  const std::uint32_t first = history.first_op(t);
  out += "{";
  for (std::uint32_t i = 0; i < history.operations(t).size(); ++i) {
    out += has_places ? "\n    " : " ";
    append_operation(out, history, first + i);
  }
  out += has_places ? "\n  }" : " }";
  if (history.status(t) == Status::Aborted) out += " abort";
  if (history.status(t) == Status::Unknown) out += " unknown";
}

Expected<WriteResult> write_hist(const History& history) {
  WriteResult result;
  std::string& out = result.bytes;
  append_initial_values(out, history);
  const std::vector<std::string> names = session_names(history);
  std::string text;
  for (SessionId s{0}; s.index < history.session_count(); ++s.index) {
    std::size_t line = out.size();
    append_name(out, names[s.index]);
    out += ":";
    for (TxnId t = history.first_txn(s); t < history.end_txn(s); ++t.index) {
      text.clear();
      append_transaction(text, history, t);
      if (out.size() - line + 1 + text.size() > line_width && out.back() != ':') {
        out += "\n ";
        line = out.size() - 1;
      }
      out += " ";
      out += text;
    }
    out += "\n";
  }
  if (out.empty()) out = "init *=0\n";  // no session: still a history
  return result;
}

}  // namespace

const FormatRow hist_format{
    .format = {.name = "hist",
               .title = "Isomer's readable text, as in a: { r(x)=0 w(x)=1 }",
               .is_writable = true,
               .is_directory = false},
    .is_text = true,
    .keeps_places = true,
    .keeps = Keeps::EmptySessions,
    .looks_like = looks_like_hist,
    .read = read_hist,
    .read_directory = nullptr,
    .write = write_hist,
};

}  // namespace isomer::history
