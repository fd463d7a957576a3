// SPDX-License-Identifier: MIT
#include "cli/database_level.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/memory.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/database_program.h"
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

constexpr std::uint64_t database_runs_max = 10'000'000;

struct RunRequest {
  std::uint64_t seed = 1;
  std::uint64_t runs = 1;
  bool has_runs = false;
  std::optional<std::string> schedule;
  std::optional<program::WorkloadSize> workload;
  ServerWish server;
  ScriptFiles scripts{};
  DocumentFiles files;
  std::string output;
  std::string format;  // of `output`
  Budget budget;
  std::string command;
  report::ScheduleTextOptions text;
};

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
  if (out.has_runs && (arguments.has("--psql") || arguments.has("--isolation-spec")))
    reader.fail("--psql and --isolation-spec write one run; leave out --runs");
  if (out.has_runs && !out.output.empty())
    reader.fail("--output saves one run; leave out --runs");
  return out;
}

// The session whose name stands there; of several the longest, since a name may have more
// than one word.
std::optional<SessionIndex> session_at(const Program& program, std::string_view rest) {
  std::optional<SessionIndex> out;
  for (SessionIndex i = 0; i < program.sessions.size(); ++i) {
    const std::string& name = program.sessions[i].name;
    const bool is_there = !name.empty() && rest.starts_with(name) &&
                          (rest.size() == name.size() || rest[name.size()] == ' ' ||
                           rest[name.size()] == ',' || rest[name.size()] == '/');
    if (is_there && (!out || name.size() > program.sessions[*out].name.size())) out = i;
  }
  return out;
}

struct WantedSchedule {
  std::vector<SessionIndex> sessions;
  std::vector<database::EntryChoices> choices;
};

// "/2/1": which of its possibilities the server takes, counted from 1.
std::optional<database::EntryChoices> choices_in(std::string_view text) {
  database::EntryChoices out;
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::size_t end = std::min(text.find('/'), text.size());
    std::size_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + end, number);
    if (read.ec != std::errc() || read.ptr != text.data() + end || number == 0)
      return std::nullopt;
    out.push_back(number - 1);
    text.remove_prefix(end);
  }
  return out;
}

// The sessions that the words name, and what the server chooses meanwhile.
tl::expected<WantedSchedule, std::string> sessions_named(const Program& program,
                                                         const std::string& schedule) {
  WantedSchedule out;
  for (std::string_view rest = schedule; !rest.empty();) {
    if (rest.front() == ' ' || rest.front() == ',') {
      rest.remove_prefix(1);
      continue;
    }
    const std::size_t entry = out.sessions.size() + 1;
    const auto session = session_at(program, rest);
    if (!session) {
      std::vector<std::string> known;
      for (const program::Session& other : program.sessions)
        known.push_back(other.name);
      const std::size_t end = std::min(rest.find_first_of(" ,/"), rest.size());
      return tl::unexpected(
          fmt::format("entry {} of --schedule: {}", entry,
                      unknown_word("session", std::string(rest.substr(0, end)), known)));
    }
    const std::string& name = program.sessions[*session].name;
    rest.remove_prefix(name.size());
    const std::size_t end = std::min(rest.find_first_of(" ,"), rest.size());
    const auto choices = choices_in(rest.substr(0, end));
    if (!choices)
      return tl::unexpected(
          fmt::format("entry {} of --schedule: expected a number from 1 on behind each /, "
                      "as in {}/2",
                      entry, name));
    out.sessions.push_back(*session);
    out.choices.push_back(*choices);
    rest.remove_prefix(end);
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
  const int scripted =
      write_scripts("run", request.scripts, wanted.scenario(), reproduce::run_of(run),
                    fmt::format("{} at {}", wanted.program.file, wanted.level.name));
  if (scripted != status_nothing_found) return scripted;
  if (explore::is_failing(run)) return status_found;
  return run.stuck.empty() ? status_nothing_found : status_undecided;
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
  const auto run = explore::run_by_schedule(*scenario, schedule->sessions, request.budget,
                                            schedule->choices);
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
  if (runs.failing > 0) return status_found;
  return runs.stuck == 0 ? status_nothing_found : status_undecided;
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
  RunRequest request = run_request_in(arguments, reader);
  if (reader.error()) return usage_failure("run", *reader.error());
  Expected<Program> program = read_program(arguments.budget(), arguments.value("app"));
  if (!program) return refuse_run(program.error(), request);
  const auto wanted = wanted_of(arguments, std::move(*program));
  if (!wanted) return usage_failure("run", {wanted.error()});
  request.scripts = script_files_in(arguments, wanted->level.level.database, reader);
  if (reader.error()) return usage_failure("run", *reader.error());
  if (const Diagnostics errors = database_obstacles(*wanted, request.workload.has_value());
      !errors.empty())
    return refuse_run(errors, request);
  const auto target = target_in(request.server, wanted->level.level.database, arguments);
  if (!target) return target.error();
  const reproduce::Target* const there = *target ? &**target : nullptr;
  if (request.schedule) return run_given(*wanted, request, there);
  const Progress progress(arguments.budget(),
                          fmt::format("running {}", arguments.value("app")));
  return request.has_runs ? run_many(*wanted, request, arguments.budget())
                          : run_random(*wanted, request, there);
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
