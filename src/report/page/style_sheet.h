// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace isomer::report {

// The style of our pages, light or dark as the reader's system is.
std::string style_sheet();

}  // namespace isomer::report
