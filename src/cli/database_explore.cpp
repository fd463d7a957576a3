// SPDX-License-Identifier: MIT
// isomer explore at the level of a database.
#include "cli/database_level.h"

#include <algorithm>

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

using database::Scenario;
using program::Program;

struct ExploreRequest {
  explore::ScheduleOptions options;
  std::optional<program::WorkloadSize> workload;
  std::uint64_t seed = 1;
  ServerWish server;
  ScriptFiles scripts{};
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

std::string schedule_progress_text(const explore::ScheduleProgress& at,
                                   const Stopwatch& stopwatch) {
  const double seconds = std::max(stopwatch.seconds(), 1e-3);
  return fmt::format("{} schedules, {} outcomes, {:.0f} states a second", at.schedules,
                     at.outcomes, static_cast<double>(at.states) / seconds);
}

// The failure on the server that is wished, with the calls that it needs.
std::optional<reproduce::Reproduction> failure_there(const Wanted& failing,
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
      progress.tell(schedule_progress_text(at, stopwatch));
    };
    return explore::every_outcome(scenario, options);
  }();
  count(request.options.budget, "schedules", explored.schedules);
  count(request.options.budget, "outcomes", explored.outcomes);
  const Wanted failing{explored.failure
                           ? reproduce::program_of(wanted.program, *explored.failure)
                           : wanted.program,
                       wanted.level};
  const auto there = failure_there(failing, target, explored);
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
  if (explored.failure)
    status = worst(status, write_scripts("explore", request.scripts, failing.scenario(),
                                         reproduce::run_of(*explored.failure),
                                         fmt::format("{} at {}: what breaks \"{}\"",
                                                     wanted.program.file, wanted.level.name,
                                                     explored.failure->invariant)));
  if (status != status_nothing_found) return status;
  if (explored.failure) return status_found;
  return explored.is_complete && explored.stuck == 0 ? status_nothing_found
                                                     : status_undecided;
}

}  // namespace

int explore_at_database(const Arguments& arguments) {
  OptionReader reader(arguments);
  ExploreRequest request =
      explore_request_in(arguments, command_named("explore")->options, reader);
  if (reader.error()) return usage_failure("explore", *reader.error());
  Expected<Program> program = read_program(arguments.budget(), arguments.value("app"));
  if (!program) return refuse_input(program.error(), request.files);
  const auto wanted = wanted_of(arguments, std::move(*program));
  if (!wanted) return usage_failure("explore", {wanted.error()});
  request.scripts = script_files_in(arguments, wanted->level.level.database, reader);
  if (reader.error()) return usage_failure("explore", *reader.error());
  const Diagnostics errors = database_obstacles(*wanted, request.workload.has_value());
  if (!errors.empty()) return refuse_input(errors, request.files);
  const auto target = target_in(request.server, wanted->level.level.database, arguments);
  if (!target) return target.error();
  const reproduce::Target* const there = *target ? &**target : nullptr;
  if (!request.workload) return explore_wanted(*wanted, request, there);
  Expected<Program> drawn =
      program::with_workload(wanted->program, *request.workload, request.seed);
  if (!drawn) return refuse_input(drawn.error(), request.files);
  return explore_wanted({std::move(*drawn), wanted->level}, request, there);
}

}  // namespace isomer::cli
