// SPDX-License-Identifier: MIT
#include "audit/audit.h"

#include <algorithm>

#include <fmt/format.h>

#include "audit/confirm.h"
#include "audit/prove.h"
#include "audit/search.h"
#include "base/stopwatch.h"

namespace isomer::audit {
namespace {

// May the content of a record that transactions insert be taken as a function of its key?
bool inserts_conflict(const Program& program, const Plan& plan) {
  std::vector<std::uint32_t> inserting;
  for (std::uint32_t type = 0; type < program.types.size(); ++type) {
    const Changes changes = changes_of(program, program.types[type]);
    if (std::any_of(changes.begin(), changes.end(),
                    [](const TableChanges& table) { return table.inserts; }))
      inserting.push_back(type);
  }
  for (const std::uint32_t a : inserting)
    for (const std::uint32_t b : inserting)
      if (!writers_conflict(plan, a, b)) return false;
  return true;
}

// May numbers that grow along visibility be used?
bool allows_counters(const Program& program, const Plan& plan) {
  if (!sees_transitively(plan)) return false;
  const auto count = static_cast<std::uint32_t>(program.types.size());
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = 0; b < count; ++b)
      if (!writers_conflict(plan, a, b)) return false;
  return true;
}

}  // namespace

Plan uniform_plan(const Program& program, const level::Level& level) {
  Plan out{.name = level.name,
           .type_names = {},
           .levels = {level},
           .level_of = std::vector<std::uint32_t>(program.types.size(), 0),
           .serial = {},
           .is_watched = {}};
  for (const auto& type : program.types)
    out.type_names.push_back(type.name);
  return out;
}

Diagnostics obstacles(const Program& program) {
  for (const auto& type : program.types)
    for (const auto kind :
         {program::Statement::Kind::ReadKey, program::Statement::Kind::WriteKey})
      if (contains(type.body, kind))
        return {diagnostic_in(program, type.at.first,
                              "audit reads SQL applications, not litmus programs")};
  if (program.types.empty())
    return {diagnostic_of_file(program.file, "the application has no transactions")};
  return {};
}

Result audit(const Program& program, const Plan& plan, const Options& options) {
  const Stopwatch stopwatch;
  Result result;
  Effort effort;
  const Model model{
      .granularity = options.granularity,
      .reads = options.reads,
      .has_counters = options.assume_counters && allows_counters(program, plan),
      .inserts_conflict = inserts_conflict(program, plan)};
  const Application application(program, model);
  for (const Numbered& numbered : application.numbered())
    result.assumptions.push_back(assumption_text(program, numbered));
  find_cycles(application, plan, options, result, effort);
  if (!result.anomalies.empty()) {
    result.verdict = Verdict::Anomalies;
  } else if (result.unknown.empty()) {
    result.verdict = Verdict::NoCycle;
    if (options.prove) prove(application, plan, options, result, effort);
  }
  for (Anomaly& anomaly : result.anomalies)
    if (options.confirm) confirm(program, plan, options, anomaly);
  result.questions = effort.questions;
  result.slowest_seconds = effort.slowest_seconds;
  result.seconds = stopwatch.seconds();
  return result;
}

}  // namespace isomer::audit
