// SPDX-License-Identifier: MIT
// Verdicts of Elle's own tests, held by the texts of Adya's levels:
// tests/corpus/known/elle.csv has a row for each history and level.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "history/formats.h"
#include "level/library.h"
#include "support/files.h"

namespace isomer::check {
namespace {

const std::string corpus = ISOMER_SOURCE_DIR "/tests/corpus/known/";

struct Row {
  std::string file;
  std::string elle;  // what Elle calls the level
  std::string level;
  std::string verdict;  // "+" or "-"
};

std::vector<Row> rows() {
  std::ifstream table(corpus + "elle.csv");
  std::string line;
  std::getline(table, line);  // the names of the columns
  std::vector<Row> out;
  while (std::getline(table, line)) {
    std::istringstream fields(line);
    Row row;
    for (std::string* field : {&row.file, &row.elle, &row.level, &row.verdict})
      std::getline(fields, *field, ',');
    out.push_back(row);
  }
  return out;
}

class ElleVerdict : public testing::TestWithParam<Row> {};

TEST_P(ElleVerdict, is_that_of_adyas_level) {
  const Row& row = GetParam();
  const auto read = history::read_history(corpus + "histories/" + row.file, {});
  ASSERT_TRUE(read.has_value()) << render(read.error());
  const AskedLevel level(row.level, *level::standard_level(row.level));
  const Result result =
      uncertified_answers(read->history, {.levels = {level}, .budget = Budget(60.0)});
  const Verdict& verdict = result.levels[0].verdict;
  EXPECT_EQ(std::string(1, "+-?"[verdict.index()]), row.verdict);
  if (const auto* witness = std::get_if<Consistent>(&verdict)) {
    EXPECT_EQ(refute(read->history, level, *witness), std::nullopt);
  }
  if (const auto* violation = std::get_if<Violated>(&verdict)) {
    EXPECT_EQ(refute(read->history, level, *violation), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(corpus, ElleVerdict, testing::ValuesIn(rows()),
                         [](const testing::TestParamInfo<Row>& row) {
                           return test::test_name(row.param.file + "_" + row.param.elle);
                         });

}  // namespace
}  // namespace isomer::check
