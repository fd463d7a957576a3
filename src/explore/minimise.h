// SPDX-License-Identifier: MIT
// A failure with fewest transactions: calls that it does not need are left out of the
// program, and the rest is explored again.
#pragma once

#include "explore/exploration.h"

namespace isomer::explore {

// A failure of the same kind and name (and unserializable, if this one is) of the program
// with as few calls as possible; this one, if none can be left out.
Failure minimised(const Program& program, const Options& options, Failure failure);

}  // namespace isomer::explore
