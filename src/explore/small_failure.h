// SPDX-License-Identifier: MIT
// A schedule that breaks an invariant, made small: fewest calls, then whole statements
// where they suffice, then fewest changes from one session to another.
#pragma once

#include "explore/schedules.h"

namespace isomer::explore {

// `way` are the steps that a search found; it is what is shown if the budget is over.
ScheduleFailure small_failure(const database::Scenario& scenario, std::size_t invariant,
                              const std::vector<database::SessionIndex>& way,
                              const ScheduleOptions& options);

}  // namespace isomer::explore
