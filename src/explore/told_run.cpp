// SPDX-License-Identifier: MIT
#include "explore/small_failure.h"

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

  explicit Notes(const Scenario& of)
      : scenario(of),
        open(of.program.sessions.size()),
        replies(of.program.sessions.size()) {}

  // The first reply counts; what else comes in the same step ends savepoints.
  void note(SessionIndex session, const Reply& reply) {
    if (!replies[session]) replies[session] = reply;
  }

  void note(SessionIndex session, const FineRun& before, const FineRun& after) {
    if (!open[session]) {
      open[session] = static_cast<std::uint32_t>(steps.size());
      const FineRun::Session& place = before.sessions[session];
      steps.push_back(database::described(scenario.program, place.next));
      steps.back().session = session;
      steps.back().call = place.call;
      steps.back().attempt = place.attempt;
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

template <class Runs>
FineRun followed(const Runs& runs, const std::vector<Move>& way) {
  FineRun run = runs.start();
  for (const Move& move : way)
    runs.move(run, move);
  return run;
}

}  // namespace

ToldRun told_by_statements(const Scenario& scenario, const std::vector<Move>& way) {
  Notes notes(scenario);
  const StatementRuns runs(
      scenario,
      [&](SessionIndex session, const Reply& reply) { notes.note(session, reply); },
      [&](SessionIndex session, const FineRun& before, const FineRun& after) {
        notes.note(session, before, after);
      },
      FineRuns::Log::With);
  FineRun end = followed(runs, way);
  return std::move(notes).told(std::move(end), true);
}

ToldRun told_by_fine_steps(const Scenario& scenario, const std::vector<Move>& way) {
  Notes notes(scenario);
  const FineRuns runs(
      scenario,
      [&](SessionIndex session, const Reply& reply) { notes.note(session, reply); },
      FineRuns::Log::With);
  FineRun run = runs.start();
  for (const Move& move : way) {
    const FineRun before = run;
    runs.move(run, move);
    notes.note(move.session, before, run);
  }
  return std::move(notes).told(std::move(run), false);
}

}  // namespace isomer::explore
