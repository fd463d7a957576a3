// SPDX-License-Identifier: MIT
#include "reproduce/reproduce.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "explore/judged_outcome.h"
#include "reproduce/target.h"

namespace isomer::reproduce {
namespace {

using database::CallEnd;
using database::Reply;
using database::Scenario;
using database::ScheduleRun;
using database::ScheduleStep;
using database::SessionIndex;

// --- a run ---

// A server that is lost or too slow is not one that does something else.
std::string limit_met(const Run& run) {
  for (const auto& session : run.calls)
    for (const CallEnd& end : session)
      if (end.fault.is_limit) return end.fault.reason;
  for (const store::InvariantOutcome& invariant : run.invariants)
    if (invariant.is_limit) return invariant.error;
  return {};
}

Run finished(const Scenario& scenario, const ScheduleRun& run) {
  Run out{.schedule = run.schedule(),
          .steps = run.steps(),
          .calls = run.calls(),
          .rows = run.committed_rows(),
          .invariants = {},
          .unknown = {}};
  out.invariants =
      explore::OutcomeJudge(scenario.program)
          .invariants(scenario.program.sessions, {.calls = out.calls, .rows = out.rows});
  out.unknown = limit_met(out);
  return out;
}

// Entries of sessions that wait or are at their end there are left out.
Run run_on(const Scenario& scenario, const std::vector<SessionIndex>& schedule,
           database::Server& server) {
  ScheduleRun run(scenario, server);
  for (const SessionIndex session : schedule) {
    const auto runnable = run.runnable();
    if (std::ranges::find(runnable, session) != runnable.end()) run.step(session);
  }
  database::follow(run, {});
  return finished(scenario, run);
}

// --- what is wrong with it ---

std::set<std::string> faults_of(const Run& run) {
  std::set<std::string> out;
  for (const store::InvariantOutcome& invariant : run.invariants)
    if (!invariant.holds) out.insert(fmt::format("invariant {}", invariant.name));
  for (std::size_t i = 0; i < run.calls.size(); ++i)
    for (std::size_t j = 0; j < run.calls[i].size(); ++j)
      if (run.calls[i][j].has_failed_assert) out.insert(fmt::format("call {} {}", i, j));
  return out;
}

std::set<std::string> wanted_faults(const Finding& finding) {
  if (!finding.invariant.empty()) return {fmt::format("invariant {}", finding.invariant)};
  return faults_of(finding.run);
}

// --- what is different ---

template <class Values>
Values sorted(Values values) {
  std::sort(values.begin(), values.end());
  return values;
}

bool is_same(const Reply& a, const Reply& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == Reply::Kind::Failed)
    return database::error_name(a.fault) == database::error_name(b.fault);
  // Rows without an order have none.
  return sorted(a.rows) == sorted(b.rows) && (!a.rows.empty() || a.count == b.count);
}

bool is_same(const ScheduleStep& a, const ScheduleStep& b) {
  return a.session == b.session && a.call == b.call && a.attempt == b.attempt &&
         a.kind == b.kind && a.text == b.text && is_same(a.reply, b.reply) &&
         sorted(a.waited_for) == sorted(b.waited_for);
}

std::optional<std::size_t> first_difference(const Run& a, const Run& b) {
  const std::size_t both = std::min(a.steps.size(), b.steps.size());
  for (std::size_t i = 0; i < both; ++i)
    if (!is_same(a.steps[i], b.steps[i])) return i;
  if (a.steps.size() != b.steps.size()) return both;
  return std::nullopt;
}

bool is_reproduced(const Finding& finding, const Run& run) {
  const std::set<std::string> wanted = wanted_faults(finding);
  if (wanted.empty())
    return !first_difference(finding.run, run) && finding.run.rows == run.rows;
  const std::set<std::string> found = faults_of(run);
  return std::ranges::includes(found, wanted);
}

// --- words ---

std::string level_name(const database::ServerKind& server,
                       const database::BeginOptions& begin) {
  if (server.database == database::Database::Sqlite)
    return begin.is_immediate ? "IMMEDIATE" : "DEFERRED";
  switch (begin.level) {
    case database::IsolationLevel::ReadUncommitted:
      return "READ UNCOMMITTED";
    case database::IsolationLevel::ReadCommitted:
      return "READ COMMITTED";
    case database::IsolationLevel::RepeatableRead:
      return "REPEATABLE READ";
    case database::IsolationLevel::Serializable:
      return "SERIALIZABLE";
  }
  return {};
}

// Of the calls that are made.
std::string level_words(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const program::Session& session : scenario.program.sessions)
    for (const program::Call& call : session.calls) {
      std::string name = level_name(scenario.server, scenario.begin[call.type]);
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  return fmt::format("{}", fmt::join(names, " and "));
}

// --- a finding on a server ---

struct Attempt {
  const Finding& finding;
  const Target& target;
  server::RealServer& server;
  Reproduction& out;

  void run() const {
    judge(run_on(finding.scenario, finding.run.schedule, server));
    if (out.result == Result::Refuted && finding.schedules_max > 1) try_others();
  }

 private:
  void judge(Run run) const {
    ++out.tried;
    out.run = std::move(run);
    out.problem = out.run.unknown;
    out.step = difference();
    out.result = !out.problem.empty()              ? Result::Error
                 : is_reproduced(finding, out.run) ? Result::Reproduced
                                                   : Result::Refuted;
  }

  // Only steps that follow each other can be compared.
  [[nodiscard]] std::optional<std::size_t> difference() const {
    if (finding.is_by_finer_steps || finding.run.steps.empty()) return std::nullopt;
    return first_difference(finding.run, out.run);
  }

  // What the server does with the schedule that was found stays, if no other one helps.
  void try_others() const {
    std::string problem;
    const auto fresh = [&]() -> database::Server& {
      problem = server.reset();
      return server;
    };
    const auto visit = [&](const ScheduleRun& now) {
      ++out.tried;
      Run run = finished(finding.scenario, now);
      if (!run.unknown.empty() || !problem.empty()) return false;
      if (!is_reproduced(finding, run)) return !target.options.budget.is_exhausted();
      out.result = Result::Reproduced;
      out.run = std::move(run);
      out.step = difference();
      return false;
    };
    database::every_schedule(finding.scenario, fresh, visit,
                             {.schedules_max = finding.schedules_max - 1});
  }
};

}  // namespace

std::string_view name(Result result) {
  switch (result) {
    case Result::Reproduced:
      return "reproduced";
    case Result::Refuted:
      return "refuted";
    case Result::Error:
      return "error";
  }
  return {};
}

Run run_of(const explore::ModelRun& run) {
  Run out{.schedule = {},
          .steps = run.steps,
          .calls = run.calls,
          .rows = run.rows,
          .invariants = run.invariants,
          .unknown = run.unknown};
  for (const ScheduleStep& step : run.steps)
    out.schedule.push_back(step.session);
  return out;
}

Run run_of(const explore::ScheduleFailure& failure) {
  return {.schedule = failure.schedule,
          .steps = failure.steps,
          .calls = failure.outcome.calls,
          .rows = failure.outcome.rows,
          .invariants = failure.invariants,
          .unknown = {}};
}

Finding finding_of(const Scenario& scenario, const explore::ModelRun& run) {
  return {.scenario = scenario, .run = run_of(run)};
}

program::Program program_of(const program::Program& program,
                            const explore::ScheduleFailure& failure) {
  program::Program out = program;
  out.sessions = failure.sessions;
  return out;
}

Finding finding_of(const Scenario& scenario, const explore::ScheduleFailure& failure) {
  constexpr std::uint64_t schedules_max = 300;
  return {.scenario = scenario,
          .run = run_of(failure),
          .invariant = failure.invariant,
          .schedules_max = schedules_max,
          .is_by_finer_steps = !failure.is_by_statements()};
}

Reproduction reproduce(const Finding& finding, const Target& target) {
  Reproduction out{.server = target.title,
                   .level = level_words(finding.scenario),
                   .is_by_finer_steps = finding.is_by_finer_steps};
  const auto server = server::connect(target.address, finding.scenario.program,
                                      finding.scenario.server, target.options);
  if (!server) {
    out.problem = server.error();
    return out;
  }
  if (target.options.keeps) out.kept = (*server)->place();
  Attempt{.finding = finding, .target = target, .server = **server, .out = out}.run();
  return out;
}

}  // namespace isomer::reproduce
