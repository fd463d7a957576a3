// SPDX-License-Identifier: MIT
// A smaller failure still speaks of the calls of the whole program.
#include <gtest/gtest.h>

#include "explore/explore.h"
#include "program/litmus/litmus.h"

namespace isomer::explore {
namespace {

constexpr std::string_view lost_update = R"(
program "lost update"
init { "x" = 0; "other" = 0; }
session "idle" { begin "noise" write("other", 1); commit; }
session "a" { begin "read only" q := read("other"); commit;
              begin "t1" a := read("x"); write("x", a + 1); commit; }
session "b" { begin "t2" b := read("x"); write("x", b + 1); commit; }
assert !(t1.a == 0 && t2.b == 0);
)";

constexpr std::string_view monotonic = R"(
program "monotonic"
init { "x" = 0; "y" = 0; }
session "w" { begin "first" write("x", 1); commit; begin "second" write("y", 1); commit; }
session "r" { begin "look" y := read("y"); x := read("x"); assert y == 0 || x == 1; commit; }
)";

// Leaving out one call after the other, the last ones first, ends with the first three
// writers; but the fourth is enough by itself.
constexpr std::string_view two_ways = R"(
program "two ways"
init { "a" = 0; "b" = 0; "c" = 0; "d" = 0; }
session "r" { begin "look" a := read("a"); b := read("b"); c := read("c"); d := read("d");
              assert d == 0 && (a == 0 || b == 0 || c == 0); commit; }
session { begin "wa" write("a", 1); commit; }
session { begin "wb" write("b", 1); commit; }
session { begin "wc" write("c", 1); commit; }
session { begin "wd" write("d", 1); commit; }
)";

constexpr std::string_view late_reader = R"(
program "late reader"
init { "x" = 0; }
session "a" { begin "t1" a := read("x"); commit; }
session "b" { begin "t2" write("x", 1); commit; }
assert t1.a == 0;
)";

Failure failure_of(std::string_view text, check::Level level) {
  const Program program = program::parse_litmus("test.txn", std::string(text)).value();
  Options options;
  options.level = level;
  return *explore(program, options).failure.value();
}

TEST(Minimise, leaves_out_what_the_failure_does_not_need) {
  const Failure failure = failure_of(lost_update, check::Level::CC);
  EXPECT_EQ(failure.dropped, 2U);
  ASSERT_EQ(failure.transactions.size(), 2U);
  for (const store::TransactionOutcome& outcome : failure.transactions)
    EXPECT_EQ(outcome.index, outcome.session == 1 ? 1U : 0U) << outcome.session;
}

// Without the first write, the assertion would fail under every level.
TEST(Minimise, keeps_what_makes_an_assertion_fail) {
  const Failure failure = failure_of(monotonic, check::Level::RC);
  EXPECT_EQ(failure.dropped, 0U);
  EXPECT_FALSE(failure.is_serializable);
}

// A transaction that is not there has read nothing, which would fail as well.
TEST(Minimise, keeps_the_transaction_that_an_assertion_is_about) {
  const Failure failure = failure_of(late_reader, check::Level::SER);
  EXPECT_EQ(failure.dropped, 0U);
  EXPECT_EQ(failure.transactions.size(), 2U);
}

TEST(Minimise, finds_a_smallest_set_and_not_only_a_small_one) {
  const Failure failure = failure_of(two_ways, check::Level::CC);
  EXPECT_EQ(failure.dropped, 3U);
  ASSERT_EQ(failure.transactions.size(), 2U);
  EXPECT_EQ(failure.transactions.front().session + failure.transactions.back().session, 4U);
}

}  // namespace
}  // namespace isomer::explore
