// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace isomer {

// The known word that a person most likely meant, by edit distance without regard to case;
// absent if none is near.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& known);

}  // namespace isomer
