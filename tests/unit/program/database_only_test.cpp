// SPDX-License-Identifier: MIT
// What only databases give a meaning to is refused with its place; what abstract levels
// know as well is not.
#include "program/database_only.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/sql/script.h"

namespace isomer::program {
namespace {

constexpr std::string_view tables =
    "CREATE TABLE parent (id int PRIMARY KEY, code text UNIQUE, other int);\n"
    "CREATE TABLE child (id int PRIMARY KEY, a int REFERENCES parent ON DELETE CASCADE,\n"
    "  b text REFERENCES parent (code) ON DELETE RESTRICT ON UPDATE SET NULL);\n";

Program application(std::string_view body) {
  auto program =
      parse_sql("p.sql", fmt::format("{}CREATE PROCEDURE t() LANGUAGE plpgsql AS $$\n"
                                     "DECLARE a int; r record;\nBEGIN\n{}\nEND $$;",
                                     tables, body));
  EXPECT_TRUE(program) << render(program.error());
  return program ? *program : Program{};
}

// "column construct", a line each.
std::string refused(std::string_view body) {
  const Program program = application(body);
  constexpr std::string_view words =
      "only a database level such as pg:RC gives a meaning to ";
  std::string out;
  for (const Diagnostic& error : database_only(program, all_types(program))) {
    EXPECT_TRUE(error.message.starts_with(words)) << error.message;
    out += fmt::format("{} {}\n", error.at.column, error.message.substr(words.size()));
  }
  return out;
}

TEST(DatabaseOnly, refuses_what_waits_otherwise) {
  EXPECT_EQ(refused("SELECT id INTO a FROM parent FOR UPDATE NOWAIT;"), "30 NOWAIT\n");
  EXPECT_EQ(refused("FOR r IN SELECT id FROM parent FOR KEY SHARE SKIP LOCKED LOOP NULL; "
                    "END LOOP;"),
            "32 SKIP LOCKED\n");
  EXPECT_EQ(refused("a := (SELECT id FROM parent FOR SHARE NOWAIT);"), "29 NOWAIT\n");
}

TEST(DatabaseOnly, refuses_several_changes_and_locks_inside) {
  EXPECT_EQ(
      refused("MERGE INTO child USING parent ON child.id = parent.id WHEN MATCHED THEN "
              "DELETE;"),
      "1 MERGE\n");
  EXPECT_EQ(refused("WITH x AS (DELETE FROM child RETURNING id) SELECT id INTO a FROM x;"),
            "6 a change in a WITH\n");
  EXPECT_EQ(refused("SELECT id INTO a FROM (SELECT id FROM parent ORDER BY id LIMIT 1 FOR "
                    "UPDATE) x;"),
            "66 FOR UPDATE inside another statement\n");
  EXPECT_EQ(refused("SELECT id INTO a FROM (SELECT id FROM parent) x FOR UPDATE;"), "");
}

// How many places of the application an engine complains of that knows only tables.
std::size_t computed(std::string_view body) {
  const Program program = application(body);
  return computed_rows(program, all_types(program), "verify").size();
}

TEST(ComputedRows, are_those_that_cannot_be_taken_apart) {
  EXPECT_EQ(computed("SELECT x.n INTO a FROM (SELECT id + 1 AS n FROM parent) x;"), 0U);
  EXPECT_EQ(computed("WITH x AS (SELECT id FROM parent) SELECT x.id INTO a FROM x, x y;"),
            0U);
  EXPECT_EQ(computed("SELECT x.n INTO a FROM (SELECT count(*) AS n FROM parent) x;"), 1U);
  EXPECT_EQ(computed("UPDATE child SET a = 1 FROM (VALUES (1), (2)) x (i) WHERE id = x.i;"),
            1U);
  EXPECT_EQ(
      computed("IF EXISTS (SELECT id FROM parent UNION SELECT id FROM child) THEN NULL; "
               "END IF;"),
      1U);
}

TEST(DatabaseOnly, refuses_locks_that_are_no_rows) {
  EXPECT_EQ(refused("LOCK TABLE parent;"), "1 LOCK TABLE\n");
  EXPECT_EQ(refused("IF pg_try_advisory_lock(1) THEN NULL; END IF;"), "4 advisory locks\n");
}

constexpr std::string_view late_tables =
    "CREATE TABLE seat (id int PRIMARY KEY, place int UNIQUE DEFERRABLE);\n"
    "CREATE TABLE page (id int PRIMARY KEY DEFERRABLE);\n"
    "CREATE TABLE book (id int PRIMARY KEY);\n"
    "CREATE TABLE note (id int PRIMARY KEY, book int REFERENCES book INITIALLY DEFERRED,\n"
    "  seat int REFERENCES seat DEFERRABLE);\n"
    "CREATE TABLE word (id int PRIMARY KEY, text text);\n"
    "CREATE UNIQUE INDEX ON word (lower(text)) WHERE id > 0;\n";

Program late_application(std::string_view body) {
  auto program =
      parse_sql("p.sql", fmt::format("{}CREATE PROCEDURE t() LANGUAGE sql AS $$\n"
                                     "{}\n$$;",
                                     late_tables, body));
  EXPECT_TRUE(program) << render(program.error());
  return program ? *program : Program{};
}

// What `find` says of such a body, without its places.
template <class Find>
std::string said(std::string_view body, Find find) {
  const Program program = late_application(body);
  std::string out;
  for (const Diagnostic& error : find(program, all_types(program)))
    out += error.message + "\n";
  return out;
}

TEST(DatabaseOnly, refuses_what_may_be_wrong_for_a_while) {
  const std::string late =
      "only a database level such as pg:RC gives a meaning to a constraint that is "
      "DEFERRABLE\n";
  for (const std::string_view body :
       {"INSERT INTO seat VALUES (1, 1);", "UPDATE page SET id = id + 1;",
        "DELETE FROM book WHERE id = 1;", "INSERT INTO note VALUES (1, 1, 1);"})
    EXPECT_EQ(said(body, database_only), late) << body;
  EXPECT_EQ(said("SET CONSTRAINTS ALL IMMEDIATE;", database_only),
            "only a database level such as pg:RC gives a meaning to SET CONSTRAINTS\n");
  for (const std::string_view body :
       {"SELECT place FROM seat WHERE id = 1;", "INSERT INTO word VALUES (1, 'a');"})
    EXPECT_EQ(said(body, database_only), "") << body;
}

TEST(DatabaseOnly, proofs_know_no_indexes_of_expressions) {
  for (const std::string_view body :
       {"INSERT INTO word VALUES (1, 'a');", "DELETE FROM word WHERE id = 1;",
        "SELECT text FROM word WHERE id = 1;",
        "UPDATE book SET id = 1 WHERE EXISTS (SELECT 1 FROM word);"})
    EXPECT_EQ(
        said(body, index_constraints_used),
        "only run and explore know the UNIQUE INDEX over values or some of the rows of "
        "word\n")
        << body;
  EXPECT_EQ(said("INSERT INTO book VALUES (1);", index_constraints_used), "");
  EXPECT_EQ(
      said("SELECT id FROM book WHERE int4range(1, 5) @> id;", index_constraints_used),
      "only run and explore know ranges\n");
}

TEST(DatabaseOnly, refuses_handlers_and_what_stands_in_them) {
  EXPECT_EQ(refused("BEGIN NULL; EXCEPTION WHEN others THEN LOCK TABLE parent; END;"),
            "1 EXCEPTION (catching errors)\n40 LOCK TABLE\n");
}

TEST(DatabaseOnly, refuses_locks_inside_other_statements) {
  EXPECT_EQ(refused("a := (SELECT id FROM parent FOR UPDATE);"),
            "29 FOR UPDATE inside another statement\n");
  EXPECT_EQ(refused("INSERT INTO parent SELECT 1 FROM parent FOR NO KEY UPDATE;"),
            "41 FOR NO KEY UPDATE inside another statement\n");
  EXPECT_EQ(refused("UPDATE parent SET other = 1 WHERE EXISTS (SELECT 1 FROM child FOR "
                    "UPDATE);"),
            "63 FOR UPDATE inside another statement\n");
  EXPECT_EQ(refused("SELECT id INTO a FROM parent WHERE id IN (SELECT id FROM child FOR "
                    "UPDATE);"),
            "64 FOR UPDATE inside another statement\n");
}

TEST(DatabaseOnly, refuses_cascades_where_they_start) {
  EXPECT_EQ(refused("DELETE FROM parent WHERE id = 1;"), "1 ON DELETE CASCADE\n");
  EXPECT_EQ(refused("UPDATE parent SET code = 'x' WHERE id = 1;"),
            "1 ON UPDATE SET NULL\n");
  EXPECT_EQ(refused("INSERT INTO parent VALUES (1) ON CONFLICT (id) DO UPDATE SET code = "
                    "'x';"),
            "1 ON UPDATE SET NULL\n");
  const Program program = application("DELETE FROM parent WHERE id = 1;");
  const Diagnostics errors = database_only(program, all_types(program));
  ASSERT_EQ(errors.size(), 1U);
  ASSERT_EQ(errors[0].notes.size(), 1U);
  EXPECT_EQ(errors[0].notes[0].at.line, 2U);
}

TEST(DatabaseOnly, lets_pass_what_abstract_levels_know) {
  EXPECT_EQ(refused("SELECT id INTO a FROM parent FOR UPDATE;"), "");
  EXPECT_EQ(refused("SELECT id INTO a FROM parent FOR NO KEY UPDATE;"), "");
  EXPECT_EQ(refused("PERFORM 1 FROM parent p, child c FOR SHARE OF p FOR KEY SHARE OF c;"),
            "");
  EXPECT_EQ(refused("a := (SELECT id FROM parent FOR SHARE);"), "");
  EXPECT_EQ(refused("INSERT INTO parent VALUES (1); UPDATE parent SET id = 2, other = 1;"),
            "");
  EXPECT_EQ(refused("DELETE FROM child; UPDATE child SET b = 'x';"), "");
}

TEST(DatabaseOnly, asks_only_about_the_types_named) {
  const Program program = application("LOCK TABLE parent;");
  EXPECT_TRUE(database_only(program, called_types(program)).empty());
}

// "words line", or nothing.
std::string means_more(std::string_view body) {
  const Program program = application(body);
  const MeansMore found = means_more_in_databases(program, all_types(program));
  if (found.words.empty()) return {};
  return fmt::format("{} {}", found.words, place_of(program, found.at.first).second.line);
}

TEST(MeansMore, is_said_of_locks_first) {
  EXPECT_EQ(
      means_more("INSERT INTO child VALUES (1); a := (SELECT id FROM parent FOR SHARE);"),
      "FOR SHARE 7");
  EXPECT_EQ(means_more("SELECT id INTO a FROM parent FOR NO KEY UPDATE;"),
            "FOR NO KEY UPDATE 7");
}

TEST(MeansMore, is_said_of_constraints_that_a_change_concerns) {
  EXPECT_EQ(means_more("INSERT INTO parent VALUES (1);"), "UNIQUE 1");
  EXPECT_EQ(means_more("UPDATE parent SET code = 'x';"), "UNIQUE 1");
  EXPECT_EQ(means_more("UPDATE parent SET id = 2;"), "REFERENCES 2");
  EXPECT_EQ(means_more("DELETE FROM parent;"), "REFERENCES 2");
  EXPECT_EQ(means_more("UPDATE child SET b = 'x';"), "REFERENCES 3");
  EXPECT_EQ(means_more("UPDATE parent SET other = 2; DELETE FROM child;"), "");
  EXPECT_EQ(means_more("SELECT id INTO a FROM parent;"), "");
}

}  // namespace
}  // namespace isomer::program
