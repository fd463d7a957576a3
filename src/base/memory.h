// SPDX-License-Identifier: MIT
// How much memory this process has taken, and how much there is.  Linux only: all of it is
// read from /proc and /sys; what is not there is taken for unlimited.
#pragma once

#include <cstdint>

namespace isomer {

inline constexpr std::uint64_t bytes_per_mib = std::uint64_t{1} << 20U;

// What this process holds now, apart from mapped files, which the system can take back.
std::uint64_t memory_held_bytes();

// The most that this process ever held, mapped files included.
std::uint64_t memory_peak_bytes();

// What a new process may take: what is free or easily freed, and no more than the control
// groups of this process allow.
std::uint64_t memory_available_bytes();

}  // namespace isomer
