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

// --- the two files of TPC-C ---

// The text of an application's file from its tables on, without its delivery.
std::string without_delivery(const std::string& name) {
  std::string text = test::contents(ISOMER_SOURCE_DIR "/examples/apps/tpcc/" + name);
  text.erase(0, text.find("CREATE TABLE"));
  const std::size_t delivery = text.find("-- Clause 2.7.");
  const std::size_t next = text.find("-- Clause 2.8.");
  EXPECT_LT(delivery, next) << name;
  return text.erase(delivery, next - delivery);
}

TEST(Apps, of_tpcc_differ_in_their_delivery_alone) {
  const std::string text = without_delivery("tpcc.sql");
  EXPECT_GT(text.size(), 10'000U);
  EXPECT_EQ(text, without_delivery("tpcc_by_district.sql"));
}

}  // namespace
}  // namespace isomer::program
