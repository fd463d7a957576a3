// SPDX-License-Identifier: MIT
// The model of InnoDB against a real MariaDB: random applications, and of each every
// schedule of its statements, at each level, at different ones, and with
// innodb_snapshot_isolation.  What the server does must be among what the model does with
// any plan.
//
//   isomer_mariadb_differential [--applications N] [--schedules N] [--seed S]
//                               [--out FOLDER] [--inputs FOLDER]
#include <list>
#include <vector>

#include <fmt/format.h>

#include "mariadb_differential/matching_way.h"
#include "mariadb_differential/random_statements.h"
#include "mariadb_server/server.h"
#include "program/print/dialect.h"
#include "program/scenario/scenario.h"
#include "server/mariadb_server.h"
#include "support/database/differential.h"

namespace isomer::test {
namespace {

using namespace database;

// Sessions with the levels in turn, from this place on.
struct SetUp {
  std::string_view name;
  std::vector<IsolationLevel> levels;
  bool has_snapshot_isolation = false;
};

const std::vector<SetUp>& set_ups() {
  using enum IsolationLevel;
  static const std::vector<SetUp> all = {
      {"READ UNCOMMITTED", {ReadUncommitted}},
      {"READ COMMITTED", {ReadCommitted}},
      {"REPEATABLE READ", {RepeatableRead}},
      {"SERIALIZABLE", {Serializable}},
      {"snapshot isolation", {RepeatableRead}, true},
      {"a level for each session", {Serializable, RepeatableRead, ReadCommitted}}};
  return all;
}

// Whoever is woken runs beside the others that are, and beside whoever let them go on.
constexpr int attempts = 3;

// The one server of all applications, and the program that it has.
struct Connected {
  std::unique_ptr<server::MariadbServer> server;
  std::list<program::Program> programs;
};

Connected& connected() {
  static Connected only;
  return only;
}

struct Totals {
  std::uint64_t races = 0;
  std::uint64_t ways = 0;
  std::uint64_t most_ways = 0;
  std::uint64_t open = 0;  // too many ways to try all
};

Totals& totals() {
  static Totals only;
  return only;
}

// The same schedule again, as far as it goes.
bool agrees_again(const Scenario& scenario, const std::vector<SessionIndex>& schedule) {
  server::MariadbServer& server = *connected().server;
  for (int i = 0; i < attempts; ++i) {
    if (!server.reset().empty()) return false;
    ScheduleRun run(scenario, server);
    follow(run, schedule);
    const MatchingWay every = find_way(scenario, run, [](const ScheduleRun&) {});
    if (every.is_found) return true;
  }
  return false;
}

std::string try_run(const Scenario& scenario, const ScheduleRun& run,
                    DifferentialCounts& counts) {
  SeenRun nearest;
  const MatchingWay every = find_way(scenario, run, [&](const ScheduleRun& model) {
    nearest = seen_run(scenario.program, model);
  });
  totals().ways += every.ways;
  totals().most_ways = std::max(totals().most_ways, every.ways);
  if (every.is_found) return {};
  if (every.gives_up) {
    ++counts.undecided;
    return {};
  }
  if (!every.is_complete) {
    ++totals().open;
    return {};
  }
  const std::string text =
      both_runs(scenario, run, seen_run(scenario.program, run), nearest);
  if (agrees_again(scenario, run.schedule())) {
    ++totals().races;
    return {};
  }
  return text;
}

Scenario scenario_of(const program::Program& program, const SetUp& set_up) {
  Scenario out{.program = program,
               .begin = std::vector<BeginOptions>(program.types.size()),
               .server = {.database = Database::MariaDb,
                          .has_snapshot_isolation = set_up.has_snapshot_isolation}};
  for (std::size_t i = 0; i < program.sessions.size(); ++i)
    for (const program::Call& call : program.sessions[i].calls)
      out.begin[call.type].level = set_up.levels[i % set_up.levels.size()];
  return out;
}

// What differs first; empty: nothing.  If there are too many schedules for all, as many
// again are drawn.
std::string try_set_up(const program::Program& program, const SetUp& set_up,
                       std::uint64_t schedules, DifferentialCounts& counts) {
  const Scenario scenario = scenario_of(program, set_up);
  server::MariadbServer& server = *connected().server;
  std::string difference = server.turn_to(program, scenario.server);
  const auto fresh = [&]() -> Server& {
    if (std::string problem = server.reset(); !problem.empty()) difference = problem;
    return server;
  };
  const auto visit = [&](const ScheduleRun& run) {
    counts.add(run);
    if (difference.empty()) difference = try_run(scenario, run, counts);
    return difference.empty();
  };
  if (!difference.empty()) return difference;
  const auto every = every_schedule(scenario, fresh, visit, {.schedules_max = schedules});
  counts.complete += every.is_complete ? 1U : 0U;
  totals().races += every.lost;
  for (std::uint64_t i = 0; !every.is_complete && difference.empty() && i < schedules;
       ++i) {
    Random random(i);
    ScheduleRun run(scenario, fresh());
    run_randomly(run, random);
    visit(run);
  }
  return difference.empty() ? difference : fmt::format("{}\n{}", set_up.name, difference);
}

std::string try_texts(const std::string& sql, const std::string& scenario,
                      const DifferentialOptions& options, DifferentialCounts& counts) {
  const auto parsed =
      program::parse_scenario({"scenario.toml", scenario}, {"app.sql", sql});
  ++counts.applications;
  if (!parsed) {
    ++counts.broken;
    return render(parsed.error());
  }
  if (!program::obstacles(*parsed, program::Dialect::MariaDb).empty()) {
    ++counts.refused;
    return {};
  }
  const program::Program& program = connected().programs.emplace_back(*parsed);
  for (const SetUp& set_up : set_ups())
    if (std::string difference = try_set_up(program, set_up, options.schedules, counts);
        !difference.empty())
      return difference;
  return {};
}

bool compare_all(const DifferentialOptions& options) {
  if (!mariadb().problem().empty()) {
    fmt::print("{}\n", mariadb().problem());
    return false;
  }
  static const program::Program nothing;
  auto server =
      server::MariadbServer::connect(nothing, {}, {.address = mariadb().address()});
  if (!server) {
    fmt::print("{}\n", server.error());
    return false;
  }
  connected().server = *std::move(server);
  const bool is_same =
      run_differential({.generate = random_for_mariadb, .attempt = try_texts}, options);
  connected().server.reset();
  fmt::print(
      "{} ways of the model, at most {} of a schedule; {} races, {} with too many "
      "ways\n",
      totals().ways, totals().most_ways, totals().races, totals().open);
  return is_same;
}

}  // namespace
}  // namespace isomer::test

int main(int count, char** words) {
  return isomer::test::compare_all(isomer::test::differential_options(count, words)) ? 0
                                                                                     : 1;
}
