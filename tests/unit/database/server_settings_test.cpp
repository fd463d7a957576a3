// SPDX-License-Identifier: MIT
#include "database/server_settings.h"

#include <gtest/gtest.h>

#include "database/level_rules.h"
#include "program/scenario/scenario.h"

namespace isomer::database {
namespace {

Expected<program::Program> scenario_with(const std::string& text) {
  return program::parse_scenario(ISOMER_SOURCE_DIR "/examples/apps/simple_bank/bank.toml",
                                 "app = \"simple_bank.sql\"\n" + text);
}

std::string mistakes(const std::string& text) {
  const auto program = scenario_with(text);
  if (!program) return render(program.error());
  std::string out;
  for (const Diagnostic& mistake : mistakes_in_settings(*program))
    out += std::to_string(mistake.at.line) + ":" + std::to_string(mistake.at.column) + " " +
           mistake.message + "\n";
  return out;
}

ServerKind kind_of(const std::string& settings, Database database) {
  const auto program = scenario_with("[database]\n" + settings);
  EXPECT_TRUE(program) << render(program.error());
  return server_kind(*program, database);
}

TEST(ServerSettings, are_as_usual_unless_the_scenario_says_otherwise) {
  EXPECT_EQ(kind_of("", Database::Sqlite), ServerKind{.database = Database::Sqlite});
  EXPECT_EQ(kind_of("journal = \"rollback\"\nbusy_timeout = true\n", Database::Sqlite),
            ServerKind{.database = Database::Sqlite});
  EXPECT_EQ(kind_of("journal = \"WAL\"\n", Database::Sqlite),
            (ServerKind{.database = Database::Sqlite, .has_wal = true}));
  EXPECT_EQ(kind_of("busy_timeout = false\n", Database::Sqlite),
            (ServerKind{.database = Database::Sqlite, .fails_when_busy = true}));
  EXPECT_EQ(kind_of("snapshot_isolation = true\n", Database::MariaDb),
            (ServerKind{.database = Database::MariaDb, .has_snapshot_isolation = true}));
}

// A scenario can be run on several databases.
TEST(ServerSettings, are_nothing_to_another_database) {
  const std::string all =
      "journal = \"wal\"\nbusy_timeout = false\nsnapshot_isolation = true\n";
  EXPECT_EQ(mistakes("[database]\n" + all), "");
  EXPECT_EQ(kind_of(all, Database::PostgreSql),
            ServerKind{.database = Database::PostgreSql});
  EXPECT_FALSE(kind_of(all, Database::Sqlite).has_snapshot_isolation);
  EXPECT_FALSE(kind_of(all, Database::MariaDb).has_wal);
}

TEST(ServerSettings, that_cannot_be_meant_are_told_where_they_stand) {
  EXPECT_EQ(mistakes("[database]\njournal = \"off\"\n"),
            "3:11 journal is rollback or wal, not 'off'\n");
  EXPECT_EQ(
      mistakes("[database]\nbusy_timeot = true\n"),
      "3:1 no database has a setting 'busy_timeot', did you mean busy_timeout?; there "
      "are journal (SQLite), busy_timeout (SQLite), snapshot_isolation (MariaDB)\n");
  EXPECT_EQ(mistakes("[levels]\ndefault = \"mariadb:RR\"\n[database]\njournal = \"wal\"\n"),
            "5:1 journal is a setting of SQLite, not of MariaDB\n");
  EXPECT_EQ(mistake_in_setting(Database::Sqlite, "journal", ""),
            "journal is rollback or wal, not ''");
}

TEST(ServerSettings, are_those_of_the_scenario_that_is_run) {
  const auto program = scenario_with("[database]\njournal = \"wal\"\n");
  ASSERT_TRUE(program);
  const Scenario scenario = scenario_at(*program, *parse_level_name("sqlite:IMMEDIATE"));
  EXPECT_TRUE(scenario.server.has_wal);
  const std::vector<std::pair<std::string, std::string>> unusual{{"journal", "wal"}};
  EXPECT_EQ(unusual_settings(scenario.server), unusual);
}

}  // namespace
}  // namespace isomer::database
