// SPDX-License-Identifier: MIT
// What `isomer run` shows at the level of a database.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/wording.h"
#include "report/database/told_schedule.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using explore::ModelRun;

ScheduledRun scheduled(const ModelRunShown& shown) {
  return {.program = shown.program,
          .steps = shown.run.steps,
          .order = {},
          .calls = shown.run.calls,
          .rows = shown.run.rows,
          .invariants = shown.run.invariants,
          .choices = shown.run.choices,
          .level = shown.level.level};
}

std::size_t call_count(const program::Program& program) {
  std::size_t count = 0;
  for (const program::Session& session : program.sessions)
    count += session.calls.size();
  return count;
}

// The schedule as an argument of a shell.
std::string quoted_schedule(const ScheduledRun& run) {
  return fmt::format("\"{}\"", schedule_words(run));
}

std::string heading(const ModelRunShown& shown) {
  return fmt::format("{}: {}, {} at {}; {}", printable(shown.program.file, 80),
                     counted(shown.program.sessions.size(), "session"),
                     counted(call_count(shown.program), "transaction"), shown.level.text(),
                     shown.how);
}

Json invariant_counts(const ModelRun& run) {
  Json out = Json::object();
  const bool is_complete = run.unknown.empty();
  for (const store::InvariantOutcome& invariant : run.invariants)
    out[invariant.name] = {{"held", is_complete && invariant.holds ? 1 : 0},
                           {"broken", is_complete && !invariant.holds ? 1 : 0}};
  return out;
}

std::string run_lead(const ModelRunShown& shown) {
  if (!shown.run.unknown.empty())
    return lead(Tone::Unknown, fmt::format("undecided: {}", shown.run.unknown));
  if (explore::is_failing(shown.run))
    for (const store::InvariantOutcome& invariant : shown.run.invariants)
      if (!invariant.holds)
        return lead(Tone::Bad, fmt::format("invariant \"{}\" is broken",
                                           printable(invariant.name, 80)));
  if (explore::is_failing(shown.run)) return lead(Tone::Bad, "an assertion failed");
  return lead(Tone::Good, shown.run.invariants.empty()
                              ? "nothing failed"
                              : "every invariant holds in the end");
}

std::string verdict(const store::Tally& tally) {
  return tally.broken == 0
             ? fmt::format("held in all {}", tally.held)
             : fmt::format("BROKEN in {} of {}", tally.broken, tally.broken + tally.held);
}

}  // namespace

std::string LevelShown::text() const {
  std::vector<std::string> words;
  for (const auto& [setting, value] : settings)
    words.push_back(fmt::format("{}={}", setting, value));
  return words.empty() ? name : fmt::format("{} with {}", name, fmt::join(words, ", "));
}

void LevelShown::add_to(Json& document) const {
  document["level"] = name;
  for (const auto& [setting, value] : settings)
    document["settings"][setting] = value;
}

std::string model_run_text(const ModelRunShown& shown, const ScheduleTextOptions& options) {
  const Ink ink(options.colour);
  const ScheduledRun run = scheduled(shown);
  std::string out =
      fmt::format("{}\n\n{}\n{}", heading(shown), schedule_table(run, options.width, ink),
                  schedule_end_text(run, ink));
  if (!shown.run.unknown.empty())
    out += fmt::format("\n{}\n", ink.doubtful(fmt::format("undecided: {}; a server would "
                                                          "go on there",
                                                          shown.run.unknown)));
  for (const database::SessionIndex session : shown.run.stuck)
    out += fmt::format("\n{}\n", ink.doubtful(fmt::format(
                                     "{} waits for ever: nobody is left who could let "
                                     "it go on",
                                     printable(shown.program.sessions[session].name, 40))));
  if (shown.run.history) out += fmt::format("\n{}\n", run_history_text(*shown.run.history));
  if (shown.there != nullptr)
    out += fmt::format("\n{}", on_server_text(shown.program, reproduce::run_of(shown.run),
                                              *shown.there, options.width, ink));
  if (!options.command.empty() && explore::is_failing(shown.run)) {
    if (shown.seed)
      out += fmt::format("\nDo it again:  {} --schedule {}\n", options.command,
                         quoted_schedule(run));
    out += fmt::format("{}See it:       {} --schedule {} --html run.html\n",
                       shown.seed ? "" : "\n", options.command, quoted_schedule(run));
  }
  if (!options.command.empty() && shown.run.history &&
      is_unserializable(*shown.run.history))
    out += fmt::format(
        "{}See why:      {} --schedule {} -o run.hist; isomer check run.hist\n",
        explore::is_failing(shown.run) ? "" : "\n", options.command, quoted_schedule(run));
  return out;
}

std::string model_run_json(const ModelRunShown& shown) {
  const bool is_complete = shown.run.unknown.empty();
  const bool is_found = is_complete && explore::is_failing(shown.run);
  Json unserializable = nullptr;
  if (shown.run.history) unserializable = is_unserializable(*shown.run.history) ? 1 : 0;
  Json out = Json::object();
  shown.level.add_to(out);
  out.update(
      {{"runs", is_complete ? 1 : 0},
       {"unserializable", unserializable},
       {"invariants", invariant_counts(shown.run)},
       {"first_failing_seed", is_found && shown.seed ? Json(*shown.seed) : Json(nullptr)},
       {"run", schedule_json(scheduled(shown))},
       {"complete", is_complete}});
  if (shown.run.history) add_history(out["run"], *shown.run.history);
  if (shown.there != nullptr)
    out["run"]["on"] = on_server_json(shown.program, *shown.there);
  return document_text(out);
}

std::string model_run_html(const ModelRunShown& shown) {
  std::string out = fmt::format(
      "<section>\n<h1>{}</h1>\n<p class=\"facts\">at {}; {}</p>\n{}{}{}{}</section>\n",
      escape_html(printable(shown.program.file, 400)), escape_html(shown.level.text()),
      escape_html(shown.how), run_lead(shown),
      schedule_section(
          scheduled(shown),
          fmt::format("{} at {}", printable(shown.program.file, 80), shown.level.text())),
      shown.run.history ? run_history_section(*shown.run.history) : "",
      shown.there != nullptr
          ? on_server_section(shown.program, reproduce::run_of(shown.run), *shown.there)
          : "");
  return page("isomer run", "a run at the level of a database, statement by statement",
              std::span(&out, 1));
}

std::string model_runs_text(const ModelRunsShown& shown,
                            const ScheduleTextOptions& options) {
  const explore::ModelRuns& runs = shown.runs;
  std::string out = fmt::format(
      "{}: {} at {}, random schedules, seeds {} to {}\n\n",
      printable(shown.program.file, 80), counted(runs.runs, "run"), shown.level.text(),
      shown.first_seed, shown.first_seed + (runs.runs == 0 ? 0 : runs.runs - 1));
  TextTable grid;
  for (const auto& [name, tally] : runs.invariants)
    grid.push_back({printable(name, 60), verdict(tally)});
  if (runs.unserializable)
    grid.push_back({"runs that were not serializable",
                    fmt::format("{} of {}", *runs.unserializable, runs.runs)});
  grid.push_back({"transactions rolled back",
                  fmt::format("{} of {}", runs.rolled_back, runs.transactions)});
  for (const auto& [sqlstate, count] : runs.sqlstates)
    grid.push_back({fmt::format("  with {}", sqlstate), fmt::format("{}", count),
                    std::string(database::error_words(sqlstate))});
  if (runs.stuck > 0)
    grid.push_back({"runs in which somebody waits for ever",
                    fmt::format("{} of {}", runs.stuck, runs.runs)});
  if (runs.retries > 0)
    grid.push_back({"tries that were repeated", fmt::format("{}", runs.retries)});
  out += aligned(grid);
  if (!runs.unknown.empty())
    out += fmt::format("\n{} after {}\n", runs.unknown, counted(runs.runs, "run"));
  if (runs.first_failing_seed && !options.command.empty())
    out += fmt::format("\nThe first failing run:  {} --seed {}\n", options.command,
                       *runs.first_failing_seed);
  return out;
}

std::string model_runs_json(const ModelRunsShown& shown) {
  const explore::ModelRuns& runs = shown.runs;
  Json invariants = Json::object();
  for (const auto& [name, tally] : runs.invariants)
    invariants[name] = {{"held", tally.held}, {"broken", tally.broken}};
  Json sqlstates = Json::object();
  for (const auto& [sqlstate, count] : runs.sqlstates)
    sqlstates[sqlstate] = count;
  Json out = Json::object();
  shown.level.add_to(out);
  out.update(
      {{"runs", runs.runs},
       {"unserializable", runs.unserializable ? Json(*runs.unserializable) : Json(nullptr)},
       {"invariants", invariants},
       {"sqlstates", sqlstates},
       {"first_failing_seed",
        runs.first_failing_seed ? Json(*runs.first_failing_seed) : Json(nullptr)},
       {"failing", runs.failing},
       {"stuck", runs.stuck},
       {"transactions", runs.transactions},
       {"rolled_back", runs.rolled_back},
       {"complete", runs.unknown.empty()}});
  return document_text(out);
}

std::string schedule_section(const ScheduledRun& run, std::string_view title) {
  std::string out = schedule_figure(run, title);
  std::string rows;
  for (std::size_t i = 0; i < run.program.tables.size(); ++i)
    rows += rows_text(run.program.tables[i], run.rows[i], EmptyTables::Hide, Ink(false));
  out += fmt::format("<h3>In the end</h3>\n<pre>{}</pre>\n", escape_html(rows));
  for (const store::InvariantOutcome& invariant : run.invariants)
    out += fmt::format("<p><span class=\"chip {}\">{}</span> {}</p>\n",
                       invariant.holds ? "ok" : "no", invariant.holds ? "holds" : "BROKEN",
                       escape_html(invariant.name));
  return out;
}

}  // namespace isomer::report
