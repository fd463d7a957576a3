// SPDX-License-Identifier: MIT
#include "cli/on_server.h"

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "cli/output.h"
#include "database/level_name.h"
#include "program/print/dialect.h"
#include "report/database/report.h"
#include "report/json.h"
#include "reproduce/script.h"

namespace isomer::cli {
namespace {

constexpr const char* activity_of_local = "starting a server";
constexpr const char* activity_of_on = "connecting to the server";

tl::expected<reproduce::Target, std::string> open_target(const ServerWish& wish,
                                                         database::Database database,
                                                         const Arguments& arguments) {
  if (wish.on && wish.on->database != database)
    return tl::unexpected(
        fmt::format("the level is one of {}, and --on names a server of {}",
                    database::name(database), database::name(wish.on->database)));
  const Progress progress(arguments.budget(),
                          wish.local ? activity_of_local : activity_of_on);
  const server::RealServerOptions options{.budget = arguments.budget(),
                                          .keeps = wish.keeps};
  auto out = wish.local ? reproduce::local_target(database, options)
                        : reproduce::target_at(*wish.on, options);
  if (!out)
    return tl::unexpected(
        fmt::format("{}: {}", wish.local ? "--local" : "--on", out.error()));
  print_warnings("isomer", out->left_behind);
  return out;
}

// On stderr; gives the exit status.
int no_target(const Arguments& arguments, const std::string& why) {
  const Budget& budget = arguments.budget();
  if (budget.is_exhausted()) {
    const report::Undecided undecided{
        .reason = budget.reason(), .activity = activity_of_on, .seconds = 0};
    if (arguments.has("--json"))
      write_bytes("-", report::undecided_json(arguments.command(), undecided));
    fmt::print(stderr, "isomer {}: undecided: {}\n", arguments.command(),
               report::undecided_text(undecided));
    return status_undecided;
  }
  if (arguments.has("--json"))
    write_bytes("-", report::errors_json({diagnostic_of_file(
                         arguments.has("--on") ? "--on" : "--local", why)}));
  fmt::print(stderr, "isomer {}: error: {}\n", arguments.command(), why);
  return status_bad_input;
}

}  // namespace

tl::expected<std::optional<reproduce::Target>, int> target_in(const ServerWish& wish,
                                                              database::Database database,
                                                              const Arguments& arguments) {
  if (!wish.is_there()) return std::nullopt;
  auto opened = open_target(wish, database, arguments);
  if (!opened) return tl::unexpected(no_target(arguments, opened.error()));
  return *std::move(opened);
}

std::optional<reproduce::Tried> tried_there(const std::optional<reproduce::Target>& target,
                                            const program::Program& program,
                                            const std::string& invariant,
                                            const std::string& level) {
  if (!target) return std::nullopt;
  return reproduce::reproduce(
      reproduce::AbstractFinding{
          .program = program, .invariant = invariant, .level = level},
      *target);
}

database::Database database_of(const ServerWish& wish) {
  return wish.on ? wish.on->database : database::Database::PostgreSql;
}

Diagnostics obstacles_there(const ServerWish& wish, const program::Program& program) {
  if (!wish.is_there()) return {};
  if (program.tables.empty())
    return {
        diagnostic_of_file(program.file,
                           "--on and --local are for SQL applications; a litmus program "
                           "has no tables")};
  using enum database::Database;
  const database::Database database = database_of(wish);
  return program::obstacles(program, database == MariaDb  ? program::Dialect::MariaDb
                                     : database == Sqlite ? program::Dialect::Sqlite
                                                          : program::Dialect::PostgreSql);
}

ServerWish server_wish_in(const Arguments& arguments, OptionReader& reader) {
  ServerWish out{.local = arguments.has("--local"), .keeps = arguments.has("--keep")};
  if (arguments.has("--on")) {
    auto address = server::parse_server_address(arguments.value("--on"));
    if (address)
      out.on = *std::move(address);
    else
      reader.fail("--on: " + address.error());
  }
  if (out.local && arguments.has("--on"))
    reader.fail("--on names a server and --local starts one; choose one of them");
  if (out.keeps && !arguments.has("--on"))
    reader.fail("--keep leaves tables on the server of --on, which is not given");
  return out;
}

// What may be asked is known once the level is.
ScriptFiles script_files_in(const Arguments& arguments, database::Database database,
                            OptionReader& reader) {
  ScriptFiles out{.psql = arguments.value("--psql"),
                  .isolation_spec = arguments.value("--isolation-spec")};
  if (database != database::Database::PostgreSql)
    for (const char* const option : {"--psql", "--isolation-spec"})
      if (arguments.has(option))
        reader.fail(fmt::format("{} is for levels of PostgreSQL", option));
  return out;
}

int write_scripts(std::string_view command, const ScriptFiles& files,
                  const database::Scenario& scenario, const reproduce::Run& run,
                  const std::string& title) {
  if (files.psql.empty() && files.isolation_spec.empty()) return status_nothing_found;
  const reproduce::Script script = reproduce::script_of(scenario, run);
  const report::ScriptShown shown{
      .program = scenario.program, .run = run, .script = script, .title = title};
  int status = status_nothing_found;
  if (!files.psql.empty())
    status = write_bytes_or_complain(command, files.psql, report::terminal_script(shown));
  if (files.isolation_spec.empty()) return status;
  const auto spec = report::isolation_spec(shown);
  if (!spec) {
    fmt::print(stderr, "isomer {}: error: --isolation-spec: {}\n", command, spec.error());
    return status_bad_input;
  }
  return worst(status, write_bytes_or_complain(command, files.isolation_spec, *spec));
}

}  // namespace isomer::cli
