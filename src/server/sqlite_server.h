// SPDX-License-Identifier: MIT
// SQLite itself: each session of a scenario is a connection to one database file, which
// stands in a folder of its own and goes with it at the end.
//
// Nobody sleeps here.  SQLite asks its busy handler before it gives up, and has nothing in
// its hands then but what it keeps while it waits.  The handler says no, the call comes
// back as SQLITE_BUSY, and is made again after whatever others do.  So what waits is known
// from SQLite, and what is refused without the handler being asked is an error at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "database/server.h"

namespace isomer::server {

class SqliteServer final : public database::Server {
 public:
  // Makes the tables, with the initial rows.  Otherwise what SQLite has against it.  The
  // program must outlive it, and have no obstacles for SQLite.
  static tl::expected<std::unique_ptr<SqliteServer>, std::string> open(
      const program::Program& program, const database::ServerKind& kind);

  ~SqliteServer() override;
  SqliteServer(const SqliteServer&) = delete;
  SqliteServer& operator=(const SqliteServer&) = delete;

  // Back to the initial rows, with nobody in a transaction; otherwise what went wrong.
  [[nodiscard]] std::string reset();

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

  explicit SqliteServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace isomer::server
