// SPDX-License-Identifier: MIT
// The programs of the paper's evaluation: as many histories as somebody else counted.
#include <gtest/gtest.h>

#include "explore/explore.h"
#include "litmus_corpus.h"
#include "support/effort.h"

namespace isomer::explore {
namespace {

class KnownCountsTest : public testing::TestWithParam<KnownCounts> {};

// Those that a test has time for.
constexpr std::uint64_t count_max = effort(5'000'000U, 500U);
constexpr std::uint64_t paths_max = effort(100'000U, 100U);

TEST_P(KnownCountsTest, are_those_of_explore) {
  const program::Program program = litmus(GetParam().program);
  for (const auto& [column, count] : GetParam().counts) {
    const auto level = check::level_named(column);
    if (!level || count > count_max || GetParam().counts.at("cc") > count_max) continue;
    Options options;
    options.level = *level;
    options.jobs = 2;
    EXPECT_EQ(explore(program, options).histories, count) << column;
  }
}

TEST_P(KnownCountsTest, are_those_of_paths_without_reduction) {
  const std::uint64_t paths = GetParam().counts.at("dfs_paths_cc");
  if (paths > paths_max) GTEST_SKIP() << "too many paths";
  const program::Program program = litmus(GetParam().program);
  Options options;
  options.algorithm = Algorithm::Dfs;
  const Result result = explore(program, options);
  EXPECT_EQ(result.end_states, paths);
  EXPECT_EQ(result.histories, GetParam().counts.at("cc"));
}

INSTANTIATE_TEST_SUITE_P(Corpus, KnownCountsTest, testing::ValuesIn(known_counts()),
                         [](const auto& known) {
                           std::string name = known.param.program;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace isomer::explore
