// SPDX-License-Identifier: MIT
// The engine against trying everything, on small random runs.
#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "support/effort.h"
#include "support/predict/against_brute_force.h"
#include "support/shrunk.h"

namespace isomer::predict {
namespace {

TEST(BruteForce, finds_the_same_predictions) {
  Random random(1);
  Tried tried;
  int found = 0;
  for (int i = 0; i < effort(1800, 900, 100); ++i) {
    const Trace trace = random_trace_with_aborts(random);
    const std::size_t first = random.below(levels().size());
    const std::size_t second = random.below(2);
    const std::vector<AskedLevel> asked = {levels()[first], levels()[second]};
    const auto why = [&](const Trace& tried_trace) {
      return try_all(tried_trace, at(boundaries, i % 3), asked, tried);
    };
    if (why(trace).empty()) continue;
    const Trace small =
        test::shrunk(trace, [&](const Trace& t) { return !why(t).empty(); });
    ADD_FAILURE() << "trace " << i << ": " << why(small) << '\n' << text(small);
    if (++found == 5) break;
  }
  RecordProperty("asked", tried.asked);
  RecordProperty("predicted", tried.predicted);
  EXPECT_GT(tried.predicted, tried.asked / 10);
}

// The anomaly and the transactions of the observed run that show it.
std::pair<std::string, std::set<TxnId>> anomaly(const Prediction& prediction) {
  std::set<TxnId> transactions;
  for (const TxnId txn : prediction.violation.transactions)
    transactions.insert(prediction.origin[txn.index]);
  return {prediction.violation.anomaly, std::move(transactions)};
}

struct Asked {
  AskedLevel level;
  Strategy strategy;
};

// What a guess shows, in ids of the observed history.
std::pair<std::string, std::set<TxnId>> anomaly(const Trace& trace, const Guess& guess) {
  const check::Result result = *check::certified_answers(
      history_of(trace, guess), {.levels = {check::Level::SER}, .budget = {}});
  const auto& violation = std::get<check::Violated>(result.levels.front().verdict);
  std::set<TxnId> origin{history::init};
  for (int t = 0; t < static_cast<int>(trace.txns.size()); ++t)
    if (at(guess.length, t) >= 0) origin.insert(trace.id(t));
  std::set<TxnId> transactions;
  for (const TxnId txn : violation.transactions)
    transactions.insert(*std::next(origin.begin(), txn.index));
  return {violation.anomaly, std::move(transactions)};
}

// Changes that include neither those of a prediction, nor those of a run that shows what a
// prediction shows; and yet are some of an unserializable run that the level allows.
std::string missing(const Trace& trace, const History& history,
                    const std::vector<Guess>& all, const Asked& asked,
                    const Result& result) {
  std::set<Changes> known;
  std::set<std::pair<std::string, std::set<TxnId>>> shown;
  for (const Prediction& prediction : result.predictions) {
    known.insert(changes_of(trace, history, prediction));
    shown.insert(anomaly(prediction));
  }
  std::set<Changes> found;
  for (const Guess& guess : all) {
    if (is_serializable(trace, guess) ||
        (!is_exact(asked.strategy) && !has_pco_cycle(trace, guess)) ||
        !is_allowed(history_of(trace, guess), asked.level))
      continue;
    found.insert(changes_of(trace, guess));
    if (shown.contains(anomaly(trace, guess))) known.insert(changes_of(trace, guess));
  }
  const auto is_known = [&](const Changes& changes) {
    return std::ranges::any_of(
        known, [&](const Changes& part) { return std::ranges::includes(changes, part); });
  };
  const auto other = std::ranges::find_if_not(found, is_known);
  return other == found.end() ? "" : fmt::format("{} changes are missing", other->size());
}

TEST(BruteForce, all_predictions_differ) {
  Random random(5);
  std::size_t several = 0;
  for (int i = 0; i < effort(400, 150); ++i) {
    const Trace trace = random_trace_with_aborts(random);
    const History history = history_of(trace);
    const Boundary boundary = at(boundaries, i % 3);
    const Strategy strategy = at(strategies, i % 4);
    const AskedLevel& level = levels()[random.below(3)];
    const auto all = guesses(trace, is_strict(strategy), boundary, 3000);
    if (!all) continue;
    const Result result = predict(history, {.level = level,
                                            .strategy = strategy,
                                            .boundary = boundary,
                                            .count_max = 1000,
                                            .budget = {}});
    EXPECT_TRUE(result.is_complete);
    std::set<Changes> possible;
    for (const Guess& guess : *all)
      possible.insert(changes_of(trace, guess));
    std::set<std::pair<std::string, std::set<TxnId>>> anomalies;
    std::size_t changes = 0;
    for (const Prediction& prediction : result.predictions) {
      EXPECT_EQ(flaw(prediction, level), "") << text(trace);
      EXPECT_TRUE(anomalies.insert(anomaly(prediction)).second) << text(trace);
      EXPECT_TRUE(possible.contains(changes_of(trace, history, prediction))) << text(trace);
      EXPECT_GE(prediction.changed.size(), changes) << text(trace);
      changes = prediction.changed.size();
    }
    several += result.predictions.size() > 1 ? 1U : 0U;
    EXPECT_EQ(missing(trace, history, *all, {level, strategy}, result), "") << text(trace);
  }
  EXPECT_GT(several, effort(20U, 3U));
}

}  // namespace
}  // namespace isomer::predict
