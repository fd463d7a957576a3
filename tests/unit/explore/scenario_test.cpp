// SPDX-License-Identifier: MIT
// Scenarios in SQL against brute force: scans, which read rows that do not exist yet, and
// invariants, which must hold in every final state.
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "level/library.h"
#include "program/load.h"
#include "support/effort.h"
#include "support/explore/explored.h"
#include "support/small_application.h"

namespace isomer::explore {
namespace {

using check::Level;
using program::Granularity;

constexpr std::size_t rows_max = 50;  // scans of more take brute force too long

std::vector<std::filesystem::path> scenarios() {
  std::vector<std::filesystem::path> out;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(ISOMER_SOURCE_DIR "/examples"))
    if (file.path().extension() == ".toml" && file.path().stem() != "workload" &&
        file.path().stem() != "paper")
      out.push_back(file.path());
  std::ranges::sort(out);
  return out;
}

// A level, and one under which brute force can look for its histories.
constexpr std::array<std::pair<Level, Level>, check::level_count> levels = {
    {{Level::RC, Level::RC},
     {Level::RA, Level::RA},
     {Level::CC, Level::CC},
     {Level::PC, Level::CC},
     {Level::PSI, Level::CC},
     {Level::SI, Level::CC},
     {Level::SER, Level::CC}}};

struct Compared {
  int levels = 0;
  std::uint64_t histories = 0;
  std::uint64_t failing = 0;
};

void compare(const Program& program, Granularity granularity, Compared& out) {
  const std::size_t count_max = effort(400, 12);
  std::map<Level, std::optional<Space>> spaces;
  for (const Level base : {Level::RC, Level::RA, Level::CC})
    spaces[base] = brute_force(
        program, {.level = base, .count_max = count_max, .granularity = granularity});
  for (const auto& [level, base] : levels) {
    const auto& space = spaces[base];
    if (!space) continue;
    Options options = options_for(level);
    options.granularity = granularity;
    options.minimise = false;
    EXPECT_EQ(compared(*space, options, level), "");
    ++out.levels;
    const Result result = explore(program, options);
    out.histories += result.histories;
    out.failing += result.assertion_failures;
  }
}

TEST(Scenarios, have_the_histories_of_the_definition) {
  Compared total;
  for (const std::filesystem::path& file : scenarios()) {
    const auto program = program::load_program(file);
    ASSERT_TRUE(program) << file;
    if (program->sessions.empty() || program->initial_rows.size() > rows_max) continue;
    for (const auto granularity :
         {Granularity::Row, Granularity::Table, Granularity::Field}) {
      SCOPED_TRACE(fmt::format("{} with granularity {}", file.string(),
                               static_cast<int>(granularity)));
      compare(*program, granularity, total);
    }
  }
  EXPECT_GT(total.levels, effort(200, 20));
  EXPECT_GT(total.failing, 100U);
  EXPECT_LT(total.failing, total.histories);
}

// Under UA conflicting transactions see each other, so none of three updates is lost; under
// PL-2 whoever has seen all three may read any of them.  Neither is known to imply a level
// under which explore could order commits.
TEST(Scenarios, have_the_final_states_that_a_level_from_its_text_lets_an_observer_see) {
  const program::Program program = test::small_application(
      "CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);\n"
      "CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN\n"
      "  UPDATE t SET n = n + 1; END $$;\n",
      "[init]\nsql = \"INSERT INTO t VALUES (1, 0);\"\n"
      "[[session]]\ncalls = [\"p()\"]\n[[session]]\ncalls = [\"p()\"]\n"
      "[[session]]\ncalls = [\"p()\"]\n[invariant]\nall = \"SELECT n = 3 FROM t\"\n");
  const auto explored_at = [&](const std::string& name) {
    Options options;
    options.level = check::AskedLevel(name, *level::standard_level(name));
    return explore(program, options);
  };
  const Result update_atomic = explored_at("cerone:UA");
  EXPECT_EQ(update_atomic.histories, 6U);
  EXPECT_EQ(update_atomic.assertion_failures, 0U);
  const Result read_committed = explored_at("adya:PL-2");
  EXPECT_EQ(read_committed.assertion_failures, read_committed.histories);
  ASSERT_TRUE(read_committed.failure);
  EXPECT_FALSE(read_committed.failure.value()->invariants[0].holds);
}

// However little time there is, even in the last question about a history.
TEST(Scenarios, are_not_complete_where_a_level_from_its_text_was_given_up) {
  const auto program =
      program::load_program(ISOMER_SOURCE_DIR "/tests/corpus/verify/unrelated_one.toml");
  ASSERT_TRUE(program);
  Options options;
  options.level = check::AskedLevel("cerone:UA", *level::standard_level("cerone:UA"));
  const std::uint64_t histories = explore(*program, options).histories;
  int incomplete = 0;
  for (double seconds = 1e-5; seconds < 1; seconds *= 1.3) {
    options.budget = Budget(seconds);
    const Result result = explore(*program, options);
    if (!result.is_complete) {
      ++incomplete;
      continue;
    }
    EXPECT_EQ(result.histories, histories) << seconds;
  }
  EXPECT_GT(incomplete, 0);
}

// Each row may have either writer last, but one order of commits decides for both.
TEST(Scenarios, have_final_states_of_one_order_of_commits) {
  const program::Program program = test::small_application(
      "CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);\n"
      "CREATE PROCEDURE p(x int) LANGUAGE plpgsql AS $$ BEGIN\n"
      "  UPDATE t SET n = x WHERE id = 1; UPDATE t SET n = x WHERE id = 2; END $$;\n",
      "[init]\nsql = \"INSERT INTO t VALUES (1, 0), (2, 0)\"\n"
      "[[session]]\ncalls = [\"p(1)\"]\n[[session]]\ncalls = [\"p(2)\"]\n"
      "[invariant]\nsame = \"SELECT count(DISTINCT n) = 1 FROM t\"\n");
  for (const Level level : check::all_levels) {
    const Result result = explore(program, options_for(level));
    EXPECT_GT(result.histories, 0U);
    EXPECT_FALSE(result.failure) << name(AnyLevel(level));
  }
}

}  // namespace
}  // namespace isomer::explore
