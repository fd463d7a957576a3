// SPDX-License-Identifier: MIT
// Applications with tokens deleted, doubled, swapped and replaced: each is refused with a
// message, or runs to an end.
#include <gtest/gtest.h>

#include "program/sql/script.h"
#include "support/damage.h"
#include "support/effort.h"
#include "support/exercise.h"
#include "support/files.h"

namespace isomer::program {
namespace {

// The SQL of the examples and of the corpus, without the largest.
std::vector<std::string> applications() {
  constexpr std::size_t size_max = 8000;
  std::vector<std::string> out;
  const std::filesystem::path source = ISOMER_SOURCE_DIR;
  for (const auto& folder : {source / "examples", source / "tests/corpus/sql",
                             source / "tests/corpus/program/semantics"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".sql" && entry.file_size() <= size_max)
        out.push_back(test::contents(entry.path()));
  std::sort(out.begin(), out.end());
  return out;
}

TEST(DamagedSql, is_refused_or_ends) {
  const std::vector<std::string> texts = applications();
  ASSERT_GT(texts.size(), 15U);
  Random random(11);
  int accepted = 0;
  for (int round = 0; round < effort(1200, 100); ++round) {
    const std::string text = test::damaged(texts[random.below(texts.size())], random, 3);
    const auto program = parse_sql("damaged.sql", text);
    if (program)
      exercise(*program, random.next());
    else
      require_message(program.error());
    accepted += program ? 1 : 0;
  }
  EXPECT_GT(accepted, effort(200, 10));
}

}  // namespace
}  // namespace isomer::program
