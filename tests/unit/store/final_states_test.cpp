// SPDX-License-Identifier: MIT
// Every final state that a level admits, against brute force: all orders of commits, those
// kept that explain the run by plain evaluation of the level's axioms.
#include "store/final_states.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/certify/certify.h"
#include "level/library.h"
#include "program/litmus/litmus.h"
#include "program/load.h"
#include "program/machine/keys.h"
#include "store/runner.h"
#include "support/effort.h"
#include "support/small_application.h"

namespace isomer::store {
namespace {

using check::Level;
using history::TxnId;

Program litmus(const std::string& text) {
  const Expected<Program> program = program::parse_litmus("test.txn", text);
  EXPECT_TRUE(program) << render(program.error());
  return *program;
}

// Three sessions of up to two transactions that read and write three keys; every value is
// written once.
std::string random_program(std::uint64_t seed) {
  Random random(seed);
  int value = 0;
  std::string out = "program \"random\" init { \"x\" = 0; \"y\" = 0; \"z\" = 0; }\n";
  for (int session = 0; session < 3; ++session) {
    out += fmt::format("session \"s{}\" {{", session);
    for (std::uint64_t t = 0; t < 1 + random.below(2); ++t) {
      out += " begin";
      for (std::uint64_t i = 0; i < 1 + random.below(3); ++i) {
        const char key = static_cast<char>('x' + random.below(3));
        out += random.below(2) == 0 ? fmt::format(" v := read(\"{}\");", key)
                                    : fmt::format(" write(\"{}\", {});", key, ++value);
      }
      out += " commit;";
    }
    out += " }\n";
  }
  return out;
}

std::string shown(const FinalState& state) {
  std::string out;
  for (const auto& [key, value] : state)
    out += fmt::format("{}={} ", key, program::to_text(value));
  return out;
}

// Ids of the history by order of the run, without those rolled back.
std::vector<TxnId> committed_ids(const std::vector<RanTransaction>& ran,
                                 const history::History& history) {
  std::vector<TxnId> out;
  for (const RanTransaction& transaction : ran)
    if (transaction.outcome.is_committed)
      out.push_back({history.first_txn({transaction.outcome.session}).index +
                     transaction.outcome.index});
  return out;
}

std::set<std::string> states_by_brute_force(const history::History& history,
                                            std::vector<TxnId> ids, Level level) {
  std::set<std::string> out;
  std::ranges::sort(ids);
  do {
    check::Consistent witness;
    witness.commit_order = {history::init};
    witness.commit_order.insert(witness.commit_order.end(), ids.begin(), ids.end());
    if (check::refute(history, level, witness)) continue;
    std::map<std::string, std::string> state;
    for (history::KeyId x{0}; x.index < history.key_count(); ++x.index)
      for (const TxnId t : witness.commit_order)
        if (const auto value = history.written_value(t, x))
          state[history.key_name(x)] = history.text(*value);
    std::string text;
    for (const auto& [key, value] : state)
      text += fmt::format("{}={} ", key, value);
    out.insert(text);
  } while (std::ranges::next_permutation(ids).found);
  return out;
}

// What the program does not touch is not in the history.
FinalState restricted(FinalState state, const history::History& history) {
  std::set<std::string> keys;
  for (history::KeyId x{0}; x.index < history.key_count(); ++x.index)
    keys.insert(history.key_name(x));
  std::erase_if(state, [&](const auto& entry) { return !keys.contains(entry.first); });
  return state;
}

TEST(FinalStates, are_those_of_all_orders_that_explain_the_run) {
  std::size_t several = 0;
  for (std::uint64_t seed = 0; seed < effort<std::uint64_t>(60, 4); ++seed)
    for (const Level level : check::all_levels) {
      const Program program = litmus(random_program(seed));
      Options options;
      options.policy = Policy::Random;
      options.level = level;
      options.seed = seed;
      const FinalState initial = program::initial_database(program, options.granularity);
      const Arguments none(12);
      Runner runner(program, none, options, initial);
      ASSERT_TRUE(runner.run());
      const history::History history =
          record(program, options.granularity, runner.transactions());
      const FinalStates found =
          final_states(initial, runner.transactions(), level, options.budget);
      EXPECT_TRUE(found.is_complete);
      std::set<std::string> states;
      for (const FinalState& state : found.states)
        states.insert(shown(restricted(state, history)));
      EXPECT_EQ(states, states_by_brute_force(
                            history, committed_ids(runner.transactions(), history), level))
          << "seed " << seed << " " << check::info(level).name;
      EXPECT_EQ(states.size(), found.states.size());
      several += states.size() > 1 ? 1 : 0;
    }
  EXPECT_GT(several, effort(50U, 3U));
}

constexpr const char* blind_writes = R"(
program "blind"
init { "x" = 0; "y" = 0; }
session "a" { begin "t1" write("x", 1); write("y", 1); commit; }
session "b" { begin "t2" write("x", 2); write("y", 2); commit; }
)";

// The two keys have the same last writer, although each has two possible ones.
TEST(FinalStates, keep_keys_together) {
  const Program program = litmus(blind_writes);
  Options options;
  options.policy = Policy::Random;
  options.level = Level::RC;
  const FinalState initial = program::initial_database(program, options.granularity);
  const Arguments none(2);
  Runner runner(program, none, options, initial);
  ASSERT_TRUE(runner.run());
  std::vector<std::string> states;
  for (const FinalState& state :
       final_states(initial, runner.transactions(), Level::RC, {}).states)
    states.push_back(shown(state));
  EXPECT_THAT(states, testing::UnorderedElementsAre("x=1 y=1 ", "x=2 y=2 "));
}

// A text need not have session order in its order of commits, if it has one at all.
TEST(FinalStates, of_a_text_are_all_that_it_allows) {
  const auto levels = level::parse_levels("test", "framework f {}  level Any : f { true }");
  ASSERT_TRUE(levels);
  const Program program = litmus(R"(
program "session"
init { "x" = 0; }
session "a" { begin "t1" write("x", 1); commit; begin "t2" write("x", 2); commit; }
)");
  Options options;
  options.policy = Policy::Random;
  options.level = Level::RC;
  EXPECT_EQ(Store(program).run(options).final_state_count, 1U);
  options.level = check::AskedLevel("Any", levels->front());
  EXPECT_EQ(Store(program).run(options).final_state_count, 2U);
}

// Two updates of one row may have been in either order, and one of them is wrong.
TEST(FinalStates, in_one_of_which_an_invariant_breaks_break_it) {
  const program::Program program = test::small_application(
      "CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL);\n"
      "CREATE PROCEDURE p(x int) LANGUAGE plpgsql AS $$ BEGIN\n"
      "  UPDATE t SET n = x WHERE id = 1; END $$;\n",
      "[init]\nsql = \"INSERT INTO t VALUES (1, 0)\"\n"
      "[[session]]\ncalls = [\"p(1)\"]\n[[session]]\ncalls = [\"p(2)\"]\n"
      "[invariant]\ntwo = \"SELECT n = 2 FROM t WHERE id = 1\"\n");
  std::set<std::uint32_t> first_sessions;  // that the run began with
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Options options;
    options.policy = Policy::Random;
    options.level = Level::CC;
    options.seed = seed;
    const store::Run run = Store(program).run(options);
    if (run.final_state_count != 2) continue;
    first_sessions.insert(run.transactions.front().session);
    EXPECT_FALSE(run.invariants.at(0).holds);
    EXPECT_EQ(run.invariants.at(0).broken_states, 1U);
    EXPECT_EQ(shown(run.final_state), "t/1=[1, 1] ");
  }
  EXPECT_EQ(first_sessions.size(), 2U);
}

TEST(FinalStates, of_a_serial_run_are_one) {
  const Program program = litmus(blind_writes);
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    EXPECT_EQ(
        Store(program).run({.level = {}, .seed = seed, .budget = {}}).final_state_count,
        1U);
}

TEST(FinalStates, that_are_too_many_are_not_all_tried) {
  std::string text = "program \"many\" init { }\n";
  for (int session = 0; session < 10; ++session)
    text += fmt::format("session {{ begin write(\"x{}\", {}); commit; }}\n", session / 2,
                        session);
  for (int session = 0; session < 10; ++session)
    text += fmt::format("session {{ begin write(\"y{}\", {}); commit; }}\n", session / 2,
                        session);
  const Program program = litmus(text);
  Options options;
  options.policy = Policy::Random;
  options.level = Level::CC;
  const store::Run run = Store(program).run(options);
  EXPECT_FALSE(run.has_all_final_states);
  EXPECT_EQ(run.final_state_count, 64U);
}

}  // namespace
}  // namespace isomer::store
