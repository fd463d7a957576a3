// SPDX-License-Identifier: MIT
#include "database/innodb/indexes.h"

#include <algorithm>

#include "base/assert.h"
#include "program/machine/columns.h"
#include "program/machine/constraints.h"
#include "program/machine/keys.h"

namespace isomer::database::innodb {
namespace {

bool serves(const Index& index, std::span<const ColumnId> columns) {
  return index.columns.size() >= columns.size() &&
         std::equal(columns.begin(), columns.end(), index.columns.begin());
}

Indexes indexes_of_table(const program::Table& table) {
  Indexes out;
  for (const auto columns : program::unique_constraints(table))
    out.push_back(
        {.columns = {columns.begin(), columns.end()},
         .is_unique = true,
         .is_not_null = std::all_of(columns.begin(), columns.end(), [&](ColumnId column) {
           return table.columns[column.index].is_not_null;
         })});
  out[clustered].is_not_null = true;
  // MariaDB puts those first that cannot be NULL.
  std::stable_partition(out.begin() + 1, out.end(),
                        [](const Index& index) { return index.is_not_null; });
  for (const auto& columns : table.indexes)
    out.push_back({.columns = columns});
  for (const program::ForeignKey& key : table.foreign_keys) {
    const auto has_it = [&](const Index& index) { return serves(index, key.columns); };
    if (std::none_of(out.begin(), out.end(), has_it))
      out.push_back({.columns = key.columns});
  }
  return out;
}

}  // namespace

std::vector<Indexes> indexes_of(const program::Program& program) {
  std::vector<Indexes> out;
  for (const program::Table& table : program.tables)
    out.push_back(indexes_of_table(table));
  return out;
}

Key entry_of(const program::Table& table, const Indexes& indexes, IndexNumber index,
             const Value& row) {
  Key out = program::picked(row.items(), indexes[index].columns);
  if (index == clustered) return out;
  const Key primary = program::primary_key_of(table, row.items());
  out.insert(out.end(), primary.begin(), primary.end());
  return out;
}

IndexNumber index_with(const Indexes& indexes, std::span<const ColumnId> columns) {
  const auto found = std::find_if(indexes.begin(), indexes.end(), [&](const Index& index) {
    return serves(index, columns);
  });
  ISOMER_ASSERT(found != indexes.end());
  return static_cast<IndexNumber>(found - indexes.begin());
}

bool has_null(std::span<const Value> values) {
  return std::any_of(values.begin(), values.end(),
                     [](const Value& value) { return value.is_null(); });
}

bool begins_with(const Key& key, std::span<const Value> values) {
  return key.size() >= values.size() &&
         std::equal(values.begin(), values.end(), key.begin());
}

}  // namespace isomer::database::innodb
