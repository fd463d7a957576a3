// SPDX-License-Identifier: MIT
#include "database_differential/comparison.h"

#include <algorithm>

#include <fmt/format.h>

#include "database/model.h"
#include "support/database/transcript.h"
#include "support/database/ways.h"

namespace isomer::test {
namespace {

using namespace database;

// All that can be seen of a run.
struct Seen {
  std::vector<ScheduleStep> steps;
  std::vector<std::string> lines;
  std::vector<std::string> end;  // of calls, and rows
};

Seen seen(const program::Program& program, const ScheduleRun& run) {
  Seen out;
  out.steps = run.steps();
  for (ScheduleStep& step : out.steps) {
    std::sort(step.reply.rows.begin(), step.reply.rows.end());
    std::sort(step.waited_for.begin(), step.waited_for.end());
    out.lines.push_back(step_text(program, step));
  }
  out.end = call_texts(program, run);
  const auto rows = row_texts(program, run);
  out.end.insert(out.end.end(), rows.begin(), rows.end());
  return out;
}

// When a step got its last reply.
std::size_t time_of(const Seen& run, std::size_t i) {
  if (run.steps[i].reply.kind == Reply::Kind::Waits) return run.steps.size();
  return run.steps[i].waited_for.empty() ? i : run.steps[i].woken_by;
}

bool failed_with(const ScheduleStep& step, std::string_view sqlstate) {
  return step.reply.kind == Reply::Kind::Failed && step.reply.fault.sqlstate == sqlstate;
}

// The victims of deadlocks, each with the entry at which it fell.
std::vector<std::pair<std::size_t, SessionIndex>> victims_of(const Seen& run) {
  std::vector<std::pair<std::size_t, SessionIndex>> out;
  for (std::size_t i = 0; i < run.steps.size(); ++i)
    if (failed_with(run.steps[i], "40P01"))
      out.emplace_back(time_of(run, i), run.steps[i].session);
  return out;
}

// The model, entry by entry as the server did it, as far as it can follow.
Seen on_model(const Scenario& scenario, const Seen& server, Ways& ways) {
  std::size_t entry = 0;
  const auto victims = victims_of(server);
  Model model(
      scenario.server, scenario.program, scenario.program.sessions.size(),
      [&](std::span<const SessionIndex> circle) -> std::size_t {
        for (std::size_t i = 0; i < circle.size(); ++i)
          if (std::find(victims.begin(), victims.end(), std::pair(entry, circle[i])) !=
              victims.end())
            return i;
        return 0;
      },
      [&](SessionIndex, std::size_t choices) { return ways.decide(choices); });
  ScheduleRun run(scenario, model);
  for (; entry < server.steps.size(); ++entry) {
    const auto all = run.runnable();
    const SessionIndex session = server.steps[entry].session;
    if (std::find(all.begin(), all.end(), session) == all.end()) break;
    run.step(session);
  }
  return seen(scenario.program, run);
}

// The entry at which they go different ways; none if they never do.
std::optional<std::size_t> parting(const Seen& server, const Seen& model) {
  std::optional<std::size_t> out;
  const std::size_t both = std::min(server.steps.size(), model.steps.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (server.lines[i] == model.lines[i]) continue;
    const bool waits_alike = server.steps[i].waited_for == model.steps[i].waited_for;
    const std::size_t time =
        waits_alike ? std::min(time_of(server, i), time_of(model, i)) : i;
    out = std::min(out.value_or(time), time);
  }
  if (!out && (server.lines.size() != model.lines.size() || server.end != model.end))
    out = both;
  return out;
}

bool is_serializable(const Scenario& scenario, const ScheduleStep& step) {
  const auto type = scenario.program.sessions[step.session].calls[step.call].type;
  return scenario.begin[type].level == IsolationLevel::Serializable;
}

// When the transaction of a step did its first one.
std::size_t start_of(const Seen& run, std::size_t i) {
  const ScheduleStep& step = run.steps[i];
  const auto first =
      std::find_if(run.steps.begin(), run.steps.end(), [&](const ScheduleStep& other) {
        return other.session == step.session && other.call == step.call &&
               other.attempt == step.attempt;
      });
  return static_cast<std::size_t>(first - run.steps.begin());
}

// A serializable transaction fails on the server alone.  It was chosen before, and is told
// with its next statement: of a dangerous structure, another one may then commit.
bool is_excused(const Scenario& scenario, const Seen& server, const Seen& model,
                std::size_t parting) {
  for (std::size_t i = 0; i < server.steps.size(); ++i) {
    const bool fails_alike = i < model.steps.size() &&
                             failed_with(model.steps[i], "40001") &&
                             time_of(model, i) == time_of(server, i);
    if (failed_with(server.steps[i], "40001") && !fails_alike &&
        is_serializable(scenario, server.steps[i]) && start_of(server, i) <= parting)
      return true;
  }
  return false;
}

// Whoever is woken runs beside the others that are: what comes of two is not decided.
bool wakes_several(const Seen& run, std::size_t entry) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < run.steps.size(); ++i)
    if (!run.steps[i].waited_for.empty() && time_of(run, i) == entry) ++count;
  return count > 1;
}

std::string both_texts(const Scenario& scenario, const Seen& server, const Seen& model) {
  std::string out;
  for (std::size_t i = 0; i < server.lines.size(); ++i) {
    const std::string ours = i < model.lines.size() ? model.lines[i] : "-";
    out += fmt::format("{:3} {} {}\n      server: {}\n", i,
                       scenario.program.sessions[server.steps[i].session].name,
                       server.steps[i].text, server.lines[i]);
    if (ours != server.lines[i]) out += fmt::format("      model:  {}\n", ours);
  }
  return out + fmt::format("server: {}\nmodel:  {}\n", fmt::join(server.end, "; "),
                           fmt::join(model.end, "; "));
}

}  // namespace

Comparison compare(const Scenario& scenario, server::PostgresqlServer& server,
                   const std::vector<SessionIndex>& schedule, std::uint64_t seed) {
  const auto on_server = [&](const std::vector<SessionIndex>& entries) {
    Random random(seed);
    ScheduleRun run(scenario, server);
    for (const SessionIndex session : entries) {
      const auto all = run.runnable();
      if (std::find(all.begin(), all.end(), session) == all.end()) break;
      run.step(session);
    }
    run_randomly(run, random);
    return std::pair(seen(scenario.program, run), run.schedule());
  };
  Comparison out;
  if (out.text = server.reset(); !out.text.empty()) {
    out.kind = Comparison::Kind::Broken;
    return out;
  }
  const auto [first, entries] = on_server(schedule);
  out.schedule = entries;
  for (const ScheduleStep& step : first.steps) {
    out.has_waits |= !step.waited_for.empty();
    out.has_deadlock |= failed_with(step, "40P01");
    if (step.reply.fault.is_limit) out.kind = Comparison::Kind::Broken;
  }
  Ways ways;
  const Seen model = on_model(scenario, first, ways);
  out.text = both_texts(scenario, first, model);
  if (out.kind == Comparison::Kind::Broken) return out;
  const auto at = parting(first, model);
  if (!at) return out;
  while (ways.advance()) {
    const Seen other = on_model(scenario, first, ways);
    if (parting(first, other)) continue;
    out.takes_other_way = true;
    return out;
  }
  out.kind = is_excused(scenario, first, model, *at) ? Comparison::Kind::Excused
             : wakes_several(first, *at) || wakes_several(model, *at)
                 ? Comparison::Kind::Races
                 : Comparison::Kind::Different;
  for (int i = 0; i < 3 && out.kind == Comparison::Kind::Different; ++i) {
    if (!server.reset().empty()) break;
    const Seen again = on_server(entries).first;
    if (again.lines != first.lines || again.end != first.end)
      out.kind = Comparison::Kind::Races;
  }
  return out;
}

Scenario scenario_of(const program::Program& program, const std::string& text) {
  Scenario out{.program = program};
  for (const program::TransactionType& type : program.types) {
    std::string level = type.level;
    const std::string mark = fmt::format("# level {} = ", type.name);
    if (const std::size_t at = text.find(mark); at != std::string::npos)
      level = text.substr(at + mark.size(), text.find('\n', at) - at - mark.size());
    out.begin.push_back({.level = level == "SERIALIZABLE" ? IsolationLevel::Serializable
                                  : level == "REPEATABLE READ"
                                      ? IsolationLevel::RepeatableRead
                                      : IsolationLevel::ReadCommitted,
                         .is_read_only = type.is_read_only,
                         .is_deferrable = type.is_deferrable});
  }
  return out;
}

}  // namespace isomer::test
