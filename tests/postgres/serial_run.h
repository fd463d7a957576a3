// SPDX-License-Identifier: MIT
// The same calls, one after another, each in a transaction of its own: by Isomer and by a
// real PostgreSQL.  What both say can be compared as it stands.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "postgres/server.h"
#include "program/ir.h"

namespace isomer::test {

// Rows of each table, as "1|ann|NULL", sorted.
using Tables = std::map<std::string, std::vector<std::string>>;

struct SerialRun {
  // Of each call: "committed", "committed: 12.50" or "aborted: 23505".
  std::vector<std::string> outcomes;
  Tables tables;
  std::map<std::string, std::string> invariants;  // "t", "f", "NULL" or an SQLSTATE
  std::vector<std::string> messages;  // of aborts, for people: not to be compared
};

// An application with its initial data, as text.
struct Application {
  std::string name;
  std::string sql;
  std::string initial_sql;
  std::map<std::string, std::string> invariants;
};

// A schema of the server's database with the application's tables and procedures, ready to
// be filled again and again.
class Database {
 public:
  Database(const Server& server, Application application);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // From the initial data.
  [[nodiscard]] SerialRun run(const std::vector<std::string>& calls) const;

 private:
  [[nodiscard]] std::vector<std::string> names(const std::string& query) const;
  [[nodiscard]] bool is_function(const std::string& call) const;

  Application application_;
  Connection connection_;
  std::vector<std::string> tables_;
  std::vector<std::string> functions_;  // called with SELECT; procedures with CALL
};

// The same by Isomer's machine, from the program's initial rows.
SerialRun run_serially(const program::Program& program,
                       const std::vector<program::Call>& calls);

// What `isomer run --policy latest` does: all sessions, in an order that the seed decides.
struct LatestRun {
  std::vector<std::string> calls;  // in that order
  SerialRun run;
};

LatestRun run_latest(const program::Program& program, std::uint64_t seed);

}  // namespace isomer::test
