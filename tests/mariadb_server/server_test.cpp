// SPDX-License-Identifier: MIT
// The real MariaDB behind the interface of servers: schedules by hand, and how it comes
// and goes.
#include "server/mariadb_server.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mariadb_server/server.h"
#include "server/mariadb_connection.h"
#include "support/database/transcript.h"
#include "support/small_application.h"

namespace isomer::test {
namespace {

using namespace database;
using Lines = std::vector<std::string>;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto repeatable_read = IsolationLevel::RepeatableRead;

// Each body is a procedure, and its session is named A, B, ..
program::Program application(const std::vector<std::string>& bodies) {
  std::string sql = "CREATE TABLE t (id int PRIMARY KEY, v int, w text, d date);\n";
  std::string scenario =
      "[init]\nsql = \"INSERT INTO t VALUES (1, 10, 'a ', DATE '2024-02-29'), (2, 20, "
      "NULL, "
      "NULL)\"\n";
  char name = 'a';
  for (const std::string& body : bodies) {
    sql += fmt::format("CREATE PROCEDURE p{}() LANGUAGE plpgsql AS $$ BEGIN {} END $$;\n",
                       name, body);
    scenario += fmt::format("[[session]]\nname = \"{}\"\ncalls = ['p{}()']\n",
                            static_cast<char>(name - 'a' + 'A'), name);
    ++name;
  }
  return small_application(sql, scenario);
}

const std::vector<std::string> two_increments = {"UPDATE t SET v = v + 1 WHERE id = 1;",
                                                 "UPDATE t SET v = v + 2 WHERE id = 1;"};

std::unique_ptr<server::MariadbServer> connected(
    const program::Program& program, const server::MariadbOptions& options = {}) {
  server::MariadbOptions all = options;
  all.address = mariadb().address();
  auto out = server::MariadbServer::connect(program, {}, all);
  EXPECT_TRUE(out) << out.error();
  return out ? *std::move(out) : nullptr;
}

struct Played {
  Lines lines;
  Lines calls;
  Lines rows;
};

Played play(const std::vector<std::string>& bodies, IsolationLevel level,
            const std::string& schedule, const server::MariadbOptions& options = {}) {
  const program::Program program = application(bodies);
  const auto server = connected(program, options);
  if (!server) return {};
  const Scenario scenario = at_level(program, level);
  ScheduleRun run(scenario, *server);
  EXPECT_TRUE(follow(run, schedule_of(program, schedule))) << schedule;
  return {.lines = transcript(program, run),
          .calls = call_texts(program, run),
          .rows = row_texts(program, run)};
}

class Mariadb : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mariadb().problem(), ""); }
};

TEST_F(Mariadb, update_waits_and_goes_on_from_the_newest_version) {
  const Played played = play(two_increments, repeatable_read, "ABAB");
  EXPECT_THAT(played.lines,
              ElementsAre("A 1", "B waits for A, after 2: 1", "A commit", "B commit"));
  EXPECT_THAT(played.rows, ElementsAre("t (1,13,a ,2024-02-29) (2,20,NULL,NULL)"));
}

TEST_F(Mariadb, waits_are_told_by_the_status_and_by_the_tables_alike) {
  const std::vector<std::string> bodies = {"PERFORM v FROM t WHERE id = 1 FOR SHARE;",
                                           "PERFORM v FROM t WHERE id = 1 FOR SHARE;",
                                           "UPDATE t SET v = 0 WHERE id = 1;",
                                           "INSERT INTO t VALUES (1, 0, '', NULL);"};
  const Lines expected = {"A (10)", "B (10)", "C waits for A B, after 5: 1",
                          "D waits for C, after 6: 23000"};
  for (const bool asks_lock_waits : {false, true}) {
    Lines lines =
        play(bodies, repeatable_read, "ABCDABC", {.asks_lock_waits = asks_lock_waits})
            .lines;
    lines.resize(expected.size());
    EXPECT_EQ(lines, expected) << asks_lock_waits;
  }
}

TEST_F(Mariadb, victim_that_waited_is_told_behind_whoever_closed_the_circle) {
  const Played played = play({"UPDATE t SET v = 0 WHERE id = 1;",
                              "UPDATE t SET v = 0 WHERE id = 2; UPDATE t SET v = v + 1; "
                              "UPDATE t SET v = 0 WHERE id = 2;"},
                             repeatable_read, "ABB");
  EXPECT_THAT(played.lines, ElementsAre("A 1", "B 1", "B waits for A, after 3: 2",
                                        "A commit", "B 1", "B commit"));
  const std::string crossing =
      "UPDATE t SET v = 1 WHERE id = {}; UPDATE t SET v = 1 WHERE id = {};";
  const Played crossed = play({fmt::format(fmt::runtime(crossing), 1, 2),
                               "INSERT INTO t VALUES (7, 0, '', NULL), (8, 0, '', NULL); " +
                                   fmt::format(fmt::runtime(crossing), 2, 1)},
                              repeatable_read, "ABBAB");
  EXPECT_THAT(
      crossed.lines,
      ElementsAre("A 1", "B 2", "B 1", "A waits for B, after 4: 40001", "B 1", "B commit"));
  EXPECT_THAT(crossed.calls, ElementsAre("A 40001", "B committed"));
}

TEST_F(Mariadb, deadlock_leaves_no_savepoint_to_go_back_to) {
  const std::string protected_update =
      "BEGIN UPDATE t SET v = 1 WHERE id = 2; UPDATE t SET v = 1 WHERE id = 1; EXCEPTION "
      "WHEN deadlock_detected THEN NULL; END;";
  const Played played =
      play({"UPDATE t SET v = 0 WHERE id = 1; UPDATE t SET v = 0 WHERE id "
            "= 2;",
            protected_update},
           repeatable_read, "ABAB");
  EXPECT_THAT(played.calls, ElementsAre("A committed", "B 42000"));
}

TEST_F(Mariadb, reset_ends_waits_and_undoes_everything) {
  const program::Program program = application(two_increments);
  const auto server = connected(program);
  ASSERT_TRUE(server);
  const Scenario scenario = at_level(program, repeatable_read);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(server->reset(), "");
    ScheduleRun run(scenario, *server);
    run.step(0);
    run.step(1);
    EXPECT_THAT(run.waiting(), ElementsAre(1));
    EXPECT_EQ(row_texts(program, run)[0], "t (1,10,a ,2024-02-29) (2,20,NULL,NULL)");
  }
}

TEST_F(Mariadb, one_server_serves_program_after_program) {
  const program::Program three = application(
      {"INSERT INTO t VALUES (3, 0, '', NULL);", "UPDATE t SET v = 1;", "DELETE FROM t;"});
  const program::Program two = application(two_increments);
  const auto server = connected(three);
  ASSERT_TRUE(server);
  const Scenario of_three = at_level(three, repeatable_read);
  ScheduleRun run(of_three, *server);
  for (const SessionIndex session : {0U, 1U, 2U})
    run.step(session);
  EXPECT_THAT(run.waiting(), ElementsAre(1, 2));
  ASSERT_EQ(server->turn_to(two, {}), "");
  const Scenario of_two = at_level(two, repeatable_read);
  ScheduleRun again(of_two, *server);
  follow(again, schedule_of(two, "ABAB"));
  EXPECT_THAT(transcript(two, again),
              ElementsAre("A 1", "B waits for A, after 2: 1", "A commit", "B commit"));
}

TEST_F(Mariadb, nothing_stays_behind) {
  play(two_increments, repeatable_read, "ABAB");
  server::MariadbConnection connection(mariadb().address());
  EXPECT_TRUE(connection.run("SHOW DATABASES LIKE 'isomer%'").rows.empty());
}

TEST_F(Mariadb, no_server_is_said_in_libmariadbs_words) {
  const program::Program program = application(two_increments);
  const auto none =
      server::MariadbServer::connect(program, {}, {.address = {.socket = "/nowhere"}});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error(), HasSubstr("Can't connect to local server through socket"));
  const auto unknown = server::MariadbServer::connect(
      program, {},
      {.address = {.socket = mariadb().address().socket, .user = "nobody \xc3\xa4"}});
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error(), HasSubstr("Access denied"));
}

TEST_F(Mariadb, lost_connection_is_no_error_of_the_program) {
  const program::Program program =
      application({"BEGIN UPDATE t SET v = 0 WHERE id = 1; EXCEPTION WHEN OTHERS THEN "
                   "UPDATE t SET v = 1 WHERE id = 2; END;"});
  const auto server = connected(program);
  ASSERT_TRUE(server);
  const Scenario scenario = at_level(program, repeatable_read);
  ScheduleRun run(scenario, *server);
  server::MariadbConnection killer(mariadb().address());
  for (const auto& row : killer.run("SHOW PROCESSLIST").rows)
    if (*row[0].get_if<std::string>() != fmt::to_string(killer.thread()))
      killer.run("KILL " + *row[0].get_if<std::string>());
  EXPECT_TRUE(follow(run, {}));
  EXPECT_TRUE(run.calls()[0][0].fault.is_limit);
  EXPECT_EQ(run.calls()[0][0].kind, CallEnd::Kind::RolledBack);
}

}  // namespace
}  // namespace isomer::test
