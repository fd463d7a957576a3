// SPDX-License-Identifier: MIT
// --level, as every command understands it.
#pragma once

#include <string>
#include <vector>

#include "check/level.h"
#include "cli/arguments.h"

namespace isomer::cli {

// The levels asked for, weakest first and each once; all of them if none is named.
std::vector<check::Level> levels_in(const Arguments& arguments, OptionReader& reader);

// "mine.level" or "mine.level:MyLevel".
bool names_level_file(const std::string& word);

}  // namespace isomer::cli
