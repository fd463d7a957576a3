// SPDX-License-Identifier: MIT
#include "reproduce/abstract.h"

#include <algorithm>

#include <fmt/format.h>

#include "database/level_rules.h"
#include "reproduce/target.h"

namespace isomer::reproduce {
namespace {

using database::Database;
using database::IsolationLevel;

// Where the model knows no schedule, so many are tried.
constexpr std::uint64_t schedules_in_doubt = 100;
constexpr std::uint32_t retries = 3;
constexpr double seconds_to_find = 20;

bool has_invariant(const AbstractFinding& finding) {
  return std::ranges::any_of(finding.program.invariants, [&](const auto& invariant) {
    return invariant.name == finding.invariant && invariant.query;
  });
}

}  // namespace

database::DatabaseLevel nearest_level(Database database, const std::string& level) {
  database::DatabaseLevel out{.database = database,
                              .isolation = IsolationLevel::RepeatableRead};
  if (level == "RC") out.isolation = IsolationLevel::ReadCommitted;
  if (level == "SER" || database == Database::Sqlite)
    out.isolation = IsolationLevel::Serializable;
  return out;
}

Tried reproduce(const AbstractFinding& finding, const Target& target) {
  Tried out{.program = finding.program, .found = {}, .there = {.server = target.title}};
  out.program.levels = {};
  const database::DatabaseLevel level =
      nearest_level(target.address.database, finding.level);
  if (!has_invariant(finding)) {
    const std::string name = database::long_name(level);
    out.there.level = name.substr(name.find(':') + 1);
    out.there.problem = "only broken invariants of scenarios are tried on servers";
    return out;
  }
  for (program::Session& session : out.program.sessions)
    session.retry = std::max(session.retry, retries);
  std::erase_if(out.program.invariants,
                [&](const auto& other) { return other.name != finding.invariant; });
  const auto explored = explore::every_outcome(
      database::scenario_at(out.program, level),
      {.stops_at_failure = true, .budget = target.options.budget.within(seconds_to_find)});
  out.has_tried_all = explored.failure || explored.is_complete;
  if (explored.failure) out.program = program_of(out.program, *explored.failure);
  const database::Scenario scenario = database::scenario_at(out.program, level);
  const Finding wanted = explored.failure ? finding_of(scenario, *explored.failure)
                                          : Finding{.scenario = scenario,
                                                    .run = {},
                                                    .invariant = finding.invariant,
                                                    .schedules_max = schedules_in_doubt};
  out.found = wanted.run;
  out.there = reproduce(wanted, target);
  return out;
}

}  // namespace isomer::reproduce
