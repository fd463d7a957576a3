// SPDX-License-Identifier: MIT
// The files of tests/corpus/anomaly say themselves what is expected of them:
//   # expect: RC+ RA+ CC+ PC+ PSI- SI- SER-
//   # anomaly: lost update
// The anomaly, if named, is the one reported for the first level that forbids the history.
#include <algorithm>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "check/certify/certify.h"
#include "check/check.h"
#include "history/formats.h"
#include "support/files.h"
#include "support/verdicts.h"

namespace isomer::check {
namespace {

// What follows "# keyword: " in the file; empty if there is no such line.
std::string expectation(const std::string& path, const std::string& keyword) {
  std::ifstream file(path);
  const std::string start = "# " + keyword + ": ";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(start)) return line.substr(start.size());
  return "";
}

class AnomalyFile : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(AnomalyFile, is_judged_as_it_says) {
  const auto read = history::read_history(GetParam(), {});
  ASSERT_TRUE(read.has_value()) << render(read.error());
  const Result result = *certified_answers(read->history, {});
  const std::string expected = expectation(GetParam(), "expect");
  ASSERT_NE(expected, "");
  EXPECT_EQ(text(verdicts_of(result)), expected);

  const std::string anomaly = expectation(GetParam(), "anomaly");
  const auto first = std::ranges::find_if(result.levels, [](const LevelResult& level) {
    return std::holds_alternative<Violated>(level.verdict);
  });
  if (anomaly.empty()) return;
  ASSERT_NE(first, result.levels.end());
  EXPECT_EQ(std::get<Violated>(first->verdict).anomaly, anomaly);
}

INSTANTIATE_TEST_SUITE_P(
    corpus, AnomalyFile,
    testing::ValuesIn(test::files_in(test::corpus / "anomaly", ".hist")),
    [](const auto& file) { return test::test_name(file.param.stem().string()); });

}  // namespace
}  // namespace isomer::check
