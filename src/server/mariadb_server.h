// SPDX-License-Identifier: MIT
// A real MariaDB: each session of a scenario is a connection, and one more observes.  The
// tables stand in a database of their own, which is dropped at the end.
//
// A statement waits when the server says that it does (server/innodb_status.h), and is done
// when its result is there; time decides nothing.  Deadlocks are found by the server at
// once.  After the end of a transaction the server removes deleted rows for good, unless a
// snapshot still needs them; what is asked next waits for that, so that a run can be done
// again.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "server/mariadb_connection.h"
#include "server/real_server.h"

namespace isomer::server {

struct MariadbOptions {
  MariadbAddress address{};
  // A statement that takes longer without waiting for another session is given up.
  std::chrono::milliseconds patience{30'000};
  // "optimizer_switch = ..": for all sessions.
  std::vector<std::string> settings{};
  // Whom somebody waits for, from INNODB_LOCK_WAITS alone: slow, and the same.
  bool asks_lock_waits = false;
  // While somebody waits for the server.
  Budget budget{};
  // The database, when all is over.
  bool keeps = false;
};

// What a server is, and what others left behind there (server/real_server.h).
tl::expected<ServerTitle, std::string> look_at_mariadb(const MariadbAddress& address);

class MariadbServer final : public RealServer {
 public:
  // Makes the tables, with the initial rows.  Otherwise what the server has against it. The
  // program must outlive it.
  static tl::expected<std::unique_ptr<MariadbServer>, std::string> connect(
      const program::Program& program, const database::ServerKind& kind,
      const MariadbOptions& options);

  ~MariadbServer() override;
  MariadbServer(const MariadbServer&) = delete;
  MariadbServer& operator=(const MariadbServer&) = delete;

  [[nodiscard]] std::string reset() override;
  [[nodiscard]] std::string place() const override;
  // The same for another program, which must outlive it from now on.  Tables are made only
  // where they differ, and connections where there are too few.
  [[nodiscard]] std::string turn_to(const program::Program& program,
                                    const database::ServerKind& kind);

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

  explicit MariadbServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace isomer::server
