// SPDX-License-Identifier: MIT
#include "program/scenario/write.h"

#include <gtest/gtest.h>

#include "program/print/print.h"
#include "program/scenario/scenario.h"

namespace isomer::program {
namespace {

const std::string folder = ISOMER_SOURCE_DIR "/examples/apps/simple_bank/";

Program bank(const Value& owner, const std::string& invariant) {
  const std::string scenario =
      "app = \"simple_bank.sql\"\n[init]\nsql = \"INSERT INTO account VALUES (1, 'ann', "
      "5), "
      "(2, 'bob', 7);\"\n[[session]]\nname = \"a \\\"b\\\"\"\ncalls = [\"withdraw(1, "
      "100)\", "
      "\"WithDraw (2, 3)\"]\n";
  Program out = parse_scenario(folder + "bank.toml", scenario).value();
  out.initial_rows[0].second[1] = owner;
  if (!invariant.empty())
    out.invariants.push_back({.name = "an \"odd\" name",
                              .query = nullptr,
                              .assert = nullptr,
                              .text = invariant});
  return out;
}

TEST(ScenarioText, can_be_read_again_whatever_stands_in_it) {
  for (const std::string owner : {"ann", "o'ne", "'''", "\\", "'\\'", "\"\"\"", "a\nb",
                                  "\t\r\x01", "''' \\ \"\"\"", "", "?x", "E'", "Größe"})
    for (const std::string invariant :
         {"SELECT count(*) = 2 FROM account", "SELECT count(*) = 2\nFROM account",
          "SELECT count(*) >= 0 FROM account WHERE owner = '''\\'",
          "SELECT count(*) >= 0 FROM account WHERE owner = E'\\\\'"}) {
      const Program program = bank(Value::text(owner), invariant);
      const std::string text = scenario_text(program, "simple_bank.sql");
      const auto again = parse_scenario(folder + "again.toml", text);
      ASSERT_TRUE(again.has_value()) << render(again.error()) << text;
      EXPECT_EQ(again->initial_rows, program.initial_rows) << text;
      ASSERT_EQ(again->sessions.size(), 1U);
      EXPECT_EQ(again->sessions[0].name, "a \"b\"");
      EXPECT_EQ(again->sessions[0].calls[0].text, "withdraw(1, 100)");
      EXPECT_EQ(again->sessions[0].calls[1].text, "withdraw(2, 3)");
      ASSERT_EQ(again->invariants.size(), 1U);
      EXPECT_EQ(again->invariants[0].text, invariant);
    }
}

TEST(ScenarioText, has_scripts_as_they_were_and_how_often_calls_are_tried_again) {
  for (const std::string text :
       {R"(script = """BEGIN; SAVEPOINT "A a"; DELETE FROM account WHERE owner = '''x''';
ROLLBACK TO "A a"; -- 'no'
COMMIT; SELECT 1""")",
        R"(script = '''BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY;
SELECT '\';END''')",
        R"(script = "SELECT 1; ; SELECT 2;")", "calls = [\"withdraw(1, 100)\"]"}) {
    const auto program = parse_scenario(
        folder + "bank.toml",
        "app = \"simple_bank.sql\"\n[[session]]\nname = \"ann\"\nretry = 3\n" + text);
    ASSERT_TRUE(program) << render(program.error()) << text;
    const auto again =
        parse_scenario(folder + "again.toml", scenario_text(*program, "simple_bank.sql"));
    ASSERT_TRUE(again) << render(again.error()) << text;
    EXPECT_EQ(to_text(*again), to_text(*program)) << text;
    EXPECT_EQ(again->sessions[0].retry, 3U);
  }
}

TEST(SqlName, has_quotes_only_where_it_needs_them) {
  EXPECT_EQ(sql_name("withdraw"), "withdraw");
  EXPECT_EQ(sql_name("new_order2"), "new_order2");
  EXPECT_EQ(sql_name("goHome"), "\"goHome\"");
  EXPECT_EQ(sql_name("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(sql_name("2nd"), "\"2nd\"");
  EXPECT_EQ(sql_name(""), "\"\"");
  for (const char* keyword : {"select", "user", "coalesce", "current_date", "table",
                              "order", "values", "exists", "between"})
    EXPECT_EQ(sql_name(keyword), "\"" + std::string(keyword) + "\"");
}

TEST(TomlKey, has_quotes_only_where_it_needs_them) {
  EXPECT_EQ(toml_key("withdraw"), "withdraw");
  EXPECT_EQ(toml_key("go home"), "\"go home\"");
}

}  // namespace
}  // namespace isomer::program
