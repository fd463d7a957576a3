// SPDX-License-Identifier: MIT
#include "report/json.h"
#include "report/run/report.h"

namespace isomer::report {
namespace {

using store::TransactionOutcome;

Json seed_json(const std::optional<std::uint64_t>& seed) {
  return seed ? Json(*seed) : Json(nullptr);
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
  Json out = {
      {"runs", is_complete ? 1 : 0},
      {"unserializable", shown.is_serializable == false ? 1 : 0},
      {"invariants", invariants},
      {"first_failing_seed",
       is_complete && is_failing(shown.run) ? Json(shown.options.seed) : Json(nullptr)},
      {"transactions", transactions},
      {"final_state", state_json(shown.run.final_state)},
      {"final_states",
       {{"count", shown.run.final_state_count},
        {"complete", shown.run.has_all_final_states}}},
      {"complete", is_complete}};
  if (shown.run.divergence)
    out["divergence"] = {
        {"session", shown.program.sessions[shown.run.divergence->session].name},
        {"transaction", shown.run.divergence->index + 1},
        {"what", shown.run.divergence->what}};
  return document_text(out);
}

std::string campaign_json(const CampaignShown& shown) {
  const store::Campaign& campaign = shown.campaign;
  Json invariants = Json::object();
  for (const auto& [name, tally] : campaign.invariants)
    invariants[name] = {{"held", tally.held}, {"broken", tally.broken}};
  return document_text(
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
  return document_text({{"runs", 0},
                        {"unserializable", 0},
                        {"invariants", Json::object()},
                        {"first_failing_seed", nullptr},
                        {"errors", diagnostics_json(errors)}});
}

}  // namespace isomer::report
