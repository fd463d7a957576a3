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

#include "server/real_server.h"

namespace isomer::server {

// What the library is, and what others left behind beside the file (server/real_server.h).
tl::expected<ServerTitle, std::string> look_at_sqlite(const std::string& file);

struct SqliteOptions {
  // Beside it stands the folder with the database; empty: among temporary files.
  std::string file{};
  bool keeps = false;  // the folder, when all is over
};

class SqliteServer final : public RealServer {
 public:
  // Makes the tables, with the initial rows.  Otherwise what SQLite has against it.  The
  // program must outlive it, and have no obstacles for SQLite.
  static tl::expected<std::unique_ptr<SqliteServer>, std::string> open(
      const program::Program& program, const database::ServerKind& kind,
      const SqliteOptions& options = {});

  ~SqliteServer() override;
  SqliteServer(const SqliteServer&) = delete;
  SqliteServer& operator=(const SqliteServer&) = delete;

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

  explicit SqliteServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace isomer::server
