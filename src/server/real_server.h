// SPDX-License-Identifier: MIT
// A real server of any database, where a person says it is.  Everything that Isomer makes
// there has a name of its own, isomer_<process>_<number>, and is gone at the end.  A lock
// goes with it for as long as whoever made it lives, so that what a program left behind
// that was killed is known, and is removed when the next one comes.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "database/server.h"
#include "server/mariadb_connection.h"

namespace isomer::server {

class RealServer : public database::Server {
 public:
  // Back to the initial rows, with nobody in a transaction; otherwise what went wrong.
  [[nodiscard]] virtual std::string reset() = 0;
  // Where the tables stand: "the schema isomer_12_0badcafe".
  [[nodiscard]] virtual std::string place() const = 0;
};

// --- where it is ---

struct ServerAddress {
  database::Database database = database::Database::PostgreSql;
  std::string postgresql{};  // as libpq reads it
  MariadbAddress mariadb{};
  std::string file{};  // of SQLite: what is made stands beside it
};

// postgresql://ann:secret@host/shop, or postgresql: for what libpq takes from its
// environment; mariadb://.. or mysql://..; sqlite:FILE.  Otherwise what is wrong with it,
// without a word of what may be a password.
tl::expected<ServerAddress, std::string> parse_server_address(std::string_view url);

// Stars for the password in a word that is such an address.
void hide_password(std::span<char> word);

// --- what it is ---

struct ServerTitle {
  std::string name;  // "PostgreSQL 15.18"
  // What others left behind there and could not be removed, and how to do that.
  std::vector<std::string> left_behind{};
};

// Connects once, and removes what was left behind.  Otherwise what the server, or who
// should connect to it, has against it.
tl::expected<ServerTitle, std::string> look_at_server(const ServerAddress& address);

struct RealServerOptions {
  Budget budget{};       // while somebody waits for the server
  bool keeps = false;    // the tables, when all is over
  bool is_ours = false;  // nobody else uses it, so that its settings may be changed
};

// Makes the tables, with the initial rows.  Otherwise what the server has against it.  The
// program must outlive it, and have no obstacles for that database.
tl::expected<std::unique_ptr<RealServer>, std::string> connect(
    const ServerAddress& address, const program::Program& program,
    const database::ServerKind& kind, const RealServerOptions& options);

// --- names ---

// isomer_<process>_<8 digits>, new each time; what is kept has another ending, so that
// nobody takes it for what was left behind.
std::string name_of_our_own(bool is_kept);

}  // namespace isomer::server
