// SPDX-License-Identifier: MIT
#include "predict/predicted.h"

#include <gtest/gtest.h>

#include "check/uncertified.h"
#include "unit/history/reading.h"

namespace isomer::predict {
namespace {

using Boundaries = std::vector<std::optional<std::uint32_t>>;

std::string text(const History& history) {
  return history::write_history(history, "hist").value().bytes;
}

TEST(PredictedHistory, of_what_was_observed_is_the_same) {
  const std::string given =
      "ann: T1 { w(x)=1 r(y)=0 } { r(x)=1 w(x)=2 r(x)=2 }\nbob: T3 { r(x)=2 w(y)=5 }\n";
  const History history = history::history_of(given);
  const Observed observed = observe(history);
  const PredictedHistory predicted =
      predicted_history(history, observed, observed_candidate(observed), Boundaries(2));
  EXPECT_EQ(text(predicted.history), text(history));
  EXPECT_EQ(predicted.history.txn_name({1}), "T1");
  EXPECT_EQ(predicted.history.txn_name({3}), "T3");
}

TEST(PredictedHistory, has_initial_values_where_the_observed_one_has) {
  for (const std::string init : {"init none\n", "init none y=5\n", "init *=7\n"}) {
    const History history =
        history::history_of(init + "a: { w(x)=1 w(y)=5 }\nb: { r(x)=1 w(y)=6 r(y)=6 }\n");
    const Observed observed = observe(history);
    const History predicted =
        predicted_history(history, observed, observed_candidate(observed), Boundaries(2))
            .history;
    EXPECT_EQ(predicted.default_initial_value().has_value(), init == "init *=7\n");
    for (history::KeyId key{0}; key.index < history.key_count(); ++key.index)
      EXPECT_EQ(predicted.initial_value(key), history.initial_value(key)) << init;
  }
}

TEST(PredictedHistory, has_no_value_twice) {
  // Nobody reads the value that was written three times.
  const History history = history::history_of(
      "a: { w(x)=0 } { w(x)=7 } { w(x)=\"7 #2\" }\nb: { w(x)=7 } { w(x)=8 }\nc: { r(x)=8 "
      "}\n");
  ASSERT_TRUE(history.ambiguous_reads().empty());
  const Observed observed = observe(history);
  for (TxnNumber writer = 0; writer < 6; ++writer) {
    CandidateRun candidate = observed_candidate(observed);
    candidate.writer[0] = writer;
    const History predicted =
        predicted_history(history, observed, candidate, Boundaries(3)).history;
    EXPECT_TRUE(predicted.problems().empty());
    EXPECT_TRUE(predicted.ambiguous_reads().empty()) << text(predicted);
    ASSERT_EQ(predicted.all_reads().size(), 1U);
    EXPECT_EQ(predicted.all_reads()[0].writer.index, writer) << text(predicted);
  }
}

TEST(PredictedHistory, ends_with_the_boundary) {
  const History history = history::history_of(
      "a: { w(x)=1 r(x)=1 r(y)=0 w(x)=2 r(p)=0 }\nb: { w(y)=1 r(y)=1 r(x)=2 r(y)=1 }\n");
  const Observed observed = observe(history);
  CandidateRun candidate = observed_candidate(observed);
  candidate.writer[1] = 0;
  // What a writes before its cut and again behind it, it has written.
  EXPECT_EQ(text(predicted_history(history, observed, candidate, {2, 7}).history),
            "a: { w(x)=1 r(x)=1 r(y)=0 }\nb: { w(y)=1 r(y)=1 r(x)=0 }\n");
}

TEST(PredictedHistory, has_the_values_between_the_first_and_the_last) {
  const std::string given =
      "a: { w(x)=1 w(x)=2 r(x)=2 w(x)=1 r(x)=1 }\nb: { r(x)=1 w(x)=3 w(x)=4 w(x)=3 }\n";
  const History history = history::history_of(given);
  const Observed observed = observe(history);
  EXPECT_EQ(
      text(predicted_history(history, observed, observed_candidate(observed), Boundaries(2))
               .history),
      text(history));
}

TEST(PredictedHistory, leaves_out_who_takes_no_part) {
  const History history =
      history::history_of("a: { w(x)=1 } { w(x)=2 }\nb: T { r(x)=2 }\nc: { r(x)=1 }\n");
  const Observed observed = observe(history);
  CandidateRun candidate = observed_candidate(observed);
  candidate.is_in[2] = false;
  candidate.writes[2] = {false};
  candidate.writer[0] = 1;
  const PredictedHistory predicted =
      predicted_history(history, observed, candidate, Boundaries(3));
  EXPECT_EQ(text(predicted.history), "a: { w(x)=1 }\nb: T { r(x)=1 }\nc: { r(x)=1 }\n");
  EXPECT_EQ(predicted.origin, (std::vector<TxnId>{{0}, {1}, {3}, {4}}));
}

// Neither of two transactions sees the other.
Prediction predicted_skew() {
  Prediction out;
  out.history = history::history_of("a: { r(x)=0 w(y)=1 }\nb: { r(y)=0 w(x)=1 }\n");
  const check::Result answers = check::uncertified_answers(
      out.history, {.levels = {check::Level::SER}, .budget = {}});
  out.violation = std::get<check::Violated>(answers.levels.front().verdict);
  return out;
}

std::string complaint(Prediction prediction, const check::AskedLevel& level) {
  const auto certified = certify(std::move(prediction), level, {});
  return certified ? "" : certified.error();
}

TEST(CertifiedPrediction, is_allowed_and_unserializable) {
  EXPECT_EQ(complaint(predicted_skew(), check::Level::SI), "");
  const auto certified = certify(predicted_skew(), check::Level::SI, {});
  EXPECT_EQ((*certified)->levels.levels.size(), check::level_count);
  static_assert(!std::is_constructible_v<check::Certified<Prediction>, Prediction>);
}

TEST(CertifiedPrediction, refuses_a_level_that_forbids_it) {
  EXPECT_EQ(complaint(predicted_skew(), check::Level::SER),
            "the search says that SER allows a history, its checker that it does not");
}

TEST(CertifiedPrediction, refuses_wrong_evidence) {
  Prediction prediction = predicted_skew();
  prediction.violation.cycle.pop_back();
  EXPECT_NE(complaint(std::move(prediction), check::Level::SI), "");
  prediction = predicted_skew();
  prediction.violation.transactions.pop_back();
  EXPECT_NE(complaint(std::move(prediction), check::Level::SI), "");
  prediction = predicted_skew();
  prediction.history = history::history_of("a: { r(x)=0 w(y)=1 }\nb: { r(y)=1 w(x)=1 }\n");
  EXPECT_NE(complaint(std::move(prediction), check::Level::SI), "");
}

}  // namespace
}  // namespace isomer::predict
