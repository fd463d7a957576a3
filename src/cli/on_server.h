// SPDX-License-Identifier: MIT
// --on and --local: what is found is done on a real server, too.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "cli/command.h"
#include "database/server.h"
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

// Where what is found is to be done, if anywhere.
struct ServerWish {
  std::optional<server::ServerAddress> on{};
  bool local = false;
  bool keeps = false;

  [[nodiscard]] bool is_there() const { return on || local; }
};

ServerWish server_wish_in(const Arguments& arguments, OptionReader& reader);

// The server that is wished, of this database.  Otherwise what is wrong.
tl::expected<reproduce::Target, std::string> open_target(const ServerWish& wish,
                                                         database::Database database,
                                                         const Arguments& arguments);

// On stderr: why there is no server.  Gives the exit status.
int no_target(const Arguments& arguments, const std::string& why);

}  // namespace isomer::cli
