// SPDX-License-Identifier: MIT
// Schedules by hand on a real PostgreSQL, and what comes of each entry.
#include <csignal>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres/server.h"
#include "server/postgresql_server.h"
#include "support/database/transcript.h"
#include "support/small_application.h"

namespace isomer::test {
namespace {

using namespace database;
using Lines = std::vector<std::string>;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr auto read_committed = IsolationLevel::ReadCommitted;
constexpr auto repeatable_read = IsolationLevel::RepeatableRead;
constexpr auto serializable = IsolationLevel::Serializable;

constexpr std::string_view tables = R"(
CREATE TABLE t (id int PRIMARY KEY, v int, u int UNIQUE);
CREATE TABLE parent (id int PRIMARY KEY, n int);
CREATE TABLE child (id int PRIMARY KEY, pid int REFERENCES parent);
)";

constexpr std::string_view rows = R"(
[init]
sql = "INSERT INTO t VALUES (1,10,1),(2,20,2); INSERT INTO parent VALUES (1,0);"
)";

std::string address() {
  return "user=postgres dbname=postgres host=" + test::server().socket_folder();
}

// Each body is a procedure, and its session is named A, B, ..
program::Program application(const std::vector<std::string>& bodies) {
  std::string sql(tables);
  std::string scenario(rows);
  char name = 'A';
  for (const std::string& body : bodies) {
    sql += fmt::format("CREATE PROCEDURE p{}() LANGUAGE plpgsql AS $${}$$;\n", name,
                       body.starts_with("DECLARE") ? body : "BEGIN " + body + " END");
    scenario +=
        fmt::format("[[session]]\nname = \"{}\"\ncalls = ['\"p{}\"()']\n", name, name);
    ++name;
  }
  for (name = 'A'; name < 'A' + static_cast<char>(bodies.size()); ++name) {
    const std::string plain = fmt::format("PROCEDURE p{}", name);
    sql.replace(sql.find(plain), plain.size(), fmt::format("PROCEDURE \"p{}\"", name));
  }
  return small_application(sql, scenario);
}

struct Played {
  Lines lines;
  Lines calls;
  Lines rows;
};

// The schedule, and then the sessions in their order.
Played play(const program::Program& program, const Scenario& scenario,
            const std::string& schedule) {
  const auto connected = server::PostgresqlServer::connect(program, {.address = address()});
  EXPECT_TRUE(connected) << connected.error();
  if (!connected) return {};
  ScheduleRun run(scenario, **connected);
  EXPECT_TRUE(follow(run, schedule_of(program, schedule))) << schedule;
  return {.lines = transcript(program, run),
          .calls = call_texts(program, run),
          .rows = row_texts(program, run)};
}

Played play(const std::vector<std::string>& bodies, IsolationLevel level,
            const std::string& schedule) {
  const program::Program program = application(bodies);
  return play(program, at_level(program, level), schedule);
}

class Schedule : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(test::server().problem(), ""); }
};

const std::vector<std::string> two_increments = {"UPDATE t SET v = v + 1 WHERE id = 1;",
                                                 "UPDATE t SET v = v + 2 WHERE id = 1;"};

TEST_F(Schedule, update_waits_and_goes_on_from_the_newest_version) {
  const Played played = play(two_increments, read_committed, "ABAB");
  EXPECT_THAT(played.lines,
              ElementsAre("A 1", "B waits for A, after 2: 1", "A commit", "B commit"));
  EXPECT_EQ(played.rows[0], "t (1,13,1) (2,20,2)");
}

TEST_F(Schedule, update_of_a_row_changed_since_the_snapshot_fails) {
  const Played played = play(two_increments, repeatable_read, "ABA");
  EXPECT_THAT(played.lines,
              ElementsAre("A 1", "B waits for A, after 2: 40001", "A commit"));
  EXPECT_THAT(played.calls, ElementsAre("A committed", "B 40001"));
  EXPECT_EQ(played.rows[0], "t (1,11,1) (2,20,2)");
}

TEST_F(Schedule, rollback_of_the_program_is_an_entry_and_wakes) {
  const Played played = play({"UPDATE t SET v = 0 WHERE id = 1; RAISE EXCEPTION 'no';",
                              "UPDATE t SET v = v + 2 WHERE id = 1;"},
                             repeatable_read, "ABA");
  EXPECT_THAT(played.lines,
              ElementsAre("A 1", "B waits for A, after 2: 1", "A rollback", "B commit"));
  EXPECT_THAT(played.calls, ElementsAre("A P0001", "B committed"));
}

TEST_F(Schedule, waiters_for_one_row_stand_in_a_queue) {
  const std::string add = "UPDATE t SET v = v + 1 WHERE id = 1;";
  const Played played = play({add, add, add}, read_committed, "ABCABC");
  EXPECT_THAT(played.lines,
              ElementsAre("A 1", "B waits for A, after 3: 1", "C waits for B, after 4: 1",
                          "A commit", "B commit", "C commit"));
}

TEST_F(Schedule, who_closes_a_circle_is_the_victim) {
  const auto both = [](int first, int second) {
    return fmt::format(
        "UPDATE t SET v = 0 WHERE id = {}; UPDATE t SET v = 0 WHERE id = {};", first,
        second);
  };
  const Played played = play({both(1, 2), both(2, 1)}, read_committed, "ABAB");
  EXPECT_THAT(played.lines, ElementsAre("A 1", "B 1", "A waits for B, after 3: 1",
                                        "B 40P01", "A commit"));
}

TEST_F(Schedule, insert_waits_for_who_inserts_the_same_key) {
  const std::vector<std::string> same = {"INSERT INTO t VALUES (3,1,3);",
                                         "INSERT INTO t VALUES (3,2,4);"};
  EXPECT_THAT(play(same, read_committed, "ABA").lines,
              ElementsAre("A 1", "B waits for A, after 2: 23505", "A commit"));
}

TEST_F(Schedule, child_waits_for_its_parent_to_go) {
  const std::vector<std::string> both = {"DELETE FROM parent WHERE id = 1;",
                                         "INSERT INTO child VALUES (1,1);"};
  EXPECT_THAT(play(both, read_committed, "ABA").lines,
              ElementsAre("A 1", "B waits for A, after 2: 23503", "A commit"));
  EXPECT_THAT(play(both, repeatable_read, "ABA").lines,
              ElementsAre("A 1", "B waits for A, after 2: 40001", "A commit"));
}

TEST_F(Schedule, write_skew_fails_at_commit) {
  const auto sum_and_set = [](int id) {
    return fmt::format(
        "DECLARE n int; BEGIN SELECT sum(v) INTO n FROM t; UPDATE t SET v = n WHERE id = "
        "{}; END",
        id);
  };
  const Played played = play({sum_and_set(1), sum_and_set(2)}, serializable, "ABABAB");
  EXPECT_THAT(played.lines,
              ElementsAre("A (30)", "B (30)", "A 1", "B 1", "A commit", "B 40001"));
}

TEST_F(Schedule, locks_may_refuse_to_wait) {
  const Played played =
      play({"UPDATE t SET v = 0 WHERE id = 1;", "PERFORM 1 FROM t FOR SHARE NOWAIT;",
            "PERFORM id FROM t ORDER BY id FOR UPDATE SKIP LOCKED;"},
           read_committed, "ABC");
  EXPECT_THAT(played.lines, ElementsAre("A 1", "B 55P03", "C (2)", "A commit", "C commit"));
}

TEST_F(Schedule, into_locks_no_more_rows_than_it_takes) {
  const Played played =
      play({"DECLARE n int; BEGIN SELECT v INTO n FROM t ORDER BY id FOR UPDATE; END",
            "UPDATE t SET v = 0 WHERE id = 2;", "UPDATE t SET v = 0 WHERE id = 1;"},
           read_committed, "ABC");
  EXPECT_THAT(played.lines, ElementsAre("A (10)", "B 1", "C waits for A, after 3: 1",
                                        "A commit", "B commit", "C commit"));
}

TEST_F(Schedule, failure_in_a_block_gives_back_its_locks_at_once) {
  const Played played =
      play({"BEGIN UPDATE t SET v = 0 WHERE id = 1; INSERT INTO t VALUES (2,0,9); "
            "EXCEPTION WHEN unique_violation THEN UPDATE t SET v = 7 WHERE id = 2; END;",
            "UPDATE t SET v = v + 1 WHERE id = 1;"},
           read_committed, "ABA");
  EXPECT_THAT(played.lines, ElementsAre("A 1", "B waits for A, after 2: 1", "A 23505",
                                        "A 1", "A commit", "B commit"));
  EXPECT_EQ(played.rows[0], "t (1,11,1) (2,7,2)");
}

TEST_F(Schedule, retries_go_on_in_the_same_session) {
  program::Program program = application(two_increments);
  program.sessions[1].retry = 1;
  const Scenario scenario = at_level(program, repeatable_read);
  const Played played = play(program, scenario, "ABABB");
  EXPECT_THAT(played.lines, ElementsAre("A 1", "B waits for A, after 2: 40001", "A commit",
                                        "B 1", "B commit"));
  EXPECT_EQ(played.rows[0], "t (1,13,1) (2,20,2)");
}

TEST_F(Schedule, deferrable_waits_for_a_safe_snapshot) {
  const program::Program program =
      application({"UPDATE t SET v = 0 WHERE id = 1;", "PERFORM v FROM t WHERE id = 1;"});
  Scenario scenario = at_level(program, serializable);
  scenario.begin[1].is_read_only = true;
  scenario.begin[1].is_deferrable = true;
  EXPECT_THAT(play(program, scenario, "ABA").lines,
              ElementsAre("A 1", "B waits for A, after 2: (10)", "A commit", "B commit"));
}

TEST_F(Schedule, locks_of_a_session_outlive_its_transactions) {
  const Played played =
      play({"PERFORM pg_advisory_lock(7);", "PERFORM pg_advisory_lock(7);"}, read_committed,
           "AAB");
  EXPECT_THAT(played.lines[2], StartsWith("B waits for A, never"));
  EXPECT_THAT(played.calls, ElementsAre("A committed", "B not reached"));
}

TEST_F(Schedule, who_waits_has_no_entry) {
  const program::Program program = application(two_increments);
  const auto connected = server::PostgresqlServer::connect(program, {.address = address()});
  ASSERT_TRUE(connected) << connected.error();
  const Scenario scenario = at_level(program, read_committed);
  ScheduleRun run(scenario, **connected);
  EXPECT_FALSE(follow(run, schedule_of(program, "ABB")));
  EXPECT_THAT(run.runnable(), ElementsAre(0));
  EXPECT_THAT(run.waiting(), ElementsAre(1));
}

TEST_F(Schedule, every_schedule_comes_once) {
  const program::Program program =
      application({"UPDATE t SET v = 0 WHERE id = 1;", "UPDATE t SET v = 0 WHERE id = 2;"});
  const auto connected = server::PostgresqlServer::connect(program, {.address = address()});
  ASSERT_TRUE(connected) << connected.error();
  const Scenario scenario = at_level(program, read_committed);
  std::vector<std::vector<SessionIndex>> found;
  const auto fresh = [&]() -> database::Server& {
    EXPECT_EQ((*connected)->reset(), "");
    return **connected;
  };
  const auto visit = [&](const ScheduleRun& run) {
    found.push_back(run.schedule());
    return true;
  };
  EXPECT_TRUE(every_schedule(scenario, fresh, visit).is_complete);
  EXPECT_THAT(found, testing::UnorderedElementsAre(
                         ElementsAre(0, 0, 1, 1), ElementsAre(0, 1, 0, 1),
                         ElementsAre(0, 1, 1, 0), ElementsAre(1, 0, 0, 1),
                         ElementsAre(1, 0, 1, 0), ElementsAre(1, 1, 0, 0)));
  EXPECT_FALSE(every_schedule(scenario, fresh, visit, {.schedules_max = 5}).is_complete);
}

TEST_F(Schedule, reset_ends_waits_and_undoes_everything) {
  const program::Program program = application(two_increments);
  const auto connected = server::PostgresqlServer::connect(program, {.address = address()});
  ASSERT_TRUE(connected) << connected.error();
  const Scenario scenario = at_level(program, read_committed);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ((*connected)->reset(), "");
    ScheduleRun run(scenario, **connected);
    run.step(0);
    run.step(1);
    EXPECT_THAT(run.waiting(), ElementsAre(1));
    EXPECT_EQ(row_texts(program, run)[0], "t (1,10,1) (2,20,2)");
  }
}

TEST_F(Schedule, nothing_stays_behind) {
  play(two_increments, read_committed, "ABAB");
  const Answer schemas = Connection(test::server())
                             .run(
                                 "SELECT nspname FROM pg_namespace WHERE nspname LIKE "
                                 "'isomer%'");
  EXPECT_TRUE(schemas.rows.empty());
}

TEST_F(Schedule, no_server_is_said_in_libpqs_words) {
  const program::Program program = application(two_increments);
  const auto connected =
      server::PostgresqlServer::connect(program, {.address = "host=/nowhere"});
  ASSERT_FALSE(connected);
  EXPECT_THAT(connected.error(), HasSubstr("/nowhere/.s.PGSQL.5432"));
  EXPECT_THAT(connected.error(), HasSubstr("No such file or directory"));
}

TEST_F(Schedule, lost_connection_is_no_error_of_the_program) {
  const program::Program program =
      application({"BEGIN UPDATE t SET v = 0 WHERE id = 1; EXCEPTION WHEN OTHERS THEN "
                   "UPDATE t SET v = 1 WHERE id = 2; END;"});
  const auto connected = server::PostgresqlServer::connect(program, {.address = address()});
  ASSERT_TRUE(connected) << connected.error();
  const Scenario scenario = at_level(program, read_committed);
  ScheduleRun run(scenario, **connected);
  Connection(test::server())
      .must(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
          "pg_backend_pid() AND query LIKE 'SET%'");
  EXPECT_TRUE(follow(run, {}));
  EXPECT_TRUE(run.calls()[0][0].fault.is_limit);
  EXPECT_EQ(run.calls()[0][0].kind, CallEnd::Kind::RolledBack);
}

}  // namespace
}  // namespace isomer::test
