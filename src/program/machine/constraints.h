// SPDX-License-Identifier: MIT
// NOT NULL, CHECK, UNIQUE and FOREIGN KEY, and what PostgreSQL says of their violation,
// with its default names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "program/ir.h"

namespace isomer::program {

struct Context;
struct StatementExecution;

// CHECK, and NOT NULL of the columns that are new.
void check_row(StatementExecution& execution, TableId table, std::span<const Value> row,
               std::span<const ColumnId> columns);
// The rows of the table in which these columns have these values; none if one of them is
// Null.  What the statement writes is seen.
std::vector<Value> rows_with(StatementExecution& execution, TableId table,
                             std::span<const ColumnId> columns,
                             std::span<const Value> values);
// What a row has in the index, by which rows are in each other's way; nothing if the row is
// not in it, or one of its values is Null.
std::optional<std::vector<Value>> index_key(const IndexConstraint& index, const Value& row,
                                            Context& context);
// Are rows that have these in the index in each other's way?
bool are_in_the_way(const IndexConstraint& index, const std::vector<Value>& a,
                    const std::vector<Value>& b);
// The rows that are in the way of one that has this in the index.  What the statement
// writes is seen.
std::vector<Value> rows_in_index(StatementExecution& execution, TableId table,
                                 const IndexConstraint& index,
                                 const std::vector<Value>& key);
// Foreign keys that leave the new row, and that pointed to the old one.  Either may be
// Null.
void check_references(StatementExecution& execution, TableId table, const Value& before,
                      const Value& after);
// Fails with a violation of the unique constraint on these columns.
void fail_unique(StatementExecution& execution, TableId table,
                 std::span<const ColumnId> columns);
std::vector<Value> picked(std::span<const Value> row, std::span<const ColumnId> columns);

// --- messages ---

std::string null_violation(const Table& table, ColumnId column);      // 23502
std::string check_violation(const Table& table, const Check& check);  // 23514
std::string unique_violation(const Table& table,                      // 23505
                             std::span<const ColumnId> columns);
std::string index_violation(const IndexConstraint& index);  // 23505, 23P01
std::string_view sqlstate_of_violation(const IndexConstraint& index);
// 23503: no row that the key of the table refers to, or a row of `from` refers to the row.
std::string missing_reference(const Table& table, const ForeignKey& key);
std::string broken_reference(const Table& table, const Table& from, const ForeignKey& key);

}  // namespace isomer::program
