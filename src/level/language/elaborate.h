// SPDX-License-Identifier: MIT
#pragma once

#include "level/language/syntax.h"
#include "level/level.h"

namespace isomer::level {

// The level that a block of the program defines, with names and lets gone and every sort
// checked.  The names must have been checked.  Complaints go to `errors`, each once.
Level elaborate_level(const Program& program, const Block& level, Diagnostics& errors);

// The framework alone: a level without axioms of its own.
Level elaborate_framework(const Program& program, const Block& framework,
                          Diagnostics& errors);

}  // namespace isomer::level
