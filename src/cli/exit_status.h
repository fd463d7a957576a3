// SPDX-License-Identifier: MIT
// The exit status, the same for all commands.
#pragma once

namespace isomer::cli {

inline constexpr int status_nothing_found = 0;  // decided: nothing bad found
inline constexpr int status_found = 1;          // decided: found
inline constexpr int status_bad_input = 2;      // bad usage or bad input
inline constexpr int status_undecided = 3;      // timeout, memory limit or interrupted
inline constexpr int status_internal_error = 70;

// Of several files: bad input outweighs a finding, which outweighs an undecided one.
int worst(int a, int b);

}  // namespace isomer::cli
