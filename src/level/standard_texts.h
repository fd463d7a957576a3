// SPDX-License-Identifier: MIT
// The files under levels/, built into the binary.
#pragma once

#include <span>
#include <string_view>

namespace isomer::level {

struct StandardText {
  std::string_view file;
  std::string_view text;
};

std::span<const StandardText> standard_texts();

}  // namespace isomer::level
