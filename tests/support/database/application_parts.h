// SPDX-License-Identifier: MIT
// Random small applications in pieces, so that they can be cut down; what they say is the
// business of a generator for each database.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isomer::test {

struct ApplicationParts {
  struct Session {
    bool is_immediate = false;  // SQLite
    bool is_script = false;
    bool retries = false;                           // once
    std::vector<std::vector<std::string>> calls{};  // the statements of each
  };

  std::vector<Session> sessions;
  std::string tables;                // with {} for the actions of a foreign key
  std::vector<std::string> indexes;  // CREATE INDEX statements
  std::vector<std::string> rows;     // INSERT statements
  std::string on_delete, on_update;  // of the foreign key: "CASCADE"

  [[nodiscard]] std::string sql() const;
  // Of the application app.sql.  The level of each session stands in a line
  // "# immediate: AC".
  [[nodiscard]] std::string scenario() const;
};

// Those with a session, a call, a statement or a row less.
std::vector<ApplicationParts> smaller(const ApplicationParts& application);

}  // namespace isomer::test
