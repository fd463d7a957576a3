// SPDX-License-Identifier: MIT
// A level for executions whose total orders are known to be orders: shorter to encode.
#pragma once

#include "level/level.h"

namespace isomer::level {

// Equal to `level` on every execution of the shape that its witnesses have.
Level ordered(const Level& level);

}  // namespace isomer::level
