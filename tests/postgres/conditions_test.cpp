// SPDX-License-Identifier: MIT
// Every condition name that RAISE knows stands for the code that PostgreSQL gives it.
#include "program/plpgsql/conditions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "postgres/serial_run.h"
#include "program/sql/script.h"

namespace isomer::test {
namespace {

TEST(Conditions, have_the_codes_of_the_server) {
  ASSERT_EQ(server().problem(), "");
  const std::vector<std::string> names = program::condition_names();
  ASSERT_GT(names.size(), 200U);
  std::string sql = "CREATE TABLE t (id int PRIMARY KEY);\n";
  std::vector<std::string> texts;
  for (const std::string& name : names) {
    sql += fmt::format(
        "CREATE FUNCTION r_{0}() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE {0}; END "
        "$$;\n"
        "CREATE FUNCTION u_{0}() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE 'x' USING "
        "ERRCODE = '{0}'; END $$;\n",
        name);
    texts.push_back("r_" + name + "()");
    texts.push_back("u_" + name + "()");
  }
  const auto program = program::parse_sql("conditions.sql", sql);
  ASSERT_TRUE(program) << render(program.error());
  std::vector<program::Call> calls(program->types.size());
  for (std::uint32_t i = 0; i < calls.size(); ++i)
    calls[i].type = i;
  const Database database(server(), {"conditions", sql, "", {}});
  const SerialRun theirs = database.run(texts);
  const SerialRun ours = run_serially(*program, calls);
  for (std::size_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(ours.outcomes[i], theirs.outcomes[i]) << texts[i];
}

}  // namespace
}  // namespace isomer::test
