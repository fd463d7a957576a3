// SPDX-License-Identifier: MIT
// `isomer run`, `explore` and `levels` at the levels of databases: statuses, documents,
// and that a failing schedule can be run again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/documents.h"

namespace isomer {
namespace {

using test::Outcome;
using test::run;
using test::Scratch;
using testing::HasSubstr;
using testing::Not;

const std::string bank = " examples/apps/simple_bank/write_skew.toml ";
const std::string tickets = " tests/corpus/cli/tickets.toml ";
const std::string waits = " levels/postgresql/02_waiting_and_looking_again.toml ";

TEST(Database, status_tells_whether_an_invariant_is_broken) {
  const std::string skew = "--schedule 'atm web atm web atm web'";
  EXPECT_EQ(run("isomer run --level pg:RC" + bank + skew).status, 1);
  EXPECT_EQ(run("isomer run --level pg:RC" + bank + "--schedule 'atm atm atm atm'").status,
            0);
  EXPECT_EQ(run("isomer explore --level pg:RC" + bank).status, 1);
  EXPECT_EQ(run("isomer explore --level pg:SER" + bank).status, 0);
  EXPECT_EQ(run("isomer explore --level pg:RC --timeout 0.000001" + bank).status, 3);
}

TEST(Database, json_follows_its_schema) {
  for (const std::string& command :
       {"--level pg:RC" + bank, "--level pg:SER" + bank, "--level pg:RR --runs 20" + bank,
        "--level pg:RC --schedule 'ann bob'" + waits,
        std::string("--level pg:RC no_such.toml")})
    test::expect_json("isomer run --json " + command, "run");
  for (const std::string level : {"pg:RC", "pg:RR", "pg:SER"}) {
    test::expect_json("isomer explore --json --level " + level + bank, "explore");
    test::expect_json("isomer levels --json " + level, "levels");
  }
  for (const std::string level : {"sqlite:DEFERRED", "sqlite:IMMEDIATE"})
    test::expect_json("isomer levels --json " + level, "levels");
  test::expect_json("isomer levels --json", "levels");
}

TEST(Database, json_of_sqlite_follows_its_schema) {
  const std::string set_ups[] = {"", " --set journal=wal", " --set busy_timeout=false",
                                 " --set journal=wal --set busy_timeout=false"};
  for (const std::string& set_up : set_ups)
    for (const std::string level :
         {" --level sqlite:DEFERRED", " --level sqlite:IMMEDIATE"}) {
      test::expect_json("isomer run --json --runs 20" + level + set_up + tickets, "run");
      test::expect_json("isomer run --json --schedule 'ann bob'" + level + set_up + tickets,
                        "run");
      test::expect_json("isomer explore --json" + level + set_up + tickets, "explore");
    }
}

TEST(Database, json_of_mariadb_follows_its_schema) {
  for (const std::string level :
       {"mariadb:RU", "mariadb:RC", "mariadb:RR", "mariadb:SER"}) {
    test::expect_json("isomer run --json --runs 20 --level " + level + bank, "run");
    test::expect_json("isomer run --json --level " + level + bank, "run");
    test::expect_json("isomer explore --json --level " + level + bank, "explore");
    test::expect_json("isomer levels --json " + level, "levels");
  }
  test::expect_json(
      "isomer explore --json --level mariadb:RR --set snapshot_isolation=true" + bank,
      "explore");
}

// With the set-up and the levels of the scenario, or others.
TEST(Database, what_explore_finds_of_sqlite_run_does) {
  for (const char* const set_up : {"", " --set journal=wal"}) {
    const std::string file = std::string(" --level sqlite:DEFERRED") + set_up +
                             " tests/corpus/cli/tickets_given.toml ";
    const auto found = nlohmann::json::parse(run("isomer explore --json" + file).output);
    ASSERT_FALSE(found["failure"].is_null()) << file;
    ASSERT_FALSE(found["failure"].contains("order")) << file;
    std::string schedule;
    for (const std::string session : found["failure"]["schedule"])
      schedule += session + " ";
    const auto again = nlohmann::json::parse(
        run("isomer run --json --schedule '" + schedule + "'" + file).output);
    EXPECT_EQ(again["run"]["steps"], found["failure"]["steps"]) << file;
    EXPECT_EQ(again["run"]["final_state"], found["failure"]["final_state"]) << file;
  }
}

TEST(Database, hints_name_the_set_up_and_the_workload) {
  const Outcome drawn =
      run("isomer run --level pg:RC --workload small --seed 3 --schedule ' ' "
          "examples/apps/smallbank/workload.toml");
  EXPECT_EQ(drawn.status, 0) << drawn.output;
  const Outcome found = run(
      "isomer explore --level sqlite:DEFERRED --set journal=wal --set busy_timeout=false" +
      tickets);
  EXPECT_EQ(found.status, 1);
  EXPECT_THAT(found.output,
              HasSubstr("isomer explore --level sqlite:DEFERRED --set journal=wal --set "
                        "busy_timeout=false tests/corpus/cli/tickets.toml --html"));
}

// What explore finds, run does.
TEST(Database, a_failing_schedule_can_be_run_again) {
  const auto found =
      nlohmann::json::parse(run("isomer explore --json --level pg:RR" + bank).output);
  std::string schedule;
  for (const std::string session : found["failure"]["schedule"])
    schedule += session + " ";
  const auto again = nlohmann::json::parse(
      run("isomer run --json --level pg:RR --schedule '" + schedule + "'" + bank).output);
  EXPECT_EQ(again["run"]["steps"], found["failure"]["steps"]);
  EXPECT_EQ(again["run"]["final_state"], found["failure"]["final_state"]);
  EXPECT_EQ(again["invariants"]["no overdraft"]["broken"], 1);
}

TEST(Database, pages_and_pictures_show_waits) {
  const Scratch scratch;
  run("isomer run --level pg:RC --schedule 'ann bob' --html $SCRATCH/p --svg $SCRATCH/s" +
      waits);
  const std::string page = test::contents(scratch.path("p"));
  test::expect_self_contained(page);
  EXPECT_THAT(page, HasSubstr("waits for ann"));
  EXPECT_THAT(page, HasSubstr("class=\"wakes line\""));
  EXPECT_THAT(test::contents(scratch.path("s")), HasSubstr("waits for ann"));
}

TEST(Database, wrong_schedules_are_refused_with_their_entry) {
  const Outcome waiting = run("isomer run --level pg:RC --schedule 'ann bob bob'" + waits);
  EXPECT_EQ(waiting.status, 2);
  EXPECT_THAT(waiting.output, HasSubstr("entry 3 of --schedule is for bob, which waits "
                                        "for ann there"));
  const Outcome over = run("isomer run --level pg:RC --schedule 'ann ann ann'" + waits);
  EXPECT_EQ(over.status, 2);
  EXPECT_THAT(over.output, HasSubstr("entry 3 of --schedule is for ann, which has come to "
                                     "its end"));
  const Outcome unknown = run("isomer run --level pg:RC --schedule 'ann bop'" + waits);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.output, HasSubstr("did you mean bob?"));
}

// A level of a script's BEGIN, and those of [levels], without --level.
TEST(Database, scenarios_can_name_their_levels) {
  const Scratch scratch;
  run("cp levels/postgresql/rules.sql $SCRATCH; sed 's/BEGIN;/BEGIN ISOLATION LEVEL "
      "REPEATABLE READ;/' levels/postgresql/13_first_committer_wins.toml > "
      "$SCRATCH/a.toml; "
      "(cat levels/postgresql/13_first_committer_wins.toml; echo '[levels]'; echo 'default "
      "= \"pg:RR\"') > $SCRATCH/b.toml");
  EXPECT_THAT(
      run("isomer run --level pg:RC --schedule 'ann bob ann' $SCRATCH/a.toml").output,
      HasSubstr("ERROR 40001"));
  EXPECT_THAT(run("isomer run --schedule 'ann bob ann' $SCRATCH/b.toml").output,
              HasSubstr("ERROR 40001"));
  EXPECT_THAT(
      run("isomer run --level pg:RC --schedule 'ann bob ann' $SCRATCH/b.toml").output,
      Not(HasSubstr("ERROR 40001")));
}

}  // namespace
}  // namespace isomer
