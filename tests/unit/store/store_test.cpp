// SPDX-License-Identifier: MIT
#include "store/store.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "check/check.h"
#include "history/formats.h"
#include "program/litmus/litmus.h"
#include "program/load.h"
#include "support/files.h"
#include "support/small_application.h"
#include "unit/store/random_run.h"

namespace isomer::store {
namespace {

using check::Level;

Program litmus(const std::string& text) {
  const Expected<Program> program = program::parse_litmus("test.txn", text);
  EXPECT_TRUE(program) << render(program.error());
  return *program;
}

// The script must outlive them.
Options following(const history::History& script) {
  Options options;
  options.policy = Policy::Script;
  options.script = &script;
  return options;
}

constexpr const char* counter = R"(
program "counter"
init { "x" = 0; }
session "a" { begin "t1" a := read("x"); write("x", a + 1); commit; }
session "b" { begin "t2" b := read("x"); write("x", b + 1); commit; }
assert t1.a != t2.b;
)";

TEST(Store, a_serial_run_loses_no_update) {
  const Program program = litmus(counter);
  const Store store(program);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const store::Run run = store.run({.level = {}, .seed = seed, .budget = {}});
    EXPECT_TRUE(allows(run.history, Level::SER));
    EXPECT_EQ(run.final_state.at("x"), Value::integer(2));
    ASSERT_EQ(run.invariants.size(), 1U);
    EXPECT_TRUE(run.invariants[0].holds);
  }
}

TEST(Store, causal_consistency_loses_updates_and_snapshots_do_not) {
  const Program program = litmus(counter);
  const Store store(program);
  int lost = 0;
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const store::Run causal = store.run(random_at(Level::CC, seed));
    EXPECT_TRUE(allows(causal.history, Level::CC));
    if (!causal.invariants[0].holds) {
      ++lost;
      EXPECT_FALSE(allows(causal.history, Level::SI));
      EXPECT_EQ(causal.final_state.at("x"), Value::integer(1));
    }
    const store::Run snapshot = store.run(random_at(Level::SI, seed));
    EXPECT_TRUE(allows(snapshot.history, Level::SI));
    for (const TransactionOutcome& outcome : snapshot.transactions)
      if (!outcome.is_committed) {
        ++refused;
        EXPECT_EQ(outcome.sqlstate, "40001");
      }
  }
  EXPECT_GT(lost, 5);
  EXPECT_LT(lost, 35);
  EXPECT_GT(refused, 5);
}

TEST(Store, aborts_roll_back) {
  const Program program = litmus(R"(
program "abort"
init { "x" = 1; }
session { begin "t1" write("x", 7); abort; commit; begin "t2" v := read("x"); commit; }
assert t2.v == 1;
)");
  const store::Run run = Store(program).run({.level = {}, .budget = {}});
  EXPECT_TRUE(run.invariants[0].holds);
  EXPECT_EQ(run.final_state.at("x"), Value::integer(1));
  EXPECT_EQ(run.history.status({1}), history::Status::Aborted);
  EXPECT_TRUE(run.history.problems().empty());
}

// Two writers of one value stay apart.
TEST(Store, equal_values_do_not_blur_who_read_from_whom) {
  const Program program = litmus(R"(
program "same"
init { "x" = 5; }
session { begin "t1" write("x", 5); commit; begin "t2" write("x", 5); commit; }
session { begin "t3" v := read("x"); commit; }
)");
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const store::Run run = Store(program).run(random_at(Level::RC, seed));
    EXPECT_TRUE(run.history.ambiguous_reads().empty());
  }
}

// A value that looks like a marked one is still told apart from it.
TEST(Store, marks_of_equal_values_are_no_values_of_others) {
  const Program program = litmus(R"(
program "marks"
init { "x" = "7"; }
session { begin "t1" write("x", "7 #2"); commit; begin "t2" write("x", "7"); commit; }
session { begin "t3" write("x", "7"); commit; begin "t4" v := read("x"); commit; }
)");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const store::Run run = Store(program).run(random_at(Level::RC, seed));
    EXPECT_TRUE(run.history.ambiguous_reads().empty());
  }
}

TEST(Store, a_script_is_followed_or_its_divergence_told) {
  const Program program = litmus(counter);
  const Store store(program);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const store::Run first = store.run(random_at(Level::CC, seed));
    const store::Run second = store.run(following(first.history));
    EXPECT_FALSE(second.divergence) << second.divergence->what;
    EXPECT_EQ(first.invariants[0].holds, second.invariants[0].holds);
  }
  const Program other = litmus(R"(
program "other"
init { "y" = 0; }
session "a" { begin "t1" a := read("y"); commit; }
session "b" { begin "t2" b := read("y"); commit; }
)");
  const store::Run first = store.run(random_at(Level::CC, 1));
  const store::Run run = Store(other).run(following(first.history));
  ASSERT_TRUE(run.divergence);
  EXPECT_EQ(run.divergence->what, "reads y, but the script has x");
}

// Section 5 of IsoPredict: a read that the level does not allow is not followed.
TEST(Store, a_script_is_left_where_the_level_forbids_it) {
  const Program program = litmus(counter);
  const Store store(program);
  int left = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const store::Run first = store.run(random_at(Level::CC, seed));
    Options options = following(first.history);
    options.level = Level::SER;
    const store::Run second = store.run(options);
    EXPECT_TRUE(allows(second.history, Level::SER));
    EXPECT_EQ(second.divergence.has_value(), !allows(first.history, Level::SER));
    left += second.divergence ? 1 : 0;
  }
  EXPECT_GT(left, 0);
}

// Also transactions that were rolled back read what they read, and are rolled back again.
TEST(Store, a_script_with_rollbacks_is_followed) {
  const Program program = litmus(counter);
  const Store store(program);
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const store::Run first = store.run(random_at(Level::SI, seed));
    const store::Run second = store.run(following(first.history));
    EXPECT_FALSE(second.divergence) << second.divergence->what;
    EXPECT_EQ(first.final_state, second.final_state) << seed;
    refused += std::ranges::count(second.transactions, false,
                                  &TransactionOutcome::is_committed) > 0;
  }
  EXPECT_GT(refused, 0);
}

// What it wrote before conflicts with nobody, even if others run first this time.
TEST(Store, a_script_with_a_rollback_may_be_run_in_another_order) {
  const Program program = litmus(R"(
program "rollback"
init { "x" = 0; "y" = 0; }
session "a" { begin "t1" q := read("x"); write("x", 1); write("y", 1); commit; }
session "b" { begin "t2" a := read("x"); write("x", 2); b := read("y"); abort; commit; }
)");
  const Store store(program);
  int followed = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const store::Run first = store.run(random_at(Level::SI, seed));
    if (first.transactions.front().session == 0) continue;
    Options options = following(first.history);
    options.level = Level::SI;
    const store::Run second = store.run(options);
    EXPECT_EQ(second.transactions.front().session, 0U);
    EXPECT_FALSE(second.divergence) << second.divergence->what;
    ++followed;
  }
  EXPECT_GT(followed, 0);
}

// The script has a key that nobody wrote: a row was asked for that is not there.
TEST(Store, scans_of_a_scripted_run_do_not_look_for_rows_that_nobody_wrote) {
  const program::Program program = test::small_application(
      "CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);\n"
      "CREATE PROCEDURE p(x int) LANGUAGE plpgsql AS $$ DECLARE v int; BEGIN\n"
      "  SELECT n INTO v FROM t WHERE id = x; UPDATE t SET n = n + 1; END $$;\n",
      "[[session]]\ncalls = [\"p(2)\"]\n");
  const store::Run first = Store(program).run({.level = {}, .budget = {}});
  const store::Run second = Store(program).run(following(first.history));
  EXPECT_FALSE(second.divergence) << second.divergence->what;
}

TEST(Store, a_script_that_goes_on_is_left) {
  const Program longer = litmus(R"(
program "longer"
init { "x" = 0; }
session "a" { begin "t1" a := read("x"); b := read("x"); commit; }
)");
  const Program shorter = litmus(R"(
program "shorter"
init { "x" = 0; }
session "a" { begin "t1" a := read("x"); commit; }
)");
  const store::Run first = Store(longer).run({.level = {}, .budget = {}});
  const store::Run run = Store(shorter).run(following(first.history));
  ASSERT_TRUE(run.divergence);
  EXPECT_EQ(run.divergence->what, "ends, but the script has it read x");
}

// A trace of IsoPredict numbers its sessions.
TEST(Store, a_script_may_number_the_sessions) {
  const Program program = litmus(counter);
  const Store store(program);
  const store::Run first = store.run(random_at(Level::CC, 3));
  const auto trace = history::write_history(first.history, "isopredict");
  ASSERT_TRUE(trace);
  const auto read = history::parse_history(trace->bytes, "trace", {});
  ASSERT_TRUE(read);
  const store::Run second = store.run(following(read->history));
  EXPECT_FALSE(second.divergence) << second.divergence->what;
  EXPECT_EQ(first.invariants[0].holds, second.invariants[0].holds);
}

TEST(Store, histories_say_where_operations_stand) {
  const Program program = litmus(counter);
  const store::Run run = Store(program).run({.level = {}, .budget = {}});
  ASSERT_TRUE(run.history.has_places());
  EXPECT_EQ(run.history.place(0), "test.txn:4");
  EXPECT_EQ(run.history.place(run.history.first_op({2})), "test.txn:5");
}

class LitmusFiles : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(LitmusFiles, runs_satisfy_their_level) {
  const Program program = litmus(test::contents(GetParam()));
  const Store store(program);
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    EXPECT_TRUE(
        allows(store.run({.level = {}, .seed = seed, .budget = {}}).history, Level::SER));
    for (const Level level : check::all_levels) {
      const store::Run run = store.run(random_at(level, seed));
      EXPECT_TRUE(allows(run.history, level)) << check::info(level).name;
      EXPECT_TRUE(run.history.ambiguous_reads().empty());
      EXPECT_TRUE(run.history.problems().empty());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, LitmusFiles,
                         testing::ValuesIn(test::files_in(test::corpus / "program/litmus",
                                                          ".txn")),
                         [](const testing::TestParamInfo<std::filesystem::path>& file) {
                           return test::test_name(file.param.stem().string());
                         });

}  // namespace
}  // namespace isomer::store
