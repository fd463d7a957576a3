// SPDX-License-Identifier: MIT
// Runs of which something wrong was predicted once.  Each file says what is right:
//
//   # predict exact-strict [appendix-b]: RC+ SI-   at RC something is predicted, at SI not
//   # explore: RC+ SI-      the program has an unserializable history at RC, at SI none
//   # check: RC+ SER-       RC allows the history itself, SER does not
//   # seed: 3               of the serial run of the program
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "explore/explore.h"
#include "program/litmus/litmus.h"
#include "store/store.h"
#include "support/files.h"
#include "support/predict/against_brute_force.h"
#include "support/predict/against_explore.h"
#include "unit/history/reading.h"

namespace isomer::predict {
namespace {

// "# predict exact-strict: RC+ SI-" is {"predict exact-strict", {{RC, true}, {SI, false}}}.
struct Expectation {
  std::string of;
  std::vector<std::pair<check::Level, bool>> levels;
};

std::vector<Expectation> expectations(const std::string& text) {
  std::vector<Expectation> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("# ") || colon == std::string::npos) continue;
    Expectation found{.of = line.substr(2, colon - 2), .levels = {}};
    std::istringstream words(line.substr(colon + 2));
    for (std::string word; words >> word;)
      if (const auto level = check::level_named(word.substr(0, word.size() - 1)))
        found.levels.emplace_back(*level, word.ends_with('+'));
    if (!found.levels.empty()) out.push_back(std::move(found));
  }
  return out;
}

std::uint64_t seed_in(const std::string& text) {
  const std::size_t found = text.find("# seed: ");
  return found == std::string::npos ? 1 : std::stoull(text.substr(found + 8));
}

void expect_predictions(const History& observed, const Expectation& expected) {
  std::istringstream words(expected.of);
  std::string word;
  std::string boundary = "closed";
  words >> word >> word;
  const auto strategy = strategy_named(word);
  ASSERT_TRUE(strategy) << expected.of;
  words >> boundary;
  for (const auto& [level, is_predicted] : expected.levels) {
    const Result result = predict(observed, {.level = level,
                                             .strategy = *strategy,
                                             .boundary = boundary_named(boundary).value(),
                                             .budget = {}});
    EXPECT_EQ(!result.predictions.empty(), is_predicted)
        << expected.of << " at " << check::info(level).name;
    for (const Prediction& prediction : result.predictions)
      EXPECT_EQ(flaw(prediction, level), "") << text(prediction.history);
  }
}

class OfHistory : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(OfHistory, is_answered_as_it_says) {
  const std::string contents = test::contents(GetParam());
  const History history = history::history_of(contents);
  const std::vector<Expectation> all = expectations(contents);
  ASSERT_FALSE(all.empty());
  for (const Expectation& expected : all) {
    if (expected.of != "check") {
      expect_predictions(history, expected);
      continue;
    }
    for (const auto& [level, allows] : expected.levels)
      EXPECT_EQ(is_allowed(history, level), allows) << check::info(level).name;
  }
}

TEST_P(OfHistory, is_predicted_as_by_trying_everything) {
  const History history = history::history_of(test::contents(GetParam()));
  if (!is_allowed(history, check::Level::SER)) return;
  Tried tried;
  for (const Boundary boundary : boundaries)
    EXPECT_EQ(try_all(trace_of(history), boundary, levels(), tried), "");
  EXPECT_GT(tried.asked, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Defect, OfHistory,
    testing::ValuesIn(test::files_in(test::corpus / "defects/predict", ".hist")),
    [](const auto& file) { return test::test_name(file.param.stem().string()); });

class OfProgram : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(OfProgram, is_answered_as_it_says) {
  const std::string contents = test::contents(GetParam());
  const auto program = program::parse_litmus(GetParam().filename().string(), contents);
  ASSERT_TRUE(program) << render(program.error());
  const History observed = store::Store(*program)
                               .run({.level = {}, .seed = seed_in(contents), .budget = {}})
                               .history;
  const std::vector<Expectation> all = expectations(contents);
  ASSERT_FALSE(all.empty());
  for (const Expectation& expected : all) {
    if (expected.of != "explore") {
      expect_predictions(observed, expected);
      continue;
    }
    for (const auto& [level, is_found] : expected.levels) {
      explore::Options options;
      options.level = level;
      options.find = explore::Find::Unserializable;
      const explore::Result result = explore::explore(*program, options);
      EXPECT_TRUE(result.is_complete);
      EXPECT_EQ(result.unserializable > 0, is_found) << check::info(level).name;
    }
  }
}

TEST_P(OfProgram, is_predicted_as_explored) {
  const std::string contents = test::contents(GetParam());
  const auto program = program::parse_litmus(GetParam().filename().string(), contents);
  ASSERT_TRUE(program) << render(program.error());
  int predictions = 0;
  for (const check::Level level : check::all_levels) {
    if (level == check::Level::SER) continue;
    const Compared compared = compared_with_explore({.program = *program,
                                                     .litmus = contents,
                                                     .seed = seed_in(contents),
                                                     .level = level});
    EXPECT_EQ(compared.why, "") << check::info(level).name;
    predictions += compared.found;
  }
  EXPECT_GT(predictions, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Defect, OfProgram,
    testing::ValuesIn(test::files_in(test::corpus / "defects/predict", ".txn")),
    [](const auto& file) { return test::test_name(file.param.stem().string()); });

}  // namespace
}  // namespace isomer::predict
