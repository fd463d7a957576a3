// SPDX-License-Identifier: MIT
// The runs that show the rules of MariaDB's levels, levels/mariadb, can be done on a real
// MariaDB as they stand there.
#include <gtest/gtest.h>

#include "mariadb_server/server.h"
#include "server/mariadb_server.h"
#include "support/database/rule_run.h"

namespace isomer::test {
namespace {

using namespace database;

TEST(MariadbLevelRules, run_on_the_server) {
  ASSERT_EQ(mariadb().problem(), "");
  std::size_t count = 0;
  for (const DatabaseLevel& level : database_levels()) {
    if (level.database != Database::MariaDb) continue;
    for (const LevelRule& rule : rules_of(level)) {
      SCOPED_TRACE(rule.program.file + " at " + short_name(level));
      const auto server = server::MariadbServer::connect(
          rule.program, server_kind(rule, level), {.address = mariadb().address()});
      ASSERT_TRUE(server) << server.error();
      const RuleRun run = rule_run(rule, level, **server);
      EXPECT_TRUE(run.is_followed) << testing::PrintToString(run.steps);
      ++count;
    }
  }
  EXPECT_GT(count, 40U);
}

}  // namespace
}  // namespace isomer::test
