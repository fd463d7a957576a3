// SPDX-License-Identifier: MIT
// Assertions for our own mistakes.  Neither kind is reachable from input.
#pragma once

#include <string_view>

namespace isomer {

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

// Two of our own engines say different things of the same question, `what`: prints
// "isomer: internal error: `what`" and ends the program with status 70, because whatever we
// printed of it could be wrong.
[[noreturn]] void contradiction(std::string_view what);

}  // namespace isomer

// Always on: cheap facts, one per line.
#define ISOMER_ASSERT(expression) \
  ((expression) ? void(0) : ::isomer::assertion_failed(#expression, __FILE__, __LINE__))

// For the end of a switch that returns from every case.
#define ISOMER_UNREACHABLE() \
  ::isomer::assertion_failed("this place is never reached", __FILE__, __LINE__)

// On in debug and sanitizer builds: costly facts.
#if defined(ISOMER_DEBUG_CHECKS) || !defined(NDEBUG)
#define ISOMER_DEBUG_ASSERT(expression) ISOMER_ASSERT(expression)
#else
#define ISOMER_DEBUG_ASSERT(expression) void(0)
#endif
