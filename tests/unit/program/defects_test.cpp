// SPDX-License-Identifier: MIT
// Applications that once ended otherwise than on PostgreSQL: tests/corpus/defects/program.
// What it answers stands beside them, and tests/postgres asks it again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/load.h"
#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "program/print/print.h"
#include "support/files.h"

namespace isomer::program {
namespace {

std::vector<std::string> cases() {
  std::vector<std::string> out;
  for (const auto& file : test::files_in(test::corpus / "defects/program", ".toml"))
    out.push_back(file.stem());
  return out;
}

std::string outcome_of(const Step& end, bool is_procedure) {
  if (const auto* abort = std::get_if<Aborts>(&end)) return "aborted: " + abort->sqlstate;
  if (std::holds_alternative<FailsAssert>(end)) return "aborted: P0004";
  const auto& commit = std::get<Commits>(end);
  return is_procedure ? "committed" : "committed: " + to_text(commit.result);
}

class ProgramDefects : public testing::TestWithParam<std::string> {
 protected:
  std::filesystem::path file_ = test::corpus / "defects/program" / (GetParam() + ".toml");
};

TEST_P(ProgramDefects, end_as_on_the_server) {
  const auto program = load_program(file_.string());
  ASSERT_TRUE(program) << render(program.error());
  for (const Granularity granularity :
       {Granularity::Row, Granularity::Table, Granularity::Field}) {
    Database database = initial_database(*program, granularity);
    std::string found;
    for (const Call& call : program->sessions.at(0).calls) {
      const auto run =
          run_serially(*program, call, argument_values(call), database, granularity);
      const bool is_procedure = program->types[call.type].result.kind == TypeKind::Any;
      found += fmt::format("{} {}\n", call.text, outcome_of(run.end, is_procedure));
    }
    EXPECT_EQ(found, test::contents(file_.string() + ".expect"));
  }
}

TEST_P(ProgramDefects, are_shown_alike_whatever_they_are_called) {
  const auto program = load_program(file_.string());
  ASSERT_TRUE(program) << render(program.error());
  const std::string shown = to_text(*program);
  for (const TransactionType& type : program->types)
    EXPECT_NE(shown.find("TRANSACTION " + shown_name(type.name) + "("), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Files, ProgramDefects, testing::ValuesIn(cases()),
                         [](const auto& test) {
                           return isomer::test::test_name(test.param);
                         });

TEST(ShownName, is_quoted_where_it_must) {
  EXPECT_EQ(shown_name("withdraw_2"), "withdraw_2");
  EXPECT_EQ(shown_name("goHome"), "\"goHome\"");
  EXPECT_EQ(shown_name("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(shown_name("2nd"), "\"2nd\"");
  EXPECT_EQ(shown_name(""), "\"\"");
  EXPECT_EQ(shown_name(".case 1"), ".case 1");
}

}  // namespace
}  // namespace isomer::program
