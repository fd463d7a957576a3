// SPDX-License-Identifier: MIT
#include "explore/small_failure.h"

#include <algorithm>
#include <numeric>

#include "database/model.h"
#include "explore/fewest_switches.h"
#include "explore/judged_outcome.h"
#include "explore/reduced_search.h"
#include "explore/run_history.h"
#include "explore/statement_runs.h"

namespace isomer::explore {
namespace {

constexpr double seconds_for_a_question = 5;
constexpr std::uint32_t switches_max = 12;
constexpr std::size_t sessions_permuted_max = 4;

struct Question {
  const OutcomeJudge& judge;
  std::size_t invariant;
  Budget budget;

  [[nodiscard]] bool is_broken(const FineRun& run, const FineRuns& runs) const {
    const auto all =
        judge.invariants(runs.scenario().program.sessions,
                         {.calls = FineRuns::calls(run), .rows = runs.rows(run)});
    return !all[invariant].holds;
  }

  // Does it hold if the sessions run one after the other, in some order?
  [[nodiscard]] bool holds_serially(const Scenario& scenario) const {
    const FineRuns runs(scenario);
    std::vector<SessionIndex> order(scenario.program.sessions.size());
    std::iota(order.begin(), order.end(), 0U);
    do {
      FineRun run = runs.start();
      for (const SessionIndex session : order)
        while (run.sessions[session].machine)
          runs.move(run, {.session = session});
      if (!is_broken(run, runs)) return true;
    } while (order.size() <= sessions_permuted_max &&
             std::next_permutation(order.begin(), order.end()));
    return false;
  }

  [[nodiscard]] bool can_break(const Scenario& scenario) const {
    const FineRuns runs(scenario);
    bool is_found = false;
    ReducedSearch<FineRuns> search(runs, Reduction::Reduced,
                                   budget.within(seconds_for_a_question));
    search.run(runs.start(), [&](const FineRun& run) {
      is_found = is_broken(run, runs);
      return !is_found;
    });
    return is_found;
  }

  template <class Runs>
  [[nodiscard]] std::optional<std::vector<Move>> shortest_way(
      const Scenario& scenario) const {
    const FineRuns fine(scenario);
    const Runs runs(scenario);
    const auto is_wanted = [&](const FineRun& run) { return is_broken(run, fine); };
    return SwitchSearch(runs, is_wanted, budget.within(seconds_for_a_question))
        .run(switches_max);
  }

  [[nodiscard]] std::optional<ToldRun> told(const Scenario& scenario) const {
    if (const auto way = shortest_way<StatementRuns>(scenario))
      return told_by_statements(scenario, *way);
    if (const auto way = shortest_way<FineRuns>(scenario))
      return told_by_fine_steps(scenario, *way);
    return std::nullopt;
  }
};

// Calls that the failure does not need.  A call that an invariant counts on ("both have
// committed") is needed, though the invariant is broken without it: without it no serial
// order is right either.
struct FewerCalls {
  program::Program program;
  std::uint32_t dropped = 0;

  FewerCalls(const Scenario& scenario, const Question& question)
      : program(scenario.program) {
    if (!question.holds_serially(scenario)) return;
    for (std::size_t session = program.sessions.size(); session-- > 0;)
      for (std::size_t call = program.sessions[session].calls.size(); call-- > 0;) {
        program::Program smaller = program;
        auto& calls = smaller.sessions[session].calls;
        calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(call));
        const Scenario without{
            .program = smaller, .begin = scenario.begin, .server = scenario.server};
        if (!question.holds_serially(without) || !question.can_break(without)) continue;
        program = std::move(smaller);
        ++dropped;
      }
  }
};

bool is_done_by_run(const Question& question, const Scenario& scenario,
                    const ScheduleFailure& failure) {
  if (!failure.is_by_statements()) return false;
  database::Model model(scenario.server, scenario.program,
                        scenario.program.sessions.size());
  database::ScheduleRun run(scenario, model);
  if (!database::follow(run, failure.schedule)) return false;
  const auto invariants = question.judge.invariants(
      scenario.program.sessions, {.calls = run.calls(), .rows = run.committed_rows()});
  return !invariants[question.invariant].holds;
}

ScheduleFailure failure_of(const Question& question, const Scenario& scenario,
                           ToldRun told) {
  ScheduleFailure out;
  const FineRuns runs(scenario);
  out.sessions = scenario.program.sessions;
  out.schedule = std::move(told.schedule);
  out.steps = std::move(told.steps);
  out.order = std::move(told.order);
  out.outcome = {.calls = FineRuns::calls(told.end), .rows = runs.rows(told.end)};
  out.invariants = question.judge.invariants(scenario.program.sessions, out.outcome);
  out.invariant = out.invariants[question.invariant].name;
  out.message = out.invariants[question.invariant].error;
  out.is_done_by_run = is_done_by_run(question, scenario, out);
  out.history =
      history_of_run(scenario, out.steps, told.end.server->accesses(), question.budget);
  return out;
}

}  // namespace

ScheduleFailure small_failure(const Scenario& scenario, std::size_t invariant,
                              const std::vector<Move>& way,
                              const ScheduleOptions& options) {
  const OutcomeJudge judge(scenario.program);
  const Question question{.judge = judge, .invariant = invariant, .budget = options.budget};
  if (options.minimise) {
    const FewerCalls fewer(scenario, question);
    const Scenario smaller{
        .program = fewer.program, .begin = scenario.begin, .server = scenario.server};
    if (auto told = question.told(smaller)) {
      ScheduleFailure out = failure_of(question, smaller, std::move(*told));
      out.dropped = fewer.dropped;
      return out;
    }
  }
  return failure_of(question, scenario,
                    options.steps == Steps::Fine ? told_by_fine_steps(scenario, way)
                                                 : told_by_statements(scenario, way));
}

}  // namespace isomer::explore
