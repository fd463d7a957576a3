// SPDX-License-Identifier: MIT
#include "report/advise_report.h"
#include "report/outcome_json.h"

namespace isomer::report {
namespace {

using audit::Advice;

Json support_json(const audit::Result& result) {
  return {{"proved", result.verdict == audit::Verdict::Serializable},
          {"proof", result.proof},
          {"max_cycle", result.cycle_max}};
}

Json by_type_json(const Advised& advised, const Advice& advice) {
  Json levels = Json::object();
  for (std::size_t i = 0; i < advice.names.size(); ++i)
    levels[advised.program.types[i].name] = advice.names[i];
  return {{"levels", std::move(levels)}, {"support", support_json(advice.result)}};
}

Json pairs_json(const Advised& advised, const Advice& advice) {
  Json pairs = Json::array();
  for (const auto& pair : advice.plan.serial)
    pairs.push_back(
        {advised.program.types[pair[0]].name, advised.program.types[pair[1]].name});
  return {{"level", advice.names.front()},
          {"serial", std::move(pairs)},
          {"support", support_json(advice.result)}};
}

}  // namespace

std::string advise_json(const Advised& advised) {
  const audit::AdviseResult& result = advised.result;
  Json out{
      {"uniform",
       result.uniform ? Json(advised.offer.names[*result.uniform]) : Json(nullptr)},
      {"by_type", result.by_type ? by_type_json(advised, *result.by_type) : Json(nullptr)},
      {"by_serial_pairs", result.by_serial_pairs
                              ? pairs_json(advised, *result.by_serial_pairs)
                              : Json(nullptr)},
      {"unchanged",
       {{"level", advised.offer.names.front()},
        {"anomalies", result.unchanged.anomalies.size()}}},
      {"reason", result.unknown},
      {"plans", result.plans},
      {"seconds", result.seconds}};
  return document_text(out);
}

}  // namespace isomer::report
