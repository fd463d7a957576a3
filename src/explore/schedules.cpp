// SPDX-License-Identifier: MIT
#include "explore/schedules.h"

#include <set>

#include "explore/fine_run.h"
#include "explore/judged_outcome.h"
#include "explore/reduced_search.h"
#include "explore/small_failure.h"

namespace isomer::explore {
namespace {

struct Counting {
  const FineRuns& runs;
  const OutcomeJudge& judge;
  Explored& out;
  std::set<Fingerprint> seen{};

  // The first invariant that it breaks, if it is one that was not seen before.
  std::optional<std::size_t> new_failure(const FineRun& run) {
    if (!seen.insert(runs.outcome(run)).second) return std::nullopt;
    ++out.outcomes;
    for (const FineRun::Session& session : run.sessions)
      for (const CallEnd& end : session.ends)
        if (end.kind == CallEnd::Kind::RolledBack) ++out.sqlstates[end.fault.sqlstate];
    const auto invariants = judge.invariants(runs.rows(run));
    std::optional<std::size_t> broken;
    for (std::size_t i = 0; i < invariants.size(); ++i) {
      ++(invariants[i].holds ? out.invariants[i].held : out.invariants[i].broken);
      if (!invariants[i].holds && !broken) broken = i;
    }
    return broken;
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
  std::optional<std::size_t> broken;
  ReducedSearch<FineRuns> search(runs, options.reduction, options.budget);
  const bool is_exhausted = search.run(runs.start(), [&](const FineRun& run) {
    const auto failure = counting.new_failure(run);
    if (!failure) return true;
    if (!broken) failing_way = search.way();
    if (!broken) broken = failure;
    return !options.stops_at_failure;
  });
  out.schedules = search.schedules();
  out.states = search.states();
  out.is_complete = is_exhausted || (broken && options.stops_at_failure);
  if (!out.is_complete) out.unknown = options.budget.reason();
  if (broken) out.failure = small_failure(scenario, *broken, failing_way, options);
  out.seconds = watch.seconds();
  return out;
}

}  // namespace isomer::explore
