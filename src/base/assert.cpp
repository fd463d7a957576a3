// SPDX-License-Identifier: MIT
#include "base/assert.h"

#include <cstdlib>

#include <fmt/core.h>

namespace isomer {

void contradiction(std::string_view what) {
  fmt::print(stderr, "isomer: internal error: {}\n", what);
  // 70 is our documented exit status of an internal error; abort() would hide it.
  std::_Exit(70);
}

void assertion_failed(const char* expression, const char* file, int line) {
  contradiction(fmt::format("{}:{}: assertion failed: {}", file, line, expression));
}

}  // namespace isomer
