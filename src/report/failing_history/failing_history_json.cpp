// SPDX-License-Identifier: MIT
#include "report/failing_history/failing_history.h"
#include "report/json.h"

namespace isomer::report {
namespace {

using explore::Failure;

constexpr std::string_view kinds[] = {"assert", "invariant", "unserializable"};

Json operation_json(const FailingHistory& f, const std::vector<ToldTransaction>& all,
                    const ToldOperation& operation) {
  Json out{{"kind", operation.is_read ? "r" : "w"},
           {"key", f.failure->history.key_name(operation.key)},
           {"value", operation.value}};
  if (operation.is_read)
    out["from"] =
        operation.writer == history::init ? "init" : writer_text(all, operation.writer);
  out["at"] = place_json(f.program, operation.at);
  return out;
}

Json transactions_json(const FailingHistory& f, const std::vector<ToldTransaction>& told) {
  Json out = Json::array();
  for (const ToldTransaction& transaction : told) {
    Json item = transaction_json(f.program, transaction.outcome);
    item["name"] = transaction.name;
    Json operations = Json::array();
    for (const ToldOperation& operation : transaction.operations)
      operations.push_back(operation_json(f, told, operation));
    item["operations"] = std::move(operations);
    out.push_back(std::move(item));
  }
  return out;
}

}  // namespace

Json failing_history_json(const FailingHistory& f) {
  const Failure& failure = f.failure;
  const std::vector<ToldTransaction> told = told_transactions(f.program, failure);
  Json order = Json::array();
  for (const history::TxnId t : commit_order(f, told))
    order.push_back(writer_text(told, t));
  Json invariants = Json::object();
  for (const store::InvariantOutcome& invariant : failure.invariants)
    invariants[invariant.name] = invariant.holds;
  Json out{{"kind", kinds[static_cast<std::size_t>(failure.kind)]},
           {"name", failure.name},
           {"message", failure.message}};
  if (failure.kind == explore::FailureKind::Assert)
    out["at"] = place_json(f.program, failure.at);
  out["serializable"] = failure.is_serializable;
  out["dropped_calls"] = failure.dropped;
  out["levels"] = verdicts_json(f.failure->levels);
  out["history"] = history_json(failure.history);
  out["transactions"] = transactions_json(f, told);
  out["commit_order"] = std::move(order);
  out["final_state"] = state_json(failure.final_state);
  out["invariants"] = std::move(invariants);
  return out;
}

}  // namespace isomer::report
