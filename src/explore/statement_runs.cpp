// SPDX-License-Identifier: MIT
#include "explore/statement_runs.h"

#include <algorithm>

namespace isomer::explore {

std::vector<SessionIndex> StatementRuns::sessions(const FineRun& run) const {
  const std::vector<SessionIndex> victims = FineRuns::victims(run);
  if (!victims.empty()) return victims;
  std::vector<SessionIndex> out;
  for (SessionIndex session = 0; session < run.sessions.size(); ++session)
    if (run.sessions[session].machine && !FineRuns::is_asleep(run, session))
      out.push_back(session);
  return out;
}

FineRuns::Footprint StatementRuns::move(FineRun& run, SessionIndex session) const {
  if (FineRuns::is_asleep(run, session))
    step(run, session);
  else
    run_to_reply(run, session);
  settle(run);
  return {};
}

void StatementRuns::step(FineRun& run, SessionIndex session) const {
  if (!on_step_) {
    runs_.move(run, session);
    return;
  }
  const FineRun before = run;
  runs_.move(run, session);
  on_step_(session, before, run);
}

// A reply changes what the session was told.
void StatementRuns::run_to_reply(FineRun& run, SessionIndex session) const {
  const Fingerprint past = run.sessions[session].past;
  do
    step(run, session);
  while (run.sessions[session].past == past && !FineRuns::is_asleep(run, session));
}

// The first sleeper that can go on does, until none can or there is a circle.
void StatementRuns::settle(FineRun& run) const {
  while (FineRuns::victims(run).empty()) {
    const auto sleepers = run.server->sleepers();
    const auto woken = std::find_if(
        sleepers.begin(), sleepers.end(),
        [&](SessionIndex session) { return run.server->blockers(session).empty(); });
    if (woken == sleepers.end()) return;
    run_to_reply(run, *woken);
  }
}

}  // namespace isomer::explore
