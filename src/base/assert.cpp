// SPDX-License-Identifier: MIT
#include "base/assert.h"

#include <cstdlib>

#include <fmt/core.h>

namespace isomer {

void assertion_failed(const char* expression, const char* file, int line) {
  fmt::print(stderr, "isomer: internal error: {}:{}: assertion failed: {}\n", file, line,
             expression);
  // 70 is our documented exit status of an internal error; abort() would hide it.
  std::_Exit(70);
}

}  // namespace isomer
