// SPDX-License-Identifier: MIT
// isomer stress: a random workload on a real server, checked.
#include <algorithm>

#include <fmt/format.h>

#include "check/check.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/on_server.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "database/level_name.h"
#include "record/stress.h"
#include "report/check/report.h"
#include "report/json.h"
#include "report/record/report.h"

namespace isomer::cli {
namespace {

using check::Level;
using database::Database;
using database::IsolationLevel;

constexpr std::uint64_t stress_sessions_max = 200;
constexpr std::uint64_t keys_max = 100'000;
constexpr std::uint64_t length_limit = 100;

std::vector<std::string> stress_workload_names() {
  return {"list-append", "register"};  // as record::StressWorkload
}

std::vector<std::string> promise_names() {
  std::vector<std::string> out;
  for (const Level level : check::all_levels)
    out.emplace_back(check::info(level).name);
  return out;
}

constexpr Option stress_options[] = {
    {.name = "--on",
     .argument = "URL",
     .help = "The server: postgresql://user@host/database, or mariadb://user@host/. "
             "Everything happens in a schema or database of its own, which is gone "
             "afterwards."},
    {.name = "--local",
     .takes = Takes::Nothing,
     .help = "Start a server for it, from the packages installed here, that is gone "
             "afterwards: PostgreSQL, or MariaDB if --level says so."},
    {.name = "--level",
     .argument = "L",
     .help = "The level of all transactions: SERIALIZABLE (as it is without), \"REPEATABLE "
             "READ\", \"READ COMMITTED\", or pg:RR, mariadb:RR and so on."},
    {.name = "--promise",
     .argument = "L",
     .help =
         "What the run is judged by: RC, RA, CC, PC, PSI, SI or SER. Without it, RC for "
         "READ COMMITTED, SI for REPEATABLE READ and SER for SERIALIZABLE.",
     .completes = Completes::Choices,
     .choices = promise_names},
    {.name = "--workload",
     .argument = "W",
     .help = "What a row is: 'list-append' (as it is without), a list that grows; "
             "'register', one value.",
     .completes = Completes::Choices,
     .choices = stress_workload_names},
    {.name = "--sessions", .argument = "N", .help = "Connections side by side (8)."},
    {.name = "--seconds", .argument = "S", .help = "How long (10)."},
    {.name = "--seed", .argument = "N", .help = "Chooses the transactions (1)."},
    {.name = "--keys", .argument = "N", .help = "Rows in use at a time (10)."},
    {.name = "--skew",
     .argument = "X",
     .help = "From 0, all rows alike (as it is without), to 1, the first ones most."},
    {.name = "--length",
     .argument = "N",
     .help = "Operations of a transaction at most (4)."},
    {.name = "--read-only",
     .argument = "X",
     .help = "The share of transactions that only read (0.2)."},
    output_option("Save the history of the run, for 'isomer check'."),
    to_option,
    json_option(
        "Print one JSON document instead of text (docs/schema/stress.schema.json)."),
};

constexpr Example stress_examples[] = {
    {"isomer stress --local --level SERIALIZABLE --seconds 2",
     "does PostgreSQL keep its promise?"},
    {"isomer stress --local --level mariadb:RR --seconds 2",
     "lost updates at what MariaDB calls REPEATABLE READ"},
};

struct Request {
  ServerWish wish;
  database::DatabaseLevel level{};
  Level promise = Level::SER;
  record::StressOptions options;
  std::string format;  // of --output
};

Level promise_of(IsolationLevel level) {
  switch (level) {
    case IsolationLevel::ReadUncommitted:
    case IsolationLevel::ReadCommitted:
      return Level::RC;
    case IsolationLevel::RepeatableRead:
      return Level::SI;
    case IsolationLevel::Serializable:
      return Level::SER;
  }
  return Level::SER;
}

// A level without the name of its database is one of the server's.
tl::expected<database::DatabaseLevel, std::string> level_of(const Arguments& arguments,
                                                            const ServerWish& wish) {
  const Database database = wish.on ? wish.on->database : Database::PostgreSql;
  const std::string word = arguments.value("--level", "SERIALIZABLE");
  const std::string prefix = database == Database::MariaDb  ? "mariadb:"
                             : database == Database::Sqlite ? "sqlite:"
                                                            : "postgresql:";
  return database::parse_level_name(database::names_database(word) ? word : prefix + word);
}

Request request_in(const Arguments& arguments, OptionReader& reader) {
  Request out;
  out.wish = server_wish_in(arguments, reader);
  if (!out.wish.is_there())
    reader.fail("--on names the server to put under stress, or --local starts one");
  const auto level = level_of(arguments, out.wish);
  if (!level)
    reader.fail("--level: " + level.error());
  else
    out.level = *level;
  if (out.level.database == Database::Sqlite)
    reader.fail("stress runs on PostgreSQL and MariaDB only");
  out.promise = check::all_levels[reader.choice(
      "--promise", promise_names(),
      static_cast<std::size_t>(promise_of(out.level.isolation)))];
  const auto small = [&](std::string_view name, std::uint64_t otherwise,
                         std::uint64_t most) {
    return static_cast<std::uint32_t>(reader.integer(name, otherwise, 1, most));
  };
  record::StressOptions& options = out.options;
  options.level = out.level.isolation;
  options.workload = static_cast<record::StressWorkload>(
      reader.choice("--workload", stress_workload_names(), 0));
  options.sessions = small("--sessions", 8, stress_sessions_max);
  options.seconds = reader.seconds("--seconds").value_or(10);
  options.seed = reader.integer("--seed", 1, 0, UINT64_MAX / 2);
  options.keys = small("--keys", 10, keys_max);
  options.skew = reader.fraction("--skew", 0);
  options.length_max = small("--length", 4, length_limit);
  options.read_only = reader.fraction("--read-only", 0.2);
  options.budget = arguments.budget();
  out.format = output_format_in(arguments, reader);
  return out;
}

std::string about_promise(const Request& request) {
  return request.level.database == Database::MariaDb &&
                 request.level.isolation == IsolationLevel::RepeatableRead &&
                 request.promise == Level::SI
             ? "which is what people take MariaDB's REPEATABLE READ for"
             : "";
}

int status_of(const check::Result& result, Level promise) {
  for (const check::LevelResult& level : result.levels)
    if (level.level == check::AskedLevel(promise))
      return std::holds_alternative<check::Violated>(level.verdict) ? status_found
             : std::holds_alternative<check::Consistent>(level.verdict)
                 ? status_nothing_found
                 : status_undecided;
  return status_undecided;
}

check::Certified<check::Result> checked(const history::History& history,
                                        const Budget& budget) {
  const Progress progress(budget, "checking the history");
  return check::certified_answers(history, {.budget = budget, .asks_library = true});
}

int show(const record::StressRun& run, const std::string& where, const Request& request,
         const Arguments& arguments) {
  const std::string output = arguments.value("--output");
  if (!output.empty())
    if (const int saved = write_as("stress", run.history, request.format, output);
        saved != status_nothing_found)
      return saved;
  const auto levels = checked(run.history, arguments.budget());
  const report::StressShown shown{
      .run = run,
      .levels = levels,
      .where = where,
      .workload =
          stress_workload_names()[static_cast<std::size_t>(request.options.workload)],
      .sessions = request.options.sessions,
      .promise = request.promise,
      .about_promise = about_promise(request),
      .output = output == "-" ? "" : output};
  const bool colour = is_output_colourful() && output != "-";
  const std::string text = arguments.has("--json")
                               ? report::stress_json(shown)
                               : report::stress_text(shown, colour) +
                                     report::check_text({"the run", run.history, levels},
                                                        {.colour = colour, .command = {}});
  if (output == "-")
    fmt::print(stderr, "{}", text);
  else if (const int written = write_bytes_or_complain("stress", "-", text);
           written != status_nothing_found)
    return written;
  return status_of(*levels, request.promise);
}

int refuse(const std::string& why, const Arguments& arguments) {
  const Diagnostics errors = {diagnostic_of_file("--on", why)};
  if (arguments.has("--json")) write_bytes("-", report::errors_json(errors));
  fmt::print(stderr, "{}", render(errors));
  return status_bad_input;
}

int run_stress(const Arguments& arguments) {
  OptionReader reader(arguments);
  Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("stress", *reader.error());
  const auto target = target_in(request.wish, request.level.database, arguments);
  if (!target) return target.error();
  request.options.address = target->value().address;
  const auto run = [&] {
    const Progress progress(arguments.budget(), "putting the server under stress");
    return record::stress(request.options);
  }();
  if (!run) return refuse(run.error(), arguments);
  const std::string long_name = database::long_name(request.level);
  const std::string where = fmt::format("{} at {}", target->value().title,
                                        long_name.substr(long_name.find(':') + 1));
  return show(*run, where, request, arguments);
}

}  // namespace

constinit const Command stress_command = {
    .name = "stress",
    .purpose = "Find out what a database did",
    .summary = "Put a real server under a random workload, and check what it did",
    .synopsis = "--on URL|--local [--level L] [--promise L] [--seconds S] [-o RUN]",
    .description =
        "Runs random transactions over a few rows on a real PostgreSQL or MariaDB, in "
        "several connections and as fast as the server goes. Each value is written once, "
        "so "
        "that a read tells whose write it saw. The history is checked against what the "
        "level promises, and against all built-in levels.\n\n"
        "READ COMMITTED is judged by RC, REPEATABLE READ by SI, SERIALIZABLE by SER. "
        "MariaDB "
        "promises no SI at REPEATABLE READ; people take it for that.\n\n"
        "A connection that breaks leaves a transaction of unknown outcome, if its COMMIT "
        "was "
        "on its way, and is opened again.\n\n"
        "The exit status is 0 if the promise was kept, 1 if the history breaks it, 3 if "
        "that "
        "was not decided.",
    .options = stress_options,
    .examples = stress_examples,
    .run = run_stress,
};

}  // namespace isomer::cli
