// SPDX-License-Identifier: MIT
#include "base/memory.h"

#include <string>

#include <gtest/gtest.h>

namespace isomer {
namespace {

TEST(Memory, what_is_taken_is_seen) {
  const std::uint64_t before = memory_held_bytes();
  const std::string large(64 * bytes_per_mib, 'x');
  EXPECT_GE(memory_held_bytes(), before + 60 * bytes_per_mib) << large.back();
  EXPECT_GE(memory_peak_bytes(), 64 * bytes_per_mib);
}

TEST(Memory, there_is_some_and_not_without_end) {
  EXPECT_GT(memory_available_bytes(), 16 * bytes_per_mib);
  EXPECT_LT(memory_available_bytes(), std::uint64_t{1} << 50U);
}

}  // namespace
}  // namespace isomer
