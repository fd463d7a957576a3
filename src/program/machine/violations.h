// SPDX-License-Identifier: MIT
// What PostgreSQL says of a violated constraint, with its default names.
#pragma once

#include <span>
#include <string>

#include "program/ir.h"

namespace isomer::program {

std::string null_violation(const Table& table, ColumnId column);      // 23502
std::string check_violation(const Table& table, const Check& check);  // 23514
std::string unique_violation(const Table& table,                      // 23505
                             std::span<const ColumnId> columns);
// 23503: no row that the key of the table refers to, or a row of `from` refers to the row.
std::string missing_reference(const Table& table, const ForeignKey& key);
std::string broken_reference(const Table& table, const Table& from, const ForeignKey& key);

}  // namespace isomer::program
