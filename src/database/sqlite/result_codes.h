// SPDX-License-Identifier: MIT
// SQLite's result codes.  It has no SQLSTATEs: their names stand in their place.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "program/machine/evaluate.h"

namespace isomer::database::sqlite {

struct ResultCode {
  std::uint32_t number;
  std::string_view name;
  std::string_view condition;  // PostgreSQL's SQLSTATE, by which handlers and retries go
};

inline constexpr ResultCode busy{5, "SQLITE_BUSY", "40001"};
inline constexpr ResultCode busy_snapshot{517, "SQLITE_BUSY_SNAPSHOT", "40001"};
inline constexpr ResultCode check_failed{275, "SQLITE_CONSTRAINT_CHECK", "23514"};
inline constexpr ResultCode foreign_key_failed{787, "SQLITE_CONSTRAINT_FOREIGNKEY",
                                               "23503"};
inline constexpr ResultCode not_null_failed{1299, "SQLITE_CONSTRAINT_NOTNULL", "23502"};
inline constexpr ResultCode primary_key_failed{1555, "SQLITE_CONSTRAINT_PRIMARYKEY",
                                               "23505"};
// RESTRICT is done by a trigger.
inline constexpr ResultCode restrict_failed{1811, "SQLITE_CONSTRAINT_TRIGGER", "23503"};
inline constexpr ResultCode unique_failed{2067, "SQLITE_CONSTRAINT_UNIQUE", "23505"};

inline constexpr std::array result_codes{busy,
                                         busy_snapshot,
                                         check_failed,
                                         foreign_key_failed,
                                         not_null_failed,
                                         primary_key_failed,
                                         restrict_failed,
                                         unique_failed};

inline program::Fault fault_of(const ResultCode& code, std::string reason) {
  return {.reason = std::move(reason),
          .sqlstate = std::string(code.name),
          .at = {},
          .number = code.number,
          .condition = std::string(code.condition)};
}

}  // namespace isomer::database::sqlite
