// SPDX-License-Identifier: MIT
#include "cli/database_program.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "cli/level_argument.h"
#include "database/level_name.h"
#include "database/server_settings.h"
#include "program/database_only.h"
#include "program/print/dialect.h"
#include "program/scenario/scenario.h"
#include "store/store.h"

namespace isomer::cli {

using database::DatabaseLevel;
using program::Program;

void refuse_abstract_options(const Arguments& arguments,
                             std::initializer_list<const char*> options,
                             OptionReader& reader) {
  for (const char* const option : options)
    if (arguments.has(option))
      reader.fail(fmt::format("{} is for the levels of papers, not for those of databases",
                              option));
}

tl::expected<WantedLevel, std::string> level_named(const std::string& word) {
  const auto level = database::parse_level_name(word);
  if (!level) return tl::unexpected(level.error());
  return WantedLevel{*level, database::short_name(*level)};
}

namespace {

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

}  // namespace

Diagnostics database_obstacles(const Wanted& wanted, bool has_workload) {
  const Program& program = wanted.program;
  if (std::string why = nothing_to_run(program, has_workload); !why.empty())
    return {diagnostic_of_file(program.file, std::move(why))};
  Diagnostics errors = foreign_words(program, wanted.level.level.database, has_workload);
  return errors.empty() && !has_workload ? store::missing_values(program) : errors;
}

tl::expected<Wanted, std::string> wanted_of(const Arguments& arguments, Program program) {
  const auto level = level_wanted(arguments, program);
  if (!level) return tl::unexpected(level.error());
  std::string mistake = override_settings(arguments, level->level, program);
  if (!mistake.empty()) return tl::unexpected(std::move(mistake));
  return Wanted{std::move(program), *level};
}

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

}  // namespace isomer::cli
