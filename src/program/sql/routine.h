// SPDX-License-Identifier: MIT
// CREATE FUNCTION and CREATE PROCEDURE.
#pragma once

#include "program/sql/call.h"

namespace isomer::program {

// One more routine, which waits to be lowered; complains if the name is taken.
void add_routine(Analysis& in, const SqlNode& node, Routines& routines);

}  // namespace isomer::program
