// SPDX-License-Identifier: MIT
// How much a test tries.  Under the sanitizers everything takes ten to thirty times as
// long, and what they look for shows in fewer cases.  `make test-long` tries more than
// `make test`, whose cases are the first of those.
#pragma once

#include <cstdlib>

namespace isomer {

#if defined(ISOMER_DEBUG_CHECKS) || !defined(NDEBUG)
inline constexpr bool is_slow_build = true;
#else
inline constexpr bool is_slow_build = false;
#endif

// For what must be known when it is compiled, and what `make test` has time for in full.
template <class Count>
constexpr Count effort(Count full, Count slow_build) {
  return is_slow_build ? slow_build : full;
}

template <class Count>
Count effort(Count long_run, Count full, Count slow_build) {
  static const bool is_long_run = std::getenv("ISOMER_TEST_LONG") != nullptr;
  return is_long_run ? long_run : effort(full, slow_build);
}

}  // namespace isomer
