// SPDX-License-Identifier: MIT
// The programs of the paper's evaluation: as many histories as somebody else counted.
#include <algorithm>
#include <atomic>
#include <new>

#include <gtest/gtest.h>

#include "litmus_corpus.h"
#include "support/effort.h"
#include "support/explore/explored.h"

namespace isomer::explore {
namespace {

class KnownCountsTest : public testing::TestWithParam<KnownCounts> {};

// Those that a test has time for.
constexpr std::uint64_t count_max = effort(5'000'000U, 500U);
constexpr std::uint64_t shown_max = effort(3'000U, 100U);
constexpr std::uint64_t paths_max = effort(100'000U, 100U);

// The levels of the columns, with their numbers up to a maximum; a level that is filtered
// from another takes as long as that.
std::map<check::Level, std::uint64_t> known_levels(const KnownCounts& known,
                                                   std::uint64_t maximum) {
  std::map<check::Level, std::uint64_t> out;
  for (const auto& [column, count] : known.counts)
    if (const auto level = check::level_named(column))
      if (std::max(count, known.counts.at("cc")) <= maximum) out[*level] = count;
  return out;
}

TEST_P(KnownCountsTest, are_those_of_explore) {
  const program::Program program = litmus(GetParam().program);
  for (const auto& [level, count] : known_levels(GetParam(), count_max)) {
    Options options = options_for(level);
    options.jobs = 2;
    EXPECT_EQ(explore(program, options).histories, count) << name(level);
  }
}

// Programs large enough that threads have something to share.
TEST_P(KnownCountsTest, do_not_depend_on_threads) {
  const program::Program program = litmus(GetParam().program);
  for (const auto& [level, count] : known_levels(GetParam(), shown_max)) {
    Options options = options_for(level);
    const ExploredHistories alone = explored(program, options);
    EXPECT_EQ(std::ranges::adjacent_find(alone.histories), alone.histories.end());
    for (const unsigned jobs : {2U, 5U}) {
      options.jobs = jobs;
      const ExploredHistories together = explored(program, options);
      EXPECT_TRUE(together.histories == alone.histories) << name(level) << " " << jobs;
      EXPECT_EQ(counts(together.result), counts(alone.result)) << name(level);
    }
  }
}

// Whoever is called back stands for a worker that has no more memory.
TEST(Explore, a_thread_without_memory_leaves_the_question_open) {
  Options options = options_for(check::Level::CC);
  options.jobs = 3;
  std::atomic<int> histories = 0;
  options.on_history = [&](const history::History&) {
    if (++histories == 5) throw std::bad_alloc();
  };
  const Result result = explore(litmus("shoppingCart-4"), options);
  EXPECT_EQ(result.unknown, "memory");
  EXPECT_FALSE(result.is_complete);
}

struct PrunedCounts {
  std::string program;
  check::Level level;
  std::uint64_t end_states_of_base;
  std::uint64_t end_states;
  std::uint64_t explored;
};

// The table of docs/engines/explore.md, "Why leaving a branch early loses nothing".  What
// leaves fewer branches, or some of them later, changes no history and only these numbers.
TEST(Pruning, leaves_as_many_branches_as_it_can) {
  const std::vector<PrunedCounts> known = {
      {"shoppingCart-4", check::Level::SER, 73'192, 2'143, 17'559},
      {"courseware-3", check::Level::SER, 12'790, 2'125, 16'409},
      {"twitter-4", check::Level::SER, 12'915, 2'961, 71'890},
      {"courseware-1", check::Level::SI, 216, 192, 1'311},
      {"wikipedia-1", check::Level::SER, 649, 249, 5'730}};
  for (const PrunedCounts& counts : known) {
    const program::Program program = litmus(counts.program);
    const Result pruned = explore(program, options_for(counts.level));
    EXPECT_EQ(pruned.end_states, counts.end_states) << counts.program;
    EXPECT_EQ(pruned.explored, counts.explored) << counts.program;
    if (counts.end_states_of_base > effort(1'000'000U, 1'000U)) continue;
    Options options = options_for(counts.level);
    options.prune = false;
    EXPECT_EQ(explore(program, options).end_states, counts.end_states_of_base)
        << counts.program;
  }
}

class PathsTest : public testing::TestWithParam<KnownCounts> {};

TEST_P(PathsTest, are_as_many_as_known_without_reduction) {
  const program::Program program = litmus(GetParam().program);
  Options options = options_for(check::Level::CC);
  options.algorithm = Algorithm::Dfs;
  const Result result = explore(program, options);
  EXPECT_EQ(result.end_states, GetParam().counts.at("dfs_paths_cc"));
  EXPECT_EQ(result.histories, GetParam().counts.at("cc"));
}

std::vector<KnownCounts> with_few_paths() {
  std::vector<KnownCounts> out = known_counts();
  std::erase_if(out, [](const KnownCounts& known) {
    return known.counts.at("dfs_paths_cc") > paths_max;
  });
  return out;
}

std::string test_name(const testing::TestParamInfo<KnownCounts>& known) {
  std::string out = known.param.program;
  std::ranges::replace(out, '-', '_');
  return out;
}

INSTANTIATE_TEST_SUITE_P(Corpus, KnownCountsTest, testing::ValuesIn(known_counts()),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Corpus, PathsTest, testing::ValuesIn(with_few_paths()), test_name);

}  // namespace
}  // namespace isomer::explore
