// SPDX-License-Identifier: MIT
// The model of PostgreSQL against PostgreSQL: random applications, random schedules.
//
//   isomer_database_differential [--schedules N] [--every N] [--seed S] [--out FOLDER]
//                                [--inputs FOLDER]
//
// Of an application with at most --every schedules all are run, of others a few random
// ones.  An application on which they differ is cut down and written to FOLDER/SEED.
// --inputs runs the applications of a folder instead, each a folder with app.sql and
// scenario.toml, which has a line "# schedule: ABBA".
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fmt/format.h>
#include <unistd.h>

#include "database/model.h"
#include "database_differential/comparison.h"
#include "database_differential/random_application.h"
#include "postgres/server.h"
#include "program/load.h"
#include "support/database/transcript.h"
#include "support/shrunk.h"

namespace isomer::test {
namespace {

constexpr std::uint64_t schedules_per_application = 16;
constexpr std::uint64_t schedules_per_smaller_one = 40;
constexpr unsigned seconds_per_application = 120;

// What is run now, for whoever finds it hanging.
std::string current_folder;

void give_up(int /*signal*/) {
  fmt::print("--- no end within {} s: {}\n", seconds_per_application, current_folder);
  std::fflush(stdout);
  std::_Exit(1);
}

struct Options {
  std::uint64_t schedules = 2000;
  std::uint64_t every = 60;
  std::uint64_t seed = 1;
  std::filesystem::path out = "build/database_differential";
  std::filesystem::path inputs;
};

struct Difference {
  std::string text;
  std::string schedule;  // "ABBA"
};

struct Counts {
  std::map<Comparison::Kind, std::uint64_t> kinds;
  std::uint64_t applications = 0;
  std::uint64_t refused = 0;
  std::uint64_t complete = 0;  // all of whose schedules were run
  std::uint64_t waits = 0;
  std::uint64_t deadlocks = 0;
  std::uint64_t other_ways = 0;
  std::uint64_t all = 0;
};

std::string letters_of(const program::Program& program,
                       const std::vector<database::SessionIndex>& schedule) {
  std::string out;
  for (const database::SessionIndex session : schedule)
    out += program.sessions[session].name;
  return out;
}

std::string line_after(const std::string& text, const std::string& mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string::npos) return {};
  return text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
}

void write(const std::filesystem::path& folder, const std::string& sql,
           const std::string& scenario) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "app.sql") << sql;
  std::ofstream(folder / "scenario.toml") << scenario;
}

// A busy machine lets sessions of the server overtake each other where the model has an
// order.  What differs differs each time; what does not is a race.
Comparison compare_thrice(const database::Scenario& scenario,
                          server::PostgresqlServer& server,
                          const std::vector<database::SessionIndex>& schedule,
                          std::uint64_t seed) {
  Comparison out = compare(scenario, server, schedule, seed);
  for (int again = 0; again < 2 && out.kind == Comparison::Kind::Different; ++again)
    if (compare(scenario, server, out.schedule, seed).kind != Comparison::Kind::Different)
      out.kind = Comparison::Kind::Races;
  return out;
}

using Schedules = std::vector<std::vector<database::SessionIndex>>;

// Every schedule, as the model goes; none if there are more than that.
Schedules every_schedule_of(const database::Scenario& scenario, std::uint64_t max) {
  Schedules out;
  std::optional<database::Model> model;
  const auto every = database::every_schedule(
      scenario,
      [&]() -> database::Server& {
        return model.emplace(scenario.server, scenario.program,
                             scenario.program.sessions.size());
      },
      [&](const database::ScheduleRun& run) {
        out.push_back(run.schedule());
        return out.size() <= max;
      });
  return every.is_complete && out.size() <= max ? out : Schedules{};
}

// How the schedules of an application are chosen.
struct Choice {
  std::string first;         // "ABBA", and then
  std::uint64_t every = 0;   // all, if they are that few,
  std::uint64_t random = 0;  // or so many random ones
};

// Different schedules of the scenario in a folder; the first on which they differ.
std::optional<Difference> try_folder(const std::filesystem::path& folder,
                                     const Choice& choice, std::uint64_t seed,
                                     Counts& counts) {
  const std::string file = folder / "scenario.toml";
  current_folder = folder;
  alarm(seconds_per_application);
  const auto program = program::load_program(file);
  if (!program) {
    ++counts.refused;
    fmt::print("{}", render(program.error()));
    return std::nullopt;
  }
  const auto connected = server::PostgresqlServer::connect(
      *program,
      {.address = "user=postgres dbname=postgres host=" + server().socket_folder()});
  if (!connected) return Difference{.text = connected.error(), .schedule = {}};
  const database::Scenario scenario = scenario_of(*program, contents(file));
  ++counts.applications;
  Schedules schedules{schedule_of(*program, choice.first)};
  const Schedules every = every_schedule_of(scenario, choice.every);
  schedules.insert(schedules.end(), every.begin(), every.end());
  if (every.empty()) schedules.resize(choice.random);
  counts.complete += every.empty() ? 0U : 1U;
  std::set<std::vector<database::SessionIndex>> tried;
  for (std::uint64_t i = 0; i < schedules.size(); ++i) {
    const Comparison found =
        compare_thrice(scenario, **connected, schedules[i], seed * 10'000 + i);
    if (!tried.insert(found.schedule).second) continue;
    ++counts.all;
    ++counts.kinds[found.kind];
    counts.waits += found.has_waits ? 1U : 0U;
    counts.deadlocks += found.has_deadlock ? 1U : 0U;
    counts.other_ways += found.takes_other_way ? 1U : 0U;
    if (found.kind == Comparison::Kind::Different || found.kind == Comparison::Kind::Broken)
      return Difference{.text = found.text,
                        .schedule = letters_of(*program, found.schedule)};
  }
  return std::nullopt;
}

std::optional<Difference> try_application(const RandomApplication& application,
                                          const Scratch& scratch, const Choice& choice,
                                          std::uint64_t seed, Counts& counts) {
  const std::filesystem::path folder = scratch.path("app");
  write(folder, application.sql(), application.scenario());
  return try_folder(folder, choice, seed, counts);
}

void show(const RandomApplication& whole, const Scratch& scratch, std::uint64_t seed,
          const Options& options) {
  Counts ignored;
  const Choice choice{
      .first = {}, .every = options.every, .random = schedules_per_smaller_one};
  const auto differs = [&](const RandomApplication& less) {
    return try_application(less, scratch, choice, seed, ignored).has_value();
  };
  const RandomApplication small = shrunk(whole, differs);
  const auto found = try_application(small, scratch, choice, seed, ignored);
  if (!found) return;
  const auto folder = options.out / fmt::format("{}", seed);
  write(folder, small.sql(),
        fmt::format("# schedule: {}\n{}", found->schedule, small.scenario()));
  std::ofstream(folder / "README") << found->text;
  fmt::print("--- seed {}, in {}\n{}{}{}\n", seed, folder.string(), small.sql(),
             small.scenario(), found->text);
  std::fflush(stdout);
}

void print(const Counts& counts, double seconds) {
  const auto count = [&](Comparison::Kind kind) {
    const auto at = counts.kinds.find(kind);
    return at == counts.kinds.end() ? 0 : at->second;
  };
  using Kind = Comparison::Kind;
  fmt::print(
      "{} applications, of {} every schedule, {} refused; {} schedules in {:.1f} s, {} "
      "with "
      "waits, {} with deadlocks: {} same ({} by another plan), {} excused, {} races, {} "
      "different, {} broken\n",
      counts.applications, counts.complete, counts.refused, counts.all, seconds,
      counts.waits, counts.deadlocks, count(Kind::Same), counts.other_ways,
      count(Kind::Excused), count(Kind::Races), count(Kind::Different),
      count(Kind::Broken));
}

bool run_random(const Options& options) {
  const Scratch scratch;
  Counts counts;
  bool is_same = true;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t seed = options.seed; counts.all < options.schedules; ++seed) {
    const RandomApplication application = random_application(seed);
    const Choice choice{
        .first = {}, .every = options.every, .random = schedules_per_application};
    if (try_application(application, scratch, choice, seed, counts)) {
      is_same = false;
      show(application, scratch, seed, options);
    }
  }
  print(counts,
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return is_same && counts.refused == 0;
}

bool run_inputs(const std::filesystem::path& inputs) {
  Counts counts;
  bool is_same = true;
  for (const auto& entry : std::filesystem::directory_iterator(inputs)) {
    if (!entry.is_directory()) continue;
    const std::string schedule =
        line_after(contents(entry.path() / "scenario.toml"), "# schedule: ");
    const Choice choice{.first = schedule, .every = 0, .random = schedules_per_application};
    const auto found = try_folder(entry.path(), choice, 1, counts);
    if (!found) continue;
    is_same = false;
    fmt::print("--- {}, schedule {}\n{}\n", entry.path().string(), found->schedule,
               found->text);
  }
  print(counts, 0);
  return is_same && counts.refused == 0 && counts.applications > 0;
}

Options options_of(int count, char** words) {
  Options out;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string word = words[i];
    const char* const value = words[i + 1];
    if (word == "--schedules") out.schedules = std::strtoull(value, nullptr, 10);
    if (word == "--every") out.every = std::strtoull(value, nullptr, 10);
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
  const Options options = options_of(count, words);
  std::signal(SIGALRM, give_up);
  if (!server().problem().empty()) {
    fmt::print("{}\n", server().problem());
    return 2;
  }
  const bool is_same =
      options.inputs.empty() ? run_random(options) : run_inputs(options.inputs);
  return is_same ? 0 : 1;
}
