// SPDX-License-Identifier: MIT
// Copies of statements that speak of other variables, for the bodies of called routines.
#pragma once

#include <vector>

#include "program/ir.h"

namespace isomer::program {

// Variable i becomes renamed[i]; expressions that share parts still do.
Block with_variables(const Block& block, const std::vector<VariableId>& renamed);

// Statements in the block, with those inside others.
std::size_t statement_count(const Block& block);

}  // namespace isomer::program
