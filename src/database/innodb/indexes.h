// SPDX-License-Identifier: MIT
// The indexes of a table as InnoDB has them.  The rows themselves are the entries of the
// clustered index, in the order of the primary key.  An entry of a secondary index is the
// values of its columns, and behind them the primary key of the row.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "program/ir.h"

namespace isomer::database::innodb {

using program::ColumnId;
using program::TableId;
using program::Value;

// An entry's place in its index.
using Key = std::vector<Value>;
// Of its table.
using IndexNumber = std::uint32_t;

constexpr IndexNumber clustered = 0;

struct Index {
  std::vector<ColumnId> columns;
  bool is_unique = false;
  bool is_not_null = false;
};

using Indexes = std::vector<Index>;

// The clustered one first, then unique ones, then those that foreign keys need and no other
// index serves.
std::vector<Indexes> indexes_of(const program::Program& program);

// Where the row stands in that index.
Key entry_of(const program::Table& table, const Indexes& indexes, IndexNumber index,
             const Value& row);

// The first index that begins with these columns.
IndexNumber index_with(const Indexes& indexes, std::span<const ColumnId> columns);

bool has_null(std::span<const Value> values);
bool begins_with(const Key& key, std::span<const Value> values);

}  // namespace isomer::database::innodb
