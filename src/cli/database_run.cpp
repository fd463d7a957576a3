// SPDX-License-Identifier: MIT
#include "cli/database_level.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/documents.h"
#include "cli/input.h"
#include "cli/level_argument.h"
#include "cli/on_server.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "database/level_name.h"
#include "database/level_rules.h"
#include "database/server_settings.h"
#include "explore/model_run.h"
#include "explore/schedules.h"
#include "history/formats.h"
#include "program/database_only.h"
#include "program/load.h"
#include "program/print/dialect.h"
#include "program/scenario/scenario.h"
#include "report/database/report.h"
#include "report/run/report.h"
#include "reproduce/reproduce.h"

namespace isomer::cli {
namespace {

using database::DatabaseLevel;
using database::Scenario;
using database::SessionIndex;
using program::Program;

constexpr std::string_view no_history =
    "there is no history to save: the model of this database tells none, or met a limit";

constexpr std::uint64_t database_runs_max = 10'000'000;

// What a command has for abstract levels alone.
void refuse_abstract_options(const Arguments& arguments,
                             std::initializer_list<const char*> options,
                             OptionReader& reader) {
  for (const char* const option : options)
    if (arguments.has(option))
      reader.fail(fmt::format("{} is for the levels of papers, not for those of databases",
                              option));
}

// The level of --level, or that of [levels].
struct WantedLevel {
  DatabaseLevel level;
  std::string name;  // "pg:RC", or how [levels] names them
};

tl::expected<WantedLevel, std::string> level_named(const std::string& word) {
  const auto level = database::parse_level_name(word);
  if (!level) return tl::unexpected(level.error());
  return WantedLevel{*level, database::short_name(*level)};
}

// A program whose sessions can be run at a level of a database.
struct Wanted {
  Program program;
  WantedLevel level;

  [[nodiscard]] Scenario scenario() const {
    return database::scenario_at(program, level.level);
  }

  [[nodiscard]] report::LevelShown shown_level() const {
    const database::ServerKind server = scenario().server;
    return {level.name, level.level, database::unusual_settings(server)};
  }
};

// The level that [levels] gives to types that it does not name.
WantedLevel level_of_scenario(const Program& program) {
  WantedLevel out{{.isolation = database::IsolationLevel::ReadCommitted}, "its [levels]"};
  if (const auto level = database::parse_level_name(program.levels.by_default))
    out.level = *level;
  return out;
}

// --level overrides [levels] as a whole.
tl::expected<WantedLevel, std::string> level_wanted(const Arguments& arguments,
                                                    Program& program) {
  if (!arguments.has("--level")) return level_of_scenario(program);
  if (arguments.values("--level").size() > 1)
    return tl::unexpected(std::string("one level at a time"));
  program.levels = {};
  return level_named(arguments.value("--level"));
}

// --set overrides [database], one by one; what is wrong with it, or nothing.
std::string override_settings(const Arguments& arguments, const DatabaseLevel& level,
                              Program& program) {
  for (const std::string& word : split_at_commas(arguments.values("--set"))) {
    const std::size_t sign = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, sign);
    const std::string value = word.substr(std::min(sign + 1, word.size()));
    if (std::string why = database::mistake_in_setting(level.database, name, value);
        !why.empty())
      return fmt::format("--set {}: {}", word, why);
    program.server_settings.push_back({.name = name, .value = value});
  }
  return {};
}

std::string nothing_to_run(const Program& program, bool has_workload) {
  if (has_workload)
    return program.workload.empty() ? "--workload: the scenario has no [workload]" : "";
  if (program.tables.empty())
    return program.types.empty()
               ? "the application has no tables and no procedures"
               : "a litmus program has keys and no tables; no level of a database runs it";
  if (std::ranges::any_of(program.sessions,
                          [](const auto& session) { return !session.calls.empty(); }))
    return {};
  return program.workload.empty() ? "the program has no sessions with calls to run"
                                  : "the scenario has no sessions; try --workload small";
}

program::Dialect dialect_of(database::Database database) {
  using enum database::Database;
  return database == Sqlite    ? program::Dialect::Sqlite
         : database == MariaDb ? program::Dialect::MariaDb
                               : program::Dialect::PostgreSql;
}

// What the database has no words for, in the transactions that are run.
Diagnostics foreign_words(Program program, database::Database database, bool has_workload) {
  const auto used =
      has_workload ? program::workload_types(program) : program::called_types(program);
  for (std::uint32_t i = 0; i < program.types.size(); ++i)
    if (std::ranges::find(used, i) == used.end()) program.types[i] = {};
  return program::obstacles(program, dialect_of(database));
}

Diagnostics database_obstacles(const Wanted& wanted, bool has_workload) {
  const Program& program = wanted.program;
  if (std::string why = nothing_to_run(program, has_workload); !why.empty())
    return {diagnostic_of_file(program.file, std::move(why))};
  Diagnostics errors = foreign_words(program, wanted.level.level.database, has_workload);
  return errors.empty() && !has_workload ? store::missing_values(program) : errors;
}

// The program and its level, or the mistake in the options that name it.
tl::expected<Wanted, std::string> wanted_of(const Arguments& arguments, Program program) {
  const auto level = level_wanted(arguments, program);
  if (!level) return tl::unexpected(level.error());
  std::string mistake = override_settings(arguments, level->level, program);
  if (!mistake.empty()) return tl::unexpected(std::move(mistake));
  return Wanted{std::move(program), *level};
}

// --- run ---

struct RunRequest {
  std::uint64_t seed = 1;
  std::uint64_t runs = 1;
  bool has_runs = false;
  std::optional<std::string> schedule;
  std::optional<program::WorkloadSize> workload;
  ServerWish server;
  DocumentFiles files;
  std::string output;
  std::string format;  // of `output`
  Budget budget;
  std::string command;
  report::ScheduleTextOptions text;
};

// To be typed again, with a seed or a schedule behind it.
std::string repeated_run(const Arguments& arguments,
                         std::initializer_list<const char*> options) {
  std::string out = "isomer run";
  for (const char* const option : options)
    for (const std::string& value : arguments.values(option))
      out += value.find(' ') == std::string::npos
                 ? fmt::format(" {} {}", option, value)
                 : fmt::format(" {} \"{}\"", option, value);
  return fmt::format("{} {}", out, arguments.value("app"));
}

RunRequest run_request_in(const Arguments& arguments, OptionReader& reader) {
  refuse_abstract_options(arguments, {"--policy", "--script", "--granularity"}, reader);
  RunRequest out{.seed = reader.integer("--seed", 1, 0, UINT64_MAX / 2),
                 .runs = reader.integer("--runs", 1, 1, database_runs_max),
                 .has_runs = arguments.has("--runs"),
                 .schedule = {},
                 .workload = workload_in(arguments, reader),
                 .server = server_wish_in(arguments, reader),
                 .files = documents_in(arguments, reader),
                 .output = arguments.value("--output"),
                 .format = output_format_in(arguments, reader),
                 .budget = arguments.budget(),
                 .command = repeated_run(arguments, {"--level", "--set", "--workload"}),
                 .text = {.colour = is_output_colourful(), .width = output_width()}};
  out.text.command = out.command;
  if (arguments.has("--schedule")) out.schedule = arguments.value("--schedule");
  if (out.schedule && out.has_runs)
    reader.fail("a schedule decides everything, so one run says all; leave out --runs");
  if (out.schedule && arguments.has("--seed") && !out.workload)
    reader.fail("a schedule decides everything; leave out --seed");
  if (out.has_runs && (!out.files.html.empty() || !out.files.svg.empty()))
    reader.fail("--html and --svg show one run; leave out --runs");
  if (out.has_runs && out.server.is_there())
    reader.fail("--on and --local are for one run; leave out --runs");
  if (out.has_runs && !out.output.empty())
    reader.fail("--output saves one run; leave out --runs");
  return out;
}

// The sessions that the words name.
tl::expected<std::vector<SessionIndex>, std::string> sessions_named(
    const Program& program, const std::string& schedule) {
  std::vector<SessionIndex> out;
  for (std::size_t start = 0; start < schedule.size();) {
    const std::size_t end = std::min(schedule.find_first_of(" ,", start), schedule.size());
    const std::string name = schedule.substr(start, end - start);
    start = end + 1;
    if (name.empty()) continue;
    const auto found = std::ranges::find(program.sessions, name, &program::Session::name);
    if (found != program.sessions.end()) {
      out.push_back(static_cast<SessionIndex>(found - program.sessions.begin()));
      continue;
    }
    std::vector<std::string> known;
    for (const program::Session& session : program.sessions)
      known.push_back(session.name);
    return tl::unexpected(fmt::format("entry {} of --schedule: {}", out.size() + 1,
                                      unknown_word("session", name, known)));
  }
  return out;
}

std::string wrong_entry(const Program& program, const explore::WrongEntry& wrong) {
  const std::string& name = program.sessions[wrong.session].name;
  const std::string entry =
      fmt::format("entry {} of --schedule is for {}", wrong.entry + 1, name);
  if (wrong.waits_for.empty())
    return fmt::format("{}, which has come to its end by then", entry);
  std::vector<std::string> names;
  for (const SessionIndex session : wrong.waits_for)
    names.push_back(program.sessions[session].name);
  return fmt::format("{}, which waits for {} there", entry, fmt::join(names, " and "));
}

int refuse_run(const Diagnostics& errors, const RunRequest& request) {
  if (request.files.json) write_bytes("-", report::run_errors_json(errors));
  fmt::print(stderr, "{}", render(errors));
  return status_bad_input;
}

// The same on the server that is wished; none if there is none, or the model met a limit.
std::optional<reproduce::Reproduction> done_there(const Wanted& wanted,
                                                  const reproduce::Target* target,
                                                  const explore::ModelRun& run) {
  if (target == nullptr || !run.unknown.empty()) return std::nullopt;
  const Scenario scenario = wanted.scenario();
  return reproduce::reproduce(reproduce::finding_of(scenario, run), *target);
}

int show_run(const Wanted& wanted, const RunRequest& request,
             const reproduce::Target* target, std::string how,
             const explore::ModelRun& run) {
  const auto there = done_there(wanted, target, run);
  const report::ModelRunShown shown{
      .program = wanted.program,
      .level = wanted.shown_level(),
      .how = std::move(how),
      .run = run,
      .seed = request.schedule ? std::nullopt : std::optional(request.seed),
      .there = there ? &*there : nullptr};
  if (!request.output.empty() && !run.history) {
    fmt::print(stderr, "isomer run: error: {}\n", no_history);
  } else if (!request.output.empty()) {
    const int saved =
        write_as("run", run.history.value()->history, request.format, request.output);
    if (saved != status_nothing_found) return saved;
  }
  const int written = write_documents(
      "run", request.files,
      {.text = [&] { return report::model_run_text(shown, request.text); },
       .json = [&] { return report::model_run_json(shown); },
       .dot = {},
       .html = [&]() -> Expected<std::string> { return report::model_run_html(shown); }});
  if (written != status_nothing_found) return written;
  if (!run.unknown.empty()) return status_undecided;
  return explore::is_failing(run) ? status_found : status_nothing_found;
}

// The scenario of each seed, which draws the calls of a workload.
class Scenarios {
 public:
  Scenarios(const Wanted& wanted, const RunRequest& request)
      : wanted_(wanted), workload_(request.workload) {}

  // Null if the workload draws what its calls cannot take; errors() says what.
  const Scenario* of_seed(std::uint64_t seed) {
    if (!workload_) {
      if (!scenario_) make(wanted_.program);
      return &*scenario_;
    }
    Expected<Program> drawn = program::with_workload(wanted_.program, *workload_, seed);
    if (!drawn) {
      errors_ = drawn.error();
      return nullptr;
    }
    drawn_ = std::move(*drawn);
    make(*drawn_);
    return &*scenario_;
  }

  [[nodiscard]] const Diagnostics& errors() const { return errors_; }

 private:
  void make(const Program& program) {
    scenario_.emplace(database::scenario_at(program, wanted_.level.level));
  }

  const Wanted& wanted_;
  std::optional<program::WorkloadSize> workload_;
  std::optional<Program> drawn_;
  std::optional<Scenario> scenario_;
  Diagnostics errors_;
};

int run_given(const Wanted& wanted, const RunRequest& request,
              const reproduce::Target* target) {
  Scenarios scenarios(wanted, request);
  const Scenario* const scenario = scenarios.of_seed(request.seed);
  if (scenario == nullptr) return refuse_run(scenarios.errors(), request);
  const auto schedule = sessions_named(scenario->program, *request.schedule);
  if (!schedule) return usage_failure("run", {schedule.error()});
  const auto run = explore::run_by_schedule(*scenario, *schedule, request.budget);
  if (!run) return usage_failure("run", {wrong_entry(scenario->program, run.error())});
  return show_run({scenario->program, wanted.level}, request, target,
                  "the schedule that was given", *run);
}

int run_random(const Wanted& wanted, const RunRequest& request,
               const reproduce::Target* target) {
  Scenarios scenarios(wanted, request);
  const Scenario* const scenario = scenarios.of_seed(request.seed);
  if (scenario == nullptr) return refuse_run(scenarios.errors(), request);
  const explore::ModelRun run =
      explore::run_by_seed(*scenario, request.seed, request.budget);
  const Wanted drawn{scenario->program, wanted.level};
  return show_run(drawn, request, target,
                  fmt::format("random schedule, seed {}", request.seed), run);
}

int run_many(const Wanted& wanted, const RunRequest& request, const Budget& budget) {
  Scenarios scenarios(wanted, request);
  const explore::ModelRuns runs =
      explore::run_by_seeds([&](std::uint64_t seed) { return scenarios.of_seed(seed); },
                            request.seed, request.runs, budget);
  if (!scenarios.errors().empty()) return refuse_run(scenarios.errors(), request);
  count(budget, "runs", runs.runs);
  count(budget, "transactions run", runs.transactions);
  const report::ModelRunsShown shown{.program = wanted.program,
                                     .level = wanted.shown_level(),
                                     .first_seed = request.seed,
                                     .runs = runs};
  const int written =
      write_documents("run", request.files,
                      {.text = [&] { return report::model_runs_text(shown, request.text); },
                       .json = [&] { return report::model_runs_json(shown); },
                       .dot = {},
                       .html = {}});
  if (written != status_nothing_found) return written;
  if (!runs.unknown.empty()) return status_undecided;
  return runs.failing > 0 ? status_found : status_nothing_found;
}

// --- explore ---

struct ExploreRequest {
  explore::ScheduleOptions options;
  std::optional<program::WorkloadSize> workload;
  std::uint64_t seed = 1;
  ServerWish server;
  DocumentFiles files;
  std::string output;
  std::string format;
  report::ScheduleTextOptions text;
};

ExploreRequest explore_request_in(const Arguments& arguments, std::span<const Option> all,
                                  OptionReader& reader) {
  refuse_abstract_options(
      arguments,
      {"--base", "--algorithm", "--granularity", "--jobs", "--histories", "--no-prune"},
      reader);
  if (arguments.value("--find") == "unserializable")
    reader.fail(
        "--find unserializable is for the levels of papers, not for those of "
        "databases");
  ExploreRequest out{.options = {.stops_at_failure = arguments.value("--find") == "failing",
                                 .minimise = !arguments.has("--no-minimise"),
                                 .budget = arguments.budget()},
                     .workload = workload_in(arguments, reader),
                     .seed = reader.integer("--seed", 1, 0, UINT64_MAX / 2),
                     .server = server_wish_in(arguments, reader),
                     .files = documents_in(arguments, reader),
                     .output = arguments.value("--output"),
                     .format = output_format_in(arguments, reader),
                     .text = {.colour = is_output_colourful(), .width = output_width()}};
  out.text.run_command =
      repeated_run(arguments, {"--level", "--set", "--workload", "--seed"});
  if (out.files.html.empty())
    out.text.command = fmt::format("{} {}", command_typed("explore", all, arguments),
                                   arguments.value("app"));
  return out;
}

std::string progress_text(const explore::ScheduleProgress& at, const Stopwatch& stopwatch) {
  const double seconds = std::max(stopwatch.seconds(), 1e-3);
  return fmt::format("{} schedules, {} outcomes, {:.0f} states a second", at.schedules,
                     at.outcomes, static_cast<double>(at.states) / seconds);
}

// The failure on the server that is wished, with the calls that it needs.
std::optional<reproduce::Reproduction> done_there(const Wanted& failing,
                                                  const reproduce::Target* target,
                                                  const explore::Explored& explored) {
  if (target == nullptr || !explored.failure) return std::nullopt;
  const Scenario scenario = failing.scenario();
  return reproduce::reproduce(reproduce::finding_of(scenario, *explored.failure), *target);
}

int explore_wanted(const Wanted& wanted, const ExploreRequest& request,
                   const reproduce::Target* target) {
  const Scenario scenario = wanted.scenario();
  const explore::Explored explored = [&] {
    Progress progress(request.options.budget,
                      fmt::format("exploring {}", wanted.program.file));
    const Stopwatch stopwatch;
    explore::ScheduleOptions options = request.options;
    options.on_progress = [&](const explore::ScheduleProgress& at) {
      progress.tell(progress_text(at, stopwatch));
    };
    return explore::every_outcome(scenario, options);
  }();
  count(request.options.budget, "schedules", explored.schedules);
  count(request.options.budget, "outcomes", explored.outcomes);
  const Wanted failing{explored.failure
                           ? reproduce::program_of(wanted.program, *explored.failure)
                           : wanted.program,
                       wanted.level};
  const auto there = done_there(failing, target, explored);
  const report::OutcomesShown shown{
      .program = failing.program,
      .level = wanted.shown_level(),
      .explored = explored,
      .peak_mib = double(memory_peak_bytes()) / double(bytes_per_mib),
      .there = there ? &*there : nullptr};
  int status = write_documents(
      "explore", request.files,
      {.text = [&] { return report::outcomes_text(shown, request.text); },
       .json = [&] { return report::outcomes_json(shown); },
       .dot = [&] { return report::outcomes_dot(shown); },
       .html = [&]() -> Expected<std::string> { return report::outcomes_html(shown); }});
  const bool wants_history = !request.output.empty() && explored.failure;
  if (wants_history && !explored.failure->history)
    fmt::print(stderr, "isomer explore: error: {}\n", no_history);
  if (wants_history && explored.failure->history)
    status = worst(status, write_as("explore", explored.failure->history.value()->history,
                                    request.format, request.output));
  if (status != status_nothing_found) return status;
  if (explored.failure) return status_found;
  return explored.is_complete ? status_nothing_found : status_undecided;
}

}  // namespace

bool asks_for_database(const Arguments& arguments) {
  if (arguments.has("--level"))
    return std::ranges::any_of(arguments.values("--level"), [](const std::string& word) {
      return database::names_database(word);
    });
  for (const char* const option : {"--policy", "--script", "--base"})
    if (arguments.has(option)) return false;
  const std::string app = arguments.value("app");
  if (!app.ends_with(".toml")) return false;
  const Expected<Program> program = program::load_program(app);
  return program && database::has_database_levels(*program);
}

int run_at_database(const Arguments& arguments) {
  OptionReader reader(arguments);
  const RunRequest request = run_request_in(arguments, reader);
  if (reader.error()) return usage_failure("run", *reader.error());
  Expected<Program> program = read_program(arguments.budget(), arguments.value("app"));
  if (!program) return refuse_run(program.error(), request);
  const auto wanted = wanted_of(arguments, std::move(*program));
  if (!wanted) return usage_failure("run", {wanted.error()});
  if (const Diagnostics errors = database_obstacles(*wanted, request.workload.has_value());
      !errors.empty())
    return refuse_run(errors, request);
  std::optional<reproduce::Target> target;
  if (request.server.is_there()) {
    auto opened = open_target(request.server, wanted->level.level.database, arguments);
    if (!opened) return no_target(arguments, opened.error());
    target.emplace(*std::move(opened));
  }
  const reproduce::Target* const there = target ? &*target : nullptr;
  if (request.schedule) return run_given(*wanted, request, there);
  const Progress progress(arguments.budget(),
                          fmt::format("running {}", arguments.value("app")));
  return request.has_runs ? run_many(*wanted, request, arguments.budget())
                          : run_random(*wanted, request, there);
}

int explore_at_database(const Arguments& arguments) {
  OptionReader reader(arguments);
  const ExploreRequest request =
      explore_request_in(arguments, command_named("explore")->options, reader);
  if (reader.error()) return usage_failure("explore", *reader.error());
  Expected<Program> program = read_program(arguments.budget(), arguments.value("app"));
  if (!program) return refuse_input(program.error(), request.files);
  const auto wanted = wanted_of(arguments, std::move(*program));
  if (!wanted) return usage_failure("explore", {wanted.error()});
  const Diagnostics errors = database_obstacles(*wanted, request.workload.has_value());
  if (!errors.empty()) return refuse_input(errors, request.files);
  std::optional<reproduce::Target> target;
  if (request.server.is_there()) {
    auto opened = open_target(request.server, wanted->level.level.database, arguments);
    if (!opened) return no_target(arguments, opened.error());
    target.emplace(*std::move(opened));
  }
  const reproduce::Target* const there = target ? &*target : nullptr;
  if (!request.workload) return explore_wanted(*wanted, request, there);
  Expected<Program> drawn =
      program::with_workload(wanted->program, *request.workload, request.seed);
  if (!drawn) return refuse_input(drawn.error(), request.files);
  return explore_wanted({std::move(*drawn), wanted->level}, request, there);
}

int show_rules(const std::string& word, const Arguments& arguments) {
  const auto level = level_named(word);
  if (!level) return usage_failure("levels", {level.error()});
  const std::vector<database::LevelRule> rules = database::rules_of(level->level);
  std::vector<explore::ModelRun> runs;
  for (const database::LevelRule& rule : rules) {
    const auto run = explore::run_by_schedule(
        database::scenario_at(rule.program, level->level), rule.schedule);
    if (!run)
      return own_mistake("levels", fmt::format("{}: {}", rule.program.file,
                                               wrong_entry(rule.program, run.error())));
    runs.push_back(*run);
  }
  std::vector<report::RuleShown> shown;
  for (std::size_t i = 0; i < rules.size(); ++i)
    shown.push_back({rules[i], runs[i], level->level});
  return write_bytes_or_complain(
      "levels", "-",
      arguments.has("--json")
          ? report::rules_json(level->level, shown)
          : report::rules_text(level->level, shown,
                               {.colour = is_output_colourful(), .width = output_width()}));
}

}  // namespace isomer::cli
