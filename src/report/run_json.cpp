// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "report/diagnostics_json.h"
#include "report/run_report.h"

namespace isomer::report {
namespace {

using Json = nlohmann::ordered_json;
using program::Value;
using store::TransactionOutcome;

Json value_json(const Value& value) {
  if (value.is_null()) return nullptr;
  if (const bool* truth = value.get_if<bool>()) return *truth;
  if (const auto* number = value.get_if<std::int64_t>()) return *number;
  if (value.get_if<program::List>() == nullptr) return program::to_text(value);
  Json out = Json::array();
  for (const Value& item : value.items())
    out.push_back(value_json(item));
  return out;
}

Json seed_json(const std::optional<std::uint64_t>& seed) {
  return seed ? Json(*seed) : Json(nullptr);
}

Json transaction_json(const program::Program& program, const TransactionOutcome& outcome) {
  const program::Session& session = program.sessions[outcome.session];
  Json out = {{"session", session.name},
              {"call", session.calls[outcome.index].text},
              {"status", outcome.is_committed ? "committed" : "aborted"}};
  if (outcome.is_committed) {
    out["result"] = value_json(outcome.result);
  } else {
    out["reason"] = outcome.reason;
    out["sqlstate"] = outcome.sqlstate;
    if (outcome.at.last > 0) {
      const auto [file, at] = program::place_of(program, outcome.at.first);
      out["at"] = {{"file", file}, {"line", at.line}, {"column", at.column}};
    }
  }
  return out;
}

std::string text_of(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string run_json(const RunShown& shown) {
  Json invariants = Json::object();
  const bool is_complete = shown.run.unknown.empty();
  for (const store::InvariantOutcome& invariant : shown.run.invariants)
    invariants[invariant.name] = {{"held", is_complete && invariant.holds ? 1 : 0},
                                  {"broken", is_complete && !invariant.holds ? 1 : 0}};
  Json transactions = Json::array();
  for (const TransactionOutcome& outcome : shown.run.transactions)
    transactions.push_back(transaction_json(shown.program, outcome));
  Json state = Json::object();
  for (const auto& [key, value] : shown.run.final_state)
    state[key] = value_json(value);
  Json out = {
      {"runs", is_complete ? 1 : 0},
      {"unserializable", shown.is_serializable == false ? 1 : 0},
      {"invariants", invariants},
      {"first_failing_seed",
       is_complete && is_failing(shown.run) ? Json(shown.options.seed) : Json(nullptr)},
      {"transactions", transactions},
      {"final_state", state},
      {"final_states",
       {{"count", shown.run.final_state_count},
        {"complete", shown.run.has_all_final_states}}},
      {"complete", is_complete}};
  if (shown.run.divergence)
    out["divergence"] = {
        {"session", shown.program.sessions[shown.run.divergence->session].name},
        {"transaction", shown.run.divergence->index + 1},
        {"what", shown.run.divergence->what}};
  return text_of(out);
}

std::string campaign_json(const CampaignShown& shown) {
  const store::Campaign& campaign = shown.campaign;
  Json invariants = Json::object();
  for (const auto& [name, tally] : campaign.invariants)
    invariants[name] = {{"held", tally.held}, {"broken", tally.broken}};
  return text_of(
      {{"runs", campaign.runs},
       {"unserializable", campaign.unserializable},
       {"invariants", invariants},
       {"first_failing_seed", seed_json(campaign.first_failing_seed)},
       {"first_unserializable_seed", seed_json(campaign.first_unserializable_seed)},
       {"failing", campaign.failing},
       {"transactions", campaign.transactions},
       {"rolled_back", campaign.rolled_back},
       {"complete", campaign.unknown.empty()}});
}

std::string run_errors_json(const Diagnostics& errors) {
  return text_of({{"runs", 0},
                  {"unserializable", 0},
                  {"invariants", Json::object()},
                  {"first_failing_seed", nullptr},
                  {"errors", diagnostics_json(errors)}});
}

}  // namespace isomer::report
