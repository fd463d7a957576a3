// SPDX-License-Identifier: MIT
// What a schedule can ask of a server, be it the model of one or a real one.  People
// schedule statements: each runs to its end, or waits for other transactions and goes on by
// itself when these have ended.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/machine/evaluate.h"
#include "program/machine/machine.h"

namespace isomer::database {

enum class Database : std::uint8_t { PostgreSql, MariaDb, Sqlite };

// Which database, set up how.
struct ServerKind {
  Database database = Database::PostgreSql;
  bool has_wal = false;                 // SQLite: a write-ahead log, no rollback journal
  bool fails_when_busy = false;         // SQLite: no busy timeout, so nobody waits
  bool has_snapshot_isolation = false;  // MariaDB: innodb_snapshot_isolation = ON

  friend bool operator==(const ServerKind&, const ServerKind&) = default;
};

// A session of the scenario, by its place there.
using SessionIndex = std::uint32_t;

enum class IsolationLevel : std::uint8_t {
  ReadUncommitted,
  ReadCommitted,
  RepeatableRead,
  Serializable,
};

struct BeginOptions {
  IsolationLevel level = IsolationLevel::ReadCommitted;
  bool is_read_only = false;
  bool is_deferrable = false;
  bool is_immediate = false;  // SQLite: BEGIN IMMEDIATE
};

struct Reply {
  enum class Kind : std::uint8_t { Done, Waits, Failed };

  Kind kind = Kind::Done;
  std::vector<std::vector<program::Value>> rows{};  // SELECT, RETURNING
  std::int64_t count = 0;                           // rows selected or changed
  program::Fault fault{};                           // Failed: with its SQLSTATE
  std::vector<SessionIndex> waits_for{};            // Waits: at least one
  bool goes_on = false;  // COMMIT failed, and the transaction is as it was before
};

class Server {
 public:
  virtual ~Server() = default;

  virtual Reply begin(SessionIndex session, const BeginOptions& options) = 0;
  // A statement, a value that needs a query, or a savepoint.
  virtual Reply ask(SessionIndex session, const program::AsksServer& what,
                    const program::Bindings& bindings) = 0;
  // May wait or fail: deferred constraints, dangerous structures, readers of the file.
  virtual Reply commit(SessionIndex session) = 0;
  virtual Reply rollback(SessionIndex session) = 0;

  // Those who waited and have got their reply since, in the order in which they got it.
  virtual std::vector<std::pair<SessionIndex, Reply>> woken() = 0;

  // All rows that are committed, by table, each table sorted.
  virtual std::vector<std::vector<std::vector<program::Value>>> committed_rows() = 0;
};

// --- errors ---

// What people call them: PostgreSQL's by SQLSTATE, MariaDB's by number, SQLite's by name.
// "40001", "1213", "SQLITE_BUSY"; empty if it is no error of a database.
std::string error_name(const program::Fault& fault);

// As clients print it: "40001", "1213 (40001)", "SQLITE_BUSY".
std::string error_title(const program::Fault& fault);

// What such a name says, for people who do not know it by heart: "a deadlock".  Empty: the
// name is seldom.
std::string_view error_words(std::string_view name);

// May the same transaction well succeed the next time?
bool may_be_retried(const program::Fault& fault);

}  // namespace isomer::database
