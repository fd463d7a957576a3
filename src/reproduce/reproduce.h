// SPDX-License-Identifier: MIT
// `--on URL`: what the model of a database does, done on a real server, statement by
// statement and in the same order.  The server answers, and what it answers is compared.
//
// A finding is reproduced if what was wrong in the model's run is wrong in the server's,
// whatever else it did.  A run in which nothing is wrong is reproduced if every answer,
// every wait and the rows in the end are the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "database/schedule.h"
#include "explore/model_run.h"
#include "explore/schedules.h"

namespace isomer::reproduce {

// A run by a schedule: of the model, or of a server.
struct Run {
  std::vector<database::SessionIndex> schedule;  // one entry a step
  std::vector<database::ScheduleStep> steps;
  std::vector<std::vector<database::CallEnd>> calls;  // by session, by call
  explore::TableRows rows;                            // committed
  std::vector<store::InvariantOutcome> invariants;    // on these rows
  std::string unknown;  // not empty: it met a limit, or the server was lost
};

// What a model has found, of this scenario: its sessions made the run.
struct Finding {
  const database::Scenario& scenario;
  Run run;
  // What must be broken; empty: all that the run breaks.
  std::string invariant{};
  // If the server does not do it by this schedule, others of whole statements are tried.
  std::uint64_t schedules_max = 1;
  // Others come in the midst of a statement, which nobody can time from outside.
  bool is_by_finer_steps = false;
};

Run run_of(const explore::ModelRun& run);
Run run_of(const explore::ScheduleFailure& failure);

Finding finding_of(const database::Scenario& scenario, const explore::ModelRun& run);

// The sessions that made the failing run; the rest is the program's.
program::Program program_of(const program::Program& program,
                            const explore::ScheduleFailure& failure);
// The program of the scenario is the one above.
Finding finding_of(const database::Scenario& scenario,
                   const explore::ScheduleFailure& failure);

enum class Result : std::uint8_t { Reproduced, Refuted, Error };

std::string_view name(Result result);  // "reproduced"

// What a server made of it.
struct Reproduction {
  std::string server{};  // "PostgreSQL 15.18"
  std::string level{};   // "REPEATABLE READ"
  Result result = Result::Error;
  // The first step at which the server did something else, by its place in the schedule
  // that was found; absent: none.
  std::optional<std::size_t> step{};
  std::uint64_t tried = 0;         // schedules
  bool is_by_finer_steps = false;  // the finding
  Run run{};              // of the server: by the schedule that did it, or the first
  std::string problem{};  // Error: why
  std::string kept{};     // "the schema isomer_12_0badcafe_kept"; empty: it is gone
};

struct Target;  // target.h

// The database of the scenario is that of the target.
Reproduction reproduce(const Finding& finding, const Target& target);

}  // namespace isomer::reproduce
