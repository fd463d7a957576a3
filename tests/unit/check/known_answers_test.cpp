// SPDX-License-Identifier: MIT
// Histories that others have judged: tests/corpus/known/verdicts.csv has a row for each
// file, with the verdict of each level ('?' where nobody has told) and the history's size.
// Its README.md says where they come from.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "history/formats.h"
#include "support/files.h"
#include "support/verdicts.h"

namespace isomer::check {
namespace {

namespace fs = std::filesystem;

const fs::path corpus = fs::path(ISOMER_SOURCE_DIR) / "tests/corpus/known";

struct Row {
  std::string file;
  std::string format;  // "unsupported": must be refused
  Verdicts expected;   // without the levels that nobody has judged
  // Sessions, transactions and operations, the aborted ones not counted; may be empty.
  std::array<std::string, 3> size;

  friend void PrintTo(const Row& row, std::ostream* out) { *out << row.file; }
};

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line)
    if (c == ',')
      fields.emplace_back();
    else
      fields.back() += c;
  return fields;
}

std::vector<Row> rows() {
  std::ifstream table(corpus / "verdicts.csv");
  std::string line;
  std::getline(table, line);  // the names of the columns
  std::vector<Row> result;
  while (std::getline(table, line)) {
    const std::vector<std::string> fields = fields_of(line);
    Row row{.file = fields.at(0), .format = fields.at(1), .expected = {}, .size = {}};
    for (std::size_t i = 0; i < level_count; ++i)
      if (fields.at(2 + i) != "?") row.expected[all_levels.at(i)] = fields.at(2 + i).at(0);
    std::copy_n(fields.begin() + 2 + level_count, row.size.size(), row.size.begin());
    result.push_back(row);
  }
  return result;
}

// Empty if there is no such file.
std::string path_of(const Row& row) {
  for (const fs::path& path : {corpus / row.file, corpus / (row.file + ".zst")})
    if (fs::exists(path)) return path.string();
  return "";
}

void expect_size(const Row& row, const History& h) {
  if (row.size[0].empty()) return;
  std::size_t transactions = 0, operations = 0;
  for (std::uint32_t t = 1; t < h.txn_count(); ++t) {
    if (h.status({t}) == history::Status::Aborted) continue;
    ++transactions;
    operations += h.operations(TxnId{t}).size();
  }
  const std::array<std::string, 3> size = {std::to_string(h.session_count()),
                                           std::to_string(transactions),
                                           std::to_string(operations)};
  EXPECT_EQ(size, row.size);
}

void expect_certified(const History& h, const Result& result) {
  for (const LevelResult& level : result.levels) {
    std::optional<std::string> objection;
    if (const auto* witness = std::get_if<Consistent>(&level.verdict))
      objection = refute(h, level.level, *witness);
    else if (const auto* violation = std::get_if<Violated>(&level.verdict))
      objection = refute(h, level.level, *violation);
    EXPECT_EQ(objection, std::nullopt) << level.level.name;
  }
}

class KnownAnswer : public testing::TestWithParam<Row> {};

TEST_P(KnownAnswer, is_ours_too) {
  const Row& row = GetParam();
  const std::string path = path_of(row);
  ASSERT_NE(path, "") << row.file << " is not here";
  const auto read = history::read_history(path, {.format = row.format});
  ASSERT_TRUE(read.has_value()) << render(read.error());
  expect_size(row, read->history);

  Question options;
  options.budget = Budget(120.0);
  const Result result = uncertified_answers(read->history, options);
  const Verdicts verdicts = verdicts_of(result);
  Verdicts judged = verdicts;
  std::erase_if(judged, [&](const auto& v) { return !row.expected.contains(v.first); });
  EXPECT_EQ(text(judged), text(row.expected));
  expect_lattice(verdicts);
  expect_certified(read->history, result);
}

TEST_P(KnownAnswer, needs_no_format) {
  const Row& row = GetParam();
  const std::string path = path_of(row);
  ASSERT_NE(path, "") << row.file << " is not here";
  const auto read = history::read_history(path, {});
  ASSERT_TRUE(read.has_value()) << render(read.error());
  EXPECT_EQ(read->format, row.format);
}

class UnsupportedHistory : public testing::TestWithParam<Row> {};

TEST_P(UnsupportedHistory, is_refused_with_a_place_and_a_reason) {
  const auto read = history::read_history(path_of(GetParam()), {});
  ASSERT_FALSE(read.has_value());
  ASSERT_FALSE(read.error().empty());
  EXPECT_EQ(read.error()[0].file, path_of(GetParam()));
  EXPECT_FALSE(read.error()[0].message.empty());
}

std::vector<Row> rows_where(bool is_supported) {
  std::vector<Row> result = rows();
  std::erase_if(result, [&](const Row& row) {
    return (row.format != "unsupported") != is_supported;
  });
  return result;
}

std::string name_of(const testing::TestParamInfo<Row>& row) {
  return test::test_name(row.param.file);
}

INSTANTIATE_TEST_SUITE_P(corpus, KnownAnswer, testing::ValuesIn(rows_where(true)), name_of);
INSTANTIATE_TEST_SUITE_P(corpus, UnsupportedHistory, testing::ValuesIn(rows_where(false)),
                         name_of);

}  // namespace
}  // namespace isomer::check
