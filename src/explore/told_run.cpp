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
  std::optional<Reply> first_reply{};                // in the step that is done now

  explicit Notes(const Scenario& of) : scenario(of), open(of.program.sessions.size()) {}

  // The first reply counts; what else comes in the same step ends savepoints.
  void note(const Reply& reply) {
    if (!first_reply) first_reply = reply;
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
    if (!first_reply) return;
    step.reply = std::move(*first_reply);
    first_reply.reset();
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
FineRun followed(const Runs& runs, const std::vector<SessionIndex>& way) {
  FineRun run = runs.start();
  for (const SessionIndex session : way)
    runs.move(run, session);
  return run;
}

}  // namespace

ToldRun told_by_statements(const Scenario& scenario, const std::vector<SessionIndex>& way) {
  Notes notes(scenario);
  const StatementRuns runs(
      scenario, [&](SessionIndex, const Reply& reply) { notes.note(reply); },
      [&](SessionIndex session, const FineRun& before, const FineRun& after) {
        notes.note(session, before, after);
      },
      FineRuns::Log::With);
  FineRun end = followed(runs, way);
  return std::move(notes).told(std::move(end), true);
}

ToldRun told_by_fine_steps(const Scenario& scenario, const std::vector<SessionIndex>& way) {
  Notes notes(scenario);
  const FineRuns runs(
      scenario, [&](SessionIndex, const Reply& reply) { notes.note(reply); },
      FineRuns::Log::With);
  FineRun run = runs.start();
  for (const SessionIndex session : way) {
    const FineRun before = run;
    runs.move(run, session);
    notes.note(session, before, run);
  }
  return std::move(notes).told(std::move(run), false);
}

}  // namespace isomer::explore
