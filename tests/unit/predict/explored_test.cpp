// SPDX-License-Identifier: MIT
// What is predicted from a run of a program, against all histories of the program.
#include <gtest/gtest.h>

#include "program/litmus/litmus.h"
#include "support/effort.h"
#include "support/explore/draft.h"
#include "support/predict/against_explore.h"
#include "support/shrunk.h"

namespace isomer::predict {
namespace {

Compared compared(const explore::Draft& draft, std::uint64_t seed, check::Level level) {
  const std::string litmus = text(draft);
  const auto program = program::parse_litmus("random.txn", litmus);
  if (!program) return {};
  return compared_with_explore(
      {.program = *program, .litmus = litmus, .seed = seed, .level = level});
}

class Explored : public testing::TestWithParam<check::Level> {};

TEST_P(Explored, histories_begin_as_predicted) {
  Compared all;
  for (std::uint64_t seed = 1; seed <= effort(800U, 500U, 60U); ++seed) {
    const explore::Draft draft = explore::random_rewriting_draft(seed);
    const Compared one = compared(draft, seed, GetParam());
    all.found += one.found;
    all.validated += one.validated;
    all.tried += one.tried;
    if (one.why.empty()) continue;
    const explore::Draft small = test::shrunk(draft, [&](const explore::Draft& less) {
      return !compared(less, seed, GetParam()).why.empty();
    });
    FAIL() << compared(small, seed, GetParam()).why << text(small);
  }
  EXPECT_GT(all.found, effort(100, 60, 5));
  RecordProperty("tried", all.tried);
  EXPECT_GT(all.tried, effort(2, 1, -1));
}

INSTANTIATE_TEST_SUITE_P(Level, Explored,
                         testing::Values(check::Level::RC, check::Level::RA,
                                         check::Level::CC, check::Level::PC,
                                         check::Level::PSI, check::Level::SI),
                         [](const auto& level) {
                           return std::string(check::info(level.param).name);
                         });

}  // namespace
}  // namespace isomer::predict
