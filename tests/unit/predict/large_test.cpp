// SPDX-License-Identifier: MIT
// Runs that are too large to be told what a level forbids.
#include <gtest/gtest.h>

#include "flaw.h"
#include "history/generate.h"
#include "support/effort.h"

namespace isomer::predict {
namespace {

TEST(Large, two_hundred_transactions_are_predicted_from) {
  const std::uint32_t transactions = effort(200U, 60U);
  const History history = history::generate({.mode = history::Mode::Serial,
                                             .sessions = 10,
                                             .transactions = transactions,
                                             .operations = 100,
                                             .keys = 1000,
                                             .injection = {}});
  const Result result = predict(history, {.level = check::Level::CC,
                                          .strategy = Strategy::ApproxRelaxed,
                                          .told_cells_max = 0,
                                          .budget = {}});
  ASSERT_EQ(result.predictions.size(), 1U);
  EXPECT_EQ(flaw(result.predictions.front(), check::Level::CC), "");
  EXPECT_EQ(result.predictions.front().changed.size(), 1U);
  RecordProperty("seconds", std::to_string(result.encode_seconds + result.solve_seconds));
}

}  // namespace
}  // namespace isomer::predict
