// SPDX-License-Identifier: MIT
// The runs that show the rules of MariaDB's levels, levels/mariadb, are the same on a real
// MariaDB: every result, wait and error, and the rows in the end.
#include <gtest/gtest.h>

#include "mariadb_server/server.h"
#include "server/mariadb_server.h"
#include "support/database/rule_run.h"

namespace isomer::test {
namespace {

using namespace database;

TEST(MariadbLevelRules, run_on_the_server_as_on_the_model) {
  ASSERT_EQ(mariadb().problem(), "");
  std::size_t count = 0;
  for (const DatabaseLevel& level : database_levels()) {
    if (level.database != Database::MariaDb) continue;
    for (const LevelRule& rule : rules_of(level)) {
      SCOPED_TRACE(rule.program.file + " at " + short_name(level));
      const auto server = server::MariadbServer::connect(
          rule.program, server_kind(rule, level), {.address = mariadb().address()});
      ASSERT_TRUE(server) << server.error();
      const RuleRun on_model = rule_run_on_model(rule, level);
      EXPECT_TRUE(on_model.is_followed);
      const RuleRun on_server = rule_run(rule, level, **server);
      EXPECT_TRUE(on_server.is_followed);
      EXPECT_EQ(on_model.steps, on_server.steps);
      EXPECT_EQ(on_model.calls, on_server.calls);
      EXPECT_EQ(on_model.rows, on_server.rows);
      ++count;
    }
  }
  EXPECT_GT(count, 40U);
}

}  // namespace
}  // namespace isomer::test
