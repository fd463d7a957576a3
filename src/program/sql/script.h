// SPDX-License-Identifier: MIT
// The front end of SQL applications: .sql files.
#pragma once

#include <string_view>

#include "program/ir.h"
#include "program/sql/text.h"

namespace isomer::program {

// Tables and transaction types; no sessions.
Expected<Program> parse_sql(std::string_view file, std::string_view text);

// The same, into a program whose source already holds the text at this place.
void add_sql(Program& program, Span at, Reporter& reporter);

}  // namespace isomer::program
