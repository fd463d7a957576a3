// SPDX-License-Identifier: MIT
// Scripts that cannot be followed to the letter.
#include "store/script.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "history/builder.h"
#include "level/library.h"
#include "program/litmus/litmus.h"
#include "store/store.h"

namespace isomer::store {
namespace {

using check::Level;
using history::Value;

Program litmus(const std::string& text) {
  const Expected<Program> program = program::parse_litmus("test.txn", text);
  EXPECT_TRUE(program) << render(program.error());
  return *program;
}

Options random_at(Level level, std::uint64_t seed) {
  Options options;
  options.policy = Policy::Random;
  options.level = level;
  options.seed = seed;
  return options;
}

// The script must outlive them.
Options following(const history::History& script) {
  Options options;
  options.policy = Policy::Script;
  options.script = &script;
  return options;
}

// Whom a transaction that was rolled back read from, only the value says.
TEST(Script, two_writers_of_a_value_leave_open_whom_a_rolled_back_one_read_from) {
  const Program program = litmus(R"(
program "same value"
init { "x" = 0; }
session "a" { begin "t1" write("x", 5); commit; }
session "b" { begin "t2" write("x", 5); commit; }
session "c" { begin "t3" v := read("x"); abort; commit; }
)");
  const auto problem_with = [&](std::int64_t second_value) {
    history::HistoryBuilder builder;
    const auto x = builder.key("x");
    builder.set_initial(x, Value::integer(0));
    builder.write(builder.begin(builder.session("a")), x, Value::integer(5));
    builder.write(builder.begin(builder.session("b")), x, Value::integer(second_value));
    const auto reader = builder.begin(builder.session("c"));
    builder.set_name(reader, "t3");
    builder.set_status(reader, history::Status::Aborted);
    builder.read(reader, x, Value::integer(5));
    return make_script(program, builder.build()).problem;
  };
  EXPECT_EQ(problem_with(5), "it is not clear whom t3 reads x from");
  EXPECT_EQ(problem_with(6), "");
}

// One transaction after the other reads a key, the second one perhaps an older version.
TEST(Script, a_read_that_the_level_forbids_gets_the_latest_version_that_it_allows) {
  const Program program = litmus(R"(
program "monotonic"
init { "x" = 0; }
session "a" { begin "t1" write("x", 1); commit; }
session "b" { begin "t2" v := read("x"); commit; begin "t3" w := read("x"); commit; }
assert t2.v == 0 || t3.w == 1;
)");
  const Store store(program);
  int left = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const store::Run first = store.run(random_at(Level::RC, seed));
    Options options = following(first.history);
    options.level = Level::CC;
    const store::Run second = store.run(options);
    EXPECT_TRUE(second.invariants[0].holds);
    EXPECT_EQ(second.divergence.has_value(), !first.invariants[0].holds);
    if (!second.divergence) continue;
    ++left;
    EXPECT_EQ(second.divergence->what,
              "CC does not allow it to read x as the script has it");
  }
  EXPECT_GT(left, 0);
}

// Once the run has left its script, a transaction that was rolled back may well commit.
TEST(Script, a_rollback_is_not_repeated_in_a_run_that_has_left_the_script) {
  const Program counter = litmus(R"(
program "counter"
init { "x" = 0; }
session "a" { begin "t1" a := read("x"); write("x", a + 1); commit; }
session "b" { begin "t2" b := read("x"); write("x", b + 1); commit; }
)");
  const Program changed = litmus(R"(
program "changed"
init { "x" = 0; "y" = 0; }
session "a" { begin "t1" c := read("y"); a := read("x"); write("x", a + 1); commit; }
session "b" { begin "t2" b := read("x"); write("x", b + 1); commit; }
)");
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const store::Run first = Store(counter).run(random_at(Level::SI, seed));
    if (first.transactions.back().is_committed || first.transactions.back().session != 1)
      continue;
    ++refused;
    const store::Run same = Store(counter).run(following(first.history));
    EXPECT_FALSE(same.transactions.back().is_committed);
    const store::Run other = Store(changed).run(following(first.history));
    ASSERT_TRUE(other.divergence);
    EXPECT_EQ(other.divergence->what, "reads y, but the script has x");
    EXPECT_EQ(other.transactions.back().session, 1U);
    EXPECT_TRUE(other.transactions.back().is_committed);
  }
  EXPECT_GT(refused, 0);
}

// Where there is one version only, it is read without asking.
TEST(Script, a_run_may_be_one_that_the_level_does_not_allow) {
  const auto level =
      level::parse_levels("test", "framework f {}  level NoReads : f { empty wr }");
  ASSERT_TRUE(level);
  const Program program = litmus(R"(
program "read"
init { "x" = 0; }
session "a" { begin "t1" v := read("x"); commit; }
)");
  const Store store(program);
  const store::Run first = store.run({.level = {}, .budget = {}});
  Options options = following(first.history);
  options.level = Level::SER;
  EXPECT_TRUE(store.run(options).is_allowed);
  options.level = check::AskedLevel("NoReads", level->front());
  EXPECT_FALSE(store.run(options).is_allowed);
}

}  // namespace
}  // namespace isomer::store
