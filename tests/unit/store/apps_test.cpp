// SPDX-License-Identifier: MIT
// Every application of examples/apps, run many times.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "check/check.h"
#include "program/load.h"
#include "program/scenario/scenario.h"
#include "store/campaign.h"
#include "support/effort.h"
#include "support/scenarios.h"
#include "unit/store/random_run.h"

namespace isomer::store {
namespace {

using check::Level;

const std::uint64_t seed_count = effort<std::uint64_t>(100, 60, 4);

// By name: every test program lists them first, so this must not read them.
std::vector<std::string> scenarios(bool has_workload) {
  std::vector<std::string> out;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ISOMER_SOURCE_DIR "/examples/apps"))
    if (entry.path().extension() == ".toml" &&
        (entry.path().filename() == "workload.toml") == has_workload)
      out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

// Some invariants say that every call took effect.
bool was_refused(const store::Run& run) {
  return std::ranges::any_of(run.transactions, [](const TransactionOutcome& outcome) {
    return outcome.sqlstate == "40001";
  });
}

std::string test_name(const testing::TestParamInfo<std::string>& file) {
  return test::scenario_name(file.param);
}

class Scenario : public testing::TestWithParam<std::string> {};

class Workload : public testing::TestWithParam<std::string> {};

TEST(Apps, parse_every_one) {
  std::size_t count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ISOMER_SOURCE_DIR "/examples/apps")) {
    if (entry.path().extension() != ".toml" && entry.path().extension() != ".sql") continue;
    const Expected<Program> program = program::load_program(entry.path());
    EXPECT_TRUE(program) << render(program.error());
    ++count;
  }
  EXPECT_GE(count, 35U);
}

TEST_P(Scenario, serial_runs_keep_its_invariants) {
  const Program program = program::load_program(GetParam()).value();
  const Store store(program);
  for (std::uint64_t seed = 0; seed < seed_count; ++seed) {
    Options options;
    options.seed = seed;
    const store::Run run = store.run(options);
    EXPECT_FALSE(is_failing(run)) << seed;
    EXPECT_TRUE(allows(run.history, Level::SER)) << seed;
  }
}

TEST_P(Scenario, random_runs_satisfy_their_level) {
  const Program program = program::load_program(GetParam()).value();
  const Store store(program);
  for (const Level level : check::all_levels)
    for (std::uint64_t seed = 0; seed < seed_count / 4; ++seed) {
      const store::Run run = store.run(random_at(level, seed));
      EXPECT_TRUE(allows(run.history, level)) << check::info(level).name << " " << seed;
      EXPECT_TRUE(run.history.ambiguous_reads().empty());
      if (level == Level::SER && !was_refused(run)) {
        EXPECT_FALSE(is_failing(run)) << seed;
      }
    }
}

TEST_P(Workload, serial_runs_are_serializable_and_keep_its_invariants) {
  const Program program = program::load_program(GetParam()).value();
  for (std::uint64_t seed = 0; seed < seed_count; ++seed) {
    const Program drawn =
        program::with_workload(program, program::WorkloadSize::Small, seed).value();
    Options options;
    options.seed = seed;
    const store::Run run = Store(drawn).run(options);
    EXPECT_FALSE(is_failing(run)) << seed;
    EXPECT_TRUE(allows(run.history, Level::SER)) << seed;
  }
}

TEST_P(Workload, random_runs_satisfy_their_level) {
  const Program program = program::load_program(GetParam()).value();
  for (std::uint64_t seed = 0; seed < seed_count; ++seed) {
    const Program drawn =
        program::with_workload(program, program::WorkloadSize::Small, seed).value();
    const Store store(drawn);
    for (const Level level : check::all_levels) {
      const store::Run run = store.run(random_at(level, seed));
      EXPECT_TRUE(allows(run.history, level)) << check::info(level).name << " " << seed;
      // These three always have a version left (causal extensibility).
      if (level == Level::RC || level == Level::RA || level == Level::CC) {
        EXPECT_FALSE(was_refused(run)) << check::info(level).name << " " << seed;
      }
      if (level == Level::SER && !was_refused(run)) {
        EXPECT_FALSE(is_failing(run)) << seed;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Scenario, testing::ValuesIn(scenarios(false)), test_name);
INSTANTIATE_TEST_SUITE_P(Files, Workload, testing::ValuesIn(scenarios(true)), test_name);

// What IsoPredict's authors saw with random weak reads (section 7.3): smallbank and tpcc
// leave the serial path under RC and CC.
TEST(Apps, weak_levels_show_in_smallbank_and_tpcc) {
  for (const std::string app : {"smallbank", "tpcc"}) {
    const Program program =
        program::load_program(ISOMER_SOURCE_DIR "/examples/apps/" + app + "/workload.toml")
            .value();
    for (const Level level : {Level::RC, Level::CC}) {
      std::size_t weird = 0;
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const Program drawn =
            program::with_workload(program, program::WorkloadSize::Small, seed).value();
        const store::Run run = Store(drawn).run(random_at(level, seed));
        weird += is_failing(run) || !allows(run.history, Level::SER) ? 1 : 0;
      }
      EXPECT_GT(weird, 2U) << app << " " << check::info(level).name;
    }
  }
}

}  // namespace
}  // namespace isomer::store
