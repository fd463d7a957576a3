// SPDX-License-Identifier: MIT
// A real PostgreSQL: each session of a scenario is a connection, and one more observes. The
// tables stand in a schema of their own, which is dropped at the end.
//
// A statement waits when the server says that it does (server/observer.h), and is done when
// its result is there; time decides nothing.  Of a circle of waits, the victim is who
// closed it, if we may set deadlock_timeout; otherwise any of them.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "server/real_server.h"

namespace isomer::server {

struct PostgresqlOptions {
  // As libpq reads it: "host=/tmp dbname=shop" or postgresql://ann@host/shop.
  std::string address;
  // As far as the server lets us set it.
  std::chrono::milliseconds deadlock_timeout{1};
  // A statement that takes longer without waiting for another session is given up.
  std::chrono::milliseconds patience{30'000};
  // "enable_indexscan = off": for all sessions.
  std::vector<std::string> settings{};
  // While somebody waits for the server.
  Budget budget{};
  // The schema, when all is over.
  bool keeps = false;
};

// What a server is, and what others left behind there (server/real_server.h).
tl::expected<ServerTitle, std::string> look_at_postgresql(const std::string& address);

class PostgresqlServer final : public RealServer {
 public:
  // Makes the tables, with the initial rows.  Otherwise what the server has against it. The
  // program must outlive it.
  static tl::expected<std::unique_ptr<PostgresqlServer>, std::string> connect(
      const program::Program& program, const PostgresqlOptions& options);

  ~PostgresqlServer() override;
  PostgresqlServer(const PostgresqlServer&) = delete;
  PostgresqlServer& operator=(const PostgresqlServer&) = delete;

  [[nodiscard]] std::string reset() override;
  [[nodiscard]] std::string place() const override;

  database::Reply begin(database::SessionIndex session,
                        const database::BeginOptions& options) override;
  database::Reply ask(database::SessionIndex session, const program::AsksServer& what,
                      const program::Bindings& bindings) override;
  database::Reply commit(database::SessionIndex session) override;
  database::Reply rollback(database::SessionIndex session) override;
  std::vector<std::pair<database::SessionIndex, database::Reply>> woken() override;
  std::vector<std::vector<std::vector<program::Value>>> committed_rows() override;

 private:
  struct State;

  explicit PostgresqlServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace isomer::server
