// SPDX-License-Identifier: MIT
#include "explore/statement_runs.h"

#include <algorithm>

namespace isomer::explore {

std::vector<SessionIndex> StatementRuns::sessions(const FineRun& run) const {
  const std::vector<SessionIndex> victims = FineRuns::victims(run);
  if (!victims.empty()) return victims;
  if (run.midway) return {*run.midway};
  std::vector<SessionIndex> out;
  for (SessionIndex session = 0; session < run.sessions.size(); ++session)
    if (run.sessions[session].machine && !FineRuns::is_asleep(run, session))
      out.push_back(session);
  return out;
}

FineRuns::Footprint StatementRuns::move(FineRun& run, const Move& move) const {
  if (run.midway != move.session && FineRuns::is_asleep(run, move.session))
    step(run, move);
  else
    run_to_reply(run, move);
  settle(run);
  return {};
}

void StatementRuns::step(FineRun& run, const Move& move) const {
  if (!on_step_) {
    runs_.move(run, move);
    return;
  }
  const FineRun before = run;
  runs_.move(run, move);
  on_step_(move.session, before, run);
}

// A reply changes what the session was told.
void StatementRuns::run_to_reply(FineRun& run, const Move& move) const {
  const SessionIndex session = move.session;
  const Fingerprint past = run.sessions[session].past;
  const auto is_over = [&] {
    return run.sessions[session].past != past || FineRuns::is_asleep(run, session);
  };
  run.midway.reset();
  step(run, move);
  while (!is_over() && choices(run, session) == 1)
    step(run, {.session = session});
  if (!is_over()) run.midway = session;
}

// The first sleeper that can go on does, until none can or there is a circle.
void StatementRuns::settle(FineRun& run) const {
  while (FineRuns::victims(run).empty() && !run.midway) {
    const auto sleepers = run.server->sleepers();
    const auto woken = std::find_if(
        sleepers.begin(), sleepers.end(),
        [&](SessionIndex session) { return run.server->blockers(session).empty(); });
    if (woken == sleepers.end()) return;
    if (choices(run, *woken) > 1)
      run.midway = *woken;
    else
      run_to_reply(run, {.session = *woken});
  }
}

}  // namespace isomer::explore
