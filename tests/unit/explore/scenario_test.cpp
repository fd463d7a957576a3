// SPDX-License-Identifier: MIT
// Scenarios in SQL against brute force: scans, which read rows that do not exist yet, and
// invariants, which must hold in every final state.
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/load.h"
#include "support/effort.h"
#include "support/explore/explored.h"

namespace isomer::explore {
namespace {

using check::Level;
using program::Granularity;

constexpr std::size_t rows_max = 50;  // scans of more take brute force too long

std::vector<std::filesystem::path> scenarios() {
  std::vector<std::filesystem::path> out;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(ISOMER_SOURCE_DIR "/examples"))
    if (file.path().extension() == ".toml" && file.path().stem() != "workload")
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
    if (program->initial_rows.size() > rows_max) continue;
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

}  // namespace
}  // namespace isomer::explore
