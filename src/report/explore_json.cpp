// SPDX-License-Identifier: MIT
#include <algorithm>

#include "report/explore_report.h"
#include "report/failing_history.h"
#include "report/history_json.h"
#include "report/outcome_json.h"

namespace isomer::report {
namespace {

using explore::Failure;

constexpr std::string_view algorithms[] = {"dpor", "dfs"};
constexpr std::string_view finds[] = {"all", "failing", "unserializable"};
constexpr std::string_view granularities[] = {"row", "table", "field"};
constexpr std::string_view kinds[] = {"assert", "invariant", "unserializable"};

template <std::size_t count, class Enumeration>
std::string_view name_in(const std::string_view (&names)[count], Enumeration value) {
  return names[static_cast<std::size_t>(value)];
}

Json operation_json(const Explored& e, const std::vector<ToldTransaction>& all,
                    const ToldOperation& operation) {
  Json out{{"kind", operation.is_read ? "r" : "w"},
           {"key", e.result.failure->history.key_name(operation.key)},
           {"value", operation.value}};
  if (operation.is_read)
    out["from"] =
        operation.writer == history::init ? "init" : writer_text(all, operation.writer);
  out["at"] = place_json(e.program, operation.at);
  return out;
}

Json transactions_json(const Explored& e, const std::vector<ToldTransaction>& told) {
  Json out = Json::array();
  for (const ToldTransaction& transaction : told) {
    Json item = transaction_json(e.program, transaction.outcome);
    item["name"] = transaction.name;
    Json operations = Json::array();
    for (const ToldOperation& operation : transaction.operations)
      operations.push_back(operation_json(e, told, operation));
    item["operations"] = std::move(operations);
    out.push_back(std::move(item));
  }
  return out;
}

Json failure_json(const Explored& e) {
  const Failure& failure = *e.result.failure;
  const std::vector<ToldTransaction> told = told_transactions(e.program, failure);
  Json order = Json::array();
  for (const history::TxnId t : commit_order(e, told))
    order.push_back(writer_text(told, t));
  Json invariants = Json::object();
  for (const store::InvariantOutcome& invariant : failure.invariants)
    invariants[invariant.name] = invariant.holds;
  Json out{{"kind", name_in(kinds, failure.kind)},
           {"name", failure.name},
           {"message", failure.message}};
  if (failure.kind == explore::FailureKind::Assert)
    out["at"] = place_json(e.program, failure.at);
  out["serializable"] = failure.is_serializable;
  out["dropped_calls"] = failure.dropped;
  out["levels"] = verdicts_json(e.opinion->levels);
  out["history"] = history_json(failure.history);
  out["transactions"] = transactions_json(e, told);
  out["commit_order"] = std::move(order);
  out["final_state"] = state_json(failure.final_state);
  out["invariants"] = std::move(invariants);
  return out;
}

}  // namespace

std::string history_line(const history::History& history) {
  return history_json(history).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string explore_json(const Explored& e) {
  const explore::Result& result = e.result;
  Json out{{"level", level_name(e)},
           {"base", explore::name(result.base)},
           {"algorithm", name_in(algorithms, e.options.algorithm)},
           {"find", name_in(finds, e.options.find)},
           {"granularity", name_in(granularities, e.options.granularity)},
           {"histories", result.histories},
           {"end_states", result.end_states},
           {"explored", result.explored},
           {"blocked", result.blocked},
           {"pruned", result.pruned},
           {"assertion_failures", result.assertion_failures},
           {"unserializable", result.unserializable},
           {"complete", result.is_complete}};
  if (!result.is_complete) out["reason"] = result.unknown;
  out["failure"] = result.failure ? failure_json(e) : Json(nullptr);
  out["seconds"] = result.seconds;
  out["peak_mib"] = result.peak_mib;
  return document_text(out);
}

}  // namespace isomer::report
