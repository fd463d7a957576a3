// SPDX-License-Identifier: MIT
// The text of a file that a person wrote, so of a bounded size.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace isomer {

// Refuses what is no regular file, and more than `size_max` bytes as "too large for
// `what`".
Expected<std::string> read_text_file(const std::string& path, std::size_t size_max,
                                     std::string_view what);

}  // namespace isomer
