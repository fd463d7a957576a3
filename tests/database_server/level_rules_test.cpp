// SPDX-License-Identifier: MIT
// The runs that show the rules of PostgreSQL's levels, levels/postgresql, are the same on a
// real PostgreSQL: every result, wait and error, and the rows in the end.
#include <gtest/gtest.h>

#include "database/level_rules.h"
#include "database/model.h"
#include "postgres/server.h"
#include "server/postgresql_server.h"
#include "support/database/transcript.h"

namespace isomer::test {
namespace {

using namespace database;
using Lines = std::vector<std::string>;

struct Ran {
  bool is_followed = false;
  Lines steps;
  Lines calls;
  Lines rows;
};

Ran ran(const LevelRule& rule, const DatabaseLevel& level, database::Server& server) {
  const Scenario scenario = scenario_at(rule.program, level);
  ScheduleRun run(scenario, server);
  const bool is_followed = follow(run, rule.schedule);
  return {is_followed, transcript(rule.program, run), call_texts(rule.program, run),
          row_texts(rule.program, run)};
}

void compare(const LevelRule& rule, const DatabaseLevel& level) {
  SCOPED_TRACE(rule.program.file + " at " + short_name(level));
  Model model({.database = level.database}, rule.program, rule.program.sessions.size());
  const Ran on_model = ran(rule, level, model);
  EXPECT_TRUE(on_model.is_followed);
  const auto server = server::PostgresqlServer::connect(
      rule.program,
      {.address = "user=postgres dbname=postgres host=" + test::server().socket_folder()});
  ASSERT_TRUE(server) << server.error();
  const Ran on_server = ran(rule, level, **server);
  EXPECT_TRUE(on_server.is_followed);
  EXPECT_EQ(on_model.steps, on_server.steps);
  EXPECT_EQ(on_model.calls, on_server.calls);
  EXPECT_EQ(on_model.rows, on_server.rows);
}

TEST(LevelRules, run_on_the_server_as_on_the_model) {
  ASSERT_EQ(test::server().problem(), "");
  std::size_t count = 0;
  for (const DatabaseLevel& level : database_levels()) {
    if (level.database != Database::PostgreSql) continue;
    for (const LevelRule& rule : rules_of(level)) {
      compare(rule, level);
      ++count;
    }
  }
  EXPECT_GT(count, rule_texts().size());
}

}  // namespace
}  // namespace isomer::test
