// SPDX-License-Identifier: MIT
#include "support/database/every_way.h"

#include "database/model.h"
#include "support/database/ways.h"

namespace isomer::test {

using namespace database;

EveryWay every_way(const Scenario& scenario, const std::vector<SessionIndex>& schedule,
                   const std::function<bool(const ScheduleRun&)>& visit,
                   std::uint64_t ways_max) {
  EveryWay out;
  Ways ways;
  do {
    if (out.ways + out.impossible >= ways_max) return out;
    Model model(
        scenario.server, scenario.program, scenario.program.sessions.size(),
        [&](std::span<const SessionIndex> victims) { return ways.decide(victims.size()); },
        [&](SessionIndex, std::size_t choices) { return ways.decide(choices); },
        [&](std::span<const SessionIndex> ready) { return ways.decide(ready.size()); });
    ScheduleRun run(scenario, model);
    if (!follow(run, schedule)) {
      ++out.impossible;
      continue;
    }
    ++out.ways;
    if (!visit(run)) return out;
  } while (ways.advance());
  out.is_complete = true;
  return out;
}

}  // namespace isomer::test
