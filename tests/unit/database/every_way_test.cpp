// SPDX-License-Identifier: MIT
#include "support/database/every_way.h"

#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/scenario/scenario.h"
#include "support/database/transcript.h"

namespace isomer::database {
namespace {

program::Program program_of(const std::vector<std::string>& scripts) {
  std::string text =
      "app = \"tables.sql\"\n[init]\nsql = \"\"\"\n"
      "INSERT INTO place VALUES (10), (20);\n"
      "INSERT INTO shelf VALUES (1, 10, 0), (2, 20, 0);\n\"\"\"\n";
  for (std::size_t i = 0; i < scripts.size(); ++i)
    text += fmt::format("[[session]]\nname = \"{}\"\nscript = \"\"\"\n{}\n\"\"\"\n",
                        static_cast<char>('A' + i), scripts[i]);
  const auto file =
      std::filesystem::path(ISOMER_SOURCE_DIR) / "tests/corpus/database/mariadb/ways.toml";
  auto program = program::parse_scenario(file.string(), text);
  EXPECT_TRUE(program) << program.error()[0].message << "\n" << text;
  return std::move(*program);
}

Scenario on_mariadb(const program::Program& program) {
  return {.program = program,
          .begin = std::vector<BeginOptions>(program.types.size(),
                                             {.level = IsolationLevel::RepeatableRead}),
          .server = {.database = Database::MariaDb}};
}

// By the index of the foreign key only its row is locked, by a scan the other one, too.
TEST(EveryWay, reads_by_an_index_or_all_rows) {
  const auto program =
      program_of({"BEGIN; UPDATE shelf SET n = 1 WHERE place = 10; COMMIT;",
                  "BEGIN; UPDATE shelf SET n = 2 WHERE id = 2; COMMIT;"});
  std::set<std::string> told;
  const auto all =
      test::every_way(on_mariadb(program), {0, 1}, [&](const ScheduleRun& run) {
        told.insert(test::transcript(program, run)[1]);
        return true;
      });
  EXPECT_TRUE(all.is_complete);
  EXPECT_EQ(all.ways, 2U);
  EXPECT_EQ(told, (std::set<std::string>{"B 1", "B waits for A, after 2: 1"}));
}

TEST(EveryWay, knows_which_ways_no_schedule_can_go) {
  const auto program =
      program_of({"BEGIN; UPDATE shelf SET n = 1 WHERE place = 10; COMMIT;",
                  "BEGIN; UPDATE shelf SET n = 2 WHERE id = 2; COMMIT;"});
  const auto all = test::every_way(on_mariadb(program), {0, 1, 1},
                                   [](const ScheduleRun&) { return true; });
  EXPECT_EQ(all.ways, 1U);
  EXPECT_EQ(all.impossible, 1U);
}

TEST(EveryWay, of_a_lookup_there_is_one) {
  const auto program = program_of({"BEGIN; UPDATE shelf SET n = 1 WHERE id = 1; COMMIT;",
                                   "BEGIN; UPDATE shelf SET n = 2 WHERE id = 2; COMMIT;"});
  const auto all = test::every_way(on_mariadb(program), {0, 1, 1},
                                   [](const ScheduleRun&) { return true; });
  EXPECT_EQ(all.ways, 1U);
  EXPECT_EQ(all.impossible, 0U);
}

}  // namespace
}  // namespace isomer::database
