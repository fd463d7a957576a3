// SPDX-License-Identifier: MIT
// Which tables a program can look at and change, read off its text.
//
// One evaluation cannot say it: it skips what the values at hand do not need, such as the
// query behind an OR that is settled, or the inner query of a table that is empty so far.
// So every expression is visited here, at any depth and on any side, whether or not it can
// be reached.
#pragma once

#include <set>
#include <span>

#include "program/ir.h"

namespace isomer::verify {

struct TableAccesses {
  std::set<program::TableId> accessed;  // at all
  std::set<program::TableId> scanned;   // other than by a whole primary key
  std::set<program::TableId> written;
};

// Those of the transactions that are called, of the constraints that they check, and of the
// invariants.
TableAccesses table_accesses(const program::Program& program);

// Adds what the constraints of an initial state look at that is not known: rows of the
// accessed tables refer to others.
void add_referenced_tables(const program::Program& program, TableAccesses& accesses);

// Do the columns have all of the table's primary key?
bool covers_key(const program::Table& table, std::span<const program::ColumnId> columns);

}  // namespace isomer::verify
