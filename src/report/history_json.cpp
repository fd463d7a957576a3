// SPDX-License-Identifier: MIT
#include "report/history_json.h"

namespace isomer::report {
namespace {

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

}  // namespace

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

}  // namespace isomer::report
