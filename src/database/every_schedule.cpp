// SPDX-License-Identifier: MIT
// All schedules of a scenario, depth first.  What can come next depends on who waits, so
// the tree is found on the way: a run goes down to its end, always by the first choice, and
// the next run takes the same way up to the last place with a choice that was not tried.
#include <algorithm>

#include "database/schedule.h"

namespace isomer::database {
namespace {

// A place in the tree on the way down.
struct Branch {
  std::vector<SessionIndex> choices;
  std::size_t chosen = 0;
};

// To the next way; false if there is none.
bool advance(std::vector<Branch>& way) {
  while (!way.empty() && way.back().chosen + 1 == way.back().choices.size())
    way.pop_back();
  if (way.empty()) return false;
  ++way.back().chosen;
  return true;
}

// Down the way and on by first choices.  False if the way is not there any more; what is
// behind the place where it ends is cut off.
bool descend(ScheduleRun& run, std::vector<Branch>& way,
             const EveryScheduleOptions& options) {
  const auto choices = [&] {
    return options.choose ? options.choose(run) : run.runnable();
  };
  for (std::size_t depth = 0;; ++depth) {
    std::vector<SessionIndex> now = choices();
    if (depth == way.size()) {
      if (now.empty()) return true;
      way.push_back({.choices = std::move(now)});
    } else if (now != way[depth].choices) {
      way.resize(depth);
      return false;
    }
    run.step(way[depth].choices[way[depth].chosen]);
  }
}

}  // namespace

EverySchedule every_schedule(const Scenario& scenario,
                             const std::function<Server&()>& fresh,
                             const std::function<bool(const ScheduleRun&)>& visit,
                             const EveryScheduleOptions& options) {
  EverySchedule out;
  std::vector<Branch> way;
  do {
    if (out.schedules == options.schedules_max) return out;
    ScheduleRun run(scenario, fresh());
    if (!descend(run, way, options)) {
      ++out.lost;
      continue;
    }
    ++out.schedules;
    if (!visit(run)) return out;
  } while (advance(way));
  out.is_complete = true;
  return out;
}

bool follow(ScheduleRun& run, const std::vector<SessionIndex>& schedule) {
  for (const SessionIndex session : schedule) {
    const auto all = run.runnable();
    if (std::find(all.begin(), all.end(), session) == all.end()) return false;
    run.step(session);
  }
  for (auto all = run.runnable(); !all.empty(); all = run.runnable())
    run.step(all.front());
  return true;
}

void run_randomly(ScheduleRun& run, Random& random) {
  for (auto all = run.runnable(); !all.empty(); all = run.runnable())
    run.step(all[random.below(all.size())]);
}

}  // namespace isomer::database
