// SPDX-License-Identifier: MIT
#include "program/machine/violations.h"

#include <algorithm>

#include <fmt/format.h>

namespace isomer::program {
namespace {

std::string column_names(const Table& table, std::span<const ColumnId> columns) {
  std::string out;
  for (const ColumnId column : columns)
    out += fmt::format("_{}", table.columns[column.index].name);
  return out;
}

std::string constraint_name(const Table& table, const ForeignKey& key) {
  return fmt::format("{}{}_fkey", table.name, column_names(table, key.columns));
}

bool is_primary_key(const Table& table, std::span<const ColumnId> columns) {
  return std::is_permutation(columns.begin(), columns.end(), table.primary_key.begin(),
                             table.primary_key.end());
}

}  // namespace

std::string null_violation(const Table& table, ColumnId column) {
  return fmt::format(
      "null value in column \"{}\" of relation \"{}\" violates not-null constraint",
      table.columns[column.index].name, table.name);
}

std::string check_violation(const Table& table, const Check& check) {
  return fmt::format("new row for relation \"{}\" violates check constraint \"{}\"",
                     table.name, check.name);
}

std::string unique_violation(const Table& table, std::span<const ColumnId> columns) {
  const std::string name =
      is_primary_key(table, columns)
          ? fmt::format("{}_pkey", table.name)
          : fmt::format("{}{}_key", table.name, column_names(table, columns));
  return fmt::format("duplicate key value violates unique constraint \"{}\"", name);
}

std::string missing_reference(const Table& table, const ForeignKey& key) {
  return fmt::format(
      "insert or update on table \"{}\" violates foreign key constraint \"{}\"", table.name,
      constraint_name(table, key));
}

std::string broken_reference(const Table& table, const Table& from, const ForeignKey& key) {
  return fmt::format(
      "update or delete on table \"{}\" violates foreign key constraint \"{}\" on table "
      "\"{}\"",
      table.name, constraint_name(from, key), from.name);
}

}  // namespace isomer::program
