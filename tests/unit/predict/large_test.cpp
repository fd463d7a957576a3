// SPDX-License-Identifier: MIT
// Runs that are too large to be told what a level forbids.
#include <atomic>
#include <chrono>

#include <gtest/gtest.h>

#include "history/generate.h"
#include "level/library.h"
#include "support/effort.h"
#include "support/predict/against_brute_force.h"

namespace isomer::predict {
namespace {

History large_run(std::uint32_t keys) {
  return history::generate({.mode = history::Mode::Serial,
                            .sessions = 10,
                            .transactions = effort(200U, 60U),
                            .operations = 100,
                            .keys = keys,
                            .injection = {}});
}

TEST(Large, two_hundred_transactions_are_predicted_from) {
  const History history = large_run(1000);
  for (const check::Level level :
       {check::Level::CC, check::Level::RC, check::Level::RA, check::Level::PC})
    for (const Strategy strategy : {Strategy::ApproxRelaxed, Strategy::ExactStrict}) {
      const Result result = predict(history, {.level = level,
                                              .strategy = strategy,
                                              .told_cells_max = 0,
                                              .budget = Budget(60)});
      ASSERT_EQ(result.predictions.size(), 1U) << check::info(level).name;
      EXPECT_EQ(flaw(result.predictions.front(), level), "");
      EXPECT_EQ(result.predictions.front()->changed.size(), 1U);
      EXPECT_TRUE(result.has_fewest);
    }
}

// Where each transaction reads much from the one before it, many reads change at once.
TEST(Large, several_reads_change_in_one_transaction) {
  const Result result = predict(large_run(100), {.level = check::Level::CC,
                                                 .strategy = Strategy::ApproxRelaxed,
                                                 .told_cells_max = 0,
                                                 .budget = Budget(60)});
  ASSERT_EQ(result.predictions.size(), 1U);
  EXPECT_EQ(flaw(result.predictions.front(), check::Level::CC), "");
  EXPECT_GT(result.predictions.front()->changed.size(), 1U);
  EXPECT_FALSE(result.has_fewest);
}

struct Hard {
  check::AskedLevel level;
  Boundary boundary;
};

// Without a limit, each of these takes minutes or gigabytes.
std::vector<Hard> hard_questions() {
  const check::AskedLevel text{"adya:PL-2",
                               level::levels_named("adya:PL-2").value().front()};
  return {{check::Level::SI, Boundary::Closed},
          {check::Level::RC, Boundary::AppendixB},
          {check::Level::CC, Boundary::AppendixB},
          {check::Level::SI, Boundary::None},
          {text, Boundary::None},
          {text, Boundary::AppendixB}};
}

TEST(Large, the_time_given_is_kept) {
  const History history = large_run(100);
  for (const Hard& hard : hard_questions())
    for (const bool lists_nearby : {true, false}) {
      const auto start = std::chrono::steady_clock::now();
      const Result result = predict(history, {.level = hard.level,
                                              .strategy = Strategy::ExactRelaxed,
                                              .boundary = hard.boundary,
                                              .lists_nearby = lists_nearby,
                                              .budget = Budget(0.3)});
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      EXPECT_TRUE(result.predictions.empty());
      EXPECT_FALSE(result.is_complete);
      EXPECT_FALSE(result.unknown.empty()) << hard.level.name;
      EXPECT_LT(spent.count(), effort(2.0, 10.0)) << hard.level.name;
    }
}

TEST(Large, tables_that_would_not_fit_are_not_made) {
  const Result result = predict(large_run(1000), {.level = check::Level::RC,
                                                  .strategy = Strategy::ExactStrict,
                                                  .boundary = Boundary::AppendixB,
                                                  .budget = {}});
  EXPECT_EQ(result.unknown, "the run is too large for this level");
}

TEST(Large, thousands_of_transactions_are_given_up_in_time) {
  const History history = history::generate({.mode = history::Mode::Serial,
                                             .sessions = 10,
                                             .transactions = effort(5000U, 1000U),
                                             .operations = 10,
                                             .keys = 200,
                                             .injection = {}});
  const auto start = std::chrono::steady_clock::now();
  predict(history, {.strategy = Strategy::ApproxRelaxed, .budget = Budget(0.3)});
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  EXPECT_LT(spent.count(), effort(3.0, 15.0));
}

TEST(Large, an_interruption_ends_the_search) {
  const std::atomic<bool> is_interrupted = true;
  const Result result = predict(large_run(100), {.level = check::Level::SI,
                                                 .strategy = Strategy::ExactRelaxed,
                                                 .budget = Budget({}, &is_interrupted)});
  EXPECT_EQ(result.unknown, "interrupted");
  EXPECT_FALSE(result.is_complete);
}

}  // namespace
}  // namespace isomer::predict
