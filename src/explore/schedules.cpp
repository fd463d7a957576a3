// SPDX-License-Identifier: MIT
#include "explore/schedules.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "explore/fine_run.h"
#include "explore/judged_outcome.h"
#include "explore/reduced_search.h"
#include "explore/small_failure.h"
#include "explore/statement_runs.h"

namespace isomer::explore {
namespace {

// What a call met that the model does not know, and where.
std::string limit_text(const program::Program& program, const program::Fault& fault) {
  if (fault.at.first == fault.at.last) return fault.reason;
  const auto [file, at] = program::place_of(program, fault.at.first);
  return fmt::format("{}:{}: {}", file, at.line, fault.reason);
}

struct NewFailure {
  std::size_t invariant = 0;
  bool is_after_errors = false;
};

struct Counting {
  const FineRuns& runs;
  const OutcomeJudge& judge;
  Explored& out;
  std::string limit{};  // of ours that a call met: on a server it might have gone on
  std::set<Fingerprint> seen{};

  // The first invariant that it breaks, if it is one that was not seen before.
  std::optional<NewFailure> new_failure(const FineRun& run) {
    if (!seen.insert(runs.outcome(run)).second) return std::nullopt;
    ++out.outcomes;
    bool is_after_errors = false;
    for (const FineRun::Session& session : run.sessions)
      for (const CallEnd& end : session.ends)
        if (end.kind == CallEnd::Kind::RolledBack) {
          ++out.sqlstates[database::error_name(end.fault)];
          if (end.fault.is_limit && limit.empty())
            limit = limit_text(runs.scenario().program, end.fault);
          is_after_errors |= database::may_be_retried(end.fault);
        }
    const ScheduleOutcome outcome{.calls = FineRuns::calls(run), .rows = runs.rows(run)};
    out.stuck += stuck_sessions(outcome.calls).empty() ? 0U : 1U;
    const auto invariants = judge.invariants(runs.scenario().program.sessions, outcome);
    std::optional<NewFailure> broken;
    for (std::size_t i = 0; i < invariants.size(); ++i) {
      InvariantCount& count = out.invariants[i];
      ++(invariants[i].holds ? count.held : count.broken);
      if (invariants[i].holds) continue;
      count.broken_after_errors += is_after_errors ? 1U : 0U;
      if (!broken) broken = NewFailure{.invariant = i, .is_after_errors = is_after_errors};
    }
    return broken;
  }
};

// The first schedule that broke an invariant, without errors if there is such a one: what
// goes wrong in silence is worse.
struct Broken {
  NewFailure how;
  std::vector<Move> way;
};

// Absent, `out.is_complete` is false: the budget was over.
template <class Runs>
std::optional<Broken> search_all(const Runs& runs, const ScheduleOptions& options,
                                 Reduction reduction, Counting& counting) {
  std::optional<Broken> broken;
  ReducedSearch<Runs> search(runs, reduction, options.budget);
  if (options.on_progress)
    search.set_on_work([&] {
      options.on_progress({.schedules = search.schedules(),
                           .states = search.states(),
                           .outcomes = counting.out.outcomes});
    });
  const bool is_exhausted = search.run(runs.start(), [&](const FineRun& run) {
    const auto failure = counting.new_failure(run);
    if (!failure) return true;
    if (!broken || (broken->how.is_after_errors && !failure->is_after_errors))
      broken = Broken{.how = *failure, .way = search.way()};
    return !options.stops_at_failure;
  });
  counting.out.schedules = search.schedules();
  counting.out.states = search.states();
  counting.out.is_complete = is_exhausted || (broken && options.stops_at_failure);
  if (search.is_too_deep() && counting.limit.empty())
    counting.limit = fmt::format("a schedule of more than {} steps", search.steps_max);
  return broken;
}

}  // namespace

std::vector<database::SessionIndex> stuck_sessions(
    const std::vector<std::vector<CallEnd>>& calls) {
  std::vector<database::SessionIndex> out;
  for (database::SessionIndex i = 0; i < calls.size(); ++i)
    if (std::ranges::any_of(calls[i], [](const CallEnd& end) {
          return end.kind == CallEnd::Kind::NotReached;
        }))
      out.push_back(i);
  return out;
}

Explored every_outcome(const database::Scenario& scenario, const ScheduleOptions& options) {
  const Stopwatch watch;
  Explored out;
  for (const program::Invariant& invariant : scenario.program.invariants)
    out.invariants.push_back({.name = invariant.name});
  const FineRuns runs(scenario);
  const OutcomeJudge judge(scenario.program);
  Counting counting{.runs = runs, .judge = judge, .out = out};
  const auto broken =
      options.steps == Steps::Fine
          ? search_all(runs, options, options.reduction, counting)
          : search_all(StatementRuns(scenario), options,
                       std::max(options.reduction, Reduction::StatesOnce), counting);
  if (!out.is_complete) out.unknown = options.budget.reason();
  if (!counting.limit.empty()) {
    if (out.is_complete || !options.budget.is_exhausted())
      out.unknown = std::move(counting.limit);
    out.is_complete = false;
  }
  if (broken)
    out.failure = small_failure(scenario, broken->how.invariant, broken->way, options);
  out.seconds = watch.seconds();
  return out;
}

}  // namespace isomer::explore
