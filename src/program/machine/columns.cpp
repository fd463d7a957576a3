// SPDX-License-Identifier: MIT
#include "program/machine/columns.h"

#include <algorithm>

namespace isomer::program {

std::vector<ColumnId> all_columns(const Table& table) {
  std::vector<ColumnId> out;
  for (std::uint32_t i = 0; i < table.columns.size(); ++i)
    out.push_back({i});
  return out;
}

std::vector<std::span<const ColumnId>> unique_constraints(const Table& table) {
  std::vector<std::span<const ColumnId>> out{table.primary_key};
  for (const auto& columns : table.unique)
    out.emplace_back(columns);
  return out;
}

std::vector<ColumnId> changed_columns(const std::vector<Assignment>& assignments) {
  std::vector<ColumnId> out;
  for (const Assignment& assignment : assignments)
    out.push_back(assignment.column);
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<std::size_t> value_index(const Insert& statement, ColumnId column) {
  const std::vector<ColumnId>& columns = statement.columns;
  const auto named = std::find(columns.begin(), columns.end(), column);
  if (named == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(named - columns.begin());
}

bool is_arbiter(const Insert& statement, std::span<const ColumnId> columns) {
  if (statement.on_conflict == Insert::OnConflict::Fail) return false;
  return statement.conflict_columns.empty() ||
         std::is_permutation(columns.begin(), columns.end(),
                             statement.conflict_columns.begin(),
                             statement.conflict_columns.end());
}

}  // namespace isomer::program
