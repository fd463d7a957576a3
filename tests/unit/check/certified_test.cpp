// SPDX-License-Identifier: MIT
// The trust boundary: nothing is certified but by certification, and that refuses what is
// wrong.
#include "check/certify/certified.h"

#include <type_traits>

#include <gtest/gtest.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "unit/history/reading.h"

namespace isomer::check {
namespace {

template <class Reference>
constexpr bool is_changeable = !std::is_const_v<std::remove_reference_t<Reference>>;

template <class T>
constexpr bool star_gives_access = is_changeable<decltype(*std::declval<Certified<T>&>())>;

template <class T>
constexpr bool arrow_gives_access =
    is_changeable<decltype(*std::declval<Certified<T>&>().operator->())>;

// Forging is a compile error: not from nothing, not from a result, not by changing one.
template <class T>
constexpr bool is_forgeable =
    std::is_default_constructible_v<Certified<T>> ||
    std::is_constructible_v<Certified<T>, T> || std::is_convertible_v<T, Certified<T>> ||
    std::is_assignable_v<Certified<T>&, T> || star_gives_access<T> ||
    arrow_gives_access<T> || std::is_convertible_v<Certified<T>&, T&>;

static_assert(!is_forgeable<Result>);
static_assert(!is_forgeable<History>);

// What is certified can be used as what it is, and handed on.
static_assert(std::is_convertible_v<const Certified<Result>&, const Result&>);
static_assert(std::is_copy_constructible_v<Certified<Result>>);

// Two withdrawals, neither of which sees the other.
History lost_update() {
  return history::history_of("a: { r(x)=0 w(x)=1 }\nb: { r(x)=0 w(x)=2 }\n");
}

std::string complaint(const History& history, Result answers) {
  const auto certified = certify(history, std::move(answers));
  return certified ? "" : certified.error();
}

TEST(Certified, answers_of_the_checkers) {
  const History history = lost_update();
  EXPECT_EQ(complaint(history, uncertified_answers(history, {})), "");
  const Result result = *certified_answers(history, {});
  EXPECT_EQ(result.levels.size(), level_count);
  EXPECT_TRUE(result.has_certified_witnesses);
}

TEST(Certified, refuses_a_verdict_turned_around) {
  const History history = lost_update();
  const Result right = uncertified_answers(history, {});
  for (std::size_t i = 0; i < right.levels.size(); ++i)
    for (std::size_t j = 0; j < right.levels.size(); ++j) {
      if (right.levels[i].verdict.index() == right.levels[j].verdict.index()) continue;
      Result wrong = right;
      wrong.levels[i].verdict = right.levels[j].verdict;
      EXPECT_NE(complaint(history, std::move(wrong)), "")
          << right.levels[i].level.name << " as " << right.levels[j].level.name;
    }
}

TEST(Certified, refuses_evidence_that_was_changed) {
  const History history = lost_update();
  for (const Level level : all_levels) {
    Result wrong = uncertified_answers(history, {.levels = {level}, .budget = {}});
    Verdict& verdict = wrong.levels.front().verdict;
    if (auto* consistent = std::get_if<Consistent>(&verdict))
      consistent->commit_order.pop_back();
    else
      std::swap(std::get<Violated>(verdict).cycle.front().from,
                std::get<Violated>(verdict).cycle.front().to);
    EXPECT_NE(complaint(history, std::move(wrong)), "") << info(level).name;
  }
}

TEST(Certified, refuses_answers_about_another_history) {
  const History other = history::history_of("a: { r(x)=0 w(x)=1 }\nb: { r(x)=1 w(x)=2 }\n");
  EXPECT_NE(complaint(other, uncertified_answers(lost_update(), {})), "");
  EXPECT_NE(complaint(lost_update(), uncertified_answers(other, {})), "");
}

TEST(Certified, takes_only_witnesses_on_trust_and_only_if_it_says_so) {
  const History history = lost_update();
  Result answers = uncertified_answers(history, {});
  std::get<Consistent>(answers.levels.front().verdict).commit_order.clear();
  answers.has_certified_witnesses = false;
  EXPECT_EQ(complaint(history, answers), "");
  std::get<Violated>(answers.levels.back().verdict).cycle.pop_back();
  EXPECT_NE(complaint(history, answers), "");
}

TEST(Certified, witnesses_of_long_histories_are_left_out_unless_wanted) {
  std::string log = "a: {";
  for (int i = 0; i < 100'000; ++i)
    log += fmt::format(" w(x{})={}", i % 100, i + 1);
  const History history = history::history_of(log + " }\n");
  const Options asked{.levels = {Level::RC}, .budget = {}};
  EXPECT_FALSE(certified_answers(history, asked)->has_certified_witnesses);
  Options all = asked;
  all.certifies_all_witnesses = true;
  EXPECT_TRUE(certified_answers(history, all)->has_certified_witnesses);
}

struct Finding {
  History history;
  Result levels = {};
};

static_assert(!is_forgeable<Finding>);

std::string complaint(const Claims& claims, const Budget& budget = {}) {
  const auto certified = certify(Finding{lost_update()}, &Finding::history, claims, budget);
  return certified ? "" : certified.error();
}

TEST(Claims, that_are_true_are_certified) {
  const auto finding = certify(Finding{lost_update()}, &Finding::history,
                               {.also_asked = {Level::RC},
                                .allowed_by = {Level::PC, Level::RC},
                                .forbidden_by = {Level::SI}},
                               {});
  ASSERT_TRUE(finding);
  std::vector<std::string> levels;
  for (const LevelResult& answer : (*finding)->levels.levels)
    levels.push_back(answer.level.name);
  EXPECT_EQ(levels, (std::vector<std::string>{"RC", "PC", "SI"}));
}

TEST(Claims, that_are_false_are_refused) {
  EXPECT_EQ(complaint({.allowed_by = {Level::RC, Level::SI}}),
            "the search says that SI allows a history, its checker that it does not");
  EXPECT_EQ(complaint({.forbidden_by = {Level::SI, Level::PC}}),
            "the search says that PC forbids a history, its checker that it does not");
}

// A search that ran out of time has a moment left for what it found.
TEST(Claims, are_looked_at_when_the_time_is_over) {
  const std::atomic<bool> is_interrupted = true;
  for (const Budget& over : {Budget(0.0), Budget(std::nullopt, &is_interrupted)}) {
    EXPECT_NE(complaint({.allowed_by = {Level::SI}}, over), "");
    EXPECT_EQ(complaint({.allowed_by = {Level::PC}}, over), "");
  }
}

TEST(CertifiedDeathTest, a_contradiction_ends_the_program) {
  EXPECT_EXIT(or_contradiction(certify(Finding{lost_update()}, &Finding::history,
                                       {.allowed_by = {Level::SER}}, {})),
              testing::ExitedWithCode(70), "internal error: the search says that SER");
}

}  // namespace
}  // namespace isomer::check
