// SPDX-License-Identifier: MIT
// Two engines that share neither code nor method: on programs with concrete data, verify
// finds a violation at a level if and only if explore does.
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/load.h"
#include "support/effort.h"
#include "support/verify/against_explore.h"
#include "support/verify/random_application.h"

namespace isomer::verify {
namespace {

TEST(ExploreAgreement, random_applications) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("isomer-verify-{}", ::getpid());
  int compared = 0;
  int violated = 0;
  int refused = 0;
  const auto first = std::uint64_t{1};
  for (std::uint64_t seed = first; seed < first + effort(30U, 3U); ++seed) {
    const RandomApplication application = ApplicationMaker(seed).make();
    const auto program = program::load_program(written_application(application, folder));
    if (!program) {
      ++refused;
      continue;
    }
    const auto rows = compared_with_explore(*program, levels_to_compare(), 20);
    ASSERT_TRUE(rows) << seed << ": " << rows.error().front().message;
    for (const Compared& row : *rows) {
      if (row.explored == "unknown") continue;
      ++compared;
      violated += row.explored == "violated" ? 1 : 0;
      EXPECT_EQ(row.verified, row.explored)
          << "seed " << seed << " at " << row.level << "\n"
          << application.sql << application.scenario;
    }
    if (HasFailure()) break;
  }
  std::filesystem::remove_all(folder);
  // Most programs say something.
  EXPECT_GT(compared, effort(150, 10));
  EXPECT_GT(violated, compared / 10);
  EXPECT_LT(violated, compared * 9 / 10);
  EXPECT_LT(refused, effort(12, 3));
}

}  // namespace
}  // namespace isomer::verify
