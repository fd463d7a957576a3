// SPDX-License-Identifier: MIT
// --on and --local: what is found is done on a real server, too.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/command.h"
#include "database/schedule.h"
#include "database/server.h"
#include "reproduce/abstract.h"
#include "reproduce/reproduce.h"
#include "reproduce/target.h"

namespace isomer::cli {

inline constexpr Option on_option = {
    .name = "--on",
    .argument = "URL",
    .help =
        "Do what is found on this server too, statement by statement: "
        "postgresql://user@host/database (postgresql: alone for what libpq takes from its "
        "environment), mariadb://.., or sqlite:FILE. Everything happens in a schema, "
        "database "
        "or file of its own, which is gone afterwards."};

inline constexpr Option local_option = {.name = "--local",
                                        .takes = Takes::Nothing,
                                        .help =
                                            "Do it on a PostgreSQL or MariaDB that is "
                                            "started for it, from the packages installed "
                                            "here, and gone afterwards."};

inline constexpr Option keep_option = {
    .name = "--keep",
    .takes = Takes::Nothing,
    .help = "With --on: leave the tables there, as they are in the end."};

inline constexpr Option psql_option = {
    .name = "--psql",
    .argument = "F",
    .help =
        "At a level of PostgreSQL: write the run as steps for terminals with psql: who "
        "does "
        "what, one after the other. '-' is standard output.",
    .completes = Completes::Files};

inline constexpr Option isolation_spec_option = {
    .name = "--isolation-spec",
    .argument = "F",
    .help =
        "At a level of PostgreSQL: write the run as a spec that its isolationtester plays.",
    .completes = Completes::Files};

// Where the run is written as SQL, if anywhere.
struct ScriptFiles {
  std::string psql{};
  std::string isolation_spec{};
};

ScriptFiles script_files_in(const Arguments& arguments, database::Database database,
                            OptionReader& reader);

// Gives the exit status.  The title says what the run is of.
int write_scripts(std::string_view command, const ScriptFiles& files,
                  const database::Scenario& scenario, const reproduce::Run& run,
                  const std::string& title);

// Where what is found is to be done, if anywhere.
struct ServerWish {
  std::optional<server::ServerAddress> on{};
  bool local = false;
  bool keeps = false;

  [[nodiscard]] bool is_there() const { return on || local; }
};

// A failure at a level of a paper there: nothing if no server is wished.
std::optional<reproduce::Tried> tried_there(const std::optional<reproduce::Target>& target,
                                            const program::Program& program,
                                            const std::string& invariant,
                                            const std::string& level);

// For an abstract level: the database of --on, or PostgreSQL.
database::Database database_of(const ServerWish& wish);
// What that database has no words for.
Diagnostics obstacles_there(const ServerWish& wish, const program::Program& program);

ServerWish server_wish_in(const Arguments& arguments, OptionReader& reader);

// The server that is wished, or none; otherwise the exit status: why there is no server
// has been told.
tl::expected<std::optional<reproduce::Target>, int> target_in(const ServerWish& wish,
                                                              database::Database database,
                                                              const Arguments& arguments);

}  // namespace isomer::cli
