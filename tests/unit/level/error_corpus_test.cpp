// SPDX-License-Identifier: MIT
// Every tests/corpus/error/level/NAME.level is refused with the words of NAME.level.expect.
// tools/promote rewrites the expectations.
#include <gtest/gtest.h>

#include "level/library.h"
#include "support/pinned.h"

namespace isomer::level {
namespace {

const std::filesystem::path folder = test::corpus / "error/level";

std::vector<std::filesystem::path> files() {
  return test::files_in(folder, ".level");
}

class LevelErrors : public testing::TestWithParam<std::filesystem::path> {
 protected:
  void SetUp() override { current_path(folder); }  // for what the files include
};

TEST_P(LevelErrors, are_reported_as_pinned) {
  const std::string file = GetParam().filename();
  const auto levels = parse_levels(file, test::contents(file));
  ASSERT_FALSE(levels) << file << " was accepted";
  EXPECT_LE(levels.error().size(), 20U);
  test::expect_pinned(file + ".expect", render(levels.error()));
}

INSTANTIATE_TEST_SUITE_P(Files, LevelErrors, testing::ValuesIn(files()),
                         [](const auto& test) { return test.param.stem().string(); });

TEST(LevelErrorsFolder, has_many_kinds_of_mistakes) {
  EXPECT_GE(files().size(), 60U);
}

}  // namespace
}  // namespace isomer::level
