// SPDX-License-Identifier: MIT
#include "database/server.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "database/innodb/error_codes.h"

namespace isomer::database {
namespace {

struct NamedError {
  std::string_view name;
  std::string_view words;
};

constexpr std::string_view locked_file = "somebody else has the file locked";
constexpr std::string_view newer_commit = "somebody has committed since it began to read";
constexpr std::string_view key_is_there = "a key that is there already";
constexpr std::string_view parent_is_missing = "a parent that is not there";
constexpr std::string_view children_are_left = "a parent that has children";
constexpr std::string_view broken_reference = "a foreign key that would not hold";
constexpr std::string_view broken_check = "a CHECK that would not hold";
constexpr std::string_view null_value = "NULL where there must be a value";
constexpr std::string_view conflict =
    "a conflict with another transaction, to be tried again";
constexpr std::string_view deadlock = "a deadlock";
constexpr std::string_view division_by_zero = "a division by zero";
constexpr std::string_view number_out_of_range = "a number out of range";
constexpr std::string_view text_too_long = "a text too long";
constexpr std::string_view locked_row = "a lock that somebody else holds";

constexpr std::array errors = {
    // PostgreSQL
    NamedError{"22001", text_too_long},
    NamedError{"22003", number_out_of_range},
    NamedError{"22012", division_by_zero},
    NamedError{"23502", null_value},
    NamedError{"23503", broken_reference},
    NamedError{"23505", key_is_there},
    NamedError{"23514", broken_check},
    NamedError{"40001", conflict},
    NamedError{"40P01", deadlock},
    NamedError{"55P03", locked_row},
    NamedError{"P0001", "RAISE EXCEPTION in the program"},
    NamedError{"P0002", "no row where the program needs one"},
    NamedError{"P0003", "several rows where the program needs one"},
    NamedError{"P0004", "an ASSERT in the program"},
    // SQLite
    NamedError{"SQLITE_BUSY", locked_file},
    NamedError{"SQLITE_BUSY_SNAPSHOT", newer_commit},
    NamedError{"SQLITE_CONSTRAINT_CHECK", broken_check},
    NamedError{"SQLITE_CONSTRAINT_FOREIGNKEY", broken_reference},
    NamedError{"SQLITE_CONSTRAINT_NOTNULL", null_value},
    NamedError{"SQLITE_CONSTRAINT_PRIMARYKEY", key_is_there},
    NamedError{"SQLITE_CONSTRAINT_TRIGGER", children_are_left},
    NamedError{"SQLITE_CONSTRAINT_UNIQUE", key_is_there},
    // MariaDB
    NamedError{"1020", "a row that somebody has changed since the snapshot"},
    NamedError{"1048", null_value},
    NamedError{"1062", key_is_there},
    NamedError{"1205", locked_row},
    NamedError{"1213", deadlock},
    NamedError{"1242", "several rows where there must be one"},
    NamedError{"1264", number_out_of_range},
    NamedError{"1305", "a savepoint that is not there"},
    NamedError{"1365", division_by_zero},
    NamedError{"1406", text_too_long},
    NamedError{"1451", children_are_left},
    NamedError{"1452", parent_is_missing},
    NamedError{"1690", number_out_of_range},
    NamedError{"1792", "a change in a transaction that only reads"},
    NamedError{"4025", broken_check},
};

bool has_number_as_name(const program::Fault& fault) {
  return fault.number != 0 && !fault.sqlstate.starts_with("SQLITE_");
}

}  // namespace

std::string error_name(const program::Fault& fault) {
  return has_number_as_name(fault) ? fmt::format("{}", fault.number) : fault.sqlstate;
}

std::string error_title(const program::Fault& fault) {
  return has_number_as_name(fault) ? fmt::format("{} ({})", fault.number, fault.sqlstate)
                                   : fault.sqlstate;
}

std::string_view error_words(std::string_view name) {
  const auto found = std::ranges::find(errors, name, &NamedError::name);
  return found == errors.end() ? std::string_view() : found->words;
}

// A serialization failure, a deadlock, a busy file, or the end of MariaDB's patience.
bool may_be_retried(const program::Fault& fault) {
  return fault.handled_as() == "40001" || fault.handled_as() == "40P01" ||
         fault.number == innodb::lock_wait_timeout.number;
}

}  // namespace isomer::database
