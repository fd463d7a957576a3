// SPDX-License-Identifier: MIT
#include "audit/audit.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "audit/confirm/confirm.h"
#include "audit/prove.h"
#include "audit/search.h"
#include "audit/solution.h"
#include "base/budget.h"
#include "check/asked_level.h"
#include "program/database_only.h"

namespace isomer::audit {
namespace {

bool changes_rows(const TableChanges& changes) {
  return changes.inserts || changes.deletes ||
         std::find(changes.updated.begin(), changes.updated.end(), true) !=
             changes.updated.end();
}

// By table.  An UPDATE of a row that somebody has deleted brings the whole row back, if
// conflicts are on rows; so then all who change rows count.
std::vector<bool> inserts_conflict(const Program& program, const Plan& plan,
                                   const Options& options) {
  const bool is_row = options.granularity == program::Granularity::Row;
  std::vector<std::vector<std::uint32_t>> inserting(program.tables.size());
  for (std::uint32_t type = 0; type < program.types.size(); ++type) {
    const Changes changes = changes_of(program, program.types[type]);
    for (std::size_t table = 0; table < changes.size(); ++table)
      if (changes[table].inserts || (is_row && changes_rows(changes[table])))
        inserting[table].push_back(type);
  }
  std::vector<bool> out;
  for (const auto& types : inserting)
    out.push_back(std::all_of(types.begin(), types.end(), [&](std::uint32_t a) {
      return std::all_of(types.begin(), types.end(), [&](std::uint32_t b) {
        return writers_conflict(plan, a, b, options.budget);
      });
    }));
  return out;
}

// May numbers that grow along visibility be used?
bool allows_counters(const Program& program, const Plan& plan, const Budget& budget) {
  if (!sees_transitively(plan, budget)) return false;
  const auto count = static_cast<std::uint32_t>(program.types.size());
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = 0; b < count; ++b)
      if (!writers_conflict(plan, a, b, budget)) return false;
  return true;
}

// One of those with the same types and statements, the best confirmed one.
void keep_different(std::vector<Anomaly>& anomalies) {
  std::map<std::string, std::size_t> places;
  std::vector<Anomaly> out;
  for (Anomaly& anomaly : anomalies) {
    const auto [place, is_new] = places.emplace(identity(anomaly), out.size());
    if (is_new)
      out.push_back(std::move(anomaly));
    else if (evidence_of(anomaly) > evidence_of(out[place->second]))
      out[place->second] = std::move(anomaly);
  }
  anomalies = std::move(out);
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
  for (const auto& type : program.types)
    if (type.is_script)
      return {diagnostic_in(program, type.at.first,
                            "audit reads the transactions of an application, any number "
                            "of which may run; it cannot read scripts of sessions")};
  const auto types = program::all_types(program);
  if (Diagnostics errors = program::computed_rows(program, types, "audit"); !errors.empty())
    return errors;
  if (Diagnostics errors = program::database_only(program, types); !errors.empty())
    return errors;
  return program::index_constraints_used(program, types);
}

Model model_of(const Program& program, const Plan& plan, const Options& options) {
  return {.granularity = options.granularity,
          .reads = options.reads,
          .has_counters =
              options.assume_counters && allows_counters(program, plan, options.budget),
          .inserts_conflict = inserts_conflict(program, plan, options)};
}

bool is_serializable_by_definition(const Plan& plan) {
  const std::vector<bool>& watched = plan.is_watched;
  if (!watched.empty() && std::find(watched.begin(), watched.end(), false) == watched.end())
    return true;
  const auto is_serializable = [](const level::Level& level) {
    return check::is_stronger_or_equal(check::AskedLevel(level.qualified_name(), level),
                                       check::Level::SER);
  };
  return std::all_of(plan.levels.begin(), plan.levels.end(), is_serializable);
}

Result audit(const Program& program, const Plan& plan, const Options& options) {
  const Stopwatch stopwatch;
  Result result;
  if (is_serializable_by_definition(plan)) {
    result.verdict = Verdict::Serializable;
    result.proof = "by the definition of the level";
    result.cycle_max = options.cycle_max;
    return result;
  }
  Effort effort;
  const Application application(program, model_of(program, plan, options), options.budget);
  for (const Numbered& numbered : application.numbered())
    result.assumptions.push_back(assumption_text(program, numbered));
  find_cycles(application, plan, options, result, effort);
  if (!result.anomalies.empty()) {
    result.verdict = Verdict::Anomalies;
  } else if (result.unknown.empty()) {
    result.verdict = Verdict::NoCycle;
    if (options.prove) prove(application, plan, options, result, effort);
  }
  if (!options.stop_at_first) prove_harmless(application, plan, options, result, effort);
  if (options.confirm) confirm(program, plan, options, result.anomalies);
  keep_different(result.anomalies);
  result.questions = effort.questions;
  result.slowest_seconds = effort.slowest_seconds;
  result.seconds = stopwatch.seconds();
  return result;
}

}  // namespace isomer::audit
