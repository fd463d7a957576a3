// SPDX-License-Identifier: MIT
// How formulas are understood: precedence, sorts, lets, and where one formula ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "level/library.h"
#include "unit/level/term_text.h"

namespace isomer::level {
namespace {

constexpr std::string_view framework =
    "framework f {\n"
    "  witness co : Txn * Txn\n"
    "  witness vo[x: Key] : Txn * Txn\n"
    "}\n";

// The level's own axioms, in brackets; or what was wrong, in one line each.
std::vector<std::string> axioms_of_text(std::string_view text) {
  std::vector<std::string> out;
  const auto levels = parse_levels("test.level", text);
  if (!levels) {
    for (const Diagnostic& one : levels.error())
      out.push_back(one.message);
    return out;
  }
  const Level& level = levels->back();
  for (const Axiom& axiom : level.axioms)
    if (!axiom.is_base) out.push_back(term_text(level, axiom.formula));
  return out;
}

std::vector<std::string> axioms_of(std::string_view body) {
  return axioms_of_text(fmt::format("{}level L : f {{\n{}\n}}\n", framework, body));
}

void expect_one(std::string_view body, std::string_view meaning) {
  EXPECT_THAT(axioms_of(body), testing::ElementsAre(std::string(meaning))) << body;
}

TEST(Formula, binds_postfix_then_composition_then_product_then_boolean_signs) {
  expect_one("so | wr in co", "(in (| so wr) co)");
  expect_one("co* ; (so | wr) in co", "(in (; (* co) (| so wr)) co)");
  expect_one("so ; wr^-1 & co \\ id | so+ in co?",
             "(in (| (\\ (& (; so (^-1 wr)) co) ([] Txn)) (+ so)) (? co))");
  expect_one("W * R \\ id in co", "(in (\\ (x W R) ([] Txn)) co)");
  expect_one("W * R & co in so", "(in (& (x W R) co) so)");
  expect_one("so \\ wr \\ co in so", "(in (\\ (\\ so wr) co) so)");
}

TEST(Formula, binds_not_then_and_then_or_then_implies_then_iff) {
  expect_one("not empty so and true or false", "(or (and (not (empty so)) true) false)");
  expect_one("true implies false implies true", "(implies true (implies false true))");
  expect_one("true iff false or true implies false",
             "(iff true (implies (or false true) false))");
  expect_one("not so in co or false", "(or (not (in so co)) false)");
}

TEST(Formula, takes_a_star_for_a_product_if_an_operand_follows) {
  expect_one("W * R in co", "(in (x W R) co)");
  expect_one("W*R in co", "(in (x W R) co)");
  expect_one("co* in co", "(in (* co) co)");
  expect_one("(co*) ; so in co", "(in (; (* co) so) co)");
  EXPECT_THAT(axioms_of("so in co*\nwr in co"),
              testing::ElementsAre("(in so (* co))", "(in wr co)"));
  expect_one("W *\n  R in co", "(in (x W R) co)");
  expect_one("W * type \"Pay\" in co", "(in (x W type:Pay) co)");
}

TEST(Formula, ends_with_its_line_unless_a_sign_follows) {
  EXPECT_THAT(axioms_of("so in co\n[W] ; wr in co"),
              testing::ElementsAre("(in so co)", "(in (; ([] W) wr) co)"));
  EXPECT_THAT(axioms_of("so\n  | wr\n  in co"), testing::ElementsAre("(in (| so wr) co)"));
  EXPECT_THAT(axioms_of("so in co // no more\nand wr in co"),
              testing::ElementsAre("(in so co)", "(in wr co)"));
  EXPECT_THAT(axioms_of("so in co wr in co"),
              testing::ElementsAre("expected 'and', a new line or '}' after the formula, "
                                   "found 'wr'"));
}

TEST(Formula, has_every_predicate) {
  expect_one("empty so", "(empty so)");
  expect_one("acyclic so | wr", "(acyclic (| so wr))");
  expect_one("irreflexive so ; wr", "(irreflexive (; so wr))");
  expect_one("transitive po", "(transitive po)");
  expect_one("total co on W", "(total co W)");
  expect_one("total_order co", "(total_order co Txn)");
  expect_one("total_order po on Read", "(total_order po Read)");
  expect_one("so = wr", "(= so wr)");
  expect_one("W != R", "(not (= W R))");
  expect_one("exists t, u: Txn, x: Key, v: Val { writes(t, x, v) and reads(u, x, v) }",
             "(exists v0:Txn (exists v1:Txn (exists v2:Key (exists v3:Val "
             "(and (writes v0 v2 v3) (reads v1 v2 v3))))))");
  expect_one("forall t: Txn { t = init or t in W }",
             "(forall v0:Txn (or (same v0 init) (member v0 W)))");
  expect_one("forall t, u: Txn { (t, u) in co }",
             "(forall v0:Txn (forall v1:Txn (related v0 v1 co)))");
}

TEST(Formula, takes_elements_for_sets) {
  expect_one("W \\ init in R", "(in (\\ W ({} init)) R)");
  expect_one("[init] in so", "(in ([] ({} init)) so)");
  expect_one("init * Txn in so?", "(in (x ({} init) Txn) (? so))");
  expect_one("init in W", "(member init W)");
}

TEST(Formula, gives_zero_and_id_the_sorts_of_the_other_side) {
  expect_one("so & wr = 0", "(= (& so wr) 0:a relation Txn * Txn)");
  expect_one("W = 0", "(= W 0:a set of Txn)");
  expect_one("po \\ id in po", "(in (\\ po ([] Read)) po)");
  expect_one("id in so", "(in ([] Txn) so)");
  expect_one("rf ; id in 0", "(in rf 0:a relation Txn * Read)");
  expect_one("id = id", "(= ([] Txn) ([] Txn))");
  expect_one("0 ; so in wr", "(in 0:a relation Txn * Txn wr)");
}

TEST(Formula, indexes_by_key_or_unites_over_keys) {
  expect_one("forall x: Key { wr[x] in vo[x] }", "(forall v0:Key (in (wr v0) (vo v0)))");
  expect_one("wr in vo", "(in wr vo)");
  expect_one("let rw[x: Key] = wr[x]^-1 ; vo[x]\nacyclic rw",
             "(acyclic (union v0 (; (^-1 (wr v0)) (vo v0))))");
  expect_one("let rw[x: Key] = wr[x]^-1 ; vo[x]\nforall y: Key { rw[y] in rw }",
             "(forall v0:Key (in (; (^-1 (wr v0)) (vo v0)) "
             "(union v1 (; (^-1 (wr v1)) (vo v1)))))");
}

TEST(Formula, expands_lets_without_capture) {
  expect_one(
      "let some[r] = exists t: Txn { (t, t) in r }\n"
      "forall t: Txn { some[[t]] }",
      "(forall v0:Txn (exists v1:Txn (related v1 v1 ([] ({} v0)))))");
  expect_one("let twice[r] = r ; r\ntwice[twice[po]] in po",
             "(in (; (; po po) (; po po)) po)");
  expect_one("let f = so in co\nlet g[p] = not p\ng[f]", "(not (in so co))");
}

TEST(Formula, takes_a_level_for_its_axioms) {
  const std::string text =
      "level A : biswas { axiom One: so in co\n axiom Two: wr in co }\n"
      "level B : biswas { A and RA\n axiom Three: not A }\n";
  EXPECT_THAT(
      axioms_of_text(text),
      testing::ElementsAre("(in so co)", "(in wr co)",
                           "(forall v0:Key (in (\\ (; (; ([] (W v0)) (| so wr)) (^-1 "
                           "(wr v0))) ([] Txn)) co))",
                           "(not (and (in so co) (in wr co)))"));
  EXPECT_THAT(axioms_of_text("level B : adya { PL-2+ }").size(), 4U);
  EXPECT_THAT(axioms_of_text("level B : adya { adya:PL-2+ and acyclic so }").size(), 5U);
}

TEST(Formula, is_bounded_in_depth_and_size) {
  const std::string deep = std::string(100'000, '(') + "so" + std::string(100'000, ')');
  EXPECT_THAT(axioms_of("empty " + deep),
              testing::ElementsAre("this is nested too deeply; name its parts with 'let'"));
  std::string wide = "so";
  for (int i = 0; i < 20'000; ++i)
    wide += " | so";
  EXPECT_THAT(axioms_of("empty " + wide),
              testing::ElementsAre("this is nested too deeply; name its parts with 'let'"));
  std::string doubling = "let a0 = so\n";
  for (int i = 1; i < 60; ++i)
    doubling += fmt::format("let a{} = a{} ; a{}\n", i, i - 1, i - 1);
  EXPECT_THAT(axioms_of(doubling + "empty a59"),
              testing::ElementsAre("this becomes too large when its lets are written out"));
  std::string chain = "let a0 = so\n";
  for (int i = 1; i < 1500; ++i)
    chain += fmt::format("let a{} = a{}{}\n", i, i - 1, std::string(150, '+'));
  EXPECT_THAT(axioms_of(chain + "empty a1499"),
              testing::ElementsAre("this becomes too large when its lets are written out"));
  std::string variables = "v0";
  for (int i = 1; i < 65; ++i)
    variables += fmt::format(", v{}", i);
  EXPECT_THAT(axioms_of("forall " + variables + ": Txn { true }"),
              testing::ElementsAre("more than 64 variables are nested here"));
}

}  // namespace
}  // namespace isomer::level
