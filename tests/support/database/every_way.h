// SPDX-License-Identifier: MIT
// One schedule, in all ways that the model says it can go: where a server is free to choose
// (a plan, a victim, who wakes first), each choice is tried.  What a real server did on
// that schedule has to be among them.
#pragma once

#include <functional>
#include <vector>

#include "database/schedule.h"

namespace isomer::test {

struct EveryWay {
  std::uint64_t ways = 0;
  // On which a session waits that the schedule lets go on: no run of this schedule.
  std::uint64_t impossible = 0;
  bool is_complete = false;
};

// `visit` sees each run at its end, and says whether to go on.
EveryWay every_way(const database::Scenario& scenario,
                   const std::vector<database::SessionIndex>& schedule,
                   const std::function<bool(const database::ScheduleRun&)>& visit,
                   std::uint64_t ways_max = 10'000);

}  // namespace isomer::test
