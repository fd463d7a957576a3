// SPDX-License-Identifier: MIT
// Runs at the level of a database, for people and for programs: what `isomer run`, `isomer
// explore` and `isomer levels` show of a schedule.  Everything here returns strings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "database/level_rules.h"
#include "database/schedule.h"
#include "explore/model_run.h"
#include "explore/schedules.h"
#include "report/ink.h"
#include "report/json.h"
#include "reproduce/abstract.h"
#include "reproduce/reproduce.h"
#include "reproduce/script.h"
#include "store/store.h"

namespace isomer::report {

// One run, with what is needed to tell it.
struct ScheduledRun {
  const program::Program& program;
  std::span<const database::ScheduleStep> steps;
  // Empty if each step was over, or waited, before the next one.  Otherwise the steps in
  // the order in which they went on, as places in `steps`: in 0, 1, 2, 0 the first step was
  // on its way while 1 and 2 were done.
  std::span<const std::uint32_t> order;
  const std::vector<std::vector<database::CallEnd>>& calls;  // by session, by call
  // Committed, by table.
  const std::vector<std::vector<std::vector<program::Value>>>& rows;
  std::span<const store::InvariantOutcome> invariants;
  bool has_places = true;  // the lines of the program are told
  // Of the server, by step, where they are not the likeliest ones.
  std::span<const database::EntryChoices> choices{};
  // Whose BEGIN scripts say that name none.
  std::optional<database::DatabaseLevel> level{};
};

// A column for each session, time going down.  Where so many columns do not fit into the
// width, the steps stand below each other.
std::string schedule_table(const ScheduledRun& run, std::size_t width, const Ink& ink);

// The committed rows, and which invariants hold there.
std::string schedule_end_text(const ScheduledRun& run, const Ink& ink);

// The same as a picture, in a figure of a page.
std::string schedule_figure(const ScheduledRun& run, std::string_view title);

// The picture, the rows and the invariants: what a page says of a run.
std::string schedule_section(const ScheduledRun& run, std::string_view title);

// "schedule", "steps", "calls", "final_state", "invariants".
Json schedule_json(const ScheduledRun& run);

// --- the run as a history (run_history.cpp) ---

// "as a history: lost update on account/1; the strongest levels that allow it: RC, RA"
std::string run_history_text(const explore::RunHistory& run);
bool is_unserializable(const explore::RunHistory& run);
// Adds "levels", what each says of it, and "history".
void add_history(Json& out, const explore::RunHistory& run);
// Who allows it, and a picture of it: a part of a page.
std::string run_history_section(const explore::RunHistory& run);
// A part of a DOT document.
std::string run_history_dot(const explore::RunHistory& run, std::string title);

// --- the same on a real server (on_server.cpp) ---

// What became of it there, and the table of what the server answered.  `program` is the one
// whose sessions ran, `found` what the model did.
std::string on_server_text(const program::Program& program, const reproduce::Run& found,
                           const reproduce::Reproduction& there, std::size_t width,
                           const Ink& ink, bool is_found_shown = true);
std::string on_server_section(const program::Program& program, const reproduce::Run& found,
                              const reproduce::Reproduction& there);
// The same of a finding at an abstract level, with what goes before; empty without one.
std::string tried_text(const reproduce::Tried* tried, std::size_t width, const Ink& ink);
std::string tried_section(const reproduce::Tried* tried);
// "on" of a finding.
Json on_server_json(const program::Program& program, const reproduce::Reproduction& there);

struct ScheduleTextOptions {
  bool colour = false;
  std::size_t width = 100;
  std::string command{};      // as typed, for the hint what to do next; empty: no hint
  std::string run_command{};  // of explore: the run to which a schedule is to be added
};

// At which level sessions ran, of a database that is set up how.
struct LevelShown {
  std::string name;  // "pg:RC"; "its [levels]"
  database::DatabaseLevel level{};
  // Those that are not as usual: {"journal", "wal"}.
  std::vector<std::pair<std::string, std::string>> settings{};

  // "sqlite:DEFERRED with journal=wal".
  [[nodiscard]] std::string text() const;
  // Adds "level" and "settings".
  void add_to(Json& document) const;
};

// --- isomer run ---

struct ModelRunShown {
  const program::Program& program;
  LevelShown level;
  std::string how;  // "random schedule, seed 1"
  const explore::ModelRun& run;
  std::optional<std::uint64_t> seed{};  // absent: the schedule was given
  // What a server made of it; null: none was asked.
  const reproduce::Reproduction* there = nullptr;
};

std::string model_run_text(const ModelRunShown& shown, const ScheduleTextOptions& options);
std::string model_run_json(const ModelRunShown& shown);
std::string model_run_html(const ModelRunShown& shown);

struct ModelRunsShown {
  const program::Program& program;
  LevelShown level;
  std::uint64_t first_seed = 1;
  const explore::ModelRuns& runs;
};

std::string model_runs_text(const ModelRunsShown& shown,
                            const ScheduleTextOptions& options);
std::string model_runs_json(const ModelRunsShown& shown);

// --- isomer explore ---

struct OutcomesShown {
  const program::Program& program;  // with the calls that the failure needs
  LevelShown level;
  const explore::Explored& explored;
  double peak_mib = 0;
  // What a server made of the failure; null: none was asked, or there is none.
  const reproduce::Reproduction* there = nullptr;
};

std::string outcomes_text(const OutcomesShown& shown, const ScheduleTextOptions& options);
std::string outcomes_json(const OutcomesShown& shown);
std::string outcomes_html(const OutcomesShown& shown);
// The failing run as a history.
std::string outcomes_dot(const OutcomesShown& shown);

// --- isomer levels ---

// The levels of databases that the commands take.
std::string database_list_text(std::span<const database::DatabaseLevel> levels,
                               bool colour);

// A rule and the run that shows it.
struct RuleShown {
  const database::LevelRule& rule;
  const explore::ModelRun& run;
  database::DatabaseLevel level{};
};

std::string rules_text(const database::DatabaseLevel& level,
                       std::span<const RuleShown> rules,
                       const ScheduleTextOptions& options);
std::string rules_json(const database::DatabaseLevel& level,
                       std::span<const RuleShown> rules);

// --- a run on PostgreSQL as SQL ---

struct ScriptShown {
  const program::Program& program;  // whose sessions made the run
  const reproduce::Run& run;
  const reproduce::Script& script;
  std::string title;  // "examples/withdraw.toml at pg:RR"
};

// Steps for terminals with psql: who does what, one after the other, and what is answered.
std::string terminal_script(const ScriptShown& shown);

// A spec that isolationtester plays: setup, sessions, steps and one permutation.  Otherwise
// why it cannot be written.
tl::expected<std::string, std::string> isolation_spec(const ScriptShown& shown);

}  // namespace isomer::report
