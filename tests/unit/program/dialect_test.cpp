// SPDX-License-Identifier: MIT
// What a database, or our model of it, cannot say is refused with its place.
#include "program/print/dialect.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/print/print.h"
#include "program/sql/script.h"

namespace isomer::program {
namespace {

constexpr std::string_view table = "CREATE TABLE t (id int PRIMARY KEY, v int);\n";

// "line:column message", a line each.
std::string obstacles_of(const std::string& text, Dialect dialect) {
  const auto program = parse_sql("a.sql", text);
  EXPECT_TRUE(program) << render(program.error());
  std::string out;
  for (const Diagnostic& found : obstacles(program.value(), dialect))
    out += fmt::format("{}:{} {}\n", found.at.line, found.at.column, found.message);
  return out;
}

std::string of_statement(std::string_view statement, Dialect dialect) {
  return obstacles_of(fmt::format("{}CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS "
                                  "$$\nDECLARE y int; BEGIN\n{};\nRETURN y; END $$;",
                                  table, statement),
                      dialect);
}

std::string of_tables(std::string_view tables, Dialect dialect) {
  return obstacles_of(
      fmt::format("{}\nCREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1';",
                  tables),
      dialect);
}

TEST(Dialect, only_postgresql_locks_inside_of_a_statement) {
  for (const std::string_view text :
       {"UPDATE t SET v = 1 WHERE id = (SELECT id FROM t FOR UPDATE)",
        "INSERT INTO t SELECT id + 1, v FROM t FOR SHARE",
        "y := (SELECT v FROM t WHERE id = 1 FOR UPDATE)"}) {
    EXPECT_EQ(of_statement(text, Dialect::PostgreSql), "") << text;
    EXPECT_NE(of_statement(text, Dialect::Sqlite), "") << text;
    EXPECT_NE(of_statement(text, Dialect::MariaDb), "") << text;
  }
}

TEST(Dialect, others_have_no_late_constraints) {
  EXPECT_EQ(of_tables("CREATE TABLE s (id int PRIMARY KEY DEFERRABLE, p int UNIQUE "
                      "INITIALLY DEFERRED);",
                      Dialect::MariaDb),
            "1:54 expected keys of columns and of all rows for MariaDB, which checks them "
            "with each row\n1:14 expected no DEFERRABLE for MariaDB, which has none\n");
  EXPECT_EQ(of_tables("CREATE TABLE s (id int PRIMARY KEY, p int);\n"
                      "CREATE UNIQUE INDEX ON s (p) WHERE p > 0;",
                      Dialect::Sqlite),
            "2:24 expected keys of columns and of all rows for SQLite: our model of it "
            "knows no others\n");
  EXPECT_EQ(
      of_tables("CREATE TABLE s (id int PRIMARY KEY, p int REFERENCES s DEFERRABLE);",
                Dialect::Sqlite),
      "1:43 expected no DEFERRABLE for SQLite: our model of it checks references with "
      "each statement\n");
  EXPECT_EQ(
      of_tables("CREATE TABLE s (id int PRIMARY KEY, p int4range);", Dialect::MariaDb),
      "1:37 expected no ranges for MariaDB, which has none\n");
  for (const Dialect dialect : {Dialect::MariaDb, Dialect::Sqlite}) {
    EXPECT_NE(of_statement("SET CONSTRAINTS ALL IMMEDIATE", dialect), "");
    EXPECT_NE(
        of_statement("SELECT count(*) INTO y FROM t WHERE int4range(1, 5) @> id", dialect),
        "");
  }
}

TEST(Dialect, a_server_gets_keys_in_the_order_in_which_they_are_checked) {
  const auto program = parse_sql(
      "a.sql",
      "CREATE TABLE s (id int CONSTRAINT k PRIMARY KEY DEFERRABLE, p int UNIQUE, q text,\n"
      "  r int4range, EXCLUDE USING gist (p WITH =, r WITH &&) WHERE (p > 0),\n"
      "  UNIQUE (q) DEFERRABLE INITIALLY DEFERRED);\n"
      "CREATE UNIQUE INDEX ON s (lower(q), p) WHERE p > 1;\n"
      "CREATE UNIQUE INDEX ON s (p, q);\n");
  ASSERT_TRUE(program) << render(program.error());
  std::string out;
  for (const std::string& definition : table_definitions(*program, Dialect::PostgreSql))
    out += definition + "\n";
  EXPECT_EQ(
      out,
      "CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public\n"
      "CREATE TABLE \"s\" (\"id\" integer NOT NULL, \"p\" integer, \"q\" text, \"r\" "
      "int4range, CONSTRAINT \"k\" PRIMARY KEY (\"id\") DEFERRABLE, UNIQUE (\"p\"), "
      "CONSTRAINT \"s_p_r_excl\" EXCLUDE USING gist (\"p\" WITH =, \"r\" WITH &&) WHERE "
      "(\"p\" > 0::integer), CONSTRAINT \"s_q_key\" UNIQUE (\"q\") DEFERRABLE INITIALLY "
      "DEFERRED)\n"
      "CREATE UNIQUE INDEX \"s_lower_p_idx\" ON \"s\" ((lower(\"q\")), \"p\") WHERE \"p\" "
      "> "
      "1::integer\n"
      "ALTER TABLE \"s\" ADD UNIQUE (\"p\", \"q\")\n");
}

}  // namespace
}  // namespace isomer::program
