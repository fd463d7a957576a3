// SPDX-License-Identifier: MIT
// The model of SQLite against SQLite: random applications, and of each every schedule of
// its statements, with a rollback journal and with a write-ahead log, with a busy timeout
// and without.  All that can be seen must be the same.
//
//   isomer_sqlite_differential [--applications N] [--schedules N] [--seed S]
//                              [--out FOLDER] [--inputs FOLDER]
//
// An application on which they differ is cut down and written to FOLDER/SEED.  --inputs
// runs the applications of a folder instead, each a folder with app.sql and scenario.toml.
#include <fmt/format.h>

#include "database/model.h"
#include "program/print/dialect.h"
#include "program/scenario/scenario.h"
#include "server/sqlite_server.h"
#include "sqlite_differential/random_statements.h"
#include "support/database/differential.h"

namespace isomer::test {
namespace {

using namespace database;

std::vector<ServerKind> all_kinds() {
  std::vector<ServerKind> out;
  for (const bool has_wal : {false, true})
    for (const bool fails_when_busy : {false, true})
      out.push_back({.database = Database::Sqlite,
                     .has_wal = has_wal,
                     .fails_when_busy = fails_when_busy});
  return out;
}

SeenRun on_model(const Scenario& scenario, const std::vector<SessionIndex>& schedule) {
  Model model(scenario.server, scenario.program, scenario.program.sessions.size());
  ScheduleRun run(scenario, model);
  follow(run, schedule);
  return seen_run(scenario.program, run);
}

std::string kind_text(const ServerKind& kind) {
  return fmt::format("{}, {}\n", kind.has_wal ? "write-ahead log" : "rollback journal",
                     kind.fails_when_busy ? "no busy timeout" : "a busy timeout");
}

std::string line_after(const std::string& text, const std::string& mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return {};
  return text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

Scenario scenario_of(const program::Program& program, const std::string& immediate,
                     const ServerKind& kind) {
  Scenario out{.program = program, .server = kind};
  out.begin.resize(program.types.size());
  for (const program::Session& session : program.sessions)
    for (const program::Call& call : session.calls)
      out.begin[call.type].is_immediate = immediate.find(session.name) != std::string::npos;
  return out;
}

// What differs first; empty: nothing.
std::string try_kind(const Scenario& scenario, std::uint64_t schedules,
                     DifferentialCounts& counts) {
  auto server = server::SqliteServer::open(scenario.program, scenario.server);
  if (!server) return server.error();
  std::string difference;
  const auto every = every_schedule(
      scenario,
      [&]() -> Server& {
        if (std::string problem = (*server)->reset(); !problem.empty())
          difference = problem;
        return **server;
      },
      [&](const ScheduleRun& run) {
        const SeenRun theirs = seen_run(scenario.program, run);
        const SeenRun ours = on_model(scenario, run.schedule());
        counts.add(run);
        if (ours.gives_up)
          ++counts.undecided;
        else if (theirs.lines != ours.lines)
          difference = kind_text(scenario.server) + both_runs(scenario, run, theirs, ours);
        return difference.empty();
      },
      {.schedules_max = schedules});
  counts.complete += every.is_complete ? 1U : 0U;
  if (every.lost != 0 && difference.empty()) difference = "SQLite does not do it again";
  return difference;
}

std::string try_texts(const std::string& sql, const std::string& scenario,
                      const DifferentialOptions& options, DifferentialCounts& counts) {
  const auto program =
      program::parse_scenario({"scenario.toml", scenario}, {"app.sql", sql});
  ++counts.applications;
  if (!program) {
    ++counts.broken;
    return render(program.error());
  }
  if (!program::obstacles(*program, program::Dialect::Sqlite).empty()) {
    ++counts.refused;
    return {};
  }
  for (const ServerKind& kind : all_kinds()) {
    const Scenario at = scenario_of(*program, line_after(scenario, "# immediate: "), kind);
    if (std::string difference = try_kind(at, options.schedules, counts);
        !difference.empty())
      return difference;
  }
  return {};
}

}  // namespace
}  // namespace isomer::test

int main(int count, char** words) {
  using namespace isomer::test;
  return run_differential({.generate = random_for_sqlite, .attempt = try_texts},
                          differential_options(count, words))
             ? 0
             : 1;
}
