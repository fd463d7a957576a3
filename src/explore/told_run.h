// SPDX-License-Identifier: MIT
// A run told statement by statement.
#pragma once

#include "explore/fine_run.h"
#include "explore/schedules.h"

namespace isomer::explore {

// Without what an invariant says of it.
struct ToldRun {
  std::vector<SessionIndex> schedule;  // one entry a step
  std::vector<database::ScheduleStep> steps;
  std::vector<std::uint32_t> order;  // as in ScheduleFailure; empty if by statements
  FineRun end;
};

ToldRun told_by_statements(const Scenario& scenario, const std::vector<SessionIndex>& way);
ToldRun told_by_fine_steps(const Scenario& scenario, const std::vector<SessionIndex>& way);

}  // namespace isomer::explore
