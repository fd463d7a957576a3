// SPDX-License-Identifier: MIT
#include "report/json.h"
#include "report/advise/words.h"

namespace isomer::report {
namespace {

using audit::Advice;

Json support_json(const audit::Result& result) {
  return {{"proved", result.verdict == audit::Verdict::Serializable},
          {"proof", result.proof},
          {"max_cycle", result.cycle_max}};
}

// What there would be without each change.
Json changes_json(const Advised& advised, const Advice& advice) {
  Json out = Json::array();
  for (const audit::Change& change : advice.changes) {
    Json types = Json::array();
    for (const std::uint32_t type : change.types)
      types.push_back(advised.program.types[type].name);
    Json others = Json::array();
    for (const audit::AnomalyTransaction& transaction : change.without.transactions)
      others.push_back(advised.program.types[transaction.type].name);
    out.push_back({{"types", std::move(types)},
                   {"without",
                    {{"kind", change.without.kind}, {"transactions", std::move(others)}}}});
  }
  return out;
}

void add_common(const Advised& advised, const Advice& advice, Json& out) {
  out["price"] = {{"changed", advice.price.changed}, {"sum", advice.price.sum}};
  out["cheapest"] = advice.is_cheapest;
  out["changes"] = changes_json(advised, advice);
  out["support"] = support_json(advice.result);
}

Json by_type_json(const Advised& advised, const Advice& advice) {
  Json levels = Json::object();
  for (std::size_t i = 0; i < advice.names.size(); ++i)
    levels[advised.program.types[i].name] = advice.names[i];
  Json out{{"levels", std::move(levels)}};
  add_common(advised, advice, out);
  return out;
}

Json pairs_json(const Advised& advised, const Advice& advice) {
  Json pairs = Json::array();
  for (const auto& pair : advice.plan.serial)
    pairs.push_back(
        {advised.program.types[pair[0]].name, advised.program.types[pair[1]].name});
  Json out{{"level", advice.names.front()}, {"serial", std::move(pairs)}};
  add_common(advised, advice, out);
  return out;
}

Json mixture_json(const Advised& advised, const Advice& advice) {
  Json out = by_type_json(advised, advice);
  out["serial"] = pairs_json(advised, advice)["serial"];
  return out;
}

Json remaining_json(const Advised& advised) {
  Json out = Json::array();
  for (const AnomalyGroup& group : anomaly_groups(advised.result.unchanged, false)) {
    Json types = Json::array();
    for (const audit::AnomalyTransaction& transaction : group.front()->transactions)
      types.push_back(advised.program.types[transaction.type].name);
    out.push_back({{"kind", group.front()->kind},
                   {"transactions", std::move(types)},
                   {"ways", group.size()}});
  }
  return out;
}

}  // namespace

std::string advise_json(const Advised& advised) {
  const audit::AdviseResult& result = advised.result;
  Json out{
      {"offer", advised.offer.names},
      {"uniform",
       result.uniform ? Json(advised.offer.names[*result.uniform]) : Json(nullptr)},
      {"by_type", result.by_type ? by_type_json(advised, *result.by_type) : Json(nullptr)},
      {"by_serial_pairs", result.by_serial_pairs
                              ? pairs_json(advised, *result.by_serial_pairs)
                              : Json(nullptr)},
      {"mixture", result.mixture ? mixture_json(advised, *result.mixture) : Json(nullptr)},
      {"unchanged",
       {{"level", advised.offer.names.front()},
        {"anomalies", result.unchanged.anomalies.size()},
        {"groups", remaining_json(advised)}}},
      {"reason", result.unknown},
      {"plans", result.plans},
      {"seconds", result.seconds}};
  return document_text(out);
}

}  // namespace isomer::report
