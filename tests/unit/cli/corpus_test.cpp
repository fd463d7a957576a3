// SPDX-License-Identifier: MIT
// tests/corpus/cli/NAME.cmd is a command; NAME.expect is its exit status on the first line
// and what it prints after that.  tools/promote rewrites the expectations.  Values that a
// solver chooses are not compared (without_choices).
#include <regex>
#include <vector>

#include <gtest/gtest.h>

#include "support/command.h"
#include "support/effort.h"
#include "support/pinned.h"

namespace isomer {
namespace {

const std::filesystem::path folder = test::corpus / "cli";

// What differs from run to run, and what tells only how hard the work was.
std::string masked(const std::string& output) {
  static const std::regex measured(
      "\"(seconds|peak_mib|encode_seconds|solve_seconds|candidates|variables|clauses|known_"
      "edges|"
      "solver_calls|learned_clauses|formula_size|queries)\": "
      "[0-9.e+-]+");
  static const std::regex told("[0-9.]+ s +[0-9]+ MiB");
  static const std::regex verdict("(holds    |VIOLATED |undecided) +[0-9.]+ s");
  const std::string masked_json = std::regex_replace(output, measured, "\"$1\": 0");
  return std::regex_replace(std::regex_replace(masked_json, told, "0.01 s  20 MiB"),
                            verdict, "$1   0.01 s");
}

// The rows and calls of an anomaly are what a solver happened to choose.  One choice stands
// in the expectation, for people and for docs that quote it; any other is as good.
std::string without_choices(const std::string& output) {
  static const std::regex call(R"((\n  t[0-9]+  [^\n(]+)\([^\n]*\))");
  static const std::regex record(R"(( --(?:wr|rw|ww) [^\n(]+)\([^\n]*?\)(?=[.-]))");
  return std::regex_replace(std::regex_replace(output, call, "$1(..)"), record, "$1(..)");
}

TEST(CommandCorpusChoices, are_the_values_of_an_anomaly_and_nothing_else) {
  EXPECT_EQ(
      without_choices("x\n  t1  vote(2, 'a(b)')\n  t1 --rw votes(2).phone--> t2   t1\n"),
      "x\n  t1  vote(..)\n  t1 --rw votes(..).phone--> t2   t1\n");
  EXPECT_EQ(
      without_choices("  t1 --ww votes(2)--> t2\n    t1  reads   x.sql:3  count(*)\n"),
      "  t1 --ww votes(..)--> t2\n    t1  reads   x.sql:3  count(*)\n");
}

class CommandCorpus : public testing::TestWithParam<std::filesystem::path> {};

// Seconds in the release build, half a minute or more under the sanitizers.
bool is_long(const std::string& name) {
  return name.starts_with("audit_registration") ||
         name.starts_with("finding_anode_queue") || name == "audit_tpcc" ||
         name == "audit_simple_bank" || name == "advise_registration" ||
         name == "finding_initial_versions";
}

TEST_P(CommandCorpus, prints_what_is_expected) {
  std::filesystem::path file = GetParam();
  if (is_slow_build && is_long(file.stem())) GTEST_SKIP();
  const test::Scratch scratch;
  const test::Outcome outcome = test::run(test::contents(file));
  const std::string found =
      "exit " + std::to_string(outcome.status) + "\n" + masked(outcome.output);
  test::expect_pinned(file.replace_extension(".expect"), found, without_choices);
}

INSTANTIATE_TEST_SUITE_P(Files, CommandCorpus,
                         testing::ValuesIn(test::files_in(folder, ".cmd")),
                         [](const auto& test) { return test.param.stem().string(); });

TEST(CommandCorpusFolder, has_an_expectation_for_every_command_and_no_other) {
  const std::size_t commands = test::files_in(folder, ".cmd").size();
  EXPECT_GT(commands, 10U);
  EXPECT_EQ(commands, test::files_in(folder, ".expect").size());
}

}  // namespace
}  // namespace isomer
