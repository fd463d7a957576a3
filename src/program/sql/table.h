// SPDX-License-Identifier: MIT
// CREATE TABLE and CREATE INDEX.
#pragma once

#include "program/sql/analysis.h"

namespace isomer::program {

// Adds the table to the program (which `in` reads); complains of what is wrong.
void analyze_create_table(Analysis& in, const SqlNode& node, Program& program);

// A unique index is a unique constraint; others change nothing that a program can see.
void analyze_create_index(Analysis& in, const SqlNode& node, Program& program);

}  // namespace isomer::program
