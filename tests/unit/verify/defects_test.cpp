// SPDX-License-Identifier: MIT
// Programs that verify once answered wrongly, with the answers that are right.  Each says
// them in lines such as
//   # expect RC, SI: violated, holds
// levels first, then a verdict for each invariant in the order of the file.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "program/load.h"
#include "support/files.h"
#include "support/verify/against_explore.h"
#include "verify/verify.h"

namespace isomer::verify {
namespace {

std::vector<std::string> programs() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(
           ISOMER_SOURCE_DIR "/tests/corpus/defects/verify"))
    if (entry.path().extension() == ".toml") out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

struct Expectation {
  std::vector<check::AskedLevel> levels;
  std::string verdicts;
};

std::vector<Expectation> expectations_in(const std::string& file) {
  std::vector<Expectation> out;
  const std::string start = "# expect ";
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(start)) continue;
    const std::size_t colon = line.find(": ");
    Expectation& expected = out.emplace_back();
    for (std::size_t at = start.size(); at < colon;) {
      const std::size_t end = line.find_first_of(",:", at);
      expected.levels.emplace_back(check::level_named(line.substr(at, end - at)).value());
      at = end + 2;
    }
    expected.verdicts = line.substr(colon + 2);
  }
  return out;
}

std::string verdicts_of(const LevelAnswer& level) {
  std::vector<std::string> out;
  for (const Answer& answer : level.answers) {
    EXPECT_EQ(answer.contradiction, "");
    out.emplace_back(answer.verdict == Verdict::Holds      ? "holds"
                     : answer.verdict == Verdict::Violated ? "violated"
                                                           : answer.unknown);
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

class Defects : public testing::TestWithParam<std::string> {};

TEST_P(Defects, are_answered_rightly) {
  const auto program = program::load_program(GetParam());
  ASSERT_TRUE(program);
  const auto expectations = expectations_in(GetParam());
  ASSERT_FALSE(expectations.empty());
  for (const Expectation& expected : expectations) {
    ASSERT_FALSE(expected.levels.empty());
    Options options;
    options.levels = expected.levels;
    const auto result = verify(*program, options);
    ASSERT_TRUE(result);
    for (const LevelAnswer& level : result->levels)
      EXPECT_EQ(verdicts_of(level), expected.verdicts) << level.level;
    // What has nothing open, explore can run.
    if (!program->symbols.empty() || program->has_open_state) continue;
    const auto rows = compared_with_explore(*program, expected.levels, 20);
    ASSERT_TRUE(rows);
    for (const Compared& row : *rows)
      EXPECT_EQ(row.verified.substr(0, row.verified.find(':')), row.explored) << row.level;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Defects, testing::ValuesIn(programs()),
                         [](const auto& file) {
                           return test::test_name(std::filesystem::path(file.param).stem());
                         });

}  // namespace
}  // namespace isomer::verify
