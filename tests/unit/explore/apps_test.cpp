// SPDX-License-Identifier: MIT
// The scenarios of examples/apps say in a comment at which levels they go wrong:
//   # breaks at: RC RA CC PC                     (an invariant)
//   # not serializable at: RC RA CC PC PSI SI    (the history)
// Exploration must find that there, and prove that it is nowhere else.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "explore/explore.h"
#include "explore/opinion.h"
#include "program/load.h"

namespace isomer::explore {
namespace {

using check::Level;

constexpr double seconds_max = 10;

// Absent without a line "# WORDS: ...".
std::optional<std::string> levels_after(const std::string& file, const std::string& words) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("# " + words + ": ")) return line.substr(words.size() + 4);
  return std::nullopt;
}

bool names(const std::string& levels, std::string_view wanted) {
  std::istringstream in(levels);
  for (std::string level; in >> level;)
    if (level == wanted) return true;
  return false;
}

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
    if (result.failure) {
      EXPECT_EQ(second_opinion(*result.failure, options.level, {}).contradiction, "")
          << file << " " << name;
    }
  }
}

std::vector<std::string> scenarios() {
  std::vector<std::string> out;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ISOMER_SOURCE_DIR "/examples/apps"))
    if (entry.path().extension() == ".toml" && entry.path().stem() != "workload")
      out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

class Apps : public testing::TestWithParam<std::string> {};

TEST_P(Apps, go_wrong_where_their_comment_says) {
  expect_at(GetParam(), "breaks at", Find::Failing);
  expect_at(GetParam(), "not serializable at", Find::Unserializable);
}

INSTANTIATE_TEST_SUITE_P(Files, Apps, testing::ValuesIn(scenarios()), [](const auto& file) {
  const std::filesystem::path path(file.param);
  return path.parent_path().filename().string() + "_" + path.stem().string();
});

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
