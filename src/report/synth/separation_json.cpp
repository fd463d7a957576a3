// SPDX-License-Identifier: MIT
#include "report/synth/separation.h"

namespace isomer::report {
namespace {

using history::History;
using history::TxnId;

Json pairs_json(const History& history, const std::vector<std::pair<TxnId, TxnId>>& pairs) {
  Json out = Json::array();
  for (const auto& [from, to] : pairs)
    out.push_back({history.txn_name(from), history.txn_name(to)});
  return out;
}

Json relation_json(const History& history, const synth::ShownRelation& relation) {
  if (!relation.is_order) return {{"pairs", pairs_json(history, relation.pairs)}};
  Json order = Json::array();
  for (const TxnId t : relation.order)
    order.push_back(history.txn_name(t));
  return {{"order", std::move(order)}};
}

Json forbidden_json(const Separation& separation, std::size_t place) {
  Json out{{"axioms", separation.found->forbidden[place].axioms}};
  for (const check::LevelResult& level : separation.found->levels.levels)
    if (const auto* violated = std::get_if<check::Violated>(&level.verdict);
        violated != nullptr &&
        level.level.name == separation.found->forbidden[place].level) {
      out["anomaly"] = violated->anomaly;
      out["summary"] = violated->summary;
    }
  return out;
}

}  // namespace

Json scope_json(const synth::Scope& scope) {
  Json out{
      {"transactions", scope.transactions}, {"keys", scope.keys}, {"values", scope.values}};
  if (scope.operations) out["operations"] = *scope.operations;
  if (scope.initial_value != 0) out["initial_value"] = scope.initial_value;
  return out;
}

Json separation_json(const Separation& separation) {
  const synth::Found& found = separation.found;
  Json witnesses = Json::object();
  for (std::size_t i = 0; i < found.allowed.size(); ++i) {
    Json relations = Json::object();
    for (const synth::ShownRelation& relation : found.allowed[i].relations)
      relations[relation.name] = relation_json(found.history, relation);
    witnesses[separation.allow[i]] = std::move(relations);
  }
  Json forbidden = Json::object();
  for (std::size_t i = 0; i < found.forbidden.size(); ++i)
    forbidden[separation.forbid[i]] = forbidden_json(separation, i);
  Json out{{"history", history_json(found.history)},
           {"witnesses", std::move(witnesses)},
           {"forbidden", std::move(forbidden)}};
  if (!found.so.empty()) out["session_order"] = pairs_json(found.history, found.so);
  return out;
}

}  // namespace isomer::report
