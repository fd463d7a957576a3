// SPDX-License-Identifier: MIT
// The paper's benchmarks (Kulahcioglu Ozkan, NETYS 2020, table 2), and programs on which
// its encoding and the levels differ.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/load.h"
#include "verify/verify.h"

namespace isomer::verify {
namespace {

Result verified(const std::string& file, std::vector<check::AskedLevel> levels,
                Encoding encoding) {
  const auto program = program::load_program(ISOMER_SOURCE_DIR "/" + file);
  EXPECT_TRUE(program) << file;
  Options options;
  options.levels = std::move(levels);
  options.encoding = encoding;
  const auto result = verify(*program, options);
  EXPECT_TRUE(result) << file;
  return *result;
}

// "h" if every invariant holds, "v" if one is violated, with "!" if the checker objects.
std::string letter(const LevelAnswer& level) {
  std::string out = "h";
  for (const Answer& answer : level.answers) {
    EXPECT_EQ(answer.contradiction, "");
    if (answer.verdict == Verdict::Violated)
      return answer.counterexample->gap.empty() ? "v" : "v!";
    if (answer.verdict == Verdict::Unknown) out = "?";
  }
  return out;
}

std::string letters(const std::string& file, std::vector<check::AskedLevel> levels,
                    Encoding encoding) {
  std::string out;
  for (const LevelAnswer& level : verified(file, std::move(levels), encoding).levels)
    out += letter(level);
  return out;
}

struct Row {
  const char* benchmark;
  const char* file;
  const char* verdicts;  // SER, SI, PSI, PC, CC
};

class Table2 : public testing::TestWithParam<Row> {};

TEST_P(Table2, has_the_same_verdicts) {
  using check::Level;
  const std::vector<check::AskedLevel> levels{Level::SER, Level::SI, Level::PSI, Level::PC,
                                              Level::CC};
  const std::string file = std::string("examples/apps/") + GetParam().file + ".toml";
  EXPECT_EQ(letters(file, levels, Encoding::Paper), GetParam().verdicts);
  EXPECT_EQ(letters(file, levels, Encoding::Exact), GetParam().verdicts);
}

INSTANTIATE_TEST_SUITE_P(
    Benchmarks, Table2,
    testing::Values(Row{"auction_V1", "auction_v1/any_bids", "hvvvv"},
                    Row{"auction_V2", "auction_v2/any_bids", "hhhhh"},
                    Row{"courseware_B1", "courseware/any_name", "hvvvv"},
                    Row{"courseware_B2", "courseware/any_courses", "hhhvv"},
                    Row{"courseware_B3", "courseware/any_enrolment", "hhhhh"},
                    Row{"fusion_ticket_B1", "fusion_ticket/any_purchases", "hhhvv"},
                    Row{"fusion_ticket_B2", "fusion_ticket/any_events", "hhhvv"},
                    Row{"simple_bank_B1", "simple_bank/any_withdrawals", "hvvvv"}),
    [](const auto& row) { return std::string(row.param.benchmark); });

TEST(PaperEncoding, cannot_see_three_different_pairs) {
  using check::Level;
  const std::string file = "tests/corpus/verify/pairs.toml";
  EXPECT_EQ(letters(file, {Level::CC, Level::PSI, Level::PC}, Encoding::Exact), "vvh");
  EXPECT_EQ(letters(file, {Level::CC, Level::PSI, Level::PC}, Encoding::Paper), "hhh");
}

TEST(PaperEncoding, misses_conflicts_with_transactions_before_the_one_read) {
  using check::Level;
  const std::string file = "tests/corpus/verify/unrelated_one.toml";
  EXPECT_EQ(letters(file, {Level::PSI, Level::SI}, Encoding::Exact), "hh");
  EXPECT_EQ(letters(file, {Level::PSI, Level::SI}, Encoding::Paper), "v!h");
}

TEST(PaperEncoding, misses_conflicts_of_transactions_that_read_a_prefix) {
  using check::Level;
  const std::string file = "tests/corpus/verify/unrelated_two.toml";
  EXPECT_EQ(letters(file, {Level::PSI, Level::SI}, Encoding::Exact), "hh");
  EXPECT_EQ(letters(file, {Level::PSI, Level::SI}, Encoding::Paper), "v!v!");
}

TEST(PaperEncoding, takes_states_of_the_same_values_for_one) {
  using check::Level;
  const std::string file = "tests/corpus/verify/touched.toml";
  EXPECT_EQ(letters(file, {Level::PC, Level::PSI, Level::SI}, Encoding::Exact), "vvv");
  EXPECT_EQ(letters(file, {Level::PC, Level::PSI, Level::SI}, Encoding::Paper), "vhh");
}

// The auction's protocol rests on each replica's session; the paper has none.
TEST(PaperEncoding, has_no_sessions) {
  const std::string file = "examples/apps/auction_v2/auction_v2.toml";
  EXPECT_EQ(letters(file, {check::Level::CC}, Encoding::Exact), "h");
  // The model that the solver happens to find may have no order of commits to run it in.
  const std::string paper = letters(file, {check::Level::CC}, Encoding::Paper);
  EXPECT_TRUE(paper == "v!" || paper == "?") << paper;
}

}  // namespace
}  // namespace isomer::verify
