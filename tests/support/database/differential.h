// SPDX-License-Identifier: MIT
// What the programs share that hold a model to a real server on random applications.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "database/schedule.h"
#include "support/database/application_parts.h"

namespace isomer::test {

struct DifferentialOptions {
  std::uint64_t applications = 60;
  std::uint64_t schedules = 500;  // of an application, in each set-up
  std::uint64_t seed = 1;
  std::filesystem::path out = "build/differential";
  std::filesystem::path inputs;
};

// --applications N, --schedules N, --seed S, --out FOLDER, --inputs FOLDER
DifferentialOptions differential_options(int count, char** words);

// What was tried, of all databases.
struct DifferentialCounts {
  std::uint64_t applications = 0;
  std::uint64_t refused = 0;   // the database cannot say them
  std::uint64_t broken = 0;    // cannot be read
  std::uint64_t complete = 0;  // set-ups of which every schedule was run
  std::uint64_t schedules = 0;
  std::uint64_t undecided = 0;  // the model gives up
  std::uint64_t waits = 0;
  std::map<std::string, std::uint64_t> codes;  // steps that failed

  // The waits and failures of a run.
  void add(const database::ScheduleRun& run);
};

struct Differential {
  std::function<ApplicationParts(std::uint64_t seed)> generate;
  // What differs first, of an application and its scenario; empty: nothing.
  std::function<std::string(const std::string& sql, const std::string& scenario,
                            const DifferentialOptions& options, DifferentialCounts& counts)>
      attempt;
};

// Applications from the seed on, or those of a folder, each a folder with app.sql and
// scenario.toml.  One on which they differ is cut down and written to OUT/SEED.
bool run_differential(const Differential& what, const DifferentialOptions& options);

// All that can be seen of a run.
struct SeenRun {
  std::vector<std::string> lines;
  bool gives_up = false;
};

SeenRun seen_run(const program::Program& program, const database::ScheduleRun& run);

// Both, entry by entry.
std::string both_runs(const database::Scenario& scenario, const database::ScheduleRun& run,
                      const SeenRun& server, const SeenRun& model);

}  // namespace isomer::test
