// SPDX-License-Identifier: MIT
// The run of the model that went as a server's did, by the same schedule.  The model is
// free where the server's plan is, where several may be the victim of a circle, and where
// several are woken at a time.  support/database/every_way.h tries all of that; here ways
// end where they part from the server's, so that long schedules are no matter.
#pragma once

#include <functional>

#include "database/schedule.h"

namespace isomer::test {

struct MatchingWay {
  bool is_found = false;     // the server's run is among them
  bool is_complete = false;  // all of them were tried
  bool gives_up = false;     // one of them came to a limit of the model
  std::uint64_t ways = 0;
};

// What had been seen of a run after this many of its entries.
std::vector<std::string> seen_until(const program::Program& program,
                                    const std::vector<database::ScheduleStep>& steps,
                                    std::size_t entries);

// Looks for the run that a server made by this schedule.  Ways are left as soon as they
// differ from it; `show` gets the one that went with it longest.
MatchingWay find_way(const database::Scenario& scenario,
                     const database::ScheduleRun& server,
                     const std::function<void(const database::ScheduleRun&)>& show);

}  // namespace isomer::test
