// SPDX-License-Identifier: MIT
#include "base/random.h"

#include <array>

#include <gtest/gtest.h>

namespace isomer {
namespace {

// The published test vector of SplitMix64.
TEST(Random, is_split_mix_64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
  EXPECT_EQ(random.next(), 9817491932198370423ULL);
  EXPECT_EQ(random.next(), 4593380528125082431ULL);
  EXPECT_EQ(random.next(), 16408922859458223821ULL);
}

TEST(Random, the_same_seed_gives_the_same_numbers) {
  Random left(7);
  Random right(7);
  Random other(8);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t number = left.next();
    EXPECT_EQ(number, right.next());
    differs |= number != other.next();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, below_stays_below_and_is_even) {
  Random random(1);
  std::array<int, 10> counts{};
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t number = random.below(10);
    ASSERT_LT(number, 10U);
    ++counts[number];
  }
  for (const int count : counts) {
    EXPECT_GT(count, 850);
    EXPECT_LT(count, 1150);
  }
  EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, unit_is_in_the_half_open_interval) {
  Random random(2);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double number = random.unit();
    ASSERT_GE(number, 0.0);
    ASSERT_LT(number, 1.0);
    sum += number;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

TEST(Random, chance_is_the_share_of_true) {
  Random random(3);
  int hits = 0;
  for (int i = 0; i < 10'000; ++i) {
    EXPECT_FALSE(random.chance(0.0));
    EXPECT_TRUE(random.chance(1.0));
    hits += random.chance(0.25);
  }
  EXPECT_NEAR(hits, 2500, 200);
}

}  // namespace
}  // namespace isomer
