// SPDX-License-Identifier: MIT
// A level with each quantifier over keys moved to where its key is used.
#pragma once

#include "level/level.h"

namespace isomer::level {

// Equal to `level` on every execution, and often much shorter as a circuit.
Level miniscoped(const Level& level);

}  // namespace isomer::level
