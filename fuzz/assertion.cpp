// SPDX-License-Identifier: MIT
// In place of base/assert.cpp, so that libFuzzer keeps the input.
#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace isomer {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, expression);
  std::abort();
}

}  // namespace isomer
