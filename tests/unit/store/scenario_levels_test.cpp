// SPDX-License-Identifier: MIT
// The scenarios of examples/apps say in a comment at which levels they go wrong:
//   # breaks at: RC RA CC PC                     (an invariant)
//   # not serializable at: RC RA CC PC PSI SI    (the history)
// Random runs must find that there, and nowhere else.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include <gtest/gtest.h>

#include "check/check.h"
#include "program/load.h"
#include "store/campaign.h"
#include "support/effort.h"

namespace isomer::store {
namespace {

using check::Level;

// Until it is found; and where it must not be found.
constexpr std::uint64_t seeds_to_find = 600;
constexpr std::uint64_t seeds_to_trust = effort<std::uint64_t>(40, 4);

// The levels after "# WORDS:", in a line of its own; absent without such a line.
std::optional<std::string> levels_after(const std::string& file, const std::string& words) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("# " + words + ": ")) return line.substr(words.size() + 4);
  return std::nullopt;
}

bool names(const std::string& levels, const std::string& wanted) {
  std::istringstream in(levels);
  for (std::string level; in >> level;)
    if (level == wanted) return true;
  return false;
}

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

std::vector<std::string> scenarios() {
  std::vector<std::string> out;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ISOMER_SOURCE_DIR "/examples/apps"))
    if (entry.path().extension() == ".toml" && entry.path().stem() != "workload")
      out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
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

INSTANTIATE_TEST_SUITE_P(Files, ScenarioLevels, testing::ValuesIn(scenarios()),
                         [](const auto& file) {
                           const std::filesystem::path path(file.param);
                           return path.parent_path().filename().string() + "_" +
                                  path.stem().string();
                         });

}  // namespace
}  // namespace isomer::store
