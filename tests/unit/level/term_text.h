// SPDX-License-Identifier: MIT
// Terms in brackets, so that a test sees how a text was understood: "(| so (wr v0))".
#pragma once

#include <string>

#include "level/level.h"

namespace isomer::level {

std::string term_text(const Level& level, TermId id);

}  // namespace isomer::level
