// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "report/picture/palette.h"

namespace isomer::report {

// Text in colours for a terminal, or as it is.
class Ink {
 public:
  explicit Ink(bool colour) : colour_(colour) {}

  [[nodiscard]] std::string bold(std::string_view text) const { return in("1", text); }

  [[nodiscard]] std::string dim(std::string_view text) const { return in("2", text); }

  [[nodiscard]] std::string good(std::string_view text) const { return in("32", text); }

  [[nodiscard]] std::string bad(std::string_view text) const { return in("1;31", text); }

  [[nodiscard]] std::string doubtful(std::string_view text) const { return in("33", text); }

  [[nodiscard]] std::string shade(const Shade& shade, std::string_view text) const {
    return in(shade.terminal, text);
  }

 private:
  [[nodiscard]] std::string in(std::string_view code, std::string_view text) const {
    return colour_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }

  bool colour_;
};

}  // namespace isomer::report
