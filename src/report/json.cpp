// SPDX-License-Identifier: MIT
#include "report/json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/finding.h"
#include "report/check/wording.h"

namespace isomer::report {
namespace {

using check::Edge;
using check::Violated;
using history::History;
using history::KeyId;
using history::TxnId;
using history::ValueKind;

Json value_json(const History& history, history::Value value) {
  switch (value.kind) {
    case ValueKind::None:
      return nullptr;
    case ValueKind::Int:
      return value.bits;
    case ValueKind::String:
      return std::string(history.string(value));
  }
  return nullptr;
}

std::string_view name_of(history::Status status) {
  switch (status) {
    case history::Status::Committed:
      return "committed";
    case history::Status::Aborted:
      return "aborted";
    case history::Status::Unknown:
      return "unknown";
  }
  return {};
}

Json transaction_json(const History& history, TxnId t) {
  Json operations = Json::array();
  for (const history::Operation& op : history.operations(t))
    operations.push_back({op.kind == history::OpKind::Read ? "r" : "w",
                          history.key_name(op.key), value_json(history, op.value())});
  return {{"name", history.txn_name(t)},
          {"status", name_of(history.status(t))},
          {"operations", std::move(operations)}};
}

void add_initial_values(Json& out, const History& history) {
  const std::optional<history::Value> initial = history.default_initial_value();
  if (!initial)
    out["has_initial"] = false;
  else if (*initial != history::Value::integer(0))
    out["initial"] = value_json(history, *initial);
  Json own = Json::object();
  for (KeyId x{0}; x.index < history.key_count(); ++x.index)
    if (const std::optional<history::Value> value = history.initial_value(x);
        value && value != initial)
      own[history.key_name(x)] = value_json(history, *value);
  if (!own.empty()) out["initial_of"] = std::move(own);
}

// --- violations ---

void add_place(Json& item, const char* name, const History& history,
               std::optional<std::uint32_t> op) {
  if (op && !history.place(*op).empty()) item[name] = history.place(*op);
}

void add_places(Json& item, const History& history, const Edge& edge) {
  if (!history.has_places()) return;
  const EdgeEnds ends = ends_of(history, edge);
  add_place(item, "from_place", history, ends.from);
  add_place(item, "to_place", history, ends.to);
}

Json edges(const History& history, const std::vector<Edge>& list) {
  Json out = Json::array();
  for (const Edge& edge : list) {
    Json item{{"from", history.txn_name(edge.from)},
              {"to", history.txn_name(edge.to)},
              {"kind", check::name(edge.kind)},
              {"key", nullptr}};
    if (!edge.key.is_none()) item["key"] = history.key_name(edge.key);
    if (!edge.via.is_none()) item["via"] = history.txn_name(edge.via);
    add_places(item, history, edge);
    item["reason"] = reason(history, edge);
    if (!edge.because.empty()) item["because"] = edges(history, edge.because);
    out.push_back(std::move(item));
  }
  return out;
}

Json problem(const History& history, const history::Problem& problem) {
  Json out{{"kind", name(problem.kind)},
           {"reader", history.txn_name(problem.reader)},
           {"key", history.key_name(problem.key)},
           {"operation", operation_text(history, problem.op)},
           {"sentence", sentence(history, problem)}};
  if (!problem.other.is_none()) out["other"] = history.txn_name(problem.other);
  add_place(out, "place", history, problem.op);
  return out;
}

// What a program that reads the answers of a command finds in each of them.
Json nothing_known(std::string_view command) {
  if (command == "check") return {{"histories", Json::array()}};
  if (command == "levels") return {{"levels", Json::array()}};
  if (command == "audit" || command == "verify") return {{"levels", Json::object()}};
  if (command == "synth" || command == "predict") return {{"result", "unknown"}};
  if (command == "compare") return {{"relation", "unknown"}};
  if (command == "explore") return {{"complete", false}};
  if (command == "run")
    return {{"runs", 0},
            {"unserializable", 0},
            {"invariants", Json::object()},
            {"first_failing_seed", nullptr},
            {"complete", false}};
  return Json::object();
}

}  // namespace

std::string document_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json diagnostics_json(const Diagnostics& errors) {
  auto list = Json::array();
  for (const Diagnostic& error : errors)
    list.push_back({{"file", error.file},
                    {"line", error.at.line},
                    {"column", error.at.column},
                    {"message", error.message}});
  return list;
}

Json history_json(const History& history) {
  Json sessions = Json::array();
  for (history::SessionId s{0}; s.index < history.session_count(); ++s.index) {
    Json transactions = Json::array();
    for (TxnId t = history.first_txn(s); t < history.end_txn(s); ++t.index)
      transactions.push_back(transaction_json(history, t));
    sessions.push_back(
        {{"name", history.session_name(s)}, {"transactions", std::move(transactions)}});
  }
  Json out{{"sessions", std::move(sessions)}};
  add_initial_values(out, history);
  return out;
}

Json names_json(const History& history, std::span<const TxnId> txns) {
  Json out = Json::array();
  for (const TxnId t : txns)
    out.push_back(history.txn_name(t));
  return out;
}

Json violation_json(const History& history, const Violated& violated) {
  Json out{{"verdict", "violation"},
           {"anomaly", violated.anomaly},
           {"axiom", fmt::format("{}", fmt::join(violated.axioms, ", "))},
           {"axioms", violated.axioms},
           {"summary", violated.summary},
           {"transactions", names_json(history, violated.transactions)},
           {"minimal", violated.is_minimal},
           {"edges", edges(history, violated.cycle)}};
  if (violated.problem) out["problem"] = problem(history, *violated.problem);
  return out;
}

Json value_json(const program::Value& value) {
  if (value.is_null()) return nullptr;
  if (const bool* truth = value.get_if<bool>()) return *truth;
  if (const auto* number = value.get_if<std::int64_t>()) return *number;
  if (value.get_if<program::List>() == nullptr) return program::to_text(value);
  Json out = Json::array();
  for (const program::Value& item : value.items())
    out.push_back(value_json(item));
  return out;
}

Json place_json(const program::Program& program, const program::Span& at) {
  const auto [file, position] = program::place_of(program, at.first);
  return {{"file", file}, {"line", position.line}, {"column", position.column}};
}

Json transaction_json(const program::Program& program,
                      const store::TransactionOutcome& outcome) {
  const program::Session& session = program.sessions[outcome.session];
  Json out = {{"session", session.name},
              {"call", session.calls[outcome.index].text},
              {"status", outcome.is_committed ? "committed" : "aborted"}};
  if (outcome.is_committed) {
    out["result"] = value_json(outcome.result);
  } else {
    out["reason"] = outcome.reason;
    out["sqlstate"] = outcome.sqlstate;
    out["at"] = place_json(program, outcome.at);
  }
  return out;
}

Json state_json(const store::FinalState& state) {
  Json out = Json::object();
  for (const auto& [key, value] : state)
    out[key] = value_json(value);
  return out;
}

Json verdicts_json(const check::Result& levels) {
  Json out = Json::object();
  for (const check::LevelResult& level : levels.levels) {
    if (const auto* violated = std::get_if<check::Violated>(&level.verdict))
      out[level.level.name] = {{"verdict", "violation"},
                               {"anomaly", violated->anomaly},
                               {"summary", violated->summary}};
    else
      out[level.level.name] = {
          {"verdict",
           std::holds_alternative<check::Consistent>(level.verdict) ? "ok" : "unknown"}};
  }
  return out;
}

std::string errors_json(const Diagnostics& errors) {
  return document_text({{"errors", diagnostics_json(errors)}});
}

std::string undecided_text(const Undecided& undecided) {
  const std::string what = undecided.reason == "timeout"  ? "the time limit ended"
                           : undecided.reason == "memory" ? "the memory limit was reached"
                                                          : undecided.reason;
  return undecided.activity.empty() ? what
                                    : fmt::format("{} while {}", what, undecided.activity);
}

Json undecided_json_part(const Undecided& undecided) {
  return {{"reason", undecided.reason},
          {"while", undecided.activity},
          {"seconds", undecided.seconds}};
}

std::string undecided_json(std::string_view command, const Undecided& undecided) {
  Json document = nothing_known(command);
  document["undecided"] = undecided_json_part(undecided);
  return document_text(document);
}

}  // namespace isomer::report
