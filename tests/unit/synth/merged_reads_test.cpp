// SPDX-License-Identifier: MIT
// What merging reads may be asked, by evaluation on every small history, and on hostile
// texts that must be turned down.
#include "synth/merged_reads.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "level/eval.h"
#include "level/library.h"
#include "synth/every_history.h"

namespace isomer::synth {
namespace {

// One read for each transaction, from everybody that it reads from, before itself.
HistoryTables<Truth> merged(HistoryTables<Truth> tables) {
  const std::size_t txns = tables.txn_count();
  tables.rf = tables.wr;
  tables.read_exists.assign(txns, 0);
  tables.po = Matrix<Truth>(txns, txns, 0);
  for (std::size_t u = 1; u < txns; ++u) {
    for (const auto& readers : tables.readers)
      tables.read_exists[u] |= readers[u];
    tables.po(u, u) = tables.read_exists[u];
  }
  return tables;
}

struct Case {
  const char* formula;
  bool is_accepted;
};

constexpr Case cases[] = {
    {"forall x: Key { rf[x] ; po ; rf[x]^-1 in id }", true},
    {"forall x, y: Key { x != y implies empty ([W[x]] ; rf[y] ; po ; rf[x]^-1) \\ id }",
     true},
    {"forall x: Key { ([W[x]] ; rf ; po ; rf[x]^-1) \\ id in so }", true},
    {"acyclic rf ; po ; rf^-1", true},
    {"irreflexive rf ; po+ ; rf^-1 ; wr", true},
    {"not (wr in rf ; po ; rf^-1)", true},
    {"empty so or empty rf ; po* ; rf^-1", true},
    {"empty so ; so implies empty rf ; rf^-1", true},
    {"acyclic so | wr", true},
    // two reads become one
    {"empty (po \\ id[Read])", false},
    {"empty rf ; (po \\ [Read]) ; rf^-1", false},
    // what gains may make it true
    {"wr in rf ; po ; rf^-1", false},
    {"not (empty rf ; po)", false},
    {"not (acyclic po)", false},
    {"empty wr \\ (rf ; po ; rf^-1)", false},
    {"empty (rf ; po) implies empty so", false},
    {"transitive po", false},
    {"rf ; rf^-1 = so", false},
    {"forall e: Read { exists d: Read { (d, e) in po } }", false},
};

std::optional<Level> level_of(const char* formula) {
  const auto read = level::parse_levels(
      "case", fmt::format("level C : biswas {{ axiom A: {} }}", formula));
  if (!read) return std::nullopt;
  return read->at(0);
}

TEST(MergedReads, break_whatever_the_single_ones_break) {
  int accepted = 0;
  for (const auto& [formula, is_accepted] : cases) {
    const std::optional<Level> level = level_of(formula);
    if (!level) continue;  // no text of the language: nobody can ask it
    const level::TermId axiom = level->axioms.back().formula;
    EXPECT_EQ(stays_false_merged(*level, axiom), is_accepted) << formula;
    if (!is_accepted) continue;
    ++accepted;
    bool is_broken_somewhere = false;
    const level::Execution<Truth> none(level->witnesses.size(),
                                       {Matrix<Truth>(3, 3, 0)});  // not mentioned
    visit_histories({.scope = {2, 2, 2, 3}, .has_events = true, .type_names = {}}, {},
                    [&](const HistoryTables<Truth>& tables) {
                      if (level::holds(*level, axiom, tables, none)) return true;
                      is_broken_somewhere = true;
                      const bool still = !level::holds(*level, axiom, merged(tables), none);
                      EXPECT_TRUE(still) << formula;
                      return still;
                    });
    EXPECT_TRUE(is_broken_somewhere || level->text.find("acyclic so") != std::string::npos)
        << formula << " tells nothing";
  }
  EXPECT_EQ(accepted, 9);
}

// Why texts are turned down: merging makes this one true.
TEST(MergedReads, mend_what_is_turned_down) {
  const Level level = *level_of("not (acyclic rf ; po ; rf^-1)");
  const level::TermId axiom = level.axioms.back().formula;
  EXPECT_FALSE(stays_false_merged(level, axiom));
  const level::Execution<Truth> none(level.witnesses.size(), {Matrix<Truth>(3, 3, 0)});
  bool is_mended = false;
  visit_histories({.scope = {2, 2, 2, 3}, .has_events = true, .type_names = {}}, {},
                  [&](const HistoryTables<Truth>& tables) {
                    is_mended = !level::holds(level, axiom, tables, none) &&
                                level::holds(level, axiom, merged(tables), none);
                    return !is_mended;
                  });
  EXPECT_TRUE(is_mended);
}

// The whole texts at a scope where single reads are out of reach.
TEST(MergedReads, decide_the_patterns_of_plume_in_a_large_scope) {
  for (const std::string name : {"RA", "CC"}) {
    Options options;
    options.scope = Scope{6, 6, 6};
    options.budget = Budget(60.0);
    const Level& allow = *level::standard_level(name);
    const Level& forbid = *level::standard_level("plume:" + name);
    const Result result = synth({&allow, 1}, {&forbid, 1}, options);
    EXPECT_EQ(result.outcome, Outcome::None) << name;
    EXPECT_EQ(result.stats.candidates, 0U) << name;
  }
}

}  // namespace
}  // namespace isomer::synth
