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

// A database of the server with the application's tables and procedures, ready to be filled
// again and again.
class Database {
 public:
  Database(const Server& server, Application application);

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

// The same by Isomer, from the program's initial rows.
SerialRun run_serially(const program::Program& program,
                       const std::vector<program::Call>& calls);

}  // namespace isomer::test
