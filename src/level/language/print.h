// SPDX-License-Identifier: MIT
// Terms in the notation of level texts, for people.
#pragma once

#include <string>

#include "level/level.h"

namespace isomer::level {

// A set, a relation, an element, or an atomic formula over them.
std::string text_of(const Level& level, TermId id);

}  // namespace isomer::level
