// SPDX-License-Identifier: MIT
// Exploration must find what goes wrong in the scenarios of examples/apps at the levels
// that they name, and prove that it does at no other.
#include <filesystem>

#include <gtest/gtest.h>

#include "explore/explore.h"
#include "program/load.h"
#include "support/scenarios.h"

namespace isomer::explore {
namespace {

using check::Level;
using test::levels_after;
using test::names;

constexpr double seconds_max = 10;

void expect_at(const std::string& file, const std::string& words, Find find) {
  const std::optional<std::string> levels = levels_after(file, words);
  if (!levels) return;
  const Program program = program::load_program(file).value();
  for (const Level level : check::all_levels) {
    const std::string name(check::info(level).name);
    Options options;
    options.level = level;
    options.find = find;
    options.budget = Budget(seconds_max);
    const Result result = explore(program, options);
    EXPECT_TRUE(result.is_complete) << file << " " << name;
    EXPECT_EQ(result.failure.has_value(), names(*levels, name)) << file << " " << name;
  }
}

class Apps : public testing::TestWithParam<std::string> {};

TEST_P(Apps, go_wrong_where_their_comment_says) {
  expect_at(GetParam(), "breaks at", Find::Failing);
  expect_at(GetParam(), "not serializable at", Find::Unserializable);
}

INSTANTIATE_TEST_SUITE_P(Files, Apps, testing::ValuesIn(test::scenarios()),
                         [](const auto& file) { return test::scenario_name(file.param); });

TEST(AppsFolder, has_for_each_app_what_weak_isolation_breaks_and_serializability_does_not) {
  std::size_t apps = 0;
  for (const auto& app :
       std::filesystem::directory_iterator(ISOMER_SOURCE_DIR "/examples/apps")) {
    if (!app.is_directory()) continue;
    ++apps;
    bool breaks = false;
    for (const auto& entry : std::filesystem::directory_iterator(app))
      if (const auto levels = levels_after(entry.path(), "breaks at"))
        breaks |= !levels->empty() && !names(*levels, "SER");
    EXPECT_TRUE(breaks) << app;
  }
  EXPECT_EQ(apps, 11U);
}

}  // namespace
}  // namespace isomer::explore
