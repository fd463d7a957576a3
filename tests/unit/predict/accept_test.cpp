// SPDX-License-Identifier: MIT
// Predictions that are not accepted, and candidates that are not decided.
#include <gtest/gtest.h>

#include "level/library.h"
#include "predict/judge.h"
#include "support/predict/brute_force.h"

namespace isomer::predict {
namespace {

// Three sessions add to one counter in turn.
Trace counter() {
  Trace out{.session_count = 3, .key_count = 1, .txns = {}};
  for (int t = 0; t < 3; ++t)
    out.txns.push_back({.session = t,
                        .ops = {{.is_write = false, .key = 0, .writer = t - 1},
                                {.is_write = true, .key = 0, .writer = initial}}});
  return out;
}

Options asked(std::function<bool(const Prediction&)> accepts) {
  return {.level = check::Level::CC,
          .strategy = Strategy::ExactRelaxed,
          .count_max = 1,
          .accepts = std::move(accepts),
          .budget = {}};
}

TEST(Accept, another_prediction_is_looked_for) {
  const History history = history_of(counter());
  std::vector<ChangedRead> first;
  const Result result = predict(history, asked([&](const Prediction& prediction) {
                                  if (!first.empty()) return true;
                                  first = prediction.changed;
                                  return false;
                                }));
  ASSERT_EQ(result.predictions.size(), 1U);
  EXPECT_EQ(result.passed_over, 1U);
  const std::vector<ChangedRead>& changed = result.predictions.front().changed;
  ASSERT_FALSE(first.empty());
  EXPECT_TRUE(changed.front().op != first.front().op ||
              changed.front().predicted != first.front().predicted);
}

TEST(Accept, the_first_one_is_told_if_none_is_accepted) {
  const History history = history_of(counter());
  std::size_t shown = 0;
  const Result result = predict(history, asked([&](const Prediction&) {
                                  ++shown;
                                  return false;
                                }));
  ASSERT_EQ(result.predictions.size(), 1U);
  EXPECT_GT(shown, 1U);
  EXPECT_EQ(result.passed_over + 1, shown);
  EXPECT_TRUE(result.is_complete);
}

// A checker that gives up says nothing about a candidate.
TEST(Judge, does_not_guess) {
  const History history = history_of(counter());
  const Observed observed = observe(history);
  const check::AskedLevel text{"adya:PL-2",
                               level::levels_named("adya:PL-2").value().front()};
  const Options options{.level = text, .budget = {}};
  const Judge judge(observed, options);
  CandidateRun lost_update;
  lost_update.is_in = {true, true, true, false};
  lost_update.writes = {{true}, {true}, {true}, {false}};
  lost_update.writer = {0U, 0U, std::nullopt};
  const Judgement decided = judge.judge(lost_update, Judge::Asks::Fully, {});
  EXPECT_TRUE(std::holds_alternative<Unexplained>(decided));
  const Judgement undecided = judge.judge(lost_update, Judge::Asks::Fully, Budget(0));
  ASSERT_TRUE(std::holds_alternative<Undecided>(undecided));
  EXPECT_EQ(std::get<Undecided>(undecided).reason, "timeout");
}

}  // namespace
}  // namespace isomer::predict
