// SPDX-License-Identifier: MIT
// Programs that would not end, or would grow without bound, abort and say why.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/calendar.h"
#include "program/litmus/litmus.h"
#include "program/machine/serial.h"
#include "program/scenario/draw.h"
#include "program/scenario/toml_text.h"
#include "program/sql/script.h"
#include "support/effort.h"

namespace isomer::program {
namespace {

std::string end_of(std::string_view body) {
  const auto program = parse_sql(
      "p.sql", fmt::format("CREATE TABLE t (id int PRIMARY KEY, v int);\n"
                           "CREATE FUNCTION f() RETURNS text LANGUAGE plpgsql AS $$\n"
                           "DECLARE s text := 'x'; n numeric := 10;\n"
                           "BEGIN {} RETURN 'done'; END $$;",
                           body));
  EXPECT_TRUE(program) << render(program.error());
  if (!program) return "";
  Database database;
  const SerialRun run = run_serially(*program, Call{}, {}, database);
  if (const auto* aborts = std::get_if<Aborts>(&run.end))
    return aborts->sqlstate + " " + aborts->reason;
  return to_text(std::get<Commits>(run.end).result);
}

TEST(Limits, loops_end) {
  const std::string expected =
      "54000 the loops of the transaction ran more than 1000000 times";
  EXPECT_EQ(end_of("WHILE true LOOP NULL; END LOOP;"), expected);
  EXPECT_EQ(end_of("FOR i IN 1..2000000000 LOOP NULL; END LOOP;"), expected);
  EXPECT_EQ(end_of("FOR i IN 1..2000 LOOP FOR j IN 1..2000 LOOP NULL; END LOOP; END LOOP;"),
            expected);
  EXPECT_EQ(end_of("FOR i IN 2147483646..2147483647 LOOP NULL; END LOOP;"), "done");
}

// Each statement is short and no loop runs often, but together they would take hours.
TEST(Limits, work_ends) {
  const std::string expected = "54000 this takes more than 50000000 steps of evaluation";
  EXPECT_EQ(end_of("FOR i IN 1..23 LOOP s := s || s; END LOOP;"
                   "FOR i IN 1..900000 LOOP s := s || ''; END LOOP;"),
            expected);
  EXPECT_EQ(end_of("FOR i IN 1..22 LOOP s := s || s; END LOOP;"
                   "IF s LIKE '%' || s || 'y%' THEN NULL; END IF;"),
            expected);
  if (is_slow_build) return;
  EXPECT_EQ(end_of("FOR i IN 1..40 LOOP INSERT INTO t VALUES (i, 1); END LOOP;"
                   "PERFORM 1 FROM t a, t b, t c, t d, t e, t f WHERE a.v + f.v = 3;"),
            expected);
}

TEST(Limits, texts_and_numbers_stay_bounded) {
  EXPECT_EQ(end_of("FOR i IN 1..60 LOOP s := s || s; END LOOP;"),
            "54000 a text is longer than 16777216 bytes");
  EXPECT_EQ(
      end_of("FOR i IN 1..60 LOOP n := n * n; END LOOP;"),
      "22003 a numeric has more than 38 digits, which is all that Isomer computes with");
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

// Whatever nests, nests to a bound, and is refused beyond it, not followed to the end of
// the stack.
TEST(Limits, scenarios_nest_to_a_bound) {
  constexpr std::size_t deep = 100'000;
  for (const std::string& text :
       {repeated("a.", deep) + "a = 1", "[" + repeated("a.", deep) + "a]",
        "[[" + repeated("a . ", deep) + "a]]", repeated("\"a\".", deep) + "a = 1",
        "x = " + repeated("[", deep), "x = " + repeated("{a.a = ", deep),
        "x = [\n" + repeated("# [\n[", deep)}) {
    const auto root = parse_toml(text);
    ASSERT_FALSE(root);
    EXPECT_TRUE(root.error().message.find("parts") != std::string::npos ||
                root.error().message.find("deep") != std::string::npos)
        << root.error().message;
  }
  const std::string quoted = repeated(".[{", deep);
  for (const std::string& text :
       {"x = \"" + quoted + "\"", "x = '" + quoted + "'", "# " + quoted,
        "x = \"\"\"\n" + quoted + "\\\"\"\"\"", "x = '''\n" + quoted + "'''",
        "x = [" + repeated("1.5, [2.5], {a.b = 1},\n", 1000) + "]",
        repeated("a.", 15) + "a = 1"})
    EXPECT_TRUE(parse_toml(text)) << text.substr(0, 80);
}

TEST(Limits, programs_nest_to_a_bound) {
  constexpr std::size_t deep = 100'000;
  const auto body = [](const std::string& statements) {
    return "CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $$ BEGIN " + statements +
           " RETURN 1; END $$;";
  };
  for (const std::string& text :
       {body("PERFORM " + repeated("(", deep) + "1" + repeated(")", deep) + ";"),
        body("PERFORM " + repeated("- ", deep) + "1;"),
        body("PERFORM " + repeated("NOT ", deep) + "true;"),
        body("PERFORM 1" + repeated(" + 1", deep) + ";"),
        body("PERFORM " + repeated("CASE WHEN true THEN ", deep) + "1" +
             repeated(" END", deep) + ";"),
        body("PERFORM " + repeated("(SELECT ", deep) + "1" + repeated(")", deep) + ";"),
        body(repeated("BEGIN ", deep) + repeated("END; ", deep)),
        body(repeated("IF true THEN ", deep) + repeated("END IF; ", deep)),
        body(repeated("LOOP ", deep) + repeated("END LOOP; ", deep))})
    EXPECT_FALSE(parse_sql("deep.sql", text)) << text.substr(0, 120);
  for (const std::string& statement :
       {"x := " + repeated("(", deep) + "1" + repeated(")", deep) + ";",
        "x := " + repeated("[", deep) + repeated("]", deep) + ";",
        "x := " + repeated("!", deep) + "1;", "x := " + repeated("-", deep) + "1;",
        "x := " + repeated("size(", deep) + "[]" + repeated(")", deep) + ";",
        repeated("if (1) { ", deep) + repeated("}", deep)})
    EXPECT_FALSE(parse_litmus(
        "deep.txn", "program \"p\" init { } session { begin " + statement + " commit; }"))
        << statement.substr(0, 40);
  for (const std::string& text : {repeated("(", deep) + "1" + repeated(")", deep),
                                  repeated("one_of(", deep), repeated("[", deep)})
    EXPECT_FALSE(parse_draw(text, {})) << text.substr(0, 40);
}

TEST(Calendar, reads_and_shows_days) {
  EXPECT_EQ(to_text(*parse_date("2024-02-29")), "2024-02-29");
  EXPECT_EQ(parse_date("2000-01-01")->days, 0);
  EXPECT_EQ(parse_date("1999-12-31")->days, -1);
  for (const std::string text :
       {"2023-02-29", "2024-00-01", "0000-01-01", "2024-1", "x", "", "2024-01-01 x",
        "2024-01-01x", "-1-01-01", "4714-11-23 BC", "5874898-01-01", "0000-01-01 BC",
        "01-02-03", "infinity", "20240101", "2023-02-29 BC"})
    EXPECT_FALSE(parse_date(text)) << text;
  for (const std::string text : {"0001-12-31 BC", "0001-02-29 BC", "4714-11-24 BC",
                                 "10000-01-01", "5874897-12-31", "0400-02-29"})
    EXPECT_EQ(to_text(*parse_date(text)), text);
  EXPECT_EQ(parse_date("0001-01-01")->days - parse_date("0001-12-31 BC")->days, 1);
  for (std::int64_t days = first_date().days; days <= last_date().days; days += 99'991)
    EXPECT_EQ(parse_date(to_text(Date{static_cast<std::int32_t>(days)}))->days, days);
  for (int days = -800'000; days < 800'000; days += 997)
    EXPECT_EQ(parse_date(to_text(Date{days}))->days, days);
}

TEST(Calendar, reads_and_shows_times) {
  for (const std::string text :
       {"2024-02-29 10:30:00", "1999-12-31 23:59:59.5", "0001-01-01 00:00:00.000001"})
    EXPECT_EQ(to_text(*parse_timestamp(text)), text);
  EXPECT_EQ(to_text(*parse_timestamp("2024-02-29")), "2024-02-29 00:00:00");
  EXPECT_EQ(to_text(*parse_timestamp("2024-02-29 24:00")), "2024-03-01 00:00:00");
  EXPECT_EQ(to_text(*parse_timestamp("2023-12-31 23:59:59.9999996")),
            "2024-01-01 00:00:00");
  EXPECT_EQ(to_text(*parse_timestamp("2024-01-01 0:00:00.1234567")),
            "2024-01-01 00:00:00.123457");
  EXPECT_EQ(to_text(*parse_timestamp("0044-03-15 10:00:00.5 BC")),
            "0044-03-15 10:00:00.5 BC");
  for (const std::string text :
       {"2024-02-29 24:01", "2024-02-29 10", "2024-02-29 10:60", "2024-02-29 10:00:61",
        "2024-02-29 10:00:00Z", "2024-02-29 24:00:00.000001", "294277-01-01",
        "294276-12-31 23:59:59.9999996", "4714-11-23 23:00 BC"})
    EXPECT_FALSE(parse_timestamp(text)) << text;
}

}  // namespace
}  // namespace isomer::program
