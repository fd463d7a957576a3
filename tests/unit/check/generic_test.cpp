// SPDX-License-Identifier: MIT
// The checkers of the built-in levels against the texts of the same levels.
#include <algorithm>
#include <filesystem>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "history/formats.h"
#include "history/generate.h"
#include "level/library.h"
#include "make_log.h"
#include "support/check/faults.h"
#include "support/check/sample.h"
#include "support/shrunk.h"

namespace isomer::check {
namespace {

namespace fs = std::filesystem;

AskedLevel parsed(const std::string& text) {
  const auto levels = level::parse_levels("mine.level", text);
  EXPECT_TRUE(levels.has_value()) << (levels ? "" : render(levels.error()));
  return {"mine.level", levels->back()};
}

bool disagree(const Log& log) {
  return !disagreements(history_of(log), true).empty();
}

class TextsAgainstCheckers : public testing::TestWithParam<Profile> {};

TEST_P(TextsAgainstCheckers, agree_on_random_histories) {
  Sampler sampler(GetParam(), 500'000);
  const int count = sample_size(320);
  for (int i = 0; i < count; ++i) {
    const Sample sample = sampler.next();
    if (disagreements(history_of(sample.log), i % 8 == 0).empty()) continue;
    const Log small = test::shrunk(sample.log, disagree);
    FAIL() << "seed " << sample.seed << "\n"
           << text(small) << disagreements(history_of(small), true);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, TextsAgainstCheckers, testing::ValuesIn(all_profiles),
                         [](const auto& param) { return name(param.param); });

TEST(TextsAgainstCheckers, agree_on_the_litmus_corpus) {
  int count = 0;
  for (const char* folder : {"tests/corpus/anomaly", "tests/corpus/known/litmus"})
    for (const auto& entry : fs::directory_iterator(fs::path(ISOMER_SOURCE_DIR) / folder)) {
      const auto read = history::read_history(entry.path().string(), {});
      if (!read || ++count % effort(1, 15) != 0) continue;
      EXPECT_EQ(disagreements(read->history, true), "") << entry.path();
    }
  EXPECT_GT(count, 100);
}

// --- levels that say nothing of sessions ---

Log with_a_session_each(const Log& log) {
  Log out{.is_list_append = log.is_list_append, .sessions = {}};
  for (const LoggedTxn* txn : log.txns())
    out.sessions.push_back({*txn});
  return out;
}

// By the texts: adya's and crooks' levels have no `so`.
std::string told_apart_by_sessions(const Log& log) {
  std::vector<AskedLevel> levels;
  for (const char* name : {"adya:PL-1", "adya:PL-2", "adya:PL-2+", "adya:PL-SI",
                           "adya:PL-2.99", "adya:PL-3", "crooks:RC", "crooks:SER"})
    levels.push_back(as_text(name));
  const Question options{.levels = levels, .budget = Budget(60.0), .explain = false};
  const Result together = uncertified_answers(history_of(log), options);
  const Result apart = uncertified_answers(history_of(with_a_session_each(log)), options);
  std::string out;
  for (std::size_t i = 0; i < levels.size(); ++i)
    if (together.levels[i].verdict.index() != apart.levels[i].verdict.index())
      out += levels[i].name + " ";
  return out;
}

TEST(LevelsWithoutSessions, judge_alike_whoever_ran_the_transactions) {
  const int count = sample_size(600);
  for (int i = 0; i < count; ++i) {
    const Log log =
        random_log(Profile::Ambiguous, 700'000 + static_cast<std::uint64_t>(i), 5);
    if (told_apart_by_sessions(log).empty()) continue;
    const Log small = test::shrunk(
        log, [](const Log& one) { return !told_apart_by_sessions(one).empty(); });
    FAIL() << text(small) << told_apart_by_sessions(small);
  }
}

TEST(CheckFromText, decides_150_transactions_within_seconds) {
  history::GenerateOptions options;
  options.mode = history::Mode::Snapshot;
  options.transactions = effort(150, 30);
  options.keys = effort(60, 12);
  const History history = history::generate(options);
  EXPECT_EQ(disagreements(history, false), "");
}

TEST(CheckFromText, gives_up_what_would_not_fit_in_memory) {
  history::GenerateOptions options;
  options.transactions = 3000;
  const History history = history::generate(options);
  const Result result =
      uncertified_answers(history, {.levels = {as_text("SER")}, .budget = Budget(300.0)});
  const auto* unknown = std::get_if<Unknown>(&result.levels[0].verdict);
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(unknown->reason, "memory");
}

Violated violation_of(const History& history, const AskedLevel& level) {
  const Result result =
      uncertified_answers(history, {.levels = {level}, .budget = Budget(120.0)});
  const auto* violation = std::get_if<Violated>(&result.levels[0].verdict);
  EXPECT_NE(violation, nullptr);
  return violation == nullptr ? Violated{} : *violation;
}

TEST(CheckFromText, names_the_axioms_that_exclude_each_other) {
  const History skew = history_of(log_of({{txn({r(x, 0), r(y, 0), w(x, 1)})},
                                          {txn({r(x, 0), r(y, 0), w(y, 2)})},
                                          {txn({r(z, 0)})}}));
  const Violated found = violation_of(skew, as_text("cerone:SER"));
  EXPECT_THAT(found.axioms, testing::ElementsAre("Visibility", "Ext", "TotalVisibility"));
  EXPECT_EQ(found.anomaly, "write skew");
  EXPECT_THAT(found.transactions, testing::ElementsAre(init, TxnId{1}, TxnId{2}));
  EXPECT_EQ(found.cycle_of, Level::SER);
}

TEST(CheckFromText, shows_no_cycle_where_the_level_means_something_else) {
  const AskedLevel one_writer = parsed(
      "level L : biswas { axiom OneWriter: forall x: Key, t, u: Txn {\n"
      "  t in W[x] and u in W[x] implies t = u or t = init or u = init } }\n");
  const History history = history_of(log_of(
      {{txn({w(x, 1)}), txn({w(y, 1)})}, {txn({r(x, 1), w(x, 2)})}, {txn({w(z, 1)})}}));
  const Violated found = violation_of(history, one_writer);
  EXPECT_THAT(found.axioms, testing::ElementsAre("OneWriter"));
  EXPECT_THAT(found.transactions, testing::ElementsAre(TxnId{1}, TxnId{3}));
  EXPECT_TRUE(found.cycle.empty());
  EXPECT_EQ(refute(history, one_writer, found), std::nullopt);
}

// The part must be without an execution itself: here the whole is, but smaller parts are
// too, down to one transaction.
TEST(CheckFromText, cuts_down_what_is_not_closed_under_parts) {
  const AskedLevel somebody = parsed(
      "level L : biswas { axiom Somebody: exists t, u: Txn { (t, u) in wr and t != init } "
      "}\n");
  const History nobody = history_of(log_of({{txn({w(x, 1)})}, {txn({w(y, 1)})}}));
  const Violated found = violation_of(nobody, somebody);
  EXPECT_EQ(found.transactions.size(), 1U);
  EXPECT_EQ(refute(nobody, somebody, found), std::nullopt);
}

TEST(CheckFromText, tells_which_read_is_wrong) {
  const History history =
      history_of(log_of({{txn({r(x, 7)})}, {txn({w(x, 1)})}, {txn({r(x, 1)})}}));
  const Violated found = violation_of(history, as_text("adya:PL-1"));
  ASSERT_TRUE(found.problem.has_value());
  EXPECT_EQ(found.problem->kind, history::ProblemKind::ThinAir);
  EXPECT_THAT(found.axioms, testing::ElementsAre("WellFormed"));
  const AskedLevel careless =
      parsed("framework f { witness o : Txn * Txn } level L : f {}\n");
  const Result result = uncertified_answers(history, {.levels = {careless}, .budget = {}});
  EXPECT_TRUE(std::holds_alternative<Consistent>(result.levels[0].verdict));
}

TEST(CheckFromText, lets_transactions_of_unknown_outcome_commit_or_not) {
  const History history = history_of(log_of(
      {{unknown({w(x, 1)})}, {unknown({w(y, 1)})}, {txn({r(y, 1)})}, {txn({w(z, 1)})}}));
  const AskedLevel two = parsed(
      "level L : biswas { axiom A: exists t, u, v: Txn {\n"
      "  t != u and t != v and u != v and\n"
      "  t in W \\ init and u in W \\ init and v in W \\ init } }\n");
  const Result result = uncertified_answers(history, {.levels = {two}, .budget = {}});
  const auto* witness = std::get_if<Consistent>(&result.levels[0].verdict);
  ASSERT_NE(witness, nullptr);
  EXPECT_THAT(witness->taken, testing::ElementsAre(TxnId{1}));
  EXPECT_EQ(refute(history, two, *witness), std::nullopt);
  Consistent other = *witness;
  other.taken.clear();
  EXPECT_NE(refute(history, two, other), std::nullopt);
}

TEST(CheckFromText, refutes_what_is_no_witness) {
  const History history =
      history_of(log_of({{txn({w(x, 1)}), txn({w(x, 2)})}, {txn({r(x, 2)})}}));
  const AskedLevel level = as_text("biswas:SER");
  const Result result = uncertified_answers(history, {.levels = {level}, .budget = {}});
  Consistent witness = std::get<Consistent>(result.levels[0].verdict);
  ASSERT_EQ(refute(history, level, witness), std::nullopt);
  std::swap(witness.relations[0].order[1], witness.relations[0].order[2]);
  EXPECT_NE(refute(history, level, witness), std::nullopt);
  witness.relations.clear();
  EXPECT_NE(refute(history, level, witness), std::nullopt);
  Violated violation;
  violation.transactions = {{1}, {3}};
  EXPECT_NE(refute(history, level, violation), std::nullopt);
}

}  // namespace
}  // namespace isomer::check
