// SPDX-License-Identifier: MIT
// `isomer explore` at the level of a database: every outcome of every schedule of a
// scenario, on the model of the server.
//
// An outcome is what clients and the final state can tell: what each statement returned,
// how each call ended, and the committed rows.  Two schedules with the same outcome count
// once.  Errors and deadlocks are outcomes like others.
//
// People schedule whole statements, but on a server commits fall between the snapshot of a
// statement and its locks.  So the search goes by finer steps (Steps::Fine): a snapshot, a
// lock, an end.  A failing schedule is shown by whole statements wherever these suffice.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "database/schedule.h"
#include "explore/run_history.h"
#include "store/store.h"

namespace isomer::explore {

// By table, sorted.
using TableRows = std::vector<std::vector<std::vector<program::Value>>>;

enum class Steps : std::uint8_t { Fine, Statements };

enum class Reduction : std::uint8_t {
  Reduced,     // states once, and of equivalent orders of steps as few as can be
  StatesOnce,  // every step at every state, each state once
  None,        // every order of steps
};

// How far a search has got.
struct ScheduleProgress {
  std::uint64_t schedules = 0;
  std::uint64_t states = 0;
  std::uint64_t outcomes = 0;
};

struct ScheduleOptions {
  Steps steps = Steps::Fine;
  Reduction reduction = Reduction::Reduced;
  bool stops_at_failure = false;  // not all outcomes are needed, if one breaks an invariant
  bool minimise = true;           // the failing schedule
  Budget budget{};
  // Told now and then.
  std::function<void(const ScheduleProgress&)> on_progress{};
};

struct InvariantCount {
  std::string name;
  std::uint64_t held = 0;    // outcomes
  std::uint64_t broken = 0;  // also those for which it could not be evaluated
  // Of these, those in which a call failed that might well succeed if it were run again.
  std::uint64_t broken_after_errors = 0;
};

// What everybody could tell of one run.
struct ScheduleOutcome {
  std::vector<std::vector<database::CallEnd>> calls;  // by session, by call
  TableRows rows;                                     // committed, by table
};

// Those with a call that has not come to its end, at the end of a run.
std::vector<database::SessionIndex> stuck_sessions(
    const std::vector<std::vector<database::CallEnd>>& calls);

// A schedule that breaks an invariant.
struct ScheduleFailure {
  std::string invariant;
  std::string message;  // why it could not be evaluated; empty: it is false
  // Who ran: the program's sessions, without the calls that the failure does not need.
  // What is said of calls below counts these.
  std::vector<program::Session> sessions;
  // One entry a step: for a server to follow, if whole statements suffice.
  std::vector<database::SessionIndex> schedule;
  std::vector<database::ScheduleStep> steps;
  // Empty if whole statements suffice.  Otherwise the steps in the order in which they went
  // on, as places in `steps`: in 0, 1, 2, 0 the first step was on its way while 1 and 2
  // were done.
  std::vector<std::uint32_t> order;
  // Is the invariant broken by `isomer run` with this schedule and these choices of the
  // server, too?  If none of them is needed but the likeliest ones, they are empty.
  bool is_done_by_run = false;
  std::vector<database::EntryChoices> choices;
  ScheduleOutcome outcome;
  std::vector<store::InvariantOutcome> invariants;  // all of them, in that outcome
  std::uint32_t dropped = 0;  // calls of the program that the failure does not need
  // The same by reads and writes of rows; absent if the model of the server cannot tell.
  std::optional<check::Certified<RunHistory>> history;

  [[nodiscard]] bool is_by_statements() const { return order.empty(); }
};

struct Explored {
  std::uint64_t schedules = 0;  // that were followed to their end
  std::uint64_t states = 0;     // in which the search was
  std::uint64_t outcomes = 0;   // different ones
  std::vector<InvariantCount> invariants;
  // Of calls that did not commit, in different outcomes, by database::error_name.
  std::map<std::string, std::uint64_t> sqlstates;
  std::uint64_t stuck = 0;  // outcomes in which a session waits for ever
  std::optional<ScheduleFailure> failure;
  bool is_complete = false;
  std::string unknown;  // not complete: "timeout", "interrupted", "memory", ...
  double seconds = 0;
};

// The program must have values for all its symbols (store::missing_values is empty).
Explored every_outcome(const database::Scenario& scenario, const ScheduleOptions& options);

}  // namespace isomer::explore
