// SPDX-License-Identifier: MIT
#include "support/database/differential.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "support/database/transcript.h"
#include "support/files.h"
#include "support/shrunk.h"

namespace isomer::test {
namespace {

using namespace database;

void show(const Differential& what, const ApplicationParts& whole, std::uint64_t seed,
          const DifferentialOptions& options) {
  DifferentialCounts ignored;
  const auto difference_of = [&](const ApplicationParts& less) {
    return what.attempt(less.sql(), less.scenario(), options, ignored);
  };
  const ApplicationParts small = shrunk(whole, [&](const ApplicationParts& less) {
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

void print(const DifferentialCounts& counts, double seconds) {
  fmt::print(
      "{} applications, {} refused, {} broken; {} schedules in {:.1f} s, all of {} "
      "set-ups; {} undecided, {} waits",
      counts.applications, counts.refused, counts.broken, counts.schedules, seconds,
      counts.complete, counts.undecided, counts.waits);
  for (const auto& [code, count] : counts.codes)
    fmt::print(", {} {}", count, code);
  fmt::print("\n");
}

bool run_inputs(const Differential& what, const DifferentialOptions& options,
                DifferentialCounts& counts) {
  bool is_same = true;
  for (const auto& entry : std::filesystem::directory_iterator(options.inputs)) {
    if (!entry.is_directory()) continue;
    const std::string difference =
        what.attempt(contents(entry.path() / "app.sql"),
                     contents(entry.path() / "scenario.toml"), options, counts);
    if (difference.empty()) continue;
    is_same = false;
    fmt::print("--- {}\n{}\n", entry.path().string(), difference);
  }
  return is_same;
}

bool run_random(const Differential& what, const DifferentialOptions& options,
                DifferentialCounts& counts) {
  bool is_same = true;
  for (std::uint64_t i = 0; i < options.applications; ++i) {
    const ApplicationParts application = what.generate(options.seed + i);
    const std::string difference =
        what.attempt(application.sql(), application.scenario(), options, counts);
    if (difference.empty()) continue;
    is_same = false;
    show(what, application, options.seed + i, options);
  }
  return is_same;
}

}  // namespace

void DifferentialCounts::add(const ScheduleRun& run) {
  ++schedules;
  for (const ScheduleStep& step : run.steps()) {
    waits += step.waited_for.empty() ? 0U : 1U;
    if (step.reply.kind == Reply::Kind::Failed)
      ++codes[step.reply.fault.number != 0 ? fmt::to_string(step.reply.fault.number)
                                           : step.reply.fault.sqlstate];
  }
}

SeenRun seen_run(const program::Program& program, const ScheduleRun& run) {
  SeenRun out;
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

std::string both_runs(const Scenario& scenario, const ScheduleRun& run,
                      const SeenRun& server, const SeenRun& model) {
  std::string out;
  for (std::size_t i = 0; i < std::max(server.lines.size(), model.lines.size()); ++i) {
    if (i < run.steps().size())
      out += fmt::format("{:3} {} {}\n", i,
                         scenario.program.sessions[run.steps()[i].session].name,
                         run.steps()[i].text);
    const std::string theirs = i < server.lines.size() ? server.lines[i] : "-";
    const std::string ours = i < model.lines.size() ? model.lines[i] : "-";
    out += fmt::format("      server: {}\n", theirs);
    if (ours != theirs) out += fmt::format("      model:  {}\n", ours);
  }
  return out;
}

bool run_differential(const Differential& what, const DifferentialOptions& options) {
  DifferentialCounts counts;
  const auto start = std::chrono::steady_clock::now();
  const bool is_same = options.inputs.empty() ? run_random(what, options, counts)
                                              : run_inputs(what, options, counts);
  print(counts,
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return is_same && counts.broken == 0 && counts.schedules > 0;
}

DifferentialOptions differential_options(int count, char** words) {
  DifferentialOptions out;
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

}  // namespace isomer::test
