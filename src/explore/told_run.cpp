// SPDX-License-Identifier: MIT
#include "explore/small_failure.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "explore/statement_runs.h"

namespace isomer::explore {
namespace {

using database::Reply;
using database::ScheduleStep;

// Takes down what the steps of a run do.
struct Notes {
  const Scenario& scenario;
  std::vector<ScheduleStep> steps{};
  std::vector<std::uint32_t> order{};
  std::vector<std::optional<std::uint32_t>> open{};  // by session: its step on its way
  std::vector<std::optional<Reply>> replies{};       // in the step that is done now
  // By session: SAVEPOINT and RELEASE of scripts.  They are done at once, with the step
  // before them, and are told with the one behind.
  std::vector<std::vector<ScheduleStep>> between{};
  std::vector<std::vector<ScheduleStep>> new_between{};  // of the step that is done now

  explicit Notes(const Scenario& of)
      : scenario(of),
        open(of.program.sessions.size()),
        replies(of.program.sessions.size()),
        between(of.program.sessions.size()),
        new_between(of.program.sessions.size()) {}

  [[nodiscard]] ScheduleStep step_of(SessionIndex session,
                                     const FineRun::Session& place) const {
    ScheduleStep out = database::described(scenario.program, place.next);
    out.session = session;
    out.call = place.call;
    out.attempt = place.attempt;
    return out;
  }

  // The first reply counts; what else comes in the same step is about savepoints.
  void note(SessionIndex session, const FineRun::Session& place, const Reply& reply) {
    using Kind = program::AsksServer::Kind;
    const auto* const what = std::get_if<program::AsksServer>(&place.next);
    const bool is_between = what != nullptr && what->statement != nullptr &&
                            (what->kind == Kind::Savepoint || what->kind == Kind::Release);
    if (is_between) {
      new_between[session].push_back(step_of(session, place));
      new_between[session].back().reply = reply;
    } else if (!replies[session]) {
      replies[session] = reply;
    }
  }

  void forget_replies() {
    replies.assign(replies.size(), std::nullopt);
    keep_between();
  }

  void keep_between() {
    for (std::size_t i = 0; i < between.size(); ++i) {
      std::move(new_between[i].begin(), new_between[i].end(),
                std::back_inserter(between[i]));
      new_between[i].clear();
    }
  }

  void tell_between(SessionIndex session) {
    for (ScheduleStep& step : std::exchange(between[session], {})) {
      order.push_back(static_cast<std::uint32_t>(steps.size()));
      steps.push_back(std::move(step));
    }
  }

  void note(SessionIndex session, const FineRun& before, const FineRun& after) {
    if (!open[session]) {
      tell_between(session);
      open[session] = static_cast<std::uint32_t>(steps.size());
      steps.push_back(step_of(session, before.sessions[session]));
    }
    const std::uint32_t now = *open[session];
    ScheduleStep& step = steps[now];
    const bool waited = !step.waited_for.empty();
    if (waited && step.woken_by == 0) step.woken_by = order.empty() ? 0 : order.back();
    if (order.empty() || order.back() != now) order.push_back(now);
    if (FineRuns::is_asleep(after, session)) {
      if (!waited) step.waited_for = after.server->blockers(session);
      step.reply.kind = Reply::Kind::Waits;
    }
    for (SessionIndex i = 0; i < replies.size(); ++i)
      if (replies[i]) close(i);
    keep_between();
  }

  // The reply to the step on its way; of others than who moves, those are victims.
  void close(SessionIndex session) {
    if (open[session]) {
      ScheduleStep& step = steps[*open[session]];
      step.reply = std::move(*replies[session]);
      if (!step.waited_for.empty() && step.woken_by == 0) step.woken_by = order.back();
    }
    replies[session].reset();
    open[session].reset();
  }

  // Does each step end before the next begins, but for those that wait and go on as soon as
  // they can?
  [[nodiscard]] ToldRun told(FineRun end, bool is_by_statements) && {
    ToldRun out{
        .schedule = {}, .steps = std::move(steps), .order = {}, .end = std::move(end)};
    for (const ScheduleStep& step : out.steps)
      out.schedule.push_back(step.session);
    if (!is_by_statements) out.order = std::move(order);
    return out;
  }
};

// Where a call begins with savepoints, these are set before the first step.
template <class Runs>
FineRun started(const Runs& runs, Notes& notes) {
  FineRun run = runs.start();
  notes.forget_replies();
  return run;
}

template <class Runs>
FineRun followed(const Runs& runs, const std::vector<Move>& way, Notes& notes) {
  FineRun run = started(runs, notes);
  for (const Move& move : way)
    runs.move(run, move);
  return run;
}

}  // namespace

ToldRun told_by_statements(const Scenario& scenario, const std::vector<Move>& way) {
  Notes notes(scenario);
  const StatementRuns runs(
      scenario,
      [&](SessionIndex session, const FineRun::Session& place, const Reply& reply) {
        notes.note(session, place, reply);
      },
      [&](SessionIndex session, const FineRun& before, const FineRun& after) {
        notes.note(session, before, after);
      },
      FineRuns::Log::With);
  FineRun end = followed(runs, way, notes);
  return std::move(notes).told(std::move(end), true);
}

ToldRun told_by_fine_steps(const Scenario& scenario, const std::vector<Move>& way) {
  Notes notes(scenario);
  const FineRuns runs(
      scenario,
      [&](SessionIndex session, const FineRun::Session& place, const Reply& reply) {
        notes.note(session, place, reply);
      },
      FineRuns::Log::With);
  FineRun run = started(runs, notes);
  for (const Move& move : way) {
    const FineRun before = run;
    runs.move(run, move);
    notes.note(move.session, before, run);
  }
  return std::move(notes).told(std::move(run), false);
}

}  // namespace isomer::explore
