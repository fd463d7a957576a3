// SPDX-License-Identifier: MIT
// Each phase of a check ends when its budget does.  Without that, each of these takes ten
// to a hundred times as long as it may.
#include <atomic>

#include <gtest/gtest.h>

#include "base/budget.h"
#include "check/check.h"
#include "history/formats.h"
#include "history/generate.h"
#include "level/library.h"

namespace isomer::check {
namespace {

constexpr double seconds_given = 0.1;
constexpr double seconds_max = 4;  // a machine may be busy

AskedLevel level_named_so(const std::string& name) {
  return {name, *level::standard_level(name)};
}

History generated(history::Mode mode, std::uint32_t transactions) {
  history::GenerateOptions options;
  options.mode = mode;
  options.transactions = transactions;
  options.sessions = 10;
  options.operations = 8;
  return history::generate(options);
}

void expect_in_time(const History& history, const AskedLevel& level) {
  const Stopwatch watch;
  const Result result =
      *certified_answers(history, {.levels = {level}, .budget = Budget(seconds_given)});
  EXPECT_LT(watch.seconds(), seconds_max) << level.name;
  const auto* unknown = std::get_if<Unknown>(&result.levels.front().verdict);
  ASSERT_NE(unknown, nullptr) << level.name;
  EXPECT_EQ(unknown->reason, "timeout") << level.name;
}

TEST(CheckBudget, is_kept_while_circuits_are_built) {
  const History history = generated(history::Mode::Serial, 200);
  for (const char* name : {"adya:PL-3", "adya:PL-SI"})
    expect_in_time(history, level_named_so(name));
}

// Wherever the limit strikes, what was found by then is true: the evidence may be larger
// than it need be, but nothing that was rolled back is in it.
TEST(CheckBudget, leaves_true_evidence_wherever_it_ends) {
  const auto read = history::parse_history("s1: { w(z)=2 } { w(z)=3 } abort { r(z)=0 }\n",
                                           "lost.hist", {.format = "hist"});
  ASSERT_TRUE(read);
  std::size_t violations = 0;
  for (std::int64_t looks = 0; looks < 300; ++looks) {
    std::atomic<std::int64_t> left = looks;
    const Result result = *certified_answers(
        read->history, {.levels = {Level::PC}, .budget = Budget().with_looks(left)});
    violations += std::holds_alternative<Violated>(result.levels.front().verdict) ? 1U : 0U;
    EXPECT_FALSE(std::holds_alternative<Consistent>(result.levels.front().verdict));
  }
  EXPECT_GT(violations, 0U);
}

}  // namespace
}  // namespace isomer::check
