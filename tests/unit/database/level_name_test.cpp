// SPDX-License-Identifier: MIT
#include "database/level_name.h"

#include <gtest/gtest.h>

#include "program/scenario/scenario.h"

namespace isomer::database {
namespace {

std::string read(std::string_view word) {
  const auto level = parse_level_name(word);
  return level ? short_name(*level) : level.error();
}

TEST(LevelName, is_long_or_short_in_any_case) {
  for (const char* word : {"pg:RC", "PG:rc", "postgresql:READ COMMITTED",
                           "PostgreSQL: read_committed", "pg:Read-Committed"})
    EXPECT_EQ(read(word), "pg:RC") << word;
  EXPECT_EQ(read("mysql:repeatable  read"), "mariadb:RR");
  EXPECT_EQ(read("MariaDB:ru"), "mariadb:RU");
  EXPECT_EQ(read("sqlite:immediate"), "sqlite:IMMEDIATE");
}

TEST(LevelName, is_read_as_it_is_written) {
  EXPECT_EQ(database_levels().size(), 9U);
  for (const DatabaseLevel& level : database_levels()) {
    EXPECT_EQ(parse_level_name(short_name(level)), level) << short_name(level);
    EXPECT_EQ(parse_level_name(long_name(level)), level) << long_name(level);
  }
}

TEST(LevelName, differs_for_every_level) {
  const auto levels = database_levels();
  for (std::size_t i = 0; i < levels.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NE(short_name(levels[i]), short_name(levels[j]));
}

TEST(LevelName, says_what_there_is) {
  EXPECT_EQ(
      read("pg:SI"),
      "PostgreSQL has no level 'SI'; it has pg:RC (READ COMMITTED), pg:RR (REPEATABLE "
      "READ), pg:SER (SERIALIZABLE)");
  EXPECT_EQ(
      read("pg:read uncommitted"),
      "PostgreSQL has no level 'READ UNCOMMITTED'; it has pg:RC (READ COMMITTED), "
      "pg:RR (REPEATABLE READ), pg:SER (SERIALIZABLE), which is also what it does for "
      "READ UNCOMMITTED");
  EXPECT_EQ(read("sqlite:SER"),
            "SQLite has no level 'SER'; it has sqlite:DEFERRED, sqlite:IMMEDIATE");
  EXPECT_EQ(read("mariadb:"),
            "MariaDB has no level ''; it has mariadb:RU (READ UNCOMMITTED), mariadb:RC "
            "(READ COMMITTED), mariadb:RR (REPEATABLE READ), mariadb:SER (SERIALIZABLE)");
  EXPECT_EQ(read("SI"), "'SI' is no level of a database");
}

TEST(LevelName, is_no_other_level) {
  for (const char* word : {"SI", "cerone:SI", "mine.level:pg", "", ":", "pg", "oracle:RC"})
    EXPECT_FALSE(names_database(word)) << word;
  for (const char* word : {"pg:", "pg:SI", "SQLite:x"})
    EXPECT_TRUE(names_database(word)) << word;
}

std::string mistakes(const std::string& levels) {
  const auto program =
      program::parse_scenario(ISOMER_SOURCE_DIR "/examples/apps/simple_bank/bank.toml",
                              "app = \"simple_bank.sql\"\n[levels]\n" + levels);
  if (!program) return render(program.error());
  std::string out;
  for (const Diagnostic& mistake : mistakes_in_levels(*program))
    out += std::to_string(mistake.at.line) + ":" + std::to_string(mistake.at.column) + " " +
           mistake.message + "\n";
  return out;
}

TEST(ScenarioLevels, are_of_one_database_or_of_none) {
  EXPECT_EQ(mistakes("default = \"pg:RC\"\nwithdraw = \"postgresql:serializable\"\n"), "");
  EXPECT_EQ(mistakes("default = \"SI\"\nwithdraw = \"SER\"\n"), "");
  EXPECT_EQ(mistakes("default = \"SI\"\nwithdraw = \"oracle:SER\"\n"), "");
  EXPECT_EQ(mistakes("default = \"pg:RC\"\nwithdraw = \"sqlite:DEFERRED\"\n"),
            "4:12 a scenario has one database, not both PostgreSQL and SQLite\n");
  EXPECT_EQ(
      mistakes("default = \"SI\"\nwithdraw = \"pg:SER\"\n"),
      "3:11 'SI' is no level of a database as the others of [levels] are; all of them "
      "are, or none\n");
  EXPECT_EQ(mistakes("default = \"pg:SI\"\n"),
            "3:11 PostgreSQL has no level 'SI'; it has pg:RC (READ COMMITTED), pg:RR "
            "(REPEATABLE READ), pg:SER (SERIALIZABLE)\n");
  EXPECT_EQ(mistakes("withdraw = \"pg:RC\"\n"),
            "3:12 levels of a database need a default, for what has none of its own\n");
  EXPECT_EQ(mistakes("default = \"pg:RC\"\nserial = [[\"withdraw\"]]\n"),
            "4:1 serial means nothing beside levels of a database, which has no such "
            "promise\n");
}

}  // namespace
}  // namespace isomer::database
