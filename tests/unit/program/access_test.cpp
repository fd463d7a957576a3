// SPDX-License-Identifier: MIT
// Which keys SQL reads and writes.
#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "program/sql/script.h"

namespace isomer::program {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view tables = R"(
CREATE TABLE account (id int PRIMARY KEY, owner text, balance int);
CREATE TABLE owner (name text PRIMARY KEY, city text);
CREATE TABLE line (o int, n int, item int, amount numeric, PRIMARY KEY (o, n));
CREATE TABLE parent (id int PRIMARY KEY, code text UNIQUE);
CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES parent (id));
)";

// account 1 ann, 2 bob, 3 ann; owner ann, bob; line 1/1, 1/2, 2/1; parent 1; child 7 of 1.
Database filled() {
  Database out;
  const auto row = [&](const std::string& key, std::vector<Value> values) {
    out[key] = Value::list(std::move(values));
  };
  const auto number = [](std::int64_t n) { return Value::integer(n); };
  row("account/1", {number(1), Value::text("ann"), number(10)});
  row("account/2", {number(2), Value::text("bob"), number(20)});
  row("account/3", {number(3), Value::text("ann"), number(30)});
  row("owner/ann", {Value::text("ann"), Value::text("Paris")});
  row("owner/bob", {Value::text("bob"), Value::text("Rome")});
  row("line/1/1", {number(1), number(1), number(5), Value(decimal_of(1))});
  row("line/1/2", {number(1), number(2), number(6), Value(decimal_of(2))});
  row("line/2/1", {number(2), number(1), number(5), Value(decimal_of(3))});
  row("parent/1", {number(1), Value::text("x")});
  row("child/7", {number(7), number(1)});
  return out;
}

Program application(std::string_view body) {
  auto program =
      parse_sql("p.sql", fmt::format("{}CREATE PROCEDURE t() LANGUAGE plpgsql AS $$\n"
                                     "DECLARE a int; b text; r record;\nBEGIN {} END $$;",
                                     tables, body));
  EXPECT_TRUE(program) << render(program.error());
  return program ? *program : Program{};
}

// "r account/1", "w account/1=[1, ann, 9]", and the reason if it aborts.
std::vector<std::string> accesses(std::string_view body,
                                  Granularity granularity = Granularity::Row,
                                  Database database = filled()) {
  const Program program = application(body);
  Machine machine(program, Call{}, {}, granularity);
  std::vector<std::string> out;
  while (true) {
    const Step step = machine.next();
    if (const auto* read = std::get_if<WantsRead>(&step)) {
      out.push_back("r " + read->key);
      machine.answer(database[read->key]);
    } else if (const auto* scan = std::get_if<WantsUniverse>(&step)) {
      machine.answer(universe_of(program.tables[scan->table.index], database));
    } else if (const auto* write = std::get_if<WritesKey>(&step)) {
      out.push_back(fmt::format("w {}={}", write->key, to_text(write->value)));
    } else {
      if (const auto* aborts = std::get_if<Aborts>(&step)) out.push_back(aborts->sqlstate);
      return out;
    }
  }
}

// The other tables say which rows of the changed one to read.
TEST(Accesses, changes_with_other_tables_read_these_first) {
  EXPECT_THAT(
      accesses("UPDATE account SET balance = 0 FROM line l WHERE l.o = 1 AND l.n = 2 "
               "AND account.id = l.n;"),
      ElementsAre("r line/1/2", "r account/2", "w account/2=[2, bob, 0]"));
  EXPECT_THAT(accesses("DELETE FROM account USING owner WHERE name = 'bob' AND id = 9;"),
              ElementsAre("r account/9"));
  EXPECT_THAT(accesses("UPDATE account x SET balance = y.balance FROM account y "
                       "WHERE x.id = 1 AND y.id = x.id + 1;"),
              ElementsAre("r account/1", "r account/2", "w account/1=[1, ann, 20]"));
}

TEST(Accesses, rows_with_several_partners_change_once) {
  EXPECT_THAT(accesses("UPDATE owner SET city = balance::text FROM account "
                       "WHERE account.owner = name AND name = 'ann';"),
              ElementsAre("r owner/ann", "r account/1", "r account/2", "r account/3",
                          "w owner/ann=[ann, 10]"));
}

TEST(Accesses, fields_of_other_tables_are_read_as_mentioned) {
  Database database;
  for (const auto& [key, value] : std::vector<std::pair<std::string, Value>>{
           {"owner/ann/%alive", Value::boolean(true)},
           {"owner/ann/city", Value::text("Paris")},
           {"account/1/%alive", Value::boolean(true)},
           {"account/1/owner", Value::text("ann")}})
    database[key] = value;
  const auto found = accesses(
      "UPDATE account SET owner = city FROM owner o WHERE id = 1 AND "
      "o.name = account.owner;",
      Granularity::Field, database);
  EXPECT_EQ(found.back(), "w account/1/owner=Paris");
  EXPECT_EQ(std::count(found.begin(), found.end(), "r account/1/balance"), 0);
}

TEST(Accesses, several_out_parameters_are_a_row) {
  const auto program =
      parse_sql("p.sql",
                "CREATE PROCEDURE p(x int, OUT y int, OUT z text) LANGUAGE plpgsql AS "
                "$$ BEGIN y := x + 1; z := 'a'; END $$;");
  ASSERT_TRUE(program);
  Database database;
  const SerialRun run = run_serially(*program, Call{}, {Value::integer(1)}, database);
  EXPECT_EQ(to_text(std::get<Commits>(run.end).result), "[2, a]");
}

TEST(Accesses, pinned_statements_touch_one_key) {
  EXPECT_THAT(accesses("SELECT balance INTO a FROM account WHERE id = 2;"),
              ElementsAre("r account/2"));
  EXPECT_THAT(accesses("SELECT balance INTO a FROM account WHERE 99 = id AND balance > 5;"),
              ElementsAre("r account/99"));
  EXPECT_THAT(accesses("UPDATE account SET balance = balance + 1 WHERE id = 1;"),
              ElementsAre("r account/1", "w account/1=[1, ann, 11]"));
  EXPECT_THAT(accesses("DELETE FROM account WHERE id = 1;"),
              ElementsAre("r account/1", "w account/1=NULL"));
  EXPECT_THAT(accesses("UPDATE account SET balance = 0 WHERE id = 9;"),
              ElementsAre("r account/9"));
  EXPECT_THAT(accesses("SELECT item INTO a FROM line WHERE n = 2 AND o = 1;"),
              ElementsAre("r line/1/2"));
}

TEST(Accesses, values_that_no_key_has_touch_none) {
  EXPECT_THAT(accesses("SELECT balance INTO a FROM account WHERE id = NULL;"), IsEmpty());
  EXPECT_THAT(accesses("SELECT balance INTO a FROM account WHERE id = 1.5;"), IsEmpty());
  EXPECT_THAT(accesses("SELECT balance INTO a FROM account WHERE id = 5000000000;"),
              IsEmpty());
  EXPECT_THAT(accesses("SELECT balance INTO a FROM account WHERE id = 1 AND 1 = 2;"),
              IsEmpty());
}

TEST(Accesses, scans_read_what_could_match) {
  EXPECT_THAT(accesses("SELECT sum(balance) INTO a FROM account WHERE owner = 'ann';"),
              ElementsAre("r account/1", "r account/2", "r account/3"));
  EXPECT_THAT(accesses("SELECT sum(balance) INTO a FROM account WHERE id > 1;"),
              ElementsAre("r account/2", "r account/3"));
  EXPECT_THAT(accesses("SELECT sum(balance) INTO a FROM account WHERE id IN (1, 3, 8);"),
              ElementsAre("r account/1", "r account/3"));
  EXPECT_THAT(accesses("SELECT sum(amount) INTO a FROM line WHERE o = 1;"),
              ElementsAre("r line/1/1", "r line/1/2"));
  EXPECT_THAT(accesses("SELECT sum(balance) INTO a FROM account WHERE 6 / (id - 2) > 0;"),
              ElementsAre("r account/2", "r account/3", "22012"));
}

TEST(Accesses, scans_read_rows_that_do_not_exist_yet) {
  Database database = filled();
  database["account/4"] = Value();
  EXPECT_THAT(accesses("SELECT count(*) INTO a FROM account WHERE id >= 3;",
                       Granularity::Row, database),
              ElementsAre("r account/3", "r account/4"));
}

TEST(Accesses, pruning_ignores_errors_of_absent_rows) {
  Database database = filled();
  database["account/0"] = Value();
  EXPECT_THAT(accesses("SELECT count(*) INTO a FROM account WHERE 2 / id > 0 AND id < 2;",
                       Granularity::Row, database),
              ElementsAre("r account/0", "r account/1"));
}

TEST(Accesses, joins_pin_through_rows_already_read) {
  EXPECT_THAT(
      accesses("SELECT o.city INTO b FROM account a JOIN owner o ON o.name = a.owner "
               "WHERE a.id = 2;"),
      ElementsAre("r account/2", "r owner/bob"));
  EXPECT_THAT(accesses("SELECT max(o.city) INTO b FROM account a LEFT JOIN owner o ON "
                       "o.name = a.owner WHERE a.id > 1;"),
              ElementsAre("r account/2", "r account/3", "r owner/bob", "r owner/ann"));
  EXPECT_THAT(
      accesses("SELECT balance INTO a FROM account WHERE id = (SELECT max(item) - 4 "
               "FROM line WHERE o = 2);"),
      ElementsAre("r line/2/1", "r account/1"));
}

TEST(Accesses, a_statement_reads_a_key_once_and_the_next_again) {
  EXPECT_THAT(
      accesses("SELECT count(*) INTO a FROM account x, account y WHERE x.id = 1 AND "
               "y.id = 1; SELECT balance INTO a FROM account WHERE id = 1;"),
      ElementsAre("r account/1", "r account/1"));
}

TEST(Accesses, own_writes_are_seen_inside) {
  EXPECT_THAT(
      accesses("UPDATE account SET balance = 7 WHERE id = 1; SELECT balance INTO a "
               "FROM account WHERE id = 1; UPDATE account SET balance = a + 1 WHERE id "
               "= 1;"),
      ElementsAre("r account/1", "w account/1=[1, ann, 7]", "w account/1=[1, ann, 8]"));
  EXPECT_THAT(
      accesses("INSERT INTO account VALUES (5, 'eve', 50); SELECT count(*) INTO a FROM "
               "account WHERE id > 2; UPDATE account SET balance = a WHERE id = 5;"),
      ElementsAre("r account/5", "w account/5=[5, eve, 50]", "r account/3",
                  "w account/5=[5, eve, 2]"));
  EXPECT_THAT(
      accesses("DELETE FROM account WHERE id = 1; INSERT INTO account VALUES (1, 'z', "
               "0);"),
      ElementsAre("r account/1", "w account/1=NULL", "w account/1=[1, z, 0]"));
}

TEST(Accesses, inserts_read_the_key) {
  EXPECT_THAT(accesses("INSERT INTO account VALUES (8, NULL, 1);"),
              ElementsAre("r account/8", "w account/8=[8, NULL, 1]"));
  EXPECT_THAT(accesses("INSERT INTO account VALUES (8, NULL, 1), (1, NULL, 1);"),
              ElementsAre("r account/8", "r account/1", "23505"));
  EXPECT_THAT(accesses("INSERT INTO account VALUES (1, 'x', 1) ON CONFLICT DO NOTHING;"),
              ElementsAre("r account/1"));
}

TEST(Accesses, constraints_read_what_they_need) {
  EXPECT_THAT(accesses("INSERT INTO child VALUES (8, 1);"),
              ElementsAre("r child/8", "r parent/1", "w child/8=[8, 1]"));
  EXPECT_THAT(accesses("INSERT INTO child VALUES (8, 5);"),
              ElementsAre("r child/8", "r parent/5", "23503"));
  EXPECT_THAT(accesses("INSERT INTO parent VALUES (2, 'x');"),
              ElementsAre("r parent/2", "r parent/1", "23505"));
  EXPECT_THAT(accesses("DELETE FROM parent WHERE id = 1;"),
              ElementsAre("r parent/1", "r child/7", "23503"));
  EXPECT_THAT(accesses("UPDATE child SET parent = 1 WHERE id = 7;"),
              ElementsAre("r child/7", "w child/7=[7, 1]"));
}

TEST(Accesses, locks_write_rows_back) {
  EXPECT_THAT(accesses("SELECT balance INTO a FROM account WHERE id = 1 FOR UPDATE;"),
              ElementsAre("r account/1", "w account/1=[1, ann, 10]"));
  EXPECT_THAT(accesses("SELECT balance INTO a FROM account WHERE id = 1 FOR SHARE;"),
              ElementsAre("r account/1"));
  EXPECT_THAT(
      accesses("PERFORM 1 FROM account WHERE owner = 'ann' ORDER BY id DESC LIMIT 1 FOR "
               "UPDATE;"),
      ElementsAre("r account/1", "r account/2", "r account/3", "w account/3=[3, ann, 30]"));
}

TEST(Accesses, locks_write_back_the_rows_of_the_tables_that_they_name) {
  constexpr std::string_view join =
      "PERFORM 1 FROM account x, owner o WHERE x.id = 2 AND o.name = x.owner ";
  const auto with = [&](std::string_view locks) {
    return accesses(fmt::format("{}{};", join, locks));
  };
  EXPECT_THAT(with("FOR UPDATE OF o"),
              ElementsAre("r account/2", "r owner/bob", "w owner/bob=[bob, Rome]"));
  EXPECT_THAT(with("FOR NO KEY UPDATE OF x FOR SHARE OF o"),
              ElementsAre("r account/2", "r owner/bob", "w account/2=[2, bob, 20]"));
  EXPECT_THAT(with("FOR KEY SHARE"), ElementsAre("r account/2", "r owner/bob"));
}

TEST(Accesses, loops_evaluate_their_query_once) {
  EXPECT_THAT(
      accesses("FOR r IN SELECT id FROM account WHERE id < 3 LOOP UPDATE account SET "
               "balance = 0 WHERE id = r.id; END LOOP;"),
      ElementsAre("r account/1", "r account/2", "r account/1", "w account/1=[1, ann, 0]",
                  "r account/2", "w account/2=[2, bob, 0]"));
}

TEST(Accesses, keys_of_text_are_unambiguous) {
  EXPECT_THAT(accesses("SELECT city INTO b FROM owner WHERE name = 'a/b%';"),
              ElementsAre("r owner/a%2Fb%25"));
  const Program program = application("NULL;");
  const Table& owner = program.tables[1];
  for (const std::string text : {"", "a/b", "%", "%2F", "ä\n", "a b", "/"})
    EXPECT_EQ(parse_row_key(owner, row_key(owner, {Value::text(text)})),
              PrimaryKey{Value::text(text)});
  EXPECT_EQ(parse_row_key(owner, "ownership/1"), std::nullopt);
  EXPECT_EQ(parse_row_key(program.tables[2], "line/1"), std::nullopt);
  EXPECT_EQ(parse_row_key(program.tables[0], "account/x"), std::nullopt);
}

TEST(TableGranularity, is_one_key_a_table) {
  const Database database{{"account", Value::list({filled()["account/1"]})}};
  EXPECT_THAT(accesses("UPDATE account SET balance = 3 WHERE id = 1; INSERT INTO account "
                       "VALUES (2, 'x', 1);",
                       Granularity::Table, database),
              ElementsAre("r account", "w account=[[1, ann, 3]]",
                          "w account=[[1, ann, 3], [2, x, 1]]"));
}

TEST(FieldGranularity, is_a_key_a_column) {
  const Database database{{"account/1/%alive", Value::boolean(true)},
                          {"account/1/id", Value::integer(1)},
                          {"account/1/owner", Value::text("ann")},
                          {"account/1/balance", Value::integer(10)}};
  EXPECT_THAT(accesses("UPDATE account SET balance = 3 WHERE id = 1;", Granularity::Field,
                       database),
              ElementsAre("r account/1/%alive", "w account/1/balance=3"));
  EXPECT_THAT(
      accesses("UPDATE account SET owner = 'x' WHERE balance > 3;", Granularity::Field,
               database),
      ElementsAre("r account/1/%alive", "r account/1/balance", "w account/1/owner=x"));
  EXPECT_THAT(
      accesses("INSERT INTO account VALUES (2, 'x', 1); DELETE FROM account WHERE id = "
               "1;",
               Granularity::Field, database),
      ElementsAre("r account/2/%alive", "w account/2/%alive=t", "w account/2/id=2",
                  "w account/2/owner=x", "w account/2/balance=1", "r account/1/%alive",
                  "w account/1/%alive=NULL"));
}

// 20,000 rows twice over: minutes if a scan were executed again for each of its rows.
TEST(Accesses, scans_are_not_quadratic) {
  const Program program = application(
      "SELECT count(*) INTO a FROM account x JOIN owner o ON o.name = x.owner WHERE "
      "x.balance "
      "> 0; UPDATE account SET balance = 1;");
  Database database;
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = fmt::format("o{}", i);
    database["owner/" + name] = Value::list({Value::text(name), Value()});
    database[fmt::format("account/{}", i)] =
        Value::list({Value::integer(i), Value::text(name), Value::integer(5)});
  }
  const auto start = std::chrono::steady_clock::now();
  const SerialRun run = run_serially(program, Call{}, {}, database);
  const auto elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(std::holds_alternative<Commits>(run.end));
  EXPECT_EQ(run.reads.size(), 60'000U);
  EXPECT_EQ(run.writes.size(), 20'000U);
  EXPECT_LT(elapsed, std::chrono::seconds(60));
  RecordProperty(
      "milliseconds",
      static_cast<int>(
          std::chrono::duration_cast<std::chrono::milliseconds>(elapsed).count()));
}

}  // namespace
}  // namespace isomer::program
