// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace isomer::report {

// The style of our pages, light or dark as the reader's system is.
std::string_view style_sheet();

}  // namespace isomer::report
