// SPDX-License-Identifier: MIT
// Programs for programs: what `isomer show --json` prints.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "program/ir.h"

namespace isomer::report {

// docs/schema/show.schema.json describes it.  Statements are lines of text.
std::string program_json(const program::Program& program, const Diagnostics& errors);

}  // namespace isomer::report
