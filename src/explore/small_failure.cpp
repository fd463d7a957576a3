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

constexpr int ways_tried_max = 5000;

// What the server decides, one way after the other; the likeliest one first.
struct Decisions {
  struct Decision {
    std::size_t entry = 0;
    std::size_t chosen = 0;
    std::size_t possible = 1;
  };

  std::vector<Decision> made{};
  std::size_t next = 0;
  std::size_t entry = 0;  // of the schedule

  std::size_t decide(std::size_t possible) {
    if (next == made.size()) made.push_back({.entry = entry, .possible = possible});
    return made[next++].chosen;
  }

  // False if there is no other way.
  bool advance() {
    made.resize(next);
    next = 0;
    while (!made.empty() && made.back().chosen + 1 == made.back().possible)
      made.pop_back();
    if (made.empty()) return false;
    ++made.back().chosen;
    return true;
  }

  // Without those at the end that are the likeliest ones.
  [[nodiscard]] std::vector<database::EntryChoices> choices() const {
    std::vector<database::EntryChoices> out;
    for (const Decision& decision : made) {
      if (out.size() <= decision.entry) out.resize(decision.entry + 1);
      out[decision.entry].push_back(decision.chosen);
    }
    for (database::EntryChoices& of : out)
      while (!of.empty() && of.back() == 0)
        of.pop_back();
    while (!out.empty() && out.back().empty())
      out.pop_back();
    return out;
  }
};

// By the decisions; those that were asked for are noted.
bool is_broken_by(const Question& question, const Scenario& scenario,
                  const std::vector<SessionIndex>& schedule, Decisions& decisions) {
  database::Model model = database::Model::deciding(
      database::stepped_server(scenario.server, scenario.program,
                               scenario.program.sessions.size()),
      [&](std::size_t possible) { return decisions.decide(possible); });
  database::ScheduleRun run(scenario, model);
  for (decisions.entry = 0; decisions.entry < schedule.size(); ++decisions.entry) {
    const SessionIndex session = schedule[decisions.entry];
    const auto runnable = run.runnable();
    if (std::ranges::find(runnable, session) == runnable.end()) return false;
    run.step(session);
  }
  if (!run.runnable().empty()) return false;
  const auto invariants = question.judge.invariants(
      scenario.program.sessions, {.calls = run.calls(), .rows = run.committed_rows()});
  return !invariants[question.invariant].holds;
}

// Looks for choices with which `run` does it.
void find_choices(const Question& question, const Scenario& scenario,
                  ScheduleFailure& failure) {
  if (!failure.is_by_statements()) return;
  Decisions decisions;
  for (int i = 0; i < ways_tried_max && !question.budget.is_exhausted(); ++i) {
    failure.is_done_by_run = is_broken_by(question, scenario, failure.schedule, decisions);
    if (failure.is_done_by_run) failure.choices = decisions.choices();
    if (failure.is_done_by_run || !decisions.advance()) return;
  }
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
  find_choices(question, scenario, out);
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
    auto told = question.told(smaller);
    // Whole statements are easier to follow than fewer calls.
    const bool needs_fine_steps = told && !told->order.empty() && fewer.dropped > 0;
    if (const auto by_statements = needs_fine_steps
                                       ? question.shortest_way<StatementRuns>(scenario)
                                       : std::nullopt)
      return failure_of(question, scenario, told_by_statements(scenario, *by_statements));
    if (told) {
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
