// SPDX-License-Identifier: MIT
// Two engines that share neither code nor method: on programs with concrete data, verify
// finds a violation at a level if and only if explore does.
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "explore/explore.h"
#include "level/library.h"
#include "program/load.h"
#include "support/effort.h"
#include "support/random_application.h"
#include "verify/verify.h"

namespace isomer::verify {
namespace {

std::vector<check::AskedLevel> levels() {
  std::vector<check::AskedLevel> out;
  for (const check::Level level : check::all_levels)
    out.emplace_back(level);
  // Levels that are decided from their texts, without and with visibility.
  for (const char* name : {"adya:PL-2", "cerone:UA"})
    out.emplace_back(name, *level::standard_level(name));
  return out;
}

std::string explored(const program::Program& program, const check::AskedLevel& level) {
  explore::Options options;
  options.level = level;
  options.find = explore::Find::Failing;
  options.minimise = false;
  options.budget = Budget(20);
  const explore::Result result = explore::explore(program, options);
  if (!result.is_complete) return "unknown";
  return result.assertion_failures > 0 ? "violated" : "holds";
}

std::string verified(const LevelAnswer& level) {
  std::string out = "holds";
  for (const Answer& answer : level.answers) {
    if (!answer.contradiction.empty()) return "contradiction: " + answer.contradiction;
    if (answer.verdict == Verdict::Violated) return "violated";
    if (answer.verdict == Verdict::Unknown) out = "unknown: " + answer.unknown;
  }
  return out;
}

TEST(ExploreAgreement, random_applications) {
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("isomer-verify-{}", ::getpid());
  int compared = 0;
  int violated = 0;
  int refused = 0;
  const auto first = std::uint64_t{1};
  for (std::uint64_t seed = first; seed < first + effort(60U, 6U); ++seed) {
    const RandomApplication application = ApplicationMaker(seed).make();
    const auto program = program::load_program(written_application(application, folder));
    if (!program) {
      ++refused;
      continue;
    }
    Options options;
    options.levels = levels();
    options.has_overflow = true;
    options.seconds_per_question = 20;
    const auto result = verify(*program, options);
    ASSERT_TRUE(result) << seed << ": " << result.error().front().message;
    for (std::size_t i = 0; i < options.levels.size(); ++i) {
      const std::string expected = explored(*program, options.levels[i]);
      if (expected == "unknown") continue;
      ++compared;
      violated += expected == "violated" ? 1 : 0;
      EXPECT_EQ(verified(result->levels[i]), expected)
          << "seed " << seed << " at " << options.levels[i].name << "\n"
          << application.sql << application.scenario;
    }
    if (HasFailure()) break;
  }
  std::filesystem::remove_all(folder);
  // Most programs say something.
  EXPECT_GT(compared, effort(300, 20));
  EXPECT_GT(violated, compared / 10);
  EXPECT_LT(violated, compared * 9 / 10);
  EXPECT_LT(refused, effort(20, 4));
}

}  // namespace
}  // namespace isomer::verify
