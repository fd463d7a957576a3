// SPDX-License-Identifier: MIT
// isomer record: a real run of a scenario, as a history.
#include <algorithm>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/on_server.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "database/level_name.h"
#include "database/level_rules.h"
#include "program/scenario/scenario.h"
#include "record/record.h"
#include "report/json.h"
#include "report/record/report.h"
#include "store/store.h"

namespace isomer::cli {
namespace {

using program::Program;

constexpr std::uint64_t record_sessions_max = 200;
constexpr std::uint64_t retries_max = 1000;
constexpr double seconds_of_workload = 10;
// That all sessions of a workload make at most.
constexpr double calls_per_second = 6000;
constexpr std::size_t calls_max = 60'000;

constexpr Option record_options[] = {
    {.name = "--on",
     .argument = "URL",
     .help = "The server: postgresql://user@host/database, or postgresql: alone for what "
             "libpq takes from its environment. Everything happens in a schema of its own, "
             "which is gone afterwards."},
    {.name = "--local",
     .takes = Takes::Nothing,
     .help = "Start a PostgreSQL for it, from the packages installed here, that is gone "
             "afterwards."},
    {.name = "--level",
     .argument = "L",
     .help = "The level of all transactions: \"READ COMMITTED\", \"REPEATABLE READ\", "
             "SERIALIZABLE, or pg:RC, pg:RR, pg:SER. Without it, as the scenario says, or "
             "READ COMMITTED."},
    {.name = "--sessions",
     .argument = "N",
     .help = "Draw the calls of N sessions (8) as the scenario's [workload] says, instead "
             "of those of its own sessions."},
    {.name = "--seconds",
     .argument = "S",
     .help = "End after so many seconds (10 of a workload; otherwise when all calls are "
             "made). A workload has 60,000 calls at most."},
    {.name = "--retry",
     .argument = "N",
     .help =
         "Try a call again, up to N times, after a serialization failure or a deadlock. "
         "Without it, as the scenario says."},
    {.name = "--seed", .argument = "N", .help = "Chooses the calls of a workload (1)."},
    output_option("Save the history of the run, for 'isomer check' and 'isomer predict'."),
    to_option,
    json_option(
        "Print one JSON document instead of text (docs/schema/record.schema.json)."),
    program_option("A scenario (.toml) of an SQL application."),
};

constexpr Example record_examples[] = {
    {"isomer record --local --seconds 1 examples/apps/voter/workload.toml",
     "a second of votes, on a PostgreSQL that is started for it"},
    {"isomer record --local --level pg:SER -o run.jsonl examples/tutorial/night.toml",
     "each call of a scenario once; then isomer check run.jsonl"},
};

struct Request {
  ServerWish wish;
  std::optional<database::DatabaseLevel> level;
  std::string level_name;
  std::optional<double> seconds;
  std::size_t sessions = 8;
  bool wants_workload = false;
  std::optional<std::uint32_t> retries;
  std::uint64_t seed = 1;
  std::string format;  // of --output
};

tl::expected<database::DatabaseLevel, std::string> postgresql_level(
    const std::string& word) {
  auto level = database::parse_level_name(
      database::names_database(word) ? word : "postgresql:" + word);
  if (level && level->database != database::Database::PostgreSql)
    return tl::unexpected(std::string("only levels of PostgreSQL can be recorded"));
  return level;
}

Request request_in(const Arguments& arguments, OptionReader& reader) {
  Request out;
  out.wish = server_wish_in(arguments, reader);
  if (!out.wish.is_there())
    reader.fail("--on names the server to record, or --local starts one");
  if (out.wish.on && out.wish.on->database != database::Database::PostgreSql)
    reader.fail(
        fmt::format("--on: only PostgreSQL tells which version each statement saw; runs on "
                    "{} cannot be "
                    "recorded",
                    database::name(out.wish.on->database)));
  if (arguments.has("--level")) {
    const auto level = postgresql_level(arguments.value("--level"));
    if (!level) {
      reader.fail("--level: " + level.error());
    } else {
      out.level = *level;
      out.level_name = database::short_name(*level);
    }
  }
  out.seconds = reader.seconds("--seconds");
  out.wants_workload = arguments.has("--sessions");
  out.sessions = reader.integer("--sessions", 8, 1, record_sessions_max);
  if (arguments.has("--retry"))
    out.retries = static_cast<std::uint32_t>(reader.integer("--retry", 0, 0, retries_max));
  out.seed = reader.integer("--seed", 1, 0, UINT64_MAX / 2);
  out.format = output_format_in(arguments, reader);
  return out;
}

int refuse(const Diagnostics& errors, const Arguments& arguments) {
  if (arguments.has("--json")) write_bytes("-", report::errors_json(errors));
  fmt::print(stderr, "{}", render(errors));
  return status_bad_input;
}

bool has_calls(const Program& program) {
  return std::ranges::any_of(program.sessions,
                             [](const auto& session) { return !session.calls.empty(); });
}

// With the calls that are to be made.
Expected<Program> with_calls(Program program, Request& request) {
  request.wants_workload |= !has_calls(program);
  if (request.wants_workload && program.workload.empty())
    return tl::unexpected(Diagnostics{diagnostic_of_file(
        program.file, has_calls(program)
                          ? "--sessions: the scenario has no [workload] to draw calls from"
                          : "the program has no sessions with calls, and no [workload]")});
  if (request.wants_workload) {
    if (!request.seconds) request.seconds = seconds_of_workload;
    const double calls =
        *request.seconds * calls_per_second / static_cast<double>(request.sessions) + 1;
    auto drawn = program::with_workload(
        program,
        program::WorkloadShape{.sessions = request.sessions,
                               .calls = std::min(calls_max / request.sessions,
                                                 static_cast<std::size_t>(calls))},
        request.seed);
    if (!drawn) return drawn;
    program = std::move(*drawn);
  } else if (Diagnostics errors = store::missing_values(program); !errors.empty()) {
    return tl::unexpected(std::move(errors));
  }
  for (program::Session& session : program.sessions)
    if (request.retries) session.retry = *request.retries;
  return program;
}

int show(const Program& program, const record::Recording& recording, const Request& request,
         const Arguments& arguments) {
  const std::string output = arguments.value("--output");
  if (!output.empty())
    if (const int saved = write_as("record", recording.history, request.format, output);
        saved != status_nothing_found)
      return saved;
  const report::RecordingShown shown{.program = program,
                                     .recording = recording,
                                     .level = request.level_name,
                                     .output = output == "-" ? "" : output};
  const std::string text = arguments.has("--json")
                               ? report::recording_json(shown)
                               : report::recording_text(shown, is_output_colourful());
  if (output == "-") {
    fmt::print(stderr, "{}", text);
  } else if (const int written = write_bytes_or_complain("record", "-", text);
             written != status_nothing_found) {
    return written;
  }
  return recording.different.empty() ? status_nothing_found : status_found;
}

int run_record(const Arguments& arguments) {
  OptionReader reader(arguments);
  Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("record", *reader.error());
  Expected<Program> program = read_program(arguments.budget(), arguments.value("app"));
  if (!program) return refuse(program.error(), arguments);
  if (program->tables.empty())
    return refuse({diagnostic_of_file(program->file,
                                      "only SQL applications run on a server; this program "
                                      "has no tables")},
                  arguments);
  if (request.level) program->levels = {};
  const Expected<Program> with = with_calls(std::move(*program), request);
  if (!with) return refuse(with.error(), arguments);
  const auto scenario = database::scenario_at(
      *with, request.level.value_or(database::DatabaseLevel{
                 .isolation = database::IsolationLevel::ReadCommitted}));
  const auto target = target_in(request.wish, database::Database::PostgreSql, arguments);
  if (!target) return target.error();
  const Progress progress(arguments.budget(),
                          fmt::format("recording {}", arguments.value("app")));
  const auto recording =
      record::record(scenario, {.address = target->value().address.postgresql,
                                .seconds = request.seconds,
                                .budget = arguments.budget()});
  if (!recording) return refuse({diagnostic_of_file("--on", recording.error())}, arguments);
  return show(*with, *recording, request, arguments);
}

}  // namespace

constinit const Command record_command = {
    .name = "record",
    .purpose = "Find out what a database did",
    .summary = "Run a scenario on a real PostgreSQL, and record exactly what it did",
    .synopsis =
        "APP.toml --on URL|--local [--level L] [--sessions N] [--seconds S] [-o RUN]",
    .description =
        "Runs the sessions of a scenario on a real server, all at once and as fast as it "
        "goes, each in a connection of its own, in a schema of its own that is gone "
        "afterwards. Records the run as a history: who wrote each row version that was "
        "read, and which transactions committed. 'isomer check' tells which levels allow "
        "it, and 'isomer predict' what else could have come of it.\n\n"
        "The server itself says all of it, by its snapshots and by triggers: nothing rests "
        "on values or clocks. At the end its rows are compared with those of the "
        "record.\n\n"
        "A password belongs into ~/.pgpass or the environment (PGPASSWORD): what stands on "
        "a command line, others can read.\n\n"
        "The exit status is 0 if the run was recorded, 1 if the rows at the end are not "
        "those of the record: commits were lost, or somebody else has written.",
    .options = record_options,
    .examples = record_examples,
    .run = run_record,
};

}  // namespace isomer::cli
