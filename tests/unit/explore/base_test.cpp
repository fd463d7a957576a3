// SPDX-License-Identifier: MIT
// Theorem 5.1 for bases that are texts: sound, complete, each history once, no dead end;
// and the search for histories that show that a level is no base.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "explore/extensible.h"
#include "level/library.h"
#include "litmus_corpus.h"
#include "support/effort.h"
#include "support/explore/explored.h"
#include "support/explore/random_space.h"

namespace isomer::explore {
namespace {

using check::AskedLevel;

AskedLevel asked(const std::string& text) {
  const auto levels = level::parse_levels("mine.level", text);
  EXPECT_TRUE(levels) << text;
  return {"mine.level:" + levels->back().name, levels->back()};
}

// --- bases of the form of Biswas & Enea, with what their relation is, by plain matrices
// ---

using Matrix = std::vector<Set>;  // by transaction: those before it

struct Relation {
  std::string text;
  std::function<Matrix(const Shape&)> of;
};

bool is_in(Set set, std::uint32_t t) {
  return (set >> t & 1U) != 0;
}

Matrix composed(const Matrix& first, const Matrix& second) {
  Matrix out(first.size(), 0);
  for (std::uint32_t t = 0; t < out.size(); ++t)
    for (std::uint32_t via = 0; via < out.size(); ++via)
      if (is_in(second[t], via)) out[t] |= first[via];
  return out;
}

Matrix united(Matrix first, const Matrix& second) {
  for (std::uint32_t t = 0; t < first.size(); ++t)
    first[t] |= second[t];
  return first;
}

Matrix closed(const Matrix& relation) {
  Matrix out = relation;
  for (std::size_t i = 0; i < relation.size(); ++i)
    out = united(out, composed(out, relation));
  return out;
}

Matrix read_from(const Shape& shape) {
  Matrix out(shape.count, 0);
  for (const Shape::Read& read : shape.reads)
    out[read.reader] |= Set{1} << read.writer;
  return out;
}

Matrix session_order(const Shape& shape) {
  return shape.before;
}

Matrix causal_step(const Shape& shape) {
  return united(shape.before, read_from(shape));
}

// What is seen, so that nobody new is seen when the last of them is read from.
std::vector<Relation> extensible_relations() {
  return {{"so", session_order},
          {"wr", read_from},
          {"wr+", [](const Shape& shape) { return closed(read_from(shape)); }},
          {"so | wr", causal_step},
          {"(so | wr)+", [](const Shape& shape) { return closed(causal_step(shape)); }}};
}

AskedLevel level_of(const Relation& relation) {
  return asked(fmt::format(
      "level Mine : biswas {{ axiom A: forall x: Key {{ overwritten[x, {}] in co }} }}",
      relation.text));
}

bool is_allowed_by(const Relation& relation, const Shape& shape) {
  const Matrix seen = relation.of(shape);
  Matrix commits = united(shape.before, read_from(shape));
  for (const auto& [reader, key, writer] : shape.reads)
    commits[writer] |= seen[reader] & shape.writers[key] & ~(Set{1} << writer);
  const Matrix all = closed(commits);
  for (std::uint32_t t = 0; t < all.size(); ++t)
    if (is_in(all[t], t)) return false;
  return true;
}

// Sound, complete, optimal: the histories of the definition, each once; strongly: no end
// state that is forbidden, and no state without a successor.
void expect_theorem(const Relation& relation, std::uint64_t seed) {
  const RandomSpace random = random_space(seed, 40);
  std::set<std::string> expected;
  for (const Outcome& history : random.space.histories)
    if (is_allowed_by(relation, shape_of(random.space, history, Counting::All)))
      expected.insert(history.text);
  Options options;
  options.level = level_of(relation);
  options.base_text = options.level;
  const ExploredHistories found = explored(*random.program, options);
  const std::string about = relation.text + "\n" + text(random.draft);
  ASSERT_EQ(difference(found.histories, expected), "") << about;
  ASSERT_EQ(found.result.end_states, expected.size()) << about;
  ASSERT_EQ(found.result.blocked, 0U) << about;
  ASSERT_TRUE(found.result.is_complete);
}

TEST(Base, may_be_any_extensible_text) {
  for (const Relation& relation : extensible_relations())
    for (std::uint64_t seed = 1; seed <= effort(60U, 3U); ++seed)
      expect_theorem(relation, seed);
}

// A stronger level over a text: explore-ce*.
TEST(Base, leads_a_stronger_level_to_its_histories) {
  const AskedLevel base = asked(
      "level Whole : biswas { axiom Whole: forall x: Key { overwritten[x, wr] in co } }");
  for (std::uint64_t seed = 1; seed <= effort(10U, 2U); ++seed) {
    const RandomSpace random = random_space(seed, 40);
    for (const check::Level level :
         {check::Level::RA, check::Level::CC, check::Level::SI}) {
      Options options = options_for(level);
      options.base_text = base;
      ASSERT_EQ(compared(random.space, options, level), "") << text(random.draft);
    }
  }
}

TEST(Base, that_is_not_proved_leaves_the_answer_open) {
  Options options = options_for(check::Level::CC);
  options.base_text = asked("level Mine : biswas { RA }");
  options.is_base_proved = false;
  const Result result = explore(litmus("swapped-counterexample"), options);
  EXPECT_EQ(result.histories, 4U);
  EXPECT_TRUE(result.may_miss);
  EXPECT_FALSE(result.is_complete);
}

TEST(Base, is_asked_for_no_longer_than_there_is_time) {
  Options options = options_for(check::Level::CC);
  options.base_text = asked("level Mine : biswas { RA }");
  options.budget = Budget().within(0.2);
  const Result result = explore(litmus("shoppingCart-4"), options);
  EXPECT_FALSE(result.is_complete);
  EXPECT_LT(result.seconds, 5);
}

// --- extensible.h ---

TEST(Extensible, are_the_levels_that_are_known_to_be) {
  const auto levels = level::parse_levels("known", extensible_levels());
  ASSERT_TRUE(levels);
  ASSERT_EQ(levels->size(), 7U);
  for (const level::Level& level : *levels) {
    const Extensibility found =
        extensibility_of(AskedLevel("known:" + level.name, level), {}, effort(3U, 2U));
    EXPECT_FALSE(found.counterexample) << level.name;
    EXPECT_EQ(found.events, effort(3U, 2U)) << level.name;
    EXPECT_GT(found.histories, 20U) << level.name;
  }
}

struct NoBase {
  std::string text;
  Gap gap;
  std::uint32_t transactions;  // of the counterexample
};

TEST(Extensible, is_not_what_has_a_small_counterexample) {
  const std::vector<NoBase> levels = {
      {"level L : biswas { SI }", Gap::Write, 2},
      {"level L : biswas { SER }", Gap::Write, 2},
      {"level L : biswas { PC }", Gap::Read, 4},  // with one that has only begun
      {"level L : cerone { cerone:PSI }", Gap::Write, 2},
      // Read atomic with monotonic reads (docs/LEVELS.md).
      {"level L : biswas { RA\naxiom M: forall x: Key { "
       "(wr[x] ; [R[x]] ; so ; [R[x]] ; wr[x]^-1) \\ id in co } }",
       Gap::Read, 3},
      {"level L : biswas { axiom Some: not empty R }", Gap::Prefix, 1},
      {"level L : biswas { axiom Alone: so in init * Txn }", Gap::Begin, 1},
      {"level L : biswas { axiom Once: forall x: Key { W[x] = init } }", Gap::Write, 1},
  };
  for (const NoBase& expected : levels) {
    if (expected.transactions == 3 && effort(false, true)) continue;  // takes seconds
    const Extensibility found = extensibility_of(asked(expected.text), {});
    ASSERT_TRUE(found.counterexample) << expected.text;
    EXPECT_EQ(found.counterexample->gap, expected.gap) << expected.text;
    EXPECT_EQ(found.counterexample->allowed.txn_count(), expected.transactions + 1)
        << expected.text;
    EXPECT_FALSE(found.counterexample->forbidden.empty());
  }
}

}  // namespace
}  // namespace isomer::explore
