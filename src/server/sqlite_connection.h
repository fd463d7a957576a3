// SPDX-License-Identifier: MIT
// A connection to a SQLite database.  The one place that knows the library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "program/ir.h"
#include "program/machine/evaluate.h"

struct sqlite3;

namespace isomer::server {

struct SqliteResult {
  std::optional<program::Fault> fault;  // with SQLite's result code
  bool would_wait = false;              // busy, and the busy handler was asked
  std::vector<std::vector<program::Value>> rows;
  std::int64_t count = 0;  // of rows selected or changed
};

class SqliteConnection {
 public:
  enum class Transaction : std::uint8_t { None, Reads, Writes };

  SqliteConnection() = default;
  ~SqliteConnection();
  SqliteConnection(SqliteConnection&& other) noexcept;
  SqliteConnection(const SqliteConnection&) = delete;
  SqliteConnection& operator=(const SqliteConnection&) = delete;
  SqliteConnection& operator=(SqliteConnection&&) = delete;

  // What is wrong with the file; empty: it is open.
  std::string open(const std::string& file, bool has_busy_handler);
  // One statement; the types of its columns, and how many rows are taken at most.
  SqliteResult run(const std::string& statement,
                   const std::vector<program::Type>& types = {},
                   std::optional<std::size_t> most = {});

  static std::string library_version();  // "3.40.1"
  [[nodiscard]] bool is_in_transaction() const;
  // What it has locked, or which snapshot it keeps.
  [[nodiscard]] Transaction transaction() const;

 private:
  SqliteResult failed() const;

  sqlite3* connection_ = nullptr;
  // At a place of its own, which the library keeps.
  std::unique_ptr<bool> was_handler_asked_ = std::make_unique<bool>(false);
};

}  // namespace isomer::server
