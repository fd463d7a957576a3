// SPDX-License-Identifier: MIT
#include "report/verify/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "level/library.h"
#include "program/load.h"
#include "program/scenario/scenario.h"

namespace isomer::report {
namespace {

using check::AskedLevel;
using check::Level;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using verify::Answer;
using verify::Verdict;

program::Program bank() {
  return program::load_program(ISOMER_SOURCE_DIR
                               "/examples/apps/simple_bank/write_skew.toml")
      .value();
}

Answer answer(const std::string& invariant, Verdict verdict) {
  Answer out;
  out.invariant = invariant;
  out.verdict = verdict;
  if (verdict == Verdict::Unknown) out.unknown = "timeout";
  return out;
}

// A result made by hand, with the failure that an exploration finds.
struct Case {
  program::Program program = bank();
  verify::Options options;
  verify::Result result;

  void add(const AskedLevel& level, std::vector<Answer> answers) {
    for (Answer& made : answers)
      if (made.verdict == Verdict::Violated) made.counterexample = example(level);
    options.levels.push_back(level);
    result.levels.push_back({.level = level.name, .answers = std::move(answers)});
  }

  [[nodiscard]] verify::Counterexample example(const AskedLevel& level) const {
    explore::Options asked;
    asked.level = level;
    return {.program = program,
            .symbols = {{"amount", program::Value::integer(100)}},
            .initial_state = {},
            .failure = explore::explore(program, asked).failure.value(),
            .sees = {{{0, 0}, {}}, {{1, 0}, {{0, 0}}}},
            .order = {{0, 0}, {1, 0}},
            .gap = {}};
  }

  [[nodiscard]] Verified verified() const {
    return {program, options, result, violations_in(options, result)};
  }
};

std::vector<std::string> names(const std::vector<AskedLevel>& levels) {
  std::vector<std::string> out;
  for (const AskedLevel& level : levels)
    out.push_back(level.name);
  return out;
}

TEST(VerifyReport, names_the_weakest_levels_that_suffice) {
  Case made;
  made.add(Level::CC, {answer("a", Verdict::Violated), answer("b", Verdict::Unknown)});
  made.add(Level::PC, {answer("a", Verdict::Holds), answer("b", Verdict::Unknown)});
  made.add(Level::PSI, {answer("a", Verdict::Holds), answer("b", Verdict::Holds)});
  made.add(Level::SI, {answer("a", Verdict::Holds), answer("b", Verdict::Holds)});
  const Verified verified = made.verified();
  EXPECT_THAT(names(weakest_sufficient(verified)), ElementsAre("PSI"));
  EXPECT_THAT(names(weakest_sufficient(verified, "a")), ElementsAre("PC", "PSI"));
  EXPECT_THAT(names(weakest_sufficient(verified, "c")), IsEmpty());
}

TEST(VerifyReport, tells_a_violation_at_a_strongest_level) {
  Case made;
  made.add(Level::RC, {answer("no overdraft", Verdict::Violated)});
  made.add(Level::SI, {answer("no overdraft", Verdict::Violated)});
  made.add(Level::PC, {answer("no overdraft", Verdict::Violated)});
  made.add(Level::SER, {answer("no overdraft", Verdict::Holds)});
  const Verified verified = made.verified();
  EXPECT_EQ(verified.violations.size(), 3U);
  ASSERT_NE(told_violation(verified), nullptr);
  EXPECT_EQ(told_violation(verified)->level.name, "SI");
  const std::string text = verify_text(verified, {.command = "isomer verify x"});
  EXPECT_THAT(text, HasSubstr("SI: invariant \"no overdraft\" is broken"));
  EXPECT_THAT(text, HasSubstr("the weakest level that suffices: SER"));
  EXPECT_THAT(text, HasSubstr("with ?amount = 100"));
  EXPECT_THAT(text, HasSubstr("atm/1 sees nobody else"));
  EXPECT_THAT(text, HasSubstr("web/1 sees atm/1"));
  EXPECT_THAT(text, HasSubstr("simple_bank.sql:23  writes account/1 = (1,ann,-40)"));
  EXPECT_THAT(text, HasSubstr("isomer verify x --html violation.html"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(VerifyReport, a_proof_states_its_bounds) {
  Case made;
  made.add(Level::SER, {answer("no overdraft", Verdict::Holds)});
  made.result.bounds = {"integers that do not overflow"};
  const Verified verified = made.verified();
  EXPECT_EQ(told_violation(verified), nullptr);
  EXPECT_THAT(verify_text(verified, {}),
              HasSubstr("\"holds\" is proved for integers that do not overflow"));
  EXPECT_THAT(verify_html(verified), HasSubstr("integers that do not overflow"));
  EXPECT_THAT(verify_dot(verified), HasSubstr("no violation was found"));
}

TEST(VerifyReport, says_what_is_undecided_and_why) {
  Case made;
  made.add(Level::SI, {answer("no overdraft", Verdict::Unknown)});
  made.result.bounds = {"integers that do not overflow"};
  const std::string text = verify_text(made.verified(), {});
  EXPECT_THAT(text, HasSubstr("no overdraft is undecided at SI: timeout"));
  EXPECT_THAT(text, HasSubstr("SI is not known to suffice"));
  EXPECT_THAT(text, Not(HasSubstr("is proved")));
}

TEST(VerifyReport, says_that_there_is_nothing_to_verify) {
  Case made;
  made.add(Level::SI, {});
  EXPECT_THAT(verify_text(made.verified(), {}),
              HasSubstr("no assertions or invariants to verify"));
}

TEST(VerifyReport, pages_show_names_as_they_are) {
  Case made;
  made.add(Level::SI, {answer("<b>&", Verdict::Violated)});
  const std::string page = verify_html(made.verified());
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;&amp;"));
  EXPECT_THAT(page, Not(HasSubstr("<b>&<")));
}

TEST(VerifyReport, json_has_the_counterexample) {
  Case made;
  made.add(Level::SI, {answer("no overdraft", Verdict::Violated)});
  const auto document = nlohmann::json::parse(verify_json(made.verified()));
  const auto& found = document["levels"]["SI"]["invariants"]["no overdraft"];
  EXPECT_EQ(found["verdict"], "violated");
  EXPECT_EQ(found["counterexample"]["parameters"]["amount"], 100);
  EXPECT_EQ(found["counterexample"]["sees"]["web/1"], nlohmann::json({"atm/1"}));
  EXPECT_EQ(document["weakest_sufficient"], nlohmann::json::array());
}

}  // namespace
}  // namespace isomer::report
