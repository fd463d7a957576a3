// SPDX-License-Identifier: MIT
// Every application and scenario of tests/corpus/sql is understood as the print beside it
// says; every example too, without a print.  tools/promote rewrites the expectations.
#include <gtest/gtest.h>

#include "program/load.h"
#include "program/print/print.h"
#include "support/files.h"
#include "support/pinned.h"

namespace isomer::program {
namespace {

const std::filesystem::path folder = test::corpus / "sql";

std::vector<std::string> cases() {
  std::vector<std::string> out;
  for (const char* ending : {".sql", ".toml"})
    for (const std::filesystem::path& file : test::files_in(folder, ending))
      out.push_back(file.filename());
  return out;
}

class SqlPrograms : public testing::TestWithParam<std::string> {};

TEST_P(SqlPrograms, are_understood_as_pinned) {
  std::filesystem::current_path(folder);
  const auto program = load_program(GetParam());
  ASSERT_TRUE(program) << render(program.error());
  test::expect_pinned(folder / (GetParam() + ".expect"), to_text(*program));
}

INSTANTIATE_TEST_SUITE_P(Files, SqlPrograms, testing::ValuesIn(cases()),
                         [](const auto& test) {
                           return isomer::test::test_name(test.param);
                         });

}  // namespace
}  // namespace isomer::program
