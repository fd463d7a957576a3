// SPDX-License-Identifier: MIT
// What a search over all orders of steps finds, to be compared with another search.
#pragma once

#include <set>
#include <string>

#include "explore/fine_run.h"
#include "explore/reduced_search.h"
#include "random_schedules.h"

namespace isomer::explore {

struct Found {
  std::set<Fingerprint> outcomes;
  std::uint64_t schedules = 0;
  bool is_complete = false;
};

template <class System>
Found found(const System& system, Reduction reduction, std::uint64_t schedules_max) {
  ReducedSearch<System> search(system, reduction, Budget());
  Found out;
  out.is_complete = search.run(system.start(), [&](const FineRun& run) {
    out.outcomes.insert(system.outcome(run));
    return search.schedules() < schedules_max;
  });
  out.schedules = search.schedules();
  return out;
}

inline std::string shown(const RandomScenario& random) {
  std::string out = random.application + random.sessions;
  for (const auto& begin : random.begin)
    out += "level " + std::to_string(static_cast<int>(begin.level)) +
           (begin.is_immediate ? " IMMEDIATE\n" : "\n");
  return out;
}

}  // namespace isomer::explore
