// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "level/language/syntax.h"

namespace isomer::level {

// Adds what the text program.sources[source] defines, and its complaints (at most
// errors_max in all) to `errors`.  Returns what the text includes, in order.
std::vector<Include> parse_source(Program& program, std::uint32_t source,
                                  Diagnostics& errors);

}  // namespace isomer::level
