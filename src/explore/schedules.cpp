// SPDX-License-Identifier: MIT
#include "explore/schedules.h"

#include <algorithm>
#include <set>

#include "explore/fine_run.h"
#include "explore/judged_outcome.h"
#include "explore/reduced_search.h"

namespace isomer::explore {
namespace {

struct Counting {
  const FineRuns& runs;
  const OutcomeJudge& judge;
  Explored& out;
  std::set<Fingerprint> seen{};

  // Is it one that was not seen before, and breaks an invariant?
  bool is_new_failure(const FineRun& run) {
    if (!seen.insert(runs.outcome(run)).second) return false;
    ++out.outcomes;
    for (const FineRun::Session& session : run.sessions)
      for (const CallEnd& end : session.ends)
        if (end.kind == CallEnd::Kind::RolledBack) ++out.sqlstates[end.fault.sqlstate];
    const auto invariants = judge.invariants(runs.rows(run));
    bool is_failure = false;
    for (std::size_t i = 0; i < invariants.size(); ++i) {
      ++(invariants[i].holds ? out.invariants[i].held : out.invariants[i].broken);
      is_failure |= !invariants[i].holds;
    }
    return is_failure;
  }
};

}  // namespace

Explored every_outcome(const database::Scenario& scenario, const ScheduleOptions& options) {
  const Stopwatch watch;
  Explored out;
  for (const program::Invariant& invariant : scenario.program.invariants)
    out.invariants.push_back({.name = invariant.name});
  const FineRuns runs(scenario);
  const OutcomeJudge judge(scenario.program);
  Counting counting{.runs = runs, .judge = judge, .out = out};
  std::vector<SessionIndex> failing_way;
  bool has_failed = false;
  ReducedSearch<FineRuns> search(runs, options.reduction, options.budget);
  const bool is_exhausted = search.run(runs.start(), [&](const FineRun& run) {
    if (!counting.is_new_failure(run)) return true;
    if (!has_failed) failing_way = search.way();
    has_failed = true;
    return !options.stops_at_failure;
  });
  out.schedules = search.schedules();
  out.states = search.states();
  out.is_complete = is_exhausted || (has_failed && options.stops_at_failure);
  if (!out.is_complete) out.unknown = options.budget.reason();
  out.seconds = watch.seconds();
  return out;
}

}  // namespace isomer::explore
