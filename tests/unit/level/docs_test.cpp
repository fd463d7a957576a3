// SPDX-License-Identifier: MIT
// docs/LEVELS.md shows only texts that are read here: a block after a line
// `<!-- in FILE -->` is a part of that file.
#include <filesystem>
#include <regex>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "level/language/vocabulary.h"
#include "level/library.h"
#include "support/files.h"

namespace isomer::level {
namespace {

namespace fs = std::filesystem;

const fs::path root = ISOMER_SOURCE_DIR;

TEST(LevelCorpus, is_understood) {
  std::size_t count = 0;
  for (const char* folder : {"tests/corpus/level", "examples"})
    for (const auto& entry : fs::directory_iterator(root / folder)) {
      if (entry.path().extension() != ".level") continue;
      const auto levels = levels_named(entry.path().string());
      EXPECT_TRUE(levels) << render(levels.error());
      ++count;
    }
  EXPECT_GE(count, 5U);
}

TEST(LevelDocs, show_texts_that_are_read) {
  static const std::regex block("<!-- in ([a-z_/]+\\.level) -->\n```\n([^`]*)```");
  const std::string text = test::contents(root / "docs/LEVELS.md");
  std::size_t count = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), block), end; match != end;
       ++match, ++count)
    EXPECT_NE(test::contents(root / (*match)[1].str()).find((*match)[2]), std::string::npos)
        << (*match)[1] << " has no\n"
        << (*match)[2];
  EXPECT_GE(count, 5U);
}

TEST(LevelDocs, name_every_word_and_every_level) {
  const std::string text = test::contents(root / "docs/LEVELS.md");
  for (const std::string& word : keywords())
    EXPECT_NE(text.find(fmt::format("`{}", word)), std::string::npos) << word;
  for (const std::string_view name : given_names())
    EXPECT_NE(text.find(fmt::format("`{}", name)), std::string::npos) << name;
  for (const Level& level : standard_levels())
    EXPECT_NE(text.find(fmt::format("`{}`", level.qualified_name())), std::string::npos)
        << level.qualified_name();
}

}  // namespace
}  // namespace isomer::level
