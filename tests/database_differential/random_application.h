// SPDX-License-Identifier: MIT
// Random small applications for schedules of statements: few rows, so that everybody is in
// everybody's way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isomer::test {

// A scenario in pieces, so that it can be cut down.
struct RandomApplication {
  struct Transaction {
    std::string level;  // "READ COMMITTED"
    bool is_script = false;
    std::vector<std::string> statements;
  };

  std::vector<std::vector<Transaction>> sessions;
  std::vector<std::string> rows;     // INSERT statements
  std::string on_delete, on_update;  // of the foreign key: "CASCADE"
  std::size_t key_of_u = 0;          // how t.u is unique
  std::string deferral;              // of the foreign key: " DEFERRABLE"
  bool has_ranges = false;           // a table with EXCLUDE
  std::string exclusion_deferral;    // of that
  std::string family;                // another table (second_family.h), if there is one
  bool retries = false;              // once, after 40001 and 40P01

  [[nodiscard]] std::string sql() const;
  [[nodiscard]] std::string scenario() const;  // of the application app.sql

 private:
  // With the ON CONFLICT that its keys have.
  [[nodiscard]] std::string in_terms_of_keys(const std::string& statement) const;
};

RandomApplication random_application(std::uint64_t seed);

// Those with a session, a transaction, a statement or a row less.
std::vector<RandomApplication> smaller(const RandomApplication& application);

}  // namespace isomer::test
