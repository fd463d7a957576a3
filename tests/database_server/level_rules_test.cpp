// SPDX-License-Identifier: MIT
// The runs that show the rules of levels, levels/postgresql and levels/sqlite, are the same
// on a real PostgreSQL and on SQLite: every result, wait and error, and the rows in the
// end.
#include <algorithm>

#include <gtest/gtest.h>

#include "postgres/server.h"
#include "server/postgresql_server.h"
#include "server/sqlite_server.h"
#include "support/database/rule_run.h"

namespace isomer::test {
namespace {

using namespace database;

void compare(const LevelRule& rule, const DatabaseLevel& level, database::Server& server) {
  const RuleRun on_model = rule_run_on_model(rule, level);
  EXPECT_TRUE(on_model.is_followed);
  const RuleRun on_server = rule_run(rule, level, server);
  EXPECT_TRUE(on_server.is_followed);
  EXPECT_EQ(on_model.steps, on_server.steps);
  EXPECT_EQ(on_model.calls, on_server.calls);
  EXPECT_EQ(on_model.rows, on_server.rows);
}

// Every file of the folder is of one level at least.
std::size_t file_count(std::string_view folder) {
  return static_cast<std::size_t>(std::ranges::count_if(
      rule_texts(), [&](const RuleText& text) { return text.file.starts_with(folder); }));
}

template <class Compare>
std::size_t for_each_rule(Database database, const Compare& each) {
  std::size_t count = 0;
  for (const DatabaseLevel& level : database_levels()) {
    if (level.database != database) continue;
    for (const LevelRule& rule : rules_of(level)) {
      SCOPED_TRACE(rule.program.file + " at " + short_name(level));
      each(rule, level);
      ++count;
    }
  }
  return count;
}

TEST(LevelRules, run_on_postgresql_as_on_the_model) {
  ASSERT_EQ(test::server().problem(), "");
  const std::size_t count = for_each_rule(
      Database::PostgreSql, [](const LevelRule& rule, const DatabaseLevel& level) {
        const auto server = server::PostgresqlServer::connect(
            rule.program, {.address = "user=postgres dbname=postgres host=" +
                                      test::server().socket_folder()});
        ASSERT_TRUE(server) << server.error();
        compare(rule, level, **server);
      });
  EXPECT_GT(count, file_count("levels/postgresql/"));
}

TEST(LevelRules, run_on_sqlite_as_on_the_model) {
  const std::size_t count = for_each_rule(Database::Sqlite, [](const LevelRule& rule,
                                                               const DatabaseLevel& level) {
    const auto server = server::SqliteServer::open(rule.program, server_kind(rule, level));
    ASSERT_TRUE(server) << server.error();
    compare(rule, level, **server);
  });
  EXPECT_GE(count, file_count("levels/sqlite/"));
}

}  // namespace
}  // namespace isomer::test
