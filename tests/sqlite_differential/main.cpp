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
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "database/model.h"
#include "program/print/dialect.h"
#include "program/scenario/scenario.h"
#include "server/sqlite_server.h"
#include "sqlite_differential/random_application.h"
#include "support/database/transcript.h"
#include "support/files.h"
#include "support/shrunk.h"

namespace isomer::test {
namespace {

using namespace database;

struct Options {
  std::uint64_t applications = 60;
  std::uint64_t schedules = 500;  // of an application, in each set-up
  std::uint64_t seed = 1;
  std::filesystem::path out = "build/sqlite_differential";
  std::filesystem::path inputs;
};

struct Counts {
  std::uint64_t applications = 0;
  std::uint64_t refused = 0;   // SQLite cannot say them
  std::uint64_t broken = 0;    // cannot be read
  std::uint64_t complete = 0;  // set-ups of which every schedule was run
  std::uint64_t schedules = 0;
  std::uint64_t undecided = 0;  // the model gives up
  std::uint64_t waits = 0;
  std::map<std::string, std::uint64_t> codes;  // steps that failed
};

std::vector<ServerKind> all_kinds() {
  std::vector<ServerKind> out;
  for (const bool has_wal : {false, true})
    for (const bool fails_when_busy : {false, true})
      out.push_back({.database = Database::Sqlite,
                     .has_wal = has_wal,
                     .fails_when_busy = fails_when_busy});
  return out;
}

// --- what can be seen ---

struct Seen {
  std::vector<std::string> lines;
  bool gives_up = false;
};

Seen seen(const program::Program& program, const ScheduleRun& run) {
  Seen out;
  for (ScheduleStep step : run.steps()) {
    std::sort(step.reply.rows.begin(), step.reply.rows.end());
    std::sort(step.waited_for.begin(), step.waited_for.end());
    std::string line = step_text(program, step);
    if (step.reply.kind == Reply::Kind::Failed)
      line += fmt::format(" {} {}", step.reply.fault.number, step.reply.fault.condition);
    out.lines.push_back(std::move(line));
    out.gives_up |= step.reply.fault.is_limit;
  }
  for (const auto& text : call_texts(program, run))
    out.lines.push_back(text);
  for (const auto& text : row_texts(program, run))
    out.lines.push_back(text);
  return out;
}

Seen on_model(const Scenario& scenario, const std::vector<SessionIndex>& schedule) {
  Model model(scenario.server, scenario.program, scenario.program.sessions.size());
  ScheduleRun run(scenario, model);
  follow(run, schedule);
  return seen(scenario.program, run);
}

std::string both_texts(const Scenario& scenario, const ScheduleRun& run, const Seen& server,
                       const Seen& model) {
  std::string out = fmt::format(
      "{}, {}\n", scenario.server.has_wal ? "write-ahead log" : "rollback journal",
      scenario.server.fails_when_busy ? "no busy timeout" : "a busy timeout");
  for (std::size_t i = 0; i < std::max(server.lines.size(), model.lines.size()); ++i) {
    if (i < run.steps().size())
      out += fmt::format("{:3} {} {}\n", i,
                         scenario.program.sessions[run.steps()[i].session].name,
                         run.steps()[i].text);
    const std::string theirs = i < server.lines.size() ? server.lines[i] : "-";
    const std::string ours = i < model.lines.size() ? model.lines[i] : "-";
    out += fmt::format("      SQLite: {}\n", theirs);
    if (ours != theirs) out += fmt::format("      model:  {}\n", ours);
  }
  return out;
}

// --- an application ---

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
std::string try_kind(const Scenario& scenario, std::uint64_t schedules, Counts& counts) {
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
        const Seen theirs = seen(scenario.program, run);
        const Seen ours = on_model(scenario, run.schedule());
        ++counts.schedules;
        for (const ScheduleStep& step : run.steps()) {
          counts.waits += step.waited_for.empty() ? 0U : 1U;
          if (step.reply.kind == Reply::Kind::Failed)
            ++counts.codes[step.reply.fault.sqlstate];
        }
        if (ours.gives_up)
          ++counts.undecided;
        else if (theirs.lines != ours.lines)
          difference = both_texts(scenario, run, theirs, ours);
        return difference.empty();
      },
      {.schedules_max = schedules});
  counts.complete += every.is_complete ? 1U : 0U;
  if (every.lost != 0 && difference.empty()) difference = "SQLite does not do it again";
  return difference;
}

std::string try_texts(const std::string& sql, const std::string& scenario,
                      std::uint64_t schedules, Counts& counts) {
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
    if (std::string difference = try_kind(at, schedules, counts); !difference.empty())
      return difference;
  }
  return {};
}

// --- all ---

void show(const RandomApplication& whole, std::uint64_t seed, const Options& options) {
  Counts ignored;
  const auto difference_of = [&](const RandomApplication& less) {
    return try_texts(less.sql(), less.scenario(), options.schedules, ignored);
  };
  const RandomApplication small = shrunk(whole, [&](const RandomApplication& less) {
    const std::uint64_t broken = ignored.broken;
    return !difference_of(less).empty() && ignored.broken == broken;
  });
  const std::filesystem::path folder = options.out / fmt::format("{}", seed);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "app.sql") << small.sql();
  std::ofstream(folder / "scenario.toml") << small.scenario();
  const std::string text = difference_of(small);
  std::ofstream(folder / "README") << text;
  fmt::print("--- seed {}, in {}\n{}{}{}\n", seed, folder.string(), small.sql(),
             small.scenario(), text);
  std::fflush(stdout);
}

void print(const Counts& counts, double seconds) {
  fmt::print(
      "{} applications, {} refused, {} broken; {} schedules in {:.1f} s, all of {} "
      "set-ups; {} undecided, {} waits",
      counts.applications, counts.refused, counts.broken, counts.schedules, seconds,
      counts.complete, counts.undecided, counts.waits);
  for (const auto& [code, count] : counts.codes)
    fmt::print(", {} {}", count, code);
  fmt::print("\n");
}

bool run(const Options& options) {
  Counts counts;
  bool is_same = true;
  const auto start = std::chrono::steady_clock::now();
  if (!options.inputs.empty()) {
    for (const auto& entry : std::filesystem::directory_iterator(options.inputs)) {
      if (!entry.is_directory()) continue;
      const std::string difference =
          try_texts(contents(entry.path() / "app.sql"),
                    contents(entry.path() / "scenario.toml"), options.schedules, counts);
      if (difference.empty()) continue;
      is_same = false;
      fmt::print("--- {}\n{}\n", entry.path().string(), difference);
    }
  } else {
    for (std::uint64_t i = 0; i < options.applications; ++i) {
      const RandomApplication application = random_application(options.seed + i);
      const std::string difference =
          try_texts(application.sql(), application.scenario(), options.schedules, counts);
      if (difference.empty()) continue;
      is_same = false;
      show(application, options.seed + i, options);
    }
  }
  print(counts,
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return is_same && counts.broken == 0 && counts.schedules > 0;
}

Options options_of(int count, char** words) {
  Options out;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string word = words[i];
    const char* const value = words[i + 1];
    if (word == "--applications") out.applications = std::strtoull(value, nullptr, 10);
    if (word == "--schedules") out.schedules = std::strtoull(value, nullptr, 10);
    if (word == "--seed") out.seed = std::strtoull(value, nullptr, 10);
    if (word == "--out") out.out = value;
    if (word == "--inputs") out.inputs = value;
  }
  return out;
}

}  // namespace
}  // namespace isomer::test

int main(int count, char** words) {
  using namespace isomer::test;
  return run(options_of(count, words)) ? 0 : 1;
}
