// SPDX-License-Identifier: MIT
// What `isomer explore` shows at the level of a database: what was found among the outcomes
// of all schedules, and the first schedule that breaks an invariant.
#include <algorithm>

#include <fmt/format.h>

#include "report/check/wording.h"
#include "report/database/told_schedule.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using explore::InvariantCount;
using explore::ScheduleFailure;

ScheduledRun scheduled(const OutcomesShown& shown) {
  const ScheduleFailure& failure = *shown.explored.failure;
  return {.program = shown.program,
          .steps = failure.steps,
          .order = failure.order,
          .calls = failure.outcome.calls,
          .rows = failure.outcome.rows,
          .invariants = failure.invariants,
          .choices = failure.choices,
          .level = shown.level.level};
}

std::string headline(const OutcomesShown& shown) {
  const ScheduleFailure& failure = *shown.explored.failure;
  const auto& all = shown.explored.invariants;
  const auto count = std::ranges::find(all, failure.invariant, &InvariantCount::name);
  std::string out =
      fmt::format("invariant \"{}\" is broken", printable(failure.invariant, 80));
  if (shown.explored.is_complete && count != all.end())
    out += fmt::format(" in {} of {}", count->broken,
                       counted(count->broken + count->held, "outcome"));
  if (!failure.message.empty()) out += fmt::format(": {}", printable(failure.message, 120));
  return out;
}

std::string all_clear(const OutcomesShown& shown) {
  if (!shown.explored.is_complete)
    return fmt::format(
        "undecided ({}): nothing found so far, but not every schedule was tried",
        shown.explored.unknown);
  if (shown.program.invariants.empty())
    return "the scenario has no invariants, so nothing could fail";
  return fmt::format("no schedule at {} breaks an invariant", shown.level.text());
}

std::string verdict(const InvariantCount& count) {
  return count.broken == 0
             ? fmt::format("held in all {}", count.held)
             : fmt::format("BROKEN in {} of {}", count.broken, count.broken + count.held);
}

std::string remark(const InvariantCount& count) {
  if (count.broken == 0 || count.broken_after_errors < count.broken) return {};
  return "only where a call fails; retry = 3 would run it again";
}

std::string counts(const OutcomesShown& shown) {
  const explore::Explored& explored = shown.explored;
  TextTable grid{{"schedules", fmt::format("{}", explored.schedules),
                  explored.is_complete ? "" : fmt::format("stopped: {}", explored.unknown)},
                 {"outcomes", fmt::format("{}", explored.outcomes),
                  "what clients were told, and the rows in the end"},
                 {"time", fmt::format("{:.2f} s", explored.seconds),
                  fmt::format("{:.0f} MiB of memory", shown.peak_mib)}};
  std::string out = aligned(grid);
  TextTable found;
  for (const InvariantCount& count : explored.invariants)
    found.push_back({printable(count.name, 60), verdict(count), remark(count)});
  for (const auto& [sqlstate, count] : explored.sqlstates)
    found.push_back({fmt::format("transactions that fail with {}", sqlstate),
                     fmt::format("{}", count),
                     std::string(database::error_words(sqlstate))});
  if (explored.stuck > 0)
    found.push_back({"outcomes in which somebody waits for ever",
                     fmt::format("{}", explored.stuck),
                     "nobody is left who could let them go on"});
  return found.empty() ? out : fmt::format("{}\n{}", out, aligned(found));
}

// What happens in the midst of a statement.
std::string_view why_finer_steps(database::Database database) {
  if (database == database::Database::Sqlite)
    return "No schedule of whole statements does it: others find the file locked in an "
           "instant in the\nmidst of a statement.\n";
  if (database == database::Database::MariaDb)
    return "No schedule of whole statements does it: others come between the locks of a "
           "statement,\nwhere they have little time on a server.\n";
  return "No schedule of whole statements does it: others commit between the snapshot of "
         "a statement\nand its locks, where they have little time on a server.\n";
}

std::string next_steps(const OutcomesShown& shown, const ScheduleTextOptions& options) {
  if (options.command.empty()) return {};
  const ScheduleFailure& failure = *shown.explored.failure;
  std::string out;
  if (!failure.is_by_statements()) out += why_finer_steps(shown.level.level.database);
  if (!failure.choices.empty())
    out +=
        "It takes a choice that is the server's: which transaction of a deadlock fails, or "
        "in "
        "which order\na plan takes its rows.  /2 behind a session says that the server "
        "takes the second one there.\n";
  if (failure.is_done_by_run && failure.dropped == 0)
    out += fmt::format("Do it:   {} --schedule \"{}\"\n", options.run_command,
                       schedule_words(scheduled(shown)));
  return out + fmt::format("See it:  {} --html failure.html\n", options.command);
}

}  // namespace

std::string outcomes_text(const OutcomesShown& shown, const ScheduleTextOptions& options) {
  const Ink ink(options.colour);
  std::string out = fmt::format(
      "{}: {}; every schedule at {}\n\n{}\n", printable(shown.program.file, 80),
      counted(shown.program.sessions.size(), "session"), shown.level.text(), counts(shown));
  if (!shown.explored.failure) {
    const std::string text = all_clear(shown);
    return out + (shown.explored.is_complete ? ink.good(text) : ink.doubtful(text)) + "\n";
  }
  const ScheduleFailure& failure = *shown.explored.failure;
  out += ink.bad(headline(shown)) + "\n";
  if (failure.dropped > 0)
    out += ink.dim(fmt::format("  ({} of the scenario {} not needed for it)\n",
                               counted(failure.dropped, "call"),
                               failure.dropped == 1 ? "is" : "are"));
  const ScheduledRun run = scheduled(shown);
  const std::string as_history =
      failure.history ? fmt::format("\n{}\n", run_history_text(*failure.history)) : "";
  const std::string there = shown.there != nullptr
                                ? on_server_text(shown.program, reproduce::run_of(failure),
                                                 *shown.there, options.width, ink) +
                                      "\n"
                                : "";
  return out + fmt::format("\n{}\n{}{}\n{}{}", schedule_table(run, options.width, ink),
                           schedule_end_text(run, ink), as_history, there,
                           next_steps(shown, options));
}

std::string outcomes_json(const OutcomesShown& shown) {
  const explore::Explored& explored = shown.explored;
  Json invariants = Json::object();
  for (const InvariantCount& count : explored.invariants)
    invariants[count.name] = {{"held", count.held},
                              {"broken", count.broken},
                              {"broken_after_errors", count.broken_after_errors}};
  Json sqlstates = Json::object();
  for (const auto& [sqlstate, count] : explored.sqlstates)
    sqlstates[sqlstate] = count;
  Json out = Json::object();
  shown.level.add_to(out);
  out.update({{"schedules", explored.schedules},
              {"states", explored.states},
              {"outcomes", explored.outcomes},
              {"invariants", invariants},
              {"sqlstates", sqlstates},
              {"stuck", explored.stuck},
              {"complete", explored.is_complete}});
  if (!explored.is_complete) out["reason"] = explored.unknown;
  out["failure"] = nullptr;
  if (explored.failure) {
    Json failure{{"invariant", explored.failure->invariant},
                 {"message", explored.failure->message},
                 {"dropped_calls", explored.failure->dropped}};
    failure.update(schedule_json(scheduled(shown)));
    if (explored.failure->history) add_history(failure, *explored.failure->history);
    if (shown.there != nullptr) failure["on"] = on_server_json(shown.program, *shown.there);
    out["failure"] = failure;
  }
  out["seconds"] = explored.seconds;
  out["peak_mib"] = shown.peak_mib;
  return document_text(out);
}

std::string outcomes_html(const OutcomesShown& shown) {
  const explore::Explored& explored = shown.explored;
  std::string out = fmt::format(
      "<section>\n<h1>{}</h1>\n<p class=\"facts\">at {}: {} followed to their end, {}; "
      "{:.2f} s, {:.0f} MiB</p>\n",
      escape_html(printable(shown.program.file, 400)), escape_html(shown.level.text()),
      counted(explored.schedules, "schedule"), counted(explored.outcomes, "outcome"),
      explored.seconds, shown.peak_mib);
  if (explored.failure) {
    out += lead(Tone::Bad, headline(shown)) + "<h2>A schedule that breaks it</h2>\n" +
           schedule_section(scheduled(shown),
                            fmt::format("{} at {}", printable(shown.program.file, 80),
                                        shown.level.text()));
    if (explored.failure->history) out += run_history_section(*explored.failure->history);
    if (shown.there != nullptr)
      out += on_server_section(shown.program, reproduce::run_of(*explored.failure),
                               *shown.there);
  } else {
    out += lead(explored.is_complete ? Tone::Good : Tone::Unknown, all_clear(shown));
  }
  out += "</section>\n";
  return page("isomer explore",
              "every schedule at the level of a database, and one that fails",
              std::span(&out, 1));
}

std::string outcomes_dot(const OutcomesShown& shown) {
  const auto& failure = shown.explored.failure;
  std::string part =
      failure && failure->history
          ? run_history_dot(
                *failure->history,
                fmt::format("{}\n{}", headline(shown), run_history_text(*failure->history)))
          : fmt::format("  none [shape=note, label=\"{}\"];\n",
                        dot_quoted(failure ? headline(shown) : all_clear(shown)));
  return dot_document(std::span(&part, 1));
}

}  // namespace isomer::report
