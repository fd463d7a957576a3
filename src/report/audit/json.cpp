// SPDX-License-Identifier: MIT
#include "report/json.h"
#include "report/audit/words.h"

namespace isomer::report {
namespace {

using audit::Anomaly;
using audit::Confirmation;
using audit::Verdict;

constexpr std::size_t sql_width_max = 1000;

std::string sql_of(const program::Program& program, const program::Statement& statement) {
  return statement_text(program, statement, sql_width_max);
}

std::string_view harm_name(audit::Harm harm) {
  switch (harm) {
    case audit::Harm::NoneFound:
      return "none found";
    case audit::Harm::Found:
      return "found";
    case audit::Harm::ProvedNone:
      break;
  }
  return "proved none";
}

Json anomaly_json(const program::Program& program, const Anomaly& anomaly) {
  Json types = Json::array();
  Json calls = Json::array();
  for (const audit::AnomalyTransaction& transaction : anomaly.transactions) {
    types.push_back(program.types[transaction.type].name);
    calls.push_back(call_text(program, transaction));
  }
  Json edges = Json::array();
  for (const audit::Dependency& edge : anomaly.dependencies)
    edges.push_back({{"from", edge.from},
                     {"to", edge.to},
                     {"kind", audit::name(edge.kind)},
                     {"table", program.tables[edge.table.index].name},
                     {"key", edge.key},
                     {"field", edge.field},
                     {"from_at", place_json(program, edge.from_statement->at)},
                     {"from_sql", sql_of(program, *edge.from_statement)},
                     {"to_at", place_json(program, edge.to_statement->at)},
                     {"to_sql", sql_of(program, *edge.to_statement)}});
  Json out{{"kind", anomaly.kind},
           {"transactions", std::move(types)},
           {"calls", std::move(calls)},
           {"dependencies", std::move(edges)},
           {"confirmed", anomaly.confirmation == Confirmation::Confirmed},
           {"harmless", anomaly.harm == audit::Harm::ProvedNone},
           {"harm", harm_name(anomaly.harm)}};
  if (!anomaly.beside.empty()) {
    out["beside"] = Json::array();
    for (const audit::AnomalyTransaction& transaction : anomaly.beside)
      out["beside"].push_back(call_text(program, transaction));
  }
  if (!anomaly.scenario.empty()) out["scenario"] = anomaly.scenario;
  if (anomaly.confirmation != Confirmation::Confirmed)
    out["reason"] = anomaly.confirmation == Confirmation::NotAsked
                        ? "confirmation was not asked for"
                        : anomaly.why_unconfirmed;
  return out;
}

std::string verdict_name(const audit::Result& result, std::size_t counted) {
  if (result.verdict == Verdict::Anomalies && counted == 0) return "no harm";
  switch (result.verdict) {
    case Verdict::Serializable:
      return "serializable";
    case Verdict::NoCycle:
      return "no cycle up to k";
    case Verdict::Anomalies:
      return "anomalies";
    case Verdict::Unknown:
      break;
  }
  return "unknown";
}

}  // namespace

std::string audit_json(const Audited& audited, const AuditTextOptions& options) {
  Json levels = Json::object();
  for (const AuditedLevel& level : audited.levels) {
    Json anomalies = Json::array();
    for (const Anomaly& anomaly : level.result.anomalies)
      if (counts(anomaly, options.ignore_harmless))
        anomalies.push_back(anomaly_json(audited.program, anomaly));
    levels[level.plan.name] = {
        {"verdict", verdict_name(level.result, anomalies.size())},
        {"proof", level.result.proof},
        {"reason", level.result.unknown},
        {"max_cycle", level.result.cycle_max},
        {"assumptions", level.result.assumptions},
        {"anomalies", std::move(anomalies)},
        {"harmless_proof", level.result.harmless_proof},
        {"harmless_left_out",
         anomaly_counts(level.result, options.ignore_harmless).left_out},
        {"questions", level.result.questions},
        {"slowest_seconds", level.result.slowest_seconds},
        {"seconds", level.result.seconds}};
  }
  return document_text({{"levels", std::move(levels)}});
}

}  // namespace isomer::report
