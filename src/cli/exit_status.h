// SPDX-License-Identifier: MIT
// The exit status, the same for all commands.
#pragma once

#include <algorithm>
#include <array>

namespace isomer::cli {

inline constexpr int status_nothing_found = 0;  // decided: nothing bad found
inline constexpr int status_found = 1;          // decided: found
inline constexpr int status_bad_input = 2;      // bad usage or bad input
inline constexpr int status_undecided = 3;      // timeout, memory limit or interrupted
inline constexpr int status_internal_error = 70;

// Of several files: bad input outweighs a finding, which outweighs an undecided one.
inline int worst(int a, int b) {
  constexpr std::array by_weight = {status_nothing_found, status_undecided, status_found,
                                    status_bad_input, status_internal_error};
  const auto weight = [&](int status) {
    return std::find(by_weight.begin(), by_weight.end(), status);
  };
  return weight(a) < weight(b) ? b : a;
}

}  // namespace isomer::cli
