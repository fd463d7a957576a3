// SPDX-License-Identifier: MIT
// The search against the enumeration of every history of a tiny scope.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "level/library.h"
#include "support/effort.h"
#include "synth/found.h"
#include "synth/synth.h"
#include "unit/synth/small_histories.h"

namespace isomer::synth {
namespace {

// Of the pairs of levels, every so many-th.
constexpr std::size_t pair_step = effort<std::size_t>(1, 5);

std::vector<Level> levels_of(const std::function<bool(const Level&)>& is_wanted) {
  std::vector<Level> out;
  for (const Level& level : level::standard_levels())
    if (!level.uses_events && is_wanted(level)) out.push_back(level);
  const auto more = level::levels_named(ISOMER_SOURCE_DIR "/examples/isolde.level").value();
  for (const Level& level : more)
    if (is_wanted(level)) out.push_back(level);
  return out;
}

bool has_only_orders(const Level& level) {
  return std::ranges::all_of(level.witnesses,
                             [](const level::Witness& w) { return w.is_total_order; });
}

using Size = std::array<std::size_t, 3>;  // operations, keys, values

Size size_of(const HistoryTables<Truth>& tables) {
  Size size{operation_count(tables), 0, 0};
  for (std::size_t x = 0; x < tables.key_count(); ++x) {
    size[1] += tables.key_exists[x];
    size[2] = std::max(
        size[2], static_cast<std::size_t>(std::ranges::count(tables.writers[x], Truth{1})));
  }
  return size;
}

// Every history of the scope once, by canonical form, and which levels allow it.
struct Truths {
  std::vector<Level> levels;
  std::map<std::string, Size> size;
  std::map<std::string, std::vector<bool>> allowed;
};

Truths enumerate(std::vector<Level> levels, std::size_t transactions, std::size_t keys) {
  Truths out{std::move(levels), {}, {}};
  for_each_history(transactions, keys, [&](const HistoryTables<Truth>& tables) {
    const std::string form = canonical_form(tables);
    if (out.size.contains(form)) return;
    out.size[form] = size_of(tables);
    for (const Level& level : out.levels)
      out.allowed[form].push_back(is_allowed(level, tables));
  });
  return out;
}

void expect_same_answers(const Truths& truths, std::uint32_t transactions,
                         std::uint32_t keys) {
  for (std::size_t a = 0; a < truths.levels.size(); ++a)
    for (std::size_t b = a % pair_step; b < truths.levels.size(); b += pair_step) {
      bool exists = false;
      for (const auto& [form, allowed] : truths.allowed)
        exists |= allowed[a] && !allowed[b];
      Options options;
      options.scope = Scope{transactions, keys, transactions + 1};
      options.want = Want::Exact;
      const Result result = synth({&truths.levels[a], 1}, {&truths.levels[b], 1}, options);
      EXPECT_EQ(result.outcome, exists ? Outcome::Found : Outcome::None)
          << truths.levels[a].qualified_name() << " | "
          << truths.levels[b].qualified_name();
    }
}

TEST(Exhaustive, every_pair_of_levels_on_two_transactions_and_two_keys) {
  const Truths truths = enumerate(levels_of([](const Level&) { return true; }), 2, 2);
  EXPECT_GT(truths.allowed.size(), 300U);
  expect_same_answers(truths, 2, 2);
}

TEST(Exhaustive, every_pair_of_order_levels_on_three_transactions_and_one_key) {
  const Truths truths = enumerate(levels_of(has_only_orders), 3, 1);
  EXPECT_GT(truths.allowed.size(), 300U);
  expect_same_answers(truths, 3, 1);
}

// All smallest histories, no two alike, and none forgotten.
TEST(Exhaustive, all_smallest_histories_are_enumerated) {
  const Truths truths = enumerate(levels_of([](const Level&) { return true; }), 2, 2);
  int compared = 0;
  for (std::size_t a = 0; a < truths.levels.size(); ++a)
    for (std::size_t b = a % pair_step; b < truths.levels.size(); b += pair_step) {
      std::map<Size, std::size_t> counts;
      for (const auto& [form, allowed] : truths.allowed)
        if (allowed[a] && !allowed[b]) ++counts[truths.size.at(form)];
      Options options;
      options.scope = Scope{2, 2, 3};
      options.count = 1000;
      const Result result = synth({&truths.levels[a], 1}, {&truths.levels[b], 1}, options);
      // One transaction would be smaller still, and is no business of this enumeration.
      if (result.found.empty() || result.found.front()->size.transactions < 2) continue;
      ++compared;
      const std::string pair =
          truths.levels[a].qualified_name() + " | " + truths.levels[b].qualified_name();
      ASSERT_FALSE(counts.empty()) << pair;
      const auto& [least, count] = *counts.begin();
      const Found& found = result.found.front();
      EXPECT_EQ((Size{found.operations, found.size.keys, found.size.values}), least)
          << pair;
      EXPECT_EQ(result.found.size(), count) << pair;
    }
  EXPECT_GT(compared, 100 / static_cast<int>(pair_step));
}

// Symmetry breaking and the numbering by a commit order lose no history: up to renaming,
// the search meets exactly the histories of the scope that a level allows.
TEST(Exhaustive, the_universe_has_every_history_once) {
  for (const char* name : {"RA", "SER", "cerone:CC", "adya:PL-1", "crooks:SI"}) {
    const Level& level = *level::standard_level(name);
    const Truths truths = enumerate({level}, 2, 2);
    std::set<std::string> wanted;
    for (const auto& [form, allowed] : truths.allowed)
      if (allowed[0]) wanted.insert(form);
    Problem problem;
    problem.allow.push_back(level::least_form(level));
    const Options options;
    Search search(problem, {2, 2, 3}, options);
    std::set<std::string> met;
    while (search.next({}) == Search::Answer::Found) {
      met.insert(canonical_form(search.candidate().tables));
      search.exclude_candidate();
    }
    EXPECT_EQ(met, wanted) << name;
  }
}

TEST(Exhaustive, the_baselines_agree) {
  const std::vector<Level> levels = levels_of([](const Level&) { return true; });
  for (std::size_t a = 0; a < levels.size(); ++a)
    for (std::size_t b = a % 3; b < levels.size(); b += 3 * pair_step) {
      Options options;
      options.scope = Scope{3, 2, 3};
      options.want = Want::Exact;
      const Outcome outcome = synth({&levels[a], 1}, {&levels[b], 1}, options).outcome;
      for (const Baseline baseline :
           {Baseline::NoFixedOrder, Baseline::NoSmartSearch, Baseline::Naive}) {
        options.baseline = baseline;
        EXPECT_EQ(synth({&levels[a], 1}, {&levels[b], 1}, options).outcome, outcome)
            << levels[a].qualified_name() << " | " << levels[b].qualified_name();
      }
    }
}

}  // namespace
}  // namespace isomer::synth
