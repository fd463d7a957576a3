// SPDX-License-Identifier: MIT
#include "level/known_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "level/library.h"

namespace isomer::level {
namespace {

TEST(KnownOrder, names_only_standard_levels_and_all_of_them) {
  for (const Implication& row : known_implications()) {
    ASSERT_NE(standard_level(row.level), nullptr) << row.level;
    EXPECT_EQ(standard_level(row.level)->qualified_name(), row.level);
    ASSERT_NE(standard_level(row.implied), nullptr) << row.implied;
    EXPECT_EQ(standard_level(row.implied)->qualified_name(), row.implied);
  }
  for (const Level& level : standard_levels()) {
    const Relatives relatives = relatives_of(level.qualified_name());
    EXPECT_FALSE(relatives.equivalent.empty() && relatives.implied.empty() &&
                 relatives.implied_by.empty())
        << level.qualified_name();
  }
}

TEST(KnownOrder, has_serializability_at_the_top) {
  for (const Level& level : standard_levels())
    EXPECT_TRUE(is_known_to_imply("biswas:SER", level.qualified_name()))
        << level.qualified_name();
}

// The separations that everybody knows must not follow from the claims.
TEST(KnownOrder, claims_nothing_that_is_known_to_be_false) {
  EXPECT_FALSE(is_known_to_imply("biswas:SI", "biswas:SER"));
  EXPECT_FALSE(is_known_to_imply("biswas:PC", "cerone:PSI"));
  EXPECT_FALSE(is_known_to_imply("cerone:PSI", "biswas:PC"));
  EXPECT_FALSE(is_known_to_imply("cerone:UA", "biswas:CC"));
  EXPECT_FALSE(is_known_to_imply("biswas:CC", "cerone:UA"));
  EXPECT_FALSE(is_known_to_imply("biswas:RC", "biswas:RA"));
  EXPECT_FALSE(is_known_to_imply("plume:RA", "biswas:RA"));
  EXPECT_FALSE(is_known_to_imply("plume:RC", "biswas:RC"));
  EXPECT_FALSE(is_known_to_imply("adya:PL-3", "adya:SS-PL-2"));
  EXPECT_FALSE(is_known_to_imply("crooks:SI", "biswas:SI"));
  EXPECT_FALSE(is_known_to_imply("adya:PL-1", "adya:PL-2"));
}

TEST(KnownOrder, closes_over_chains) {
  const Relatives relatives = relatives_of("crooks:SI");
  EXPECT_THAT(relatives.equivalent, testing::ElementsAre("adya:PL-SI"));
  EXPECT_THAT(relatives.implied,
              testing::ElementsAre("adya:PL-1", "adya:PL-2", "adya:PL-2+", "crooks:RC",
                                   "crooks:RA", "crooks:PSI"));
}

}  // namespace
}  // namespace isomer::level
