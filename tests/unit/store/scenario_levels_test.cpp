// SPDX-License-Identifier: MIT
// Random runs must find what goes wrong in the scenarios of examples/apps at the levels
// that they name, and at no other.
#include <algorithm>
#include <functional>

#include <gtest/gtest.h>

#include "check/check.h"
#include "program/load.h"
#include "store/campaign.h"
#include "support/effort.h"
#include "support/scenarios.h"

namespace isomer::store {
namespace {

using check::Level;
using test::levels_after;
using test::names;

// Until it is found; and where it must not be found.
constexpr std::uint64_t seeds_to_find = 600;
constexpr std::uint64_t seeds_to_trust = effort<std::uint64_t>(40, 4);

std::optional<std::uint64_t> first_seed(const Store& store, Level level,
                                        std::uint64_t seeds,
                                        const std::function<bool(const Run&)>& is_wrong) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Options options;
    options.policy = Policy::Random;
    options.level = level;
    options.seed = seed;
    if (is_wrong(store.run(options))) return seed;
  }
  return std::nullopt;
}

void expect_at(const std::string& file, const std::string& words,
               const std::function<bool(const Run&)>& is_wrong) {
  const std::optional<std::string> levels = levels_after(file, words);
  if (!levels) return;
  const Program program = program::load_program(file).value();
  const Store store(program);
  for (const Level level : check::all_levels) {
    const std::string name(check::info(level).name);
    const bool is_expected = names(*levels, name);
    const auto seed =
        first_seed(store, level, is_expected ? seeds_to_find : seeds_to_trust, is_wrong);
    EXPECT_EQ(seed.has_value(), is_expected)
        << file << " " << words << " " << name << ", seed " << seed.value_or(0);
  }
}

class ScenarioLevels : public testing::TestWithParam<std::string> {};

TEST_P(ScenarioLevels, are_those_that_its_comment_names) {
  EXPECT_TRUE(levels_after(GetParam(), "breaks at") ||
              levels_after(GetParam(), "not serializable at"))
      << "no expectation in " << GetParam();
  expect_at(GetParam(), "breaks at", is_failing);
  expect_at(GetParam(), "not serializable at",
            [](const store::Run& run) { return !is_serializable(run, {}).value(); });
}

INSTANTIATE_TEST_SUITE_P(Files, ScenarioLevels, testing::ValuesIn(test::scenarios()),
                         [](const auto& file) { return test::scenario_name(file.param); });

}  // namespace
}  // namespace isomer::store
