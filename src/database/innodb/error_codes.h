// SPDX-License-Identifier: MIT
// MariaDB's errors, by number, with the SQLSTATE that it sends along.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "program/machine/evaluate.h"

namespace isomer::database::innodb {

struct ErrorCode {
  std::uint32_t number;
  std::string_view sqlstate;
  std::string_view condition;  // PostgreSQL's SQLSTATE, by which handlers and retries go
};

inline constexpr ErrorCode record_changed{1020, "HY000", "40001"};
inline constexpr ErrorCode not_null_failed{1048, "23000", "23502"};
inline constexpr ErrorCode duplicate_key{1062, "23000", "23505"};
inline constexpr ErrorCode lock_wait_timeout{1205, "HY000", "55P03"};
inline constexpr ErrorCode deadlock{1213, "40001", "40P01"};
inline constexpr ErrorCode several_rows{1242, "21000", "21000"};
inline constexpr ErrorCode out_of_range{1264, "22003", "22003"};
inline constexpr ErrorCode division_by_zero{1365, "22012", "22012"};
inline constexpr ErrorCode no_savepoint{1305, "42000", "3B001"};
inline constexpr ErrorCode too_long{1406, "22001", "22001"};
inline constexpr ErrorCode has_children{1451, "23000", "23503"};
inline constexpr ErrorCode no_parent{1452, "23000", "23503"};
inline constexpr ErrorCode number_out_of_range{1690, "22003", "22003"};
inline constexpr ErrorCode read_only{1792, "25006", "25006"};
inline constexpr ErrorCode check_failed{4025, "23000", "23514"};

inline constexpr std::array error_codes{
    record_changed, not_null_failed, duplicate_key,       lock_wait_timeout, deadlock,
    several_rows,   out_of_range,    division_by_zero,    too_long,          has_children,
    no_parent,      read_only,       number_out_of_range, check_failed,      no_savepoint};

inline program::Fault fault_of(const ErrorCode& code, std::string reason) {
  return {.reason = std::move(reason),
          .sqlstate = std::string(code.sqlstate),
          .at = {},
          .number = code.number,
          .condition = std::string(code.condition)};
}

}  // namespace isomer::database::innodb
