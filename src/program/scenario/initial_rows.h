// SPDX-License-Identifier: MIT
// The initial rows of a scenario: its INSERT statements, run once on empty tables.
#pragma once

#include "program/ir.h"
#include "program/sql/text.h"

namespace isomer::program {

// Adds the rows that the SQL at this place of the source inserts; complains of what is not
// an INSERT, and of rows that a constraint forbids.
void add_initial_rows(Program& program, Span at, Reporter& reporter);

}  // namespace isomer::program
