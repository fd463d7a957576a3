// SPDX-License-Identifier: MIT
#include "explore/model_run.h"

#include <algorithm>

#include "base/random.h"
#include "database/model.h"
#include "explore/judged_outcome.h"

namespace isomer::explore {
namespace {

using database::CallEnd;
using database::Scenario;
using database::ScheduleRun;
using database::SessionIndex;

std::string limit_met(const ModelRun& run) {
  for (const auto& session : run.calls)
    for (const CallEnd& end : session)
      if (end.fault.is_limit) return end.fault.reason;
  for (const store::InvariantOutcome& invariant : run.invariants)
    if (invariant.is_limit) return invariant.error;
  return {};
}

ModelRun finished(const Scenario& scenario, const ScheduleRun& run) {
  ModelRun out{.steps = run.steps(),
               .calls = run.calls(),
               .rows = run.committed_rows(),
               .invariants = {},
               .choices = {},
               .unknown = {},
               .stuck = {},
               .history = {}};
  out.invariants =
      OutcomeJudge(scenario.program)
          .invariants(scenario.program.sessions, {.calls = out.calls, .rows = out.rows});
  out.unknown = limit_met(out);
  if (out.unknown.empty()) out.stuck = stuck_sessions(out.calls);
  return out;
}

// For whom a session waits that has no next entry; nobody: it is at its end.
std::vector<SessionIndex> waits_of(const ScheduleRun& run, SessionIndex session) {
  const auto waiting = run.waiting();
  if (std::ranges::find(waiting, session) == waiting.end()) return {};
  std::vector<SessionIndex> out;
  for (const database::ScheduleStep& step : run.steps())
    if (step.session == session) out = step.waited_for;
  return out;
}

void add(ModelRuns& out, const ModelRun& run, std::uint64_t seed) {
  ++out.runs;
  out.stuck += run.stuck.empty() ? 0U : 1U;
  if (is_failing(run)) {
    ++out.failing;
    if (!out.first_failing_seed) out.first_failing_seed = seed;
  }
  for (const store::InvariantOutcome& invariant : run.invariants) {
    store::Tally& tally = out.invariants[invariant.name];
    ++(invariant.holds ? tally.held : tally.broken);
  }
  for (const auto& session : run.calls)
    for (const CallEnd& end : session) {
      ++out.transactions;
      if (end.attempts > 1) out.retries += end.attempts - 1;
      if (end.kind != CallEnd::Kind::RolledBack) continue;
      ++out.rolled_back;
      if (!end.fault.sqlstate.empty()) ++out.sqlstates[database::error_name(end.fault)];
    }
}

database::Model fresh_model(const Scenario& scenario) {
  return database::Model(database::recorded_server(scenario.server, scenario.program,
                                                   scenario.program.sessions.size()));
}

// Of a run that has come to its end.
void add_history(ModelRun& run, const Scenario& scenario, const database::Model& model,
                 const Budget& budget) {
  if (run.unknown.empty())
    run.history = history_of_run(scenario, run.steps, model.state().accesses(), budget);
}

}  // namespace

bool is_failing(const ModelRun& run) {
  const auto has_failed_assert = [](const std::vector<CallEnd>& session) {
    return std::ranges::any_of(session, &CallEnd::has_failed_assert);
  };
  return std::ranges::any_of(run.calls, has_failed_assert) ||
         !std::ranges::all_of(run.invariants, &store::InvariantOutcome::holds);
}

tl::expected<ModelRun, WrongEntry> run_by_schedule(
    const Scenario& scenario, const std::vector<SessionIndex>& schedule,
    const Budget& budget, const std::vector<database::EntryChoices>& choices) {
  std::size_t entry = 0;
  std::size_t used = 0;  // of its choices
  database::Model model = database::Model::deciding(
      database::recorded_server(scenario.server, scenario.program,
                                scenario.program.sessions.size()),
      [&](std::size_t possible) -> std::size_t {
        const bool is_said = entry < choices.size() && used < choices[entry].size();
        return is_said ? std::min(choices[entry][used++], possible - 1) : 0;
      });
  ScheduleRun run(scenario, model);
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    entry = i;
    used = 0;
    const auto runnable = run.runnable();
    if (std::ranges::find(runnable, schedule[i]) == runnable.end())
      return tl::unexpected(WrongEntry{
          .entry = i, .session = schedule[i], .waits_for = waits_of(run, schedule[i])});
    run.step(schedule[i]);
  }
  entry = choices.size();
  database::follow(run, {});
  ModelRun out = finished(scenario, run);
  out.choices = choices;
  add_history(out, scenario, model, budget);
  return out;
}

namespace {

// The model is fresh.
ModelRun run_by_seed_on(database::Model& model, const Scenario& scenario,
                        std::uint64_t seed) {
  ScheduleRun run(scenario, model);
  Random random(seed);
  database::run_randomly(run, random);
  return finished(scenario, run);
}

}  // namespace

ModelRun run_by_seed(const Scenario& scenario, std::uint64_t seed, const Budget& budget) {
  database::Model model = fresh_model(scenario);
  ModelRun out = run_by_seed_on(model, scenario, seed);
  add_history(out, scenario, model, budget);
  return out;
}

ModelRuns run_by_seeds(const std::function<const Scenario*(std::uint64_t)>& scenario,
                       std::uint64_t seed, std::uint64_t runs, const Budget& budget) {
  ModelRuns out;
  for (std::uint64_t i = 0; i < runs; ++i) {
    if (budget.is_exhausted()) {
      out.unknown = budget.reason();
      return out;
    }
    const Scenario* const next = scenario(seed + i);
    if (next == nullptr) return out;
    database::Model model = fresh_model(*next);
    const ModelRun run = run_by_seed_on(model, *next, seed + i);
    if (!run.unknown.empty()) {
      out.unknown = run.unknown;
      return out;
    }
    const auto is_serializable =
        is_serializable_run(*next, run.steps, model.state().accesses(), budget);
    if (!is_serializable && budget.is_exhausted()) continue;  // the run does not count
    add(out, run, seed + i);
    if (is_serializable)
      out.unserializable = out.unserializable.value_or(0) + (*is_serializable ? 0 : 1);
  }
  return out;
}

}  // namespace isomer::explore
