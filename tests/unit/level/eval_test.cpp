// SPDX-License-Identifier: MIT
// Every sign of the language, evaluated on one small execution.
//
// init, t1 and t2 of one session, t3 of another.  t1 writes x; t2 reads x from t1 and
// writes y; t3 reads y from init and then x from t1.  The order o is init, t1, t2, t3; the
// relation r has t1 -> t2 -> t3 -> t1; vo[x] is init, t1 and vo[y] is init, t2.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "level/eval.h"
#include "level/library.h"

namespace isomer::level {
namespace {

using Table = Matrix<Truth>;

Table table(std::size_t rows, std::size_t columns,
            std::initializer_list<std::pair<std::size_t, std::size_t>> pairs) {
  Table out(rows, columns, 0);
  for (const auto& [row, column] : pairs)
    out(row, column) = 1;
  return out;
}

HistoryTables<Truth> small_history() {
  HistoryTables<Truth> out;
  out.txn_exists = {1, 1, 1, 1};
  out.key_exists = {1, 1};
  out.value_exists = {1, 1};
  out.read_exists = {1, 1, 1};
  out.so = table(4, 4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}});
  out.writers = {{1, 1, 0, 0}, {1, 0, 1, 0}};
  out.readers = {{0, 0, 1, 1}, {0, 0, 0, 1}};
  out.wr = {table(4, 4, {{1, 2}, {1, 3}}), table(4, 4, {{0, 3}})};
  out.rf = {table(4, 3, {{1, 0}, {1, 2}}), table(4, 3, {{0, 1}})};
  out.po = table(3, 3, {{1, 2}});
  out.writes = {table(4, 2, {{0, 0}, {1, 1}}), table(4, 2, {{0, 0}, {2, 1}})};
  out.reads = {table(4, 2, {{2, 1}, {3, 1}}), table(4, 2, {{3, 0}})};
  for (auto& flawed : out.flawed)
    flawed = {0, 0, 0, 0};
  out.flawed[static_cast<std::size_t>(Flaw::AbortedRead)] = {0, 0, 1, 0};
  out.typed["Pay"] = {0, 1, 0, 1};
  return out;
}

Execution<Truth> small_execution() {
  return {{table(4, 4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}})},
          {table(4, 4, {{1, 2}, {2, 3}, {3, 1}})},
          {table(4, 4, {{0, 1}}), table(4, 4, {{0, 2}})}};
}

Level level_saying(std::string_view formula) {
  const auto levels =
      parse_levels("test.level", fmt::format("framework f {{\n"
                                             "  witness o : Txn * Txn\n  total_order o\n"
                                             "  witness r : Txn * Txn\n"
                                             "  witness vo[x: Key] : Txn * Txn\n"
                                             "  total_order vo[x] on W[x]\n}}\n"
                                             "let rw[x: Key] = (wr[x]^-1 ; vo[x]) \\ id\n"
                                             "level L : f {{ axiom A: {} }}\n",
                                             formula));
  if (!levels) ADD_FAILURE() << render(levels.error());
  return levels->back();
}

bool is_true(std::string_view formula,
             const HistoryTables<Truth>& tables = small_history()) {
  const Level level = level_saying(formula);
  return holds(level, level.axioms.back().formula, tables, small_execution());
}

TEST(Eval, knows_every_formula) {
  const std::pair<const char*, bool> cases[] = {
      {"true", true},
      {"false", false},
      {"so in o", true},
      {"o in so", false},
      {"wr in o", true},
      {"wr = (init * type \"Pay\") | so", false},
      {"W[x] = W[x]", true},
      {"empty so & r", false},
      {"empty so & wr \\ so", true},
      {"empty thin_air", true},
      {"aborted_read = W \\ type \"Pay\" \\ init", true},
      {"acyclic so | wr", true},
      {"acyclic r", false},
      {"irreflexive r", true},
      {"irreflexive r ; r", true},
      {"irreflexive r ; r ; r", false},
      {"transitive o", true},
      {"transitive r", false},
      {"total o on Txn", true},
      {"total so on W", true},
      {"total so on Txn", false},
      {"total_order o", true},
      {"total_order r", false},
      {"total_order vo on W", false},
      {"total_order o & (W * W) on W", true},
      {"init in W", true},
      {"init in R", false},
      {"(init, init) in so?", true},
      {"(init, init) in so", false},
      {"not (so in wr)", true},
      {"so in wr and true", false},
      {"so in wr or true", true},
      {"so in wr implies false", true},
      {"so in o implies false", false},
      {"so in wr iff false", true},
  };
  for (auto [formula, expected] : cases) {
    std::string text = formula;
    if (text.find("[x]") != std::string::npos) text = "forall x: Key { " + text + " }";
    EXPECT_EQ(is_true(text), expected) << formula;
  }
}

TEST(Eval, knows_every_relation) {
  EXPECT_TRUE(is_true("r^-1 in r ; r"));
  EXPECT_TRUE(is_true("r+ = (Txn \\ init) * (Txn \\ init)"));
  EXPECT_TRUE(is_true("r* = r+ | [init]"));
  EXPECT_TRUE(is_true("r? = r | id"));
  EXPECT_TRUE(is_true("rf ; po ; rf^-1 = init * (W \\ R \\ init)"));
  EXPECT_TRUE(is_true("transitive po and not empty po"));
  EXPECT_TRUE(is_true("vo = init * (W \\ init)"));
  EXPECT_TRUE(is_true("rw = (R \\ W) * (R & W)"));
  EXPECT_TRUE(is_true("id in [Txn] and [W] in id and not id in [W]"));
}

TEST(Eval, quantifies_over_what_exists) {
  EXPECT_TRUE(is_true("forall x: Key { exists t: Txn { t in W[x] and t != init } }"));
  EXPECT_FALSE(is_true("exists t: Txn { forall x: Key { t in R[x] and t in W[x] } }"));
  EXPECT_TRUE(is_true("exists t: Txn { forall x: Key { t in R[x] } }"));
  EXPECT_TRUE(is_true("forall t, u: Txn { t = u or (t, u) in o or (u, t) in o }"));
  EXPECT_TRUE(is_true("exists x, y: Key { x != y and wr[x] ; wr[y] = 0 }"));
  EXPECT_TRUE(
      is_true("forall x: Key, t: Txn, v: Val {\n"
              "  reads(t, x, v) implies exists u: Txn {\n"
              "    writes(u, x, v) and (u, t) in wr[x] } }"));
  EXPECT_TRUE(is_true("exists p, q: Read { (p, q) in po }"));

  HistoryTables<Truth> fewer = small_history();
  fewer.txn_exists[3] = 0;
  EXPECT_TRUE(is_true("exists t: Txn { t in R \\ W }"));
  EXPECT_FALSE(is_true("exists t: Txn { t in R \\ W }", fewer));
  EXPECT_FALSE(is_true("[R \\ W] in id", fewer));
}

TEST(Eval, names_the_first_axiom_that_fails) {
  const Level level = level_saying("so in o\n  axiom B: r in o\n  axiom C: o in r");
  const Axiom* failing = failing_axiom(level, small_history(), small_execution());
  ASSERT_NE(failing, nullptr);
  EXPECT_EQ(failing->name, "B");
  Execution<Truth> disorder = small_execution();
  disorder[0][0](3, 0) = 1;
  failing = failing_axiom(level, small_history(), disorder);
  ASSERT_NE(failing, nullptr);
  EXPECT_TRUE(failing->is_shape);
}

}  // namespace
}  // namespace isomer::level
