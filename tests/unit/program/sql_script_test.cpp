// SPDX-License-Identifier: MIT
// What of the SQL front end is better said in code than in the corpus: places, types and
// hostile input.
#include "program/sql/script.h"

#include <chrono>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/sql/type.h"

namespace isomer::program {
namespace {

Program parsed(const std::string& text) {
  auto program = parse_sql("test.sql", text);
  EXPECT_TRUE(program) << render(program.error());
  return program ? std::move(*program) : Program{};
}

std::string procedure(const std::string& body) {
  return "CREATE TABLE t (id int PRIMARY KEY, name text, price numeric(8,2));\n"
         "CREATE PROCEDURE p(a int, b bigint) LANGUAGE plpgsql AS $$\n"
         "DECLARE x numeric; s text;\nBEGIN\n" +
         body + "\nEND $$;\n";
}

std::string at(const Program& program, Span span) {
  return program.source.substr(span.first, span.last - span.first);
}

TEST(SqlScript, expressions_know_their_places) {
  const Program program = parsed(
      procedure("/* \xc3\xa9 */ x := a + coalesce(b, 2) * (SELECT sum(price) FROM t);"));
  const Statement& assign = program.types[0].body[0];
  EXPECT_EQ(at(program, assign.at),
            "x := a + coalesce(b, 2) * (SELECT sum(price) FROM t);");
  const Expression& sum = *assign.value;
  EXPECT_EQ(sum.function, Function::Add);
  const Expression& product = *sum.arguments[1];
  EXPECT_EQ(at(program, product.arguments[0]->at), "coalesce(b, 2");
  EXPECT_EQ(at(program, product.arguments[1]->query->columns[0]->at), "sum(price)");
}

TEST(SqlScript, expressions_have_types_as_in_postgresql) {
  const Program program = parsed(
      procedure("x := a + 1; x := a + b; x := a / 2.0; x := length(s) % b; s := a || s;"));
  std::vector<TypeKind> kinds;
  for (const Statement& statement : program.types[0].body) {
    const Expression* value = statement.value.get();
    while (value->kind == Expression::Kind::Cast)
      value = value->arguments[0].get();
    kinds.push_back(value->type.kind);
  }
  EXPECT_EQ(kinds, (std::vector{TypeKind::Int4, TypeKind::Int8, TypeKind::Numeric,
                                TypeKind::Int8, TypeKind::Text}));
}

// libpg_query 15-4.0 gives negative integers without their value.
TEST(SqlScript, negative_constants_keep_their_value) {
  const Program program =
      parsed(procedure("x := -5; x := - /* far */ 7; x := -2147483648;"));
  std::vector<std::string> values;
  for (const Statement& statement : program.types[0].body)
    values.push_back(to_text(statement.value->value));
  EXPECT_EQ(values, (std::vector<std::string>{"-5", "-7", "-2147483648"}));
}

TEST(SqlScript, errors_behind_other_alphabets_have_their_column) {
  const auto program = parse_sql("t.sql", "CREATE TABLE t (\"\xc3\xa9\xc3\xa9\" int, 1);");
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error()[0].at.column, 29U);
}

TEST(SqlScript, hostile_texts_are_refused_in_time) {
  const std::vector<std::string> texts = {
      procedure("x := 1" + std::string(200'000, '+') + "1;"),
      procedure("x := " + std::string(100'000, '(') + "1;"),
      procedure(fmt::format("x := {}1;",
                            fmt::join(std::vector<std::string>(50'000, "NOT"), " "))),
      procedure(fmt::format("x := {}",
                            fmt::join(std::vector<std::string>(20'000, "CASE WHEN"), " "))),
      procedure(fmt::format(
          "{}", fmt::join(std::vector<std::string>(5'000, "IF true THEN"), " "))),
      procedure(
          fmt::format("{}", fmt::join(std::vector<std::string>(5'000, "BEGIN"), " "))),
      procedure("x := 1" + std::string(1, '\0') + "2;"),
      "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC; BEGIN ATOMIC; END; END;",
      "CREATE PROCEDURE p() LANGUAGE plpgsql AS $$",
      "CREATE PROCEDURE p() LANGUAGE plpgsql AS '';",
      "CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ $$;",
      "CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN x.y.z.w := 1; << END $$;",
      "CREATE TABLE t ();",
      "SELECT",
      "\\",
      "'",
  };
  for (const std::string& text : texts) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(parse_sql("hostile.sql", text)) << text.substr(0, 200);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  }
}

// CASE and BETWEEN name their operand once and test it often.
TEST(SqlScript, expressions_that_are_huge_trees_are_refused) {
  std::string nested = "a";
  for (int i = 0; i < 60; ++i)
    nested = fmt::format("CASE {} WHEN 1 THEN 2 WHEN 3 THEN 4 ELSE 5 END", nested);
  const auto program = parse_sql("t.sql", procedure("x := " + nested + ";"));
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error()[0].message, "this expression is too large");
  std::string between = "a = 1";
  for (int i = 0; i < 60; ++i)
    between = fmt::format("({}) BETWEEN true AND false", between);
  EXPECT_FALSE(parse_sql("t.sql", procedure("ASSERT " + between + ";")));
}

// Each routine calls the one before twice.
TEST(SqlScript, calls_that_add_up_are_refused) {
  std::string text = "CREATE FUNCTION f0() RETURNS int LANGUAGE sql AS 'SELECT 1';";
  for (int i = 1; i < 40; ++i)
    text += fmt::format(
        "CREATE FUNCTION f{0}() RETURNS int LANGUAGE plpgsql AS "
        "$$ BEGIN RETURN f{1}() + f{1}(); END $$;",
        i, i - 1);
  const auto program = parse_sql("t.sql", text);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error()[0].message,
            "the routines called here have more than 10000 statements together");
}

TEST(SqlScript, every_prefix_of_an_application_is_answered) {
  const std::string whole = procedure(
      "FOR a IN REVERSE 3..1 BY 2 LOOP CASE a WHEN 1 THEN NULL; ELSE EXIT; END CASE; END "
      "LOOP;"
      "INSERT INTO t VALUES (a, 'x') ON CONFLICT (id) DO UPDATE SET name = excluded.name;"
      "RAISE EXCEPTION 'a %', (SELECT count(*) FROM t) USING ERRCODE = '22000';");
  std::size_t accepted = 0;
  for (std::size_t size = 0; size <= whole.size(); ++size)
    accepted += parse_sql("prefix.sql", whole.substr(0, size)).has_value() ? 1 : 0;
  EXPECT_GE(accepted, 2U);
}

TEST(SqlScript, large_applications_are_read_quickly) {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += fmt::format(
        "CREATE TABLE t{0} (id int PRIMARY KEY, name text, price numeric(8,2));\n"
        "CREATE PROCEDURE p{0}(a int) LANGUAGE plpgsql AS $$\nDECLARE n int;\nBEGIN\n"
        "  SELECT count(*) INTO n FROM t{0} WHERE price > 3 AND name LIKE 'x%';\n"
        "  IF n > a THEN\n    UPDATE t{0} SET price = price * 1.1 WHERE id = a;\n"
        "  ELSE\n    INSERT INTO t{0} VALUES (a, 'x', 2);\n  END IF;\nEND $$;\n",
        i);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(parsed(text).types.size(), 40U);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 20);  // 0.02 s on an idle machine
}

}  // namespace
}  // namespace isomer::program
