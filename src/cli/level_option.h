// SPDX-License-Identifier: MIT
// --level, as every command understands it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/asked_level.h"
#include "cli/arguments.h"

namespace isomer::cli {

// The levels asked for, each once: the built-in ones first, weakest first, then the others
// as they were named.  The built-in ones if none is named.
std::vector<check::AskedLevel> levels_in(const Arguments& arguments, OptionReader& reader);

// The one level asked for; absent if none is.
std::optional<check::AskedLevel> level_in(const Arguments& arguments, OptionReader& reader);

}  // namespace isomer::cli
