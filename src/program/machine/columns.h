// SPDX-License-Identifier: MIT
// Which columns a table's constraints and the changes of its rows are about, and which a
// statement reads.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "program/ir.h"

namespace isomer::program {

class View;

std::vector<ColumnId> all_columns(const Table& table);

// The columns of the primary key, then those of each unique constraint.
std::vector<std::span<const ColumnId>> unique_constraints(const Table& table);

// In the order of the table.
std::vector<ColumnId> changed_columns(const std::vector<Assignment>& assignments);

// Where the value of the column stands in a row of the statement; absent: it is the
// default.
std::optional<std::size_t> value_index(const Insert& statement, ColumnId column);

// Does ON CONFLICT say what to do if a row has the same values in these columns?
bool is_arbiter(const Insert& statement, std::span<const ColumnId> columns);
// Or is in its way by this index constraint of the table?
bool is_arbiter_index(const Insert& statement, std::uint32_t index);

// With Granularity::Field: the columns that a statement reads of each table.  It reads
// those that it mentions; the columns of constraints that it may have to check count as
// mentioned. An UPDATE does not read what it only assigns, unless it moves the row to
// another key.
void need_columns(View& view, const Expression& expression);
void need_columns(View& view, const Select& query);
void need_columns(View& view, const Insert& statement);
void need_columns(View& view, const Update& statement);
void need_columns(View& view, const Delete& statement);

}  // namespace isomer::program
