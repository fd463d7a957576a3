// SPDX-License-Identifier: MIT
// What was wrong with the input, for programs.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace isomer::report {

std::string errors_json(const Diagnostics& errors);

}  // namespace isomer::report
