// SPDX-License-Identifier: MIT
// CREATE FUNCTION and CREATE PROCEDURE.
#pragma once

#include "program/sql_analysis.h"

namespace isomer::program {

// Adds the transaction type to the program; complains of what is wrong.
void analyze_create_routine(Analysis& in, const SqlNode& node, Program& program);

}  // namespace isomer::program
