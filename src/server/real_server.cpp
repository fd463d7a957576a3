// SPDX-License-Identifier: MIT
#include "server/real_server.h"

#include <algorithm>
#include <random>
#include <regex>

#include <fmt/format.h>
#include <unistd.h>

#include "server/connection.h"
#include "server/mariadb_server.h"
#include "server/postgresql_server.h"
#include "server/sqlite_server.h"

namespace isomer::server {
namespace {

using database::Database;

constexpr std::string_view expected_url =
    "expected postgresql://user:password@host:port/database, mariadb://.., or sqlite:FILE";

bool starts_with_any(std::string_view text,
                     std::initializer_list<std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes)
    if (text.starts_with(prefix)) return true;
  return false;
}

template <class Server>
tl::expected<std::unique_ptr<RealServer>, std::string> as_real(
    tl::expected<std::unique_ptr<Server>, std::string> server) {
  if (!server) return tl::unexpected(std::move(server.error()));
  return std::unique_ptr<RealServer>(*std::move(server));
}

}  // namespace

tl::expected<ServerAddress, std::string> parse_server_address(std::string_view url) {
  ServerAddress out;
  if (starts_with_any(url, {"postgresql:", "postgres:"})) {
    const bool is_short = url.find("//") == std::string_view::npos;
    if (is_short && url.substr(url.find(':')).size() > 1)
      return tl::unexpected(std::string("expected // behind postgresql:"));
    out.postgresql = is_short ? "" : std::string(url);
    if (std::string mistake = mistake_in_address(out.postgresql); !mistake.empty())
      return tl::unexpected(std::move(mistake));
    return out;
  }
  if (starts_with_any(url, {"mariadb://", "mysql://"})) {
    auto address = parse_mariadb_address(url);
    if (!address) return tl::unexpected(std::move(address.error()));
    out.database = Database::MariaDb;
    out.mariadb = *std::move(address);
    return out;
  }
  if (url.starts_with("sqlite:") && url.size() > 7) {
    out.database = Database::Sqlite;
    out.file = std::string(url.substr(7));
    return out;
  }
  return tl::unexpected(std::string(expected_url));
}

// It stands between the name and the last @, or behind password=.
void hide_password(std::span<char> word) {
  static const std::regex address("--on=.*|(postgresql|postgres|mariadb|mysql):.*");
  static const std::regex secret("://[^:@/]*:(.*)@|://[^:@/]*:([^/]*)$|password=([^&]*)");
  if (!std::regex_match(word.begin(), word.end(), address)) return;
  using Found = std::regex_iterator<std::span<char>::iterator>;
  for (Found at(word.begin(), word.end(), secret), end; at != end; ++at)
    for (std::size_t group = 1; group < at->size(); ++group)
      std::fill((*at)[group].first, (*at)[group].second, '*');
}

tl::expected<ServerTitle, std::string> look_at_server(const ServerAddress& address) {
  switch (address.database) {
    case Database::PostgreSql:
      return look_at_postgresql(address.postgresql);
    case Database::MariaDb:
      return look_at_mariadb(address.mariadb);
    case Database::Sqlite:
      return look_at_sqlite(address.file);
  }
  return tl::unexpected(std::string(expected_url));
}

tl::expected<std::unique_ptr<RealServer>, std::string> connect(
    const ServerAddress& address, const program::Program& program,
    const database::ServerKind& kind, const RealServerOptions& options) {
  switch (address.database) {
    case Database::PostgreSql:
      return as_real(PostgresqlServer::connect(program, {.address = address.postgresql,
                                                         .budget = options.budget,
                                                         .keeps = options.keeps}));
    case Database::MariaDb:
      return as_real(MariadbServer::connect(program, kind,
                                            {.address = address.mariadb,
                                             .asks_lock_waits = !options.is_ours,
                                             .budget = options.budget,
                                             .keeps = options.keeps}));
    case Database::Sqlite:
      return as_real(SqliteServer::open(program, kind,
                                        {.file = address.file, .keeps = options.keeps}));
  }
  return tl::unexpected(std::string(expected_url));
}

std::string name_of_our_own(bool is_kept) {
  std::random_device random;
  return fmt::format("isomer_{}_{:08x}{}", getpid(), random() & 0xffffffffU,
                     is_kept ? "_kept" : "");
}

}  // namespace isomer::server
