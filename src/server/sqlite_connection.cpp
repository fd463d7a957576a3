// SPDX-License-Identifier: MIT
#include "server/sqlite_connection.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "database/sqlite/result_codes.h"
#include "program/calendar.h"

namespace isomer::server {
namespace {

using program::TypeKind;
using program::Value;

// Asked before SQLite would sleep: it is not to.
int refuse_to_sleep(void* was_asked, int /*times*/) {
  *static_cast<bool*>(was_asked) = true;
  return 0;
}

// What our interpreter has for such a value; absent if it has none.
std::optional<Value> integer_value(std::int64_t number, TypeKind kind) {
  if (kind == TypeKind::Bool) return Value::boolean(number != 0);
  if (kind == TypeKind::Numeric) return Value(program::decimal_of(number));
  return Value::integer(number);
}

std::optional<Value> text_value(std::string text, TypeKind kind) {
  if (kind == TypeKind::Date) {
    const auto date = program::parse_date(text);
    return date ? std::optional(Value(*date)) : std::nullopt;
  }
  if (kind == TypeKind::Timestamp) {
    const auto time = program::parse_timestamp(text);
    return time ? std::optional(Value(*time)) : std::nullopt;
  }
  return Value::text(std::move(text));
}

std::optional<Value> value_of(sqlite3_stmt* statement, int column, TypeKind kind) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
      return Value();
    case SQLITE_INTEGER:
      return integer_value(sqlite3_column_int64(statement, column), kind);
    case SQLITE_TEXT: {
      const auto* text =
          reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
      return text_value({text, size}, kind);
    }
    default:
      return std::nullopt;
  }
}

program::Fault fault_of(int code, std::string reason) {
  for (const auto& known : database::sqlite::result_codes)
    if (known.number == static_cast<std::uint32_t>(code))
      return database::sqlite::fault_of(known, std::move(reason));
  return {.reason = std::move(reason),
          .sqlstate = fmt::format("SQLite {}", code),
          .at = {},
          .is_limit = true,
          .number = static_cast<std::uint32_t>(code)};
}

}  // namespace

SqliteConnection::~SqliteConnection() {
  sqlite3_close(connection_);
}

SqliteConnection::SqliteConnection(SqliteConnection&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)),
      was_handler_asked_(std::move(other.was_handler_asked_)) {}

std::string SqliteConnection::open(const std::string& file, bool has_busy_handler) {
  if (sqlite3_open(file.c_str(), &connection_) != SQLITE_OK)
    return fmt::format("{}: {}", file, sqlite3_errmsg(connection_));
  sqlite3_extended_result_codes(connection_, 1);
  if (has_busy_handler)
    sqlite3_busy_handler(connection_, refuse_to_sleep, was_handler_asked_.get());
  // Commits need not last.  The schema is read now, and not when somebody has the file.
  constexpr std::array statements{"PRAGMA synchronous = OFF", "PRAGMA foreign_keys = ON",
                                  "PRAGMA case_sensitive_like = ON",
                                  "SELECT count(*) FROM sqlite_schema"};
  for (const char* const statement : statements)
    if (const auto result = run(statement, {program::Type{}}); result.fault)
      return result.fault->reason;
  return {};
}

SqliteResult SqliteConnection::failed() const {
  const int code = sqlite3_extended_errcode(connection_);
  return {.fault = fault_of(code, sqlite3_errmsg(connection_)),
          .would_wait = (code & 0xff) == SQLITE_BUSY && *was_handler_asked_,
          .rows = {}};
}

SqliteResult SqliteConnection::run(const std::string& text,
                                   const std::vector<program::Type>& types,
                                   std::optional<std::size_t> most) {
  *was_handler_asked_ = false;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(connection_, text.c_str(), static_cast<int>(text.size()),
                         &statement, nullptr) != SQLITE_OK)
    return failed();
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> owner(statement,
                                                                         sqlite3_finalize);
  SqliteResult out;
  const int columns = sqlite3_column_count(statement);
  int code = SQLITE_ROW;
  while ((!most || out.rows.size() < *most) &&
         (code = sqlite3_step(statement)) == SQLITE_ROW) {
    std::vector<Value> row;
    for (int i = 0; i < columns; ++i) {
      const auto place = static_cast<std::size_t>(i);
      const TypeKind kind = place < types.size() ? types[place].kind : TypeKind::Any;
      auto value = value_of(statement, i, kind);
      if (!value)
        return {.fault = fault_of(SQLITE_MISMATCH, "a value that is no integer or text"),
                .rows = {}};
      row.push_back(*std::move(value));
    }
    out.rows.push_back(std::move(row));
  }
  if (code != SQLITE_ROW && code != SQLITE_DONE) return failed();
  out.count = sqlite3_stmt_readonly(statement) != 0
                  ? static_cast<std::int64_t>(out.rows.size())
                  : sqlite3_changes64(connection_);
  return out;
}

std::string SqliteConnection::library_version() {
  return sqlite3_libversion();
}

bool SqliteConnection::is_in_transaction() const {
  return sqlite3_get_autocommit(connection_) == 0;
}

SqliteConnection::Transaction SqliteConnection::transaction() const {
  switch (sqlite3_txn_state(connection_, "main")) {
    case SQLITE_TXN_READ:
      return Transaction::Reads;
    case SQLITE_TXN_WRITE:
      return Transaction::Writes;
    default:
      return Transaction::None;
  }
}

}  // namespace isomer::server
