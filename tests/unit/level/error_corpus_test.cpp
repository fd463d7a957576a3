// SPDX-License-Identifier: MIT
// Every tests/corpus/error/level/NAME.level is refused with the words of NAME.level.expect.
// tools/promote rewrites the expectations.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "level/library.h"

namespace isomer::level {
namespace {

namespace fs = std::filesystem;

const fs::path folder = ISOMER_SOURCE_DIR "/tests/corpus/error/level";

std::string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".level") out.push_back(entry.path().stem());
  std::sort(out.begin(), out.end());
  return out;
}

class LevelErrors : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { fs::current_path(folder); }  // for what the files include
};

TEST_P(LevelErrors, are_reported_as_pinned) {
  const std::string file = GetParam() + ".level";
  const auto levels = parse_levels(file, contents(file));
  ASSERT_FALSE(levels) << file << " was accepted";
  EXPECT_LE(levels.error().size(), 20U);
  const std::string found = render(levels.error());
  if (std::getenv("ISOMER_PROMOTE") != nullptr)
    std::ofstream(file + ".expect", std::ios::binary) << found;
  else
    EXPECT_EQ(found, contents(file + ".expect"));
}

INSTANTIATE_TEST_SUITE_P(Files, LevelErrors, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

TEST(LevelErrorsFolder, has_many_kinds_of_mistakes) {
  EXPECT_GE(names().size(), 60U);
}

}  // namespace
}  // namespace isomer::level
