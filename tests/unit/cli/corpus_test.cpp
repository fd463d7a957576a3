// SPDX-License-Identifier: MIT
// tests/corpus/cli/NAME.cmd is a command; NAME.expect is its exit status on the first line
// and what it prints after that.  tools/promote rewrites the expectations.
#include <algorithm>
#include <regex>
#include <vector>

#include <gtest/gtest.h>

#include "support/command.h"
#include "support/effort.h"

namespace isomer {
namespace {

const std::filesystem::path corpus = ISOMER_SOURCE_DIR "/tests/corpus/cli";

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(corpus))
    if (entry.path().extension() == ".cmd") out.push_back(entry.path().stem());
  std::sort(out.begin(), out.end());
  return out;
}

// What differs from run to run, and what tells only how hard the work was.
std::string masked(const std::string& output) {
  static const std::regex measured(
      "\"(seconds|peak_mib|encode_seconds|solve_seconds|candidates|variables|clauses|known_"
      "edges|"
      "solver_calls|learned_clauses|formula_size)\": "
      "[0-9.e+-]+");
  static const std::regex told("[0-9.]+ s +[0-9]+ MiB");
  static const std::regex verdict("(holds    |VIOLATED |undecided) +[0-9.]+ s");
  const std::string masked_json = std::regex_replace(output, measured, "\"$1\": 0");
  return std::regex_replace(std::regex_replace(masked_json, told, "0.01 s  20 MiB"),
                            verdict, "$1   0.01 s");
}

class CommandCorpus : public testing::TestWithParam<std::string> {};

// Seconds in the release build, a minute under the sanitizers.
bool is_long(const std::string& name) {
  return name.starts_with("audit_registration") || name == "audit_tpcc";
}

TEST_P(CommandCorpus, prints_what_is_expected) {
  if (is_slow_build && is_long(GetParam())) GTEST_SKIP();
  const test::Scratch scratch;
  const test::Outcome outcome = test::run(test::contents(corpus / (GetParam() + ".cmd")));
  const std::string found =
      "exit " + std::to_string(outcome.status) + "\n" + masked(outcome.output);
  const std::filesystem::path expectation = corpus / (GetParam() + ".expect");
  if (std::getenv("ISOMER_PROMOTE") != nullptr) {
    std::ofstream(expectation, std::ios::binary) << found;
    return;
  }
  EXPECT_EQ(found, test::contents(expectation));
}

INSTANTIATE_TEST_SUITE_P(Files, CommandCorpus, testing::ValuesIn(names()),
                         [](const auto& test) { return test.param; });

TEST(CommandCorpusFolder, has_an_expectation_for_every_command_and_no_other) {
  std::size_t commands = 0;
  std::size_t expectations = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    commands += entry.path().extension() == ".cmd" ? 1 : 0;
    expectations += entry.path().extension() == ".expect" ? 1 : 0;
  }
  EXPECT_GT(commands, 10U);
  EXPECT_EQ(commands, expectations);
}

}  // namespace
}  // namespace isomer
