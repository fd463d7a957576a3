// SPDX-License-Identifier: MIT
#include "predict/validate.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/litmus/litmus.h"

namespace isomer::predict {
namespace {

using program::Program;
using store::Store;

Program litmus(const std::string& text) {
  const Expected<Program> program = program::parse_litmus("test.txn", text);
  EXPECT_TRUE(program) << render(program.error());
  return *program;
}

// The serial run with the transactions in this order, "a/1 b/1".
History observed_in_order(const Program& program, const Store& store,
                          const std::string& wanted) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    store::Run run = store.run({.level = {}, .seed = seed, .budget = {}});
    std::string order;
    for (const store::TransactionOutcome& outcome : run.transactions)
      order += fmt::format("{}{}/{}", order.empty() ? "" : " ",
                           program.sessions[outcome.session].name, outcome.index + 1);
    if (order == wanted) return std::move(run.history);
  }
  ADD_FAILURE() << "no seed gives " << wanted;
  return {};
}

struct Validated {
  Result result;
  Validation validation;
};

Validated predicted_and_run(const std::string& text, const std::string& order,
                            Strategy strategy) {
  const Program program = litmus(text);
  const Store store(program);
  const History observed = observed_in_order(program, store, order);
  Validated out{.result = predict(observed, {.strategy = strategy, .budget = {}}),
                .validation = {}};
  EXPECT_EQ(out.result.predictions.size(), 1U);
  if (out.result.predictions.empty()) return out;
  const auto calls = calls_of(program, observed);
  EXPECT_TRUE(calls) << calls.error();
  out.validation =
      validate(out.result.predictions[0],
               {.program = program, .store = store, .observed = observed, .calls = *calls},
               check::Level::CC, {});
  return out;
}

TEST(Validate, a_run_that_does_what_was_predicted) {
  const Validated found = predicted_and_run(R"(
program "bookings"
init { "x" = 0; "y" = 0; }
session "a" { begin "t1" write("x", 1); a := read("y"); commit; }
session "b" { begin "t2" write("y", 1); b := read("x"); commit; }
)",
                                            "a/1 b/1", Strategy::ExactStrict);
  EXPECT_EQ(found.validation.validity, Validity::Validated);
  EXPECT_FALSE(found.validation.run.divergence);
}

// As in the authors' program: what reads as it did comes first.
TEST(Validate, a_transaction_whose_reads_change_runs_last) {
  const Validated found = predicted_and_run(R"(
program "bookings"
init { "x" = 0; "y" = 0; "z" = 0; }
session "a" { begin "t1" write("x", 1); a := read("y"); commit; }
session "b" { begin "t2" write("y", 1); b := read("x"); commit; }
session "c" { begin "t3" write("z", 1); commit; }
)",
                                            "a/1 b/1 c/1", Strategy::ExactStrict);
  ASSERT_EQ(found.validation.run.transactions.size(), 3U);
  EXPECT_EQ(found.validation.run.transactions.back().session, 1U);
}

// The second transaction writes only because of what it read first.
TEST(Validate, a_prediction_that_the_program_refutes) {
  const Validated found = predicted_and_run(R"(
program "stages"
init { "x" = 0; }
session "a" { begin "t1" a := read("x"); write("x", 1); commit; }
session "b" { begin "t2" b := read("x"); if (b == 1) { write("x", 2); } commit; }
)",
                                            "a/1 b/1", Strategy::ApproxRelaxed);
  EXPECT_EQ(found.validation.validity, Validity::Refuted);
  ASSERT_TRUE(found.validation.run.divergence);
  EXPECT_EQ(found.validation.run.divergence->what, "ends, but the script has it write x");
}

// It reads less than predicted, and still nobody can explain the run.
TEST(Validate, a_run_that_leaves_the_prediction) {
  const Validated found = predicted_and_run(R"(
program "less"
init { "x" = 0; "y" = 0; }
session "a" { begin "t1" a := read("x"); write("x", a + 1); commit; }
session "b" { begin "t2" b := read("x"); if (b == 1) { c := read("y"); }
              write("x", b + 1); commit; }
)",
                                            "a/1 b/1", Strategy::ApproxRelaxed);
  EXPECT_EQ(found.validation.validity, Validity::Diverged);
  ASSERT_TRUE(found.validation.run.divergence);
  EXPECT_EQ(found.validation.run.divergence->what, "ends, but the script has it read y");
}

// What follows a boundary is run, and is no divergence.
TEST(Validate, boundary_transactions_run_in_full) {
  const Validated found = predicted_and_run(R"(
program "longer"
init { "x" = 0; "y" = 0; "z" = 0; }
session "a" { begin "t1" write("x", 1); a := read("y"); commit; }
session "b" { begin "t2" write("y", 1); b := read("x"); c := read("z"); write("z", 1);
              commit; }
)",
                                            "a/1 b/1", Strategy::ExactStrict);
  EXPECT_EQ(found.validation.validity, Validity::Validated);
  EXPECT_EQ(found.validation.run.final_state.at("z"), program::Value::integer(1));
}

// Figure 9 of the paper, with the withdrawal first: it is rolled back, since there is no
// money yet.  In the replay it is tried when there is, and still reads what it read.
TEST(Validate, a_transaction_that_was_rolled_back_reads_what_it_read) {
  const std::string text = R"(
program "figure 9"
init { "acct" = 0; }
session "a" { begin "t1" b := read("acct"); write("acct", b + 50); commit; }
session "b" { begin "t2" b := read("acct"); if (b < 50) { abort; }
              write("acct", b - 50); commit;
              begin "t3" b := read("acct"); write("acct", b + 60); commit; }
)";
  for (const std::string order : {"b/1 a/1 b/2", "b/1 b/2 a/1"}) {
    const Validated found = predicted_and_run(text, order, Strategy::ApproxRelaxed);
    EXPECT_EQ(found.validation.validity, Validity::Validated) << order;
    const auto& ran = found.validation.run.transactions;
    ASSERT_EQ(ran.size(), 3U);
    EXPECT_EQ(std::ranges::count(ran, true, &store::TransactionOutcome::is_committed), 2);
  }
}

// c/1 runs last, as its reads change; but a/1 has read from it, so a/2 waits.
TEST(Validate, a_transaction_waits_for_what_the_one_rolled_back_before_it_had_read) {
  const Validated found = predicted_and_run(R"(
program "waits"
init { "flag" = 0; "y" = 0; "k" = 0; "z" = 0; }
session "a" { begin "t0" f := read("flag"); if (f == 1) { abort; } write("z", 1); commit;
              begin "t1" g := read("k"); commit; }
session "b" { begin "t2" write("y", 1); write("k", 1); q := read("flag"); commit; }
session "c" { begin "t3" write("flag", 1); r := read("y"); commit; }
)",
                                            "b/1 c/1 a/1 a/2", Strategy::ExactStrict);
  EXPECT_EQ(found.validation.validity, Validity::Validated);
  EXPECT_FALSE(found.validation.run.divergence);
  const auto& ran = found.validation.run.transactions;
  ASSERT_EQ(ran.size(), 4U);
  EXPECT_FALSE(ran[2].is_committed);
  EXPECT_EQ(ran[3].session, 0U);
}

// a/1 was rolled back when observed, because of what c/2 had written.  The prediction ends
// with c/1, so a/1 commits.  a/2 still reads k from b/1, as it did.
TEST(Validate, a_transaction_that_commits_this_time_takes_nobodys_place) {
  const Validated found = predicted_and_run(R"(
program "abort"
init { "flag" = 0; "y" = 0; "k" = 0; "z" = 0; }
session "a" { begin "t0" f := read("flag"); if (f == 1) { abort; } write("z", 1); commit;
              begin "t1" g := read("k"); commit; }
session "b" { begin "t2" write("y", 1); write("k", 1); q := read("x"); commit; }
session "c" { begin "t3" write("x", 1); r := read("y"); commit;
              begin "t4" write("flag", 1); commit; }
)",
                                            "b/1 c/1 c/2 a/1 a/2", Strategy::ExactStrict);
  EXPECT_EQ(found.validation.validity, Validity::Diverged);
  ASSERT_TRUE(found.validation.run.divergence);
  EXPECT_EQ(found.validation.run.divergence->what,
            "commits, but was rolled back when the script was written down");
  const auto& ran = found.validation.run.transactions;
  ASSERT_EQ(ran.size(), 4U);
  EXPECT_TRUE(std::ranges::all_of(ran, &store::TransactionOutcome::is_committed));
  EXPECT_EQ(found.result.predictions[0]->history.txn_count(), 4U);
}

TEST(Validate, a_history_of_another_program_is_refused) {
  const Program program = litmus(R"(
program "one"
init { "x" = 0; }
session "a" { begin "t1" a := read("x"); commit; }
)");
  const Program other = litmus(R"(
program "two"
init { "x" = 0; }
session "a" { begin "t1" a := read("x"); commit; begin "t2" a := read("x"); commit; }
session "b" { begin "t3" b := read("x"); commit; }
)");
  const History observed = Store(other).run({.level = {}, .budget = {}}).history;
  EXPECT_FALSE(calls_of(program, observed));
  EXPECT_TRUE(calls_of(other, observed));
}

}  // namespace
}  // namespace isomer::predict
