// SPDX-License-Identifier: MIT
// A schedule that breaks an invariant, made small: fewest calls, then whole statements
// where they suffice, then fewest changes from one session to another.
#pragma once

#include "explore/fine_run.h"
#include "explore/schedules.h"

namespace isomer::explore {

// --- a run told statement by statement (told_run.cpp) ---

// Without what an invariant says of it.
struct ToldRun {
  std::vector<SessionIndex> schedule;  // one entry a step
  std::vector<database::ScheduleStep> steps;
  std::vector<std::uint32_t> order;  // as in ScheduleFailure; empty if by statements
  FineRun end;
};

ToldRun told_by_statements(const Scenario& scenario, const std::vector<Move>& way);
ToldRun told_by_fine_steps(const Scenario& scenario, const std::vector<Move>& way);

// --- made small ---

// `way` are the steps that a search found; it is what is shown if the budget is over.
ScheduleFailure small_failure(const database::Scenario& scenario, std::size_t invariant,
                              const std::vector<Move>& way, const ScheduleOptions& options);

}  // namespace isomer::explore
