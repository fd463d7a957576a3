// SPDX-License-Identifier: MIT
// The front door of this folder: programs for programs, as `isomer show --json` prints
// them.  What other reports say of programs is in text.h.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "program/ir.h"

namespace isomer::report {

// docs/schema/show.schema.json describes it.  Statements are lines of text.
std::string program_json(const program::Program& program, const Diagnostics& errors);

}  // namespace isomer::report
