// SPDX-License-Identifier: MIT
// `isomer run` at the level of a database: a scenario by one schedule, on the model of
// the server, or by many that a seed draws.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "database/schedule.h"
#include "explore/run_history.h"
#include "explore/schedules.h"
#include "store/campaign.h"
#include "store/store.h"

namespace isomer::explore {

struct ModelRun {
  std::vector<database::ScheduleStep> steps;
  std::vector<std::vector<database::CallEnd>> calls;  // by session, by call
  TableRows rows;                                     // committed
  std::vector<store::InvariantOutcome> invariants;    // on these rows
  std::vector<database::EntryChoices> choices;        // that were asked for, by step
  std::string unknown;  // not empty: it met a limit of ours, where a server would go on
  // Sessions that wait for ever: for a lock that is held beyond the end of its transaction.
  std::vector<database::SessionIndex> stuck;
  // The run by reads and writes of rows; absent if the model of the server cannot tell.
  std::optional<check::Certified<RunHistory>> history;
};

// It breaks an invariant or an ASSERT of the program.
bool is_failing(const ModelRun& run);

// An entry of a schedule that its session cannot take.
struct WrongEntry {
  std::size_t entry = 0;  // its place in the schedule
  database::SessionIndex session = 0;
  // For whom it waits; empty: it has come to its end.
  std::vector<database::SessionIndex> waits_for;
};

// By the schedule, and then the sessions one after the other to their end.
tl::expected<ModelRun, WrongEntry> run_by_schedule(
    const database::Scenario& scenario, const std::vector<database::SessionIndex>& schedule,
    const Budget& budget = {}, const std::vector<database::EntryChoices>& choices = {});

// The seed decides who comes next.
ModelRun run_by_seed(const database::Scenario& scenario, std::uint64_t seed,
                     const Budget& budget = {});

// What many runs came to.
struct ModelRuns {
  std::uint64_t runs = 0;  // completed
  std::uint64_t failing = 0;
  std::uint64_t stuck = 0;  // in which a session waits for ever
  // Not serializable as histories; absent if the model of the server cannot tell.
  std::optional<std::uint64_t> unserializable;
  std::uint64_t transactions = 0;
  std::uint64_t rolled_back = 0;
  std::uint64_t retries = 0;
  std::map<std::string, store::Tally> invariants;
  // Of transactions rolled back, by database::error_name.
  std::map<std::string, std::uint64_t> sqlstates;
  std::optional<std::uint64_t> first_failing_seed;
  std::string unknown;  // not empty: the time ran out, or a limit of ours was met
};

// With seeds from `seed` on.  `scenario` gives the one of a seed, which must stay where it
// is until the next call; null ends the runs.
ModelRuns run_by_seeds(
    const std::function<const database::Scenario*(std::uint64_t seed)>& scenario,
    std::uint64_t seed, std::uint64_t runs, const Budget& budget);

}  // namespace isomer::explore
