// SPDX-License-Identifier: MIT
#include "mariadb_differential/matching_way.h"

#include <algorithm>

#include <fmt/format.h>

#include "database/model.h"
#include "support/database/differential.h"
#include "support/database/transcript.h"
#include "support/database/ways.h"

namespace isomer::test {
namespace {

using namespace database;

constexpr std::uint64_t ways_max = 4000;

bool has_limit(const ScheduleRun& run) {
  return std::any_of(run.steps().begin(), run.steps().end(),
                     [](const ScheduleStep& step) { return step.reply.fault.is_limit; });
}

}  // namespace

std::vector<std::string> seen_until(const program::Program& program,
                                    const std::vector<ScheduleStep>& steps,
                                    std::size_t entries) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(entries, steps.size()); ++i) {
    ScheduleStep step = steps[i];
    const bool is_open =
        !step.waited_for.empty() &&
        (step.reply.kind == Reply::Kind::Waits || step.woken_by >= entries);
    if (is_open) step.reply = {.kind = Reply::Kind::Waits};
    std::sort(step.reply.rows.begin(), step.reply.rows.end());
    std::sort(step.waited_for.begin(), step.waited_for.end());
    std::string line = step_text(program, step);
    if (step.reply.kind == Reply::Kind::Failed)
      line += fmt::format(" {} {}", step.reply.fault.number, step.reply.fault.condition);
    out.push_back(std::move(line));
  }
  return out;
}

MatchingWay find_way(const Scenario& scenario, const ScheduleRun& server,
                     const std::function<void(const ScheduleRun&)>& show) {
  MatchingWay out;
  const std::vector<ScheduleStep>& theirs = server.steps();
  const std::vector<std::string> end = seen_run(scenario.program, server).lines;
  std::size_t longest = 0;
  Ways way;
  do {
    if (++out.ways > ways_max) return out;
    Model model(
        scenario.server, scenario.program, scenario.program.sessions.size(),
        [&](std::span<const SessionIndex> victims) { return way.decide(victims.size()); },
        [&](SessionIndex, std::size_t choices) { return way.decide(choices); },
        [&](std::span<const SessionIndex> ready) { return way.decide(ready.size()); });
    ScheduleRun run(scenario, model);
    bool is_same = true;
    for (std::size_t i = 0; i < theirs.size() && is_same; ++i) {
      const auto all = run.runnable();
      is_same = std::find(all.begin(), all.end(), theirs[i].session) != all.end();
      if (!is_same) break;
      run.step(theirs[i].session);
      is_same = seen_until(scenario.program, theirs, i + 1) ==
                seen_until(scenario.program, run.steps(), i + 1);
    }
    out.gives_up |= has_limit(run);
    if (is_same && seen_run(scenario.program, run).lines == end) {
      out.is_found = true;
      return out;
    }
    if (run.steps().size() >= longest) {
      longest = run.steps().size() + 1;
      show(run);
    }
  } while (way.advance());
  out.is_complete = true;
  return out;
}

}  // namespace isomer::test
