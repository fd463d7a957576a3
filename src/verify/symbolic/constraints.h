// SPDX-License-Identifier: MIT
// NOT NULL, CHECK, UNIQUE and FOREIGN KEY, as program/machine/constraints.cpp has them: the
// same rows are read, and what the statement is about to write is seen.
#pragma once

#include "verify/symbolic/statement_run.h"

namespace isomer::verify {

// CHECK, and NOT NULL of the columns that are new.
void check_row(StatementRun& run, TableId id, const Row& row,
               std::span<const ColumnId> columns, Term when);
// The rows of the table in which these columns have these values; what the statement
// writes is seen.
std::vector<Row> rows_with(StatementRun& run, TableId id, std::span<const ColumnId> columns,
                           std::span<const Cell> values, Term when);
// Foreign keys that leave the new row, and that pointed to the old one.  Either may be
// absent.
void check_references(StatementRun& run, TableId id, const Row& before, const Row& after,
                      Term when);

}  // namespace isomer::verify
