// SPDX-License-Identifier: MIT
// A program with what --level and --set say of it, for the commands that run it at the
// level of a database.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "base/diagnostic.h"
#include "cli/arguments.h"
#include "database/level_rules.h"
#include "database/server_settings.h"
#include "report/database/report.h"

namespace isomer::cli {

inline constexpr std::string_view no_history =
    "there is no history to save: the model of this database tells none, or met a limit";

// What a command has for abstract levels alone.
void refuse_abstract_options(const Arguments& arguments,
                             std::initializer_list<const char*> options,
                             OptionReader& reader);

// The level of --level, or that of [levels].
struct WantedLevel {
  database::DatabaseLevel level;
  std::string name;  // "pg:RC", or how [levels] names them
};

tl::expected<WantedLevel, std::string> level_named(const std::string& word);

// A program whose sessions can be run at a level of a database.
struct Wanted {
  program::Program program;
  WantedLevel level;

  [[nodiscard]] database::Scenario scenario() const {
    return database::scenario_at(program, level.level);
  }

  [[nodiscard]] report::LevelShown shown_level() const {
    const database::ServerKind server = scenario().server;
    return {level.name, level.level, database::unusual_settings(server)};
  }
};

// The program and its level, or the mistake in the options that name it.
tl::expected<Wanted, std::string> wanted_of(const Arguments& arguments,
                                            program::Program program);

// What keeps it from being run there.
Diagnostics database_obstacles(const Wanted& wanted, bool has_workload);

// To be typed again, with a seed or a schedule behind it.
std::string repeated_run(const Arguments& arguments,
                         std::initializer_list<const char*> options);

}  // namespace isomer::cli
