// SPDX-License-Identifier: MIT
// An engine that says something else with a limit than without is caught, wherever that is.
#include "differential/limited.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isomer::differential {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t seeds = 20;

// Looks a hundred times; says `early` if it is stopped.
Decide engine(const std::string& early) {
  return [early](const Budget& budget) -> Verdicts {
    for (int i = 0; i < 100; ++i)
      if (budget.is_exhausted()) return {{"SI", early}};
    return {{"SI", "forbids"}};
  };
}

TEST(Limits, unknown_is_no_contradiction) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    EXPECT_THAT(struck(engine(unknown_verdict), seed), IsEmpty());
}

TEST(Limits, another_verdict_is_one) {
  std::string found;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    found += struck(engine("allows"), seed);
  EXPECT_THAT(found, HasSubstr("SI: allows, but without a limit: forbids"));
}

TEST(Limits, a_budget_that_is_looked_at_in_vain_is_noticed) {
  std::string found;
  for (std::uint64_t seed = 0; seed < seeds; ++seed)
    found += struck(
        [](const Budget& budget) -> Verdicts {
          for (int i = 0; i < 100'000; ++i)
            if (budget.is_exhausted()) continue;
          return {};
        },
        seed);
  EXPECT_THAT(found, HasSubstr("went on for"));
}

TEST(Limits, what_is_not_known_without_a_limit_is_not_compared) {
  EXPECT_THAT(contradiction({{"SI", "unknown"}}, {{"SI", "allows"}}, ""), IsEmpty());
  EXPECT_THAT(contradiction({}, {{"SI", "allows"}}, ""), IsEmpty());
  EXPECT_THAT(contradiction({{"SI", "forbids"}}, {}, ""), IsEmpty());
  EXPECT_THAT(contradiction({{"SI", "forbids"}}, {{"SI", "allows"}}, "x"),
              HasSubstr("x: SI: allows"));
}

}  // namespace
}  // namespace isomer::differential
