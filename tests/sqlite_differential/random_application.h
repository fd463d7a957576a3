// SPDX-License-Identifier: MIT
// Random small applications for SQLite: few rows, so that everybody is in everybody's way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isomer::test {

// A scenario in pieces, so that it can be cut down.
struct RandomApplication {
  struct Session {
    bool is_immediate = false;
    bool is_script = false;
    bool retries = false;                           // once, after SQLITE_BUSY
    std::vector<std::vector<std::string>> calls{};  // the statements of each
  };

  std::vector<Session> sessions;
  std::vector<std::string> rows;     // INSERT statements
  std::string on_delete, on_update;  // of the foreign key: "CASCADE"

  [[nodiscard]] std::string sql() const;
  // Of the application app.sql.  The level of each session stands in a line
  // "# immediate: AC".
  [[nodiscard]] std::string scenario() const;
};

RandomApplication random_application(std::uint64_t seed);

// Those with a session, a call, a statement or a row less.
std::vector<RandomApplication> smaller(const RandomApplication& application);

}  // namespace isomer::test
