// SPDX-License-Identifier: MIT
// The types of the columns that a statement returns, for servers that do not tell them.
#pragma once

#include <vector>

#include "program/machine/machine.h"

namespace isomer::server {

inline std::vector<program::Type> types_of(
    const std::vector<program::ExpressionPtr>& columns) {
  std::vector<program::Type> out;
  for (const auto& column : columns)
    out.push_back(column->type);
  return out;
}

inline std::vector<program::Type> types_of(const program::AsksServer& what) {
  if (what.expression != nullptr) return {what.expression->type};
  if (what.statement == nullptr) return {};
  const program::Statement& statement = *what.statement;
  if (statement.query) return types_of(statement.query->columns);
  if (statement.insert) return types_of(statement.insert->returning);
  if (statement.update) return types_of(statement.update->returning);
  if (statement.erase) return types_of(statement.erase->returning);
  return {};
}

inline std::vector<program::Type> types_of(const program::Table& table) {
  std::vector<program::Type> out;
  for (const program::Column& column : table.columns)
    out.push_back(column.type);
  return out;
}

}  // namespace isomer::server
