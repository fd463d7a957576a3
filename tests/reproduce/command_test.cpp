// SPDX-License-Identifier: MIT
// --on and --local, as a person types them.
#include <csignal>
#include <regex>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reproduce/targets.h"
#include "server/connection.h"
#include "server/mariadb_connection.h"
#include "support/command.h"

namespace isomer::test {
namespace {

using database::Database;
using testing::HasSubstr;
using testing::Not;

Outcome with_url(const std::string& command, Database database) {
  return run(fmt::format("isomer {} --on '{}'", command, url_of(database)));
}

// What isomer made on the server and did not remove.
std::string left_on_postgresql() {
  server::Connection connection(target(Database::PostgreSql)->address.postgresql);
  std::string out;
  for (const auto& row :
       connection.run("SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'isomer%'")
           .rows)
    out += *row[0].get_if<std::string>() + " ";
  return out;
}

std::string left_on_mariadb() {
  server::MariadbConnection connection(target(Database::MariaDb)->address.mariadb);
  std::string out;
  for (const auto& row : connection
                             .run("SELECT schema_name FROM information_schema.schemata "
                                  "WHERE schema_name LIKE 'isomer%'")
                             .rows)
    out += *row[0].get_if<std::string>() + " ";
  return out;
}

TEST(OnServer, explore_reproduces_what_it_finds_and_leaves_nothing) {
  const Outcome on_postgresql =
      with_url("explore --level pg:RR examples/withdraw.toml", Database::PostgreSql);
  EXPECT_EQ(on_postgresql.status, 1) << on_postgresql.output;
  EXPECT_THAT(on_postgresql.output, HasSubstr("reproduced on PostgreSQL 15."));
  EXPECT_THAT(on_postgresql.output, HasSubstr(" at REPEATABLE READ\n"));
  EXPECT_EQ(left_on_postgresql(), "");
  const Outcome on_mariadb =
      with_url("explore --level mariadb:RR examples/withdraw.toml", Database::MariaDb);
  EXPECT_EQ(on_mariadb.status, 1) << on_mariadb.output;
  EXPECT_THAT(on_mariadb.output, HasSubstr("reproduced on MariaDB 10.11."));
  EXPECT_EQ(left_on_mariadb(), "");
}

TEST(OnServer, run_reproduces_a_run_in_which_nothing_is_wrong) {
  const Outcome outcome =
      with_url("run --level pg:SER --seed 3 examples/withdraw.toml", Database::PostgreSql);
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("reproduced on PostgreSQL 15."));
  EXPECT_THAT(outcome.output, HasSubstr("the table above is what it answered"));
}

TEST(OnServer, the_documents_say_it) {
  const Scratch scratch;
  const std::string url = url_of(Database::PostgreSql);
  for (const char* const command :
       {"explore --level pg:RR", "run --level pg:RC --seed 3"}) {
    const std::string name = std::string(command).substr(0, std::string(command).find(' '));
    const Outcome valid =
        run(fmt::format("isomer {} examples/withdraw.toml --json --on '{}' | tee "
                        "$SCRATCH/on.json | python3 tests/support/validate_schema.py "
                        "docs/schema/{}.schema.json; cat $SCRATCH/on.json",
                        command, url, name));
    EXPECT_EQ(valid.status, 0) << valid.output;
    EXPECT_THAT(valid.output, HasSubstr("\"result\": \"reproduced\""));
  }
  for (const char* const command : {"explore", "verify"}) {
    const Outcome valid = run(
        fmt::format("isomer {0} --level SI examples/withdraw.toml --json --on '{1}' | tee "
                    "$SCRATCH/on.json | python3 tests/support/validate_schema.py "
                    "docs/schema/{0}.schema.json; cat $SCRATCH/on.json",
                    command, url));
    EXPECT_EQ(valid.status, 0) << valid.output;
    EXPECT_THAT(valid.output, HasSubstr("\"result\": \"reproduced\""));
  }
  const Outcome page = run(fmt::format(
      "isomer explore --level pg:RR examples/withdraw.toml --html - --on '{}'", url));
  EXPECT_THAT(page.output, HasSubstr("On a real server"));
}

TEST(OnServer, keep_leaves_the_tables) {
  const Outcome outcome =
      with_url("explore --level pg:RR examples/withdraw.toml --keep", Database::PostgreSql);
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  std::smatch kept;
  static const std::regex words(
      "the tables are kept in the schema (isomer_[0-9a-f_]+_kept)");
  ASSERT_TRUE(std::regex_search(outcome.output, kept, words)) << outcome.output;
  server::Connection connection(target(Database::PostgreSql)->address.postgresql);
  // What comes next does not take it for something left behind.
  with_url("explore --level pg:RR examples/withdraw.toml", Database::PostgreSql);
  const auto rows =
      connection.run(fmt::format("SELECT sum(balance) FROM {}.account", kept[1].str()));
  ASSERT_FALSE(rows.fault) << rows.fault->reason;
  EXPECT_EQ(rows.rows[0][0], program::Value::integer(-80));
  EXPECT_FALSE(connection.run(fmt::format("DROP SCHEMA {} CASCADE", kept[1].str())).fault);
}

TEST(OnServer, local_starts_a_server_that_is_gone_afterwards) {
  const Scratch scratch;
  const Outcome outcome = run(
      "chmod 755 $SCRATCH; mkdir $SCRATCH/t; TMPDIR=$SCRATCH/t isomer explore --level "
      "pg:RR "
      "examples/withdraw.toml --local; echo status $?; ls $SCRATCH/t; rmdir $SCRATCH/t");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("reproduced on PostgreSQL 15."));
  EXPECT_THAT(outcome.output, HasSubstr("status 1\n"));
}

// A server of ours that is killed with us, at any moment.
TEST(OnServer, local_leaves_nothing_when_it_is_killed) {
  const Scratch scratch;
  for (const char* const milliseconds : {"0.05", "0.4", "0.9", "1.3"}) {
    const Outcome outcome = run(fmt::format(
        "rm -rf $SCRATCH/k; mkdir -m 755 $SCRATCH/k; chmod 755 $SCRATCH; "
        "TMPDIR=$SCRATCH/k isomer explore --level pg:RC "
        "examples/apps/tpcc/deliveries.toml --local > $SCRATCH/told & "
        "sleep {}; kill -9 $!; "
        "for i in $(seq 600); do [ -z \"$(ls $SCRATCH/k)\" ] && break; sleep 0.1; done; "
        "ls $SCRATCH/k; ps ax -o args | grep \"[-]D $SCRATCH/k\"; true",
        milliseconds));
    EXPECT_EQ(outcome.output, "") << milliseconds;
  }
}

// What was made on a server that goes on stays until the next one comes.
TEST(OnServer, what_a_killed_one_left_is_removed_by_the_next) {
  server::Connection connection(target(Database::PostgreSql)->address.postgresql);
  ASSERT_FALSE(connection.run("CREATE SCHEMA isomer_1_0badcafe").fault);
  ASSERT_FALSE(connection.run("CREATE TABLE isomer_1_0badcafe.t (id int)").fault);
  ASSERT_FALSE(connection.run("CREATE SCHEMA isomer_1_0badcafe_kept").fault);
  server::Connection owner(target(Database::PostgreSql)->address.postgresql);
  ASSERT_FALSE(connection.run("CREATE SCHEMA isomer_2_0badcafe").fault);
  ASSERT_FALSE(
      owner.run("SELECT pg_advisory_lock(1769172845, hashtext('isomer_2_0badcafe'))")
          .fault);
  with_url("explore --level pg:RR examples/withdraw.toml", Database::PostgreSql);
  EXPECT_EQ(left_on_postgresql(), "isomer_1_0badcafe_kept isomer_2_0badcafe ");
  connection.run("DROP SCHEMA isomer_1_0badcafe_kept, isomer_2_0badcafe");
  server::MariadbConnection mariadb(target(Database::MariaDb)->address.mariadb);
  ASSERT_FALSE(mariadb.run("CREATE DATABASE isomer_1_0badcafe").fault);
  with_url("explore --level mariadb:RR examples/withdraw.toml", Database::MariaDb);
  EXPECT_EQ(left_on_mariadb(), "");
}

TEST(OnServer, findings_of_abstract_levels_are_tried) {
  const Outcome si =
      with_url("explore --level SI examples/withdraw.toml", Database::PostgreSql);
  EXPECT_EQ(si.status, 1) << si.output;
  EXPECT_THAT(si.output, HasSubstr("reproduced on PostgreSQL 15."));
  EXPECT_THAT(si.output, HasSubstr(" at REPEATABLE READ"));
  const Outcome verify = with_url(
      "verify --level SI examples/apps/simple_bank/write_skew.toml", Database::PostgreSql);
  EXPECT_EQ(verify.status, 1) << verify.output;
  EXPECT_THAT(verify.output, HasSubstr("reproduced on PostgreSQL 15."));
  // A lost update, which REPEATABLE READ does not do.
  const Outcome refuted =
      with_url("explore --level CC examples/apps/shopping_cart/lost_addition.toml",
               Database::PostgreSql);
  EXPECT_EQ(refuted.status, 1) << refuted.output;
  EXPECT_THAT(refuted.output, HasSubstr("refuted on PostgreSQL 15."));
  EXPECT_THAT(refuted.output, HasSubstr("schedules tried)"));
}

TEST(OnServer, what_cannot_be_reached_is_told_in_the_words_of_the_library) {
  const Outcome outcome =
      run("isomer explore --level pg:RR examples/withdraw.toml --on "
          "postgresql://ann:verysecret@localhost:1/shop");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output,
              HasSubstr("isomer explore: error: --on: connection to server"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("verysecret")));
}

TEST(OnServer, passwords_are_hidden_in_the_list_of_processes) {
  const auto hidden = [](std::string word) {
    server::hide_password(word);
    return word;
  };
  EXPECT_EQ(hidden("postgresql://ann:secret@host/shop"),
            "postgresql://ann:******@host/shop");
  EXPECT_EQ(hidden("postgres://ann:se@cr/et@host"), "postgres://ann:********@host");
  EXPECT_EQ(hidden("--on=mariadb://ann:secret@host"), "--on=mariadb://ann:******@host");
  EXPECT_EQ(hidden("postgresql://h/d?user=a&password=secret&port=1"),
            "postgresql://h/d?user=a&password=******&port=1");
  EXPECT_EQ(hidden("mariadb://ann:secret"), "mariadb://ann:******");
  EXPECT_EQ(hidden("a://b:c@d"), "a://b:c@d");
  // Somebody who listens and says nothing.
  const Outcome seen =
      run("python3 -c 'import socket, subprocess, os\n"
          "s = socket.create_server((\"127.0.0.1\", 0))\n"
          "url = \"postgresql://ann:verysecret@127.0.0.1:%d/x\" % s.getsockname()[1]\n"
          "p = subprocess.Popen([\"isomer\", \"explore\", \"--level\", \"pg:RR\", "
          "\"examples/withdraw.toml\", \"--on\", url])\n"
          "s.accept()\n"
          "print(open(\"/proc/%d/cmdline\" % p.pid).read())\n"
          "p.kill()'");
  EXPECT_THAT(seen.output, HasSubstr("postgresql://ann:**********@127.0.0.1"));
  EXPECT_THAT(seen.output, Not(HasSubstr("verysecret")));
}

TEST(OnServer, refuses_what_does_not_fit) {
  const auto told = [](const std::string& options) {
    const Outcome outcome = run("isomer explore examples/withdraw.toml " + options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_THAT(outcome.output, Not(HasSubstr("verysecret")));
    return outcome.output;
  };
  EXPECT_THAT(told("--level pg:RR --on mariadb://ann:verysecret@localhost/"),
              HasSubstr("the level is one of PostgreSQL"));
  EXPECT_THAT(told("--level pg:RR --on oracle://ann:verysecret@localhost"),
              HasSubstr("expected postgresql://"));
  EXPECT_THAT(told("--level pg:RR --on postgresql://ann:verysecret"),
              HasSubstr("its port is no number"));
  EXPECT_THAT(told("--level pg:RR --on postgresql://ann:very@verysecret@host/x"),
              HasSubstr("%40"));
  EXPECT_THAT(told("--level mariadb:RR --on mariadb://ann:verysecret"),
              HasSubstr("no number for the port"));
  EXPECT_THAT(told("--level pg:RR --on postgresql: --local"), HasSubstr("choose one"));
  EXPECT_THAT(told("--level pg:RR --keep"), HasSubstr("--keep"));
}

}  // namespace
}  // namespace isomer::test
