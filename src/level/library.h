// SPDX-License-Identifier: MIT
// Where levels come from: the standard library (the texts under levels/, built into the
// binary) and users' files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "level/level.h"

namespace isomer::level {

// Every level of the standard library, by framework and from weak to strong, as `isomer
// levels` lists them.  Read once.
std::span<const Level> standard_levels();

// "SI", "cerone:SI", without regard to case.  A bare name means the biswas definition where
// there is one, else the cerone one, else the first of that name.  Null if there is none.
const Level* standard_level(std::string_view name);

// The levels that a text defines, in order.  `file` names it in diagnostics, and `include`
// looks beside it.  The frameworks, levels and lets of the standard library are in scope.
Expected<std::vector<Level>> parse_levels(std::string_view file, std::string_view text);

// What a person may write after --level: "SI", "cerone:SI", "mine.level" (all levels that
// the file defines), "mine.level:MyLevel".  The diagnostic of an unknown name suggests near
// ones.
Expected<std::vector<Level>> levels_named(std::string_view name);

}  // namespace isomer::level
