// SPDX-License-Identifier: MIT
// The checkers against the oracle: every verdict, and every piece of evidence.
#pragma once

#include <string>

#include "support/check/sample.h"

namespace isomer::check {

// What is wrong with the answers, one line a level; empty if nothing is.
std::string faults(const Log& log, const AllowedLevels& is_allowed);

}  // namespace isomer::check
