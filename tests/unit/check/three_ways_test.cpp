// SPDX-License-Identifier: MIT
// What a random level text says of a random history, three ways: evaluated, encoded with
// everything constant, and searched for with everything open against all executions tried
// one by one.
#include <gtest/gtest.h>

#include "level/library.h"
#include "support/check/sample.h"
#include "support/check/three_ways.h"

namespace isomer::check {
namespace {

class ThreeWays : public testing::TestWithParam<Profile> {};

TEST_P(ThreeWays, agree_on_random_levels_and_histories) {
  int compared = 0;
  int allowed = 0;
  for (std::uint64_t seed = 0; compared < sample_size(800); ++seed) {
    ASSERT_LT(seed, 8000U);
    const std::string text =
        random_level_text(seed * 5 + static_cast<std::uint64_t>(GetParam()));
    const auto levels = level::parse_levels("random.level", text);
    ASSERT_TRUE(levels.has_value()) << text << render(levels.error());
    const Log log = random_log(GetParam(), seed, seed % 3 == 0 ? 3 : 2);
    Random random(seed);
    const ThreeWaysOutcome outcome = three_ways(history_of(log), levels->front(), random);
    ASSERT_EQ(outcome.fault, "") << "seed " << seed << "\n" << text << check::text(log);
    compared += outcome.exists ? 1 : 0;
    allowed += outcome.exists == std::optional(true) ? 1 : 0;
  }
  EXPECT_GT(allowed, compared / 8);
  EXPECT_LT(allowed, compared * 7 / 8);
}

INSTANTIATE_TEST_SUITE_P(Random, ThreeWays, testing::ValuesIn(all_profiles),
                         [](const auto& param) { return name(param.param); });

}  // namespace
}  // namespace isomer::check
