// SPDX-License-Identifier: MIT
// How much a test tries.  Under the sanitizers everything takes ten to thirty times as
// long, and what they look for shows in fewer cases.
#pragma once

namespace isomer {

#if defined(ISOMER_DEBUG_CHECKS) || !defined(NDEBUG)
inline constexpr bool is_slow_build = true;
#else
inline constexpr bool is_slow_build = false;
#endif

template <class Count>
constexpr Count effort(Count full, Count slow_build) {
  return is_slow_build ? slow_build : full;
}

}  // namespace isomer
