// SPDX-License-Identifier: MIT
// Every way to search gives the same answers.  Brute force shares neither the circuits of
// histories nor the numbering, lessons and merged reads of the full search with it.
#include <set>

#include <gtest/gtest.h>

#include "base/random.h"
#include "level/library.h"
#include "support/effort.h"
#include "synth/every_history.h"
#include "synth/found.h"
#include "synth/synth.h"
#include "unit/synth/small_histories.h"

namespace isomer::synth {
namespace {

constexpr Algorithm plain_algorithms[] = {Algorithm::NoLearning, Algorithm::BruteForce};

std::vector<Level> all_levels() {
  const auto standard = level::standard_levels();
  std::vector<Level> out(standard.begin(), standard.end());
  for (const std::string file :
       {"/examples/isolde.level", "/tests/corpus/synth/patterns.level"}) {
    const auto more = level::levels_named(ISOMER_SOURCE_DIR + file).value();
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

std::string name_of(std::span<const Level> allow, std::span<const Level> forbid) {
  std::string out;
  for (const Level& level : allow)
    out += level.qualified_name() + " ";
  out += "|";
  for (const Level& level : forbid)
    out += " " + level.qualified_name();
  return out;
}

void expect_same_outcome(std::span<const Level> allow, std::span<const Level> forbid,
                         Options options) {
  options.want = Want::Exact;
  const Outcome outcome = synth(allow, forbid, options).outcome;
  for (const Algorithm algorithm : plain_algorithms) {
    options.algorithm = algorithm;
    EXPECT_EQ(synth(allow, forbid, options).outcome, outcome)
        << name_of(allow, forbid) << ", algorithm " << static_cast<int>(algorithm);
  }
}

TEST(Algorithms, agree_on_every_pair_of_levels_and_two_transactions) {
  const std::vector<Level> levels = all_levels();
  constexpr std::size_t step = effort<std::size_t>(1, 11);
  for (std::size_t pair = 0; pair < levels.size() * levels.size(); pair += step) {
    Options options;
    options.scope = Scope{2, 1, 3};
    expect_same_outcome({&levels[pair / levels.size()], 1},
                        {&levels[pair % levels.size()], 1}, options);
  }
}

// Several levels on both sides, any universe.
TEST(Algorithms, agree_on_random_problems) {
  const std::vector<Level> levels = all_levels();
  Random random(7);
  const auto draw = [&](std::size_t count) {
    std::vector<Level> out;
    while (out.size() < count)
      out.push_back(levels[random.below(levels.size())]);
    return out;
  };
  for (int round = 0; round < effort(60, 6); ++round) {
    const std::vector<Level> allow = draw(random.below(3));
    const std::vector<Level> forbid = draw(1 + random.below(2));
    Options options;
    const bool is_wide = random.below(2) == 0;
    options.scope = is_wide ? Scope{2, 2, 2} : Scope{3, 1, 3};
    options.scope->operations = 1 + static_cast<std::uint32_t>(random.below(2));
    options.allows_blind_writes = random.below(3) != 0;
    options.is_so_partial_order = random.below(3) == 0;
    expect_same_outcome(allow, forbid, options);
  }
}

TEST(Algorithms, find_equally_small_histories) {
  const std::pair<const char*, const char*> problems[] = {
      {"CC", "SI"}, {"SI", "SER"}, {"RC", "RA"}, {"plume:RC", "RC"}, {"adya:PL-2", "RA"}};
  for (const auto& [allow, forbid] : problems) {
    Options options;
    options.scope = Scope{2, 2, 3};
    options.scope->operations = 2;
    options.count = 100;
    const Level& strong = *level::standard_level(allow);
    const Level& weak = *level::standard_level(forbid);
    const Result full = synth({&strong, 1}, {&weak, 1}, options);
    ASSERT_EQ(full.outcome, Outcome::Found) << allow;
    for (const Algorithm algorithm : plain_algorithms) {
      options.algorithm = algorithm;
      const Result plain = synth({&strong, 1}, {&weak, 1}, options);
      ASSERT_EQ(plain.outcome, Outcome::Found) << allow;
      EXPECT_EQ(plain.found.size(), full.found.size()) << allow;
      EXPECT_EQ(plain.found.front()->size, full.found.front()->size) << allow;
      EXPECT_EQ(plain.found.front()->operations, full.found.front()->operations) << allow;
    }
  }
}

TEST(Algorithms, brute_force_visits_every_history) {
  const OpenHistoryShape shape{.scope = {2, 2, 3}, .type_names = {}};
  std::set<std::string> visited;
  EXPECT_TRUE(visit_histories(shape, {}, [&](const HistoryTables<Truth>& tables) {
    visited.insert(canonical_form(tables));
    return true;
  }));
  std::set<std::string> expected;
  for_each_history(2, 2, [&](const HistoryTables<Truth>& tables) {
    expected.insert(canonical_form(tables));
  });
  EXPECT_EQ(visited, expected);
}

TEST(Algorithms, brute_force_stops_when_the_time_is_up) {
  Options options;
  options.scope = Scope{6, 3, 3};
  options.want = Want::Exact;
  options.algorithm = Algorithm::BruteForce;
  options.budget = Budget(0.05);
  const Result result =
      synth({level::standard_level("SER"), 1}, {level::standard_level("SI"), 1}, options);
  EXPECT_EQ(result.outcome, Outcome::Unknown);
  EXPECT_EQ(result.reason, "timeout");
  EXPECT_LT(result.stats.seconds, 5);
}

// --- scopes ---

std::size_t longest_transaction(const History& history) {
  std::size_t longest = 0;
  for (TxnId t{1}; t.index < history.txn_count(); ++t.index)
    longest = std::max(longest, history.operations(t).size());
  return longest;
}

TEST(Scopes, bound_the_operations_of_a_transaction) {
  const Level& allow = *level::standard_level("PC");
  const Level& forbid = *level::standard_level("SI");
  Options options;
  options.scope = Scope{4, 2, 3};
  options.scope->operations = 1;
  EXPECT_EQ(synth({&allow, 1}, {&forbid, 1}, options).outcome, Outcome::None);
  options.scope->operations = 2;
  options.want = Want::Any;
  const Result result = synth({&allow, 1}, {&forbid, 1}, options);
  ASSERT_EQ(result.outcome, Outcome::Found);
  EXPECT_EQ(longest_transaction(result.found.front()->history), 2U);
}

TEST(Scopes, give_every_key_its_initial_value) {
  const Level& allow = *level::standard_level("PC");
  const Level& forbid = *level::standard_level("SI");
  Options options;
  options.scope = Scope{2, 1, 3};
  options.scope->initial_value = -2;
  const Result result = synth({&allow, 1}, {&forbid, 1}, options);
  ASSERT_EQ(result.outcome, Outcome::Found);
  const History& history = result.found.front()->history;
  EXPECT_EQ(history.initial_value(history::KeyId{0}), history::Value::integer(-2));
  std::multiset<std::string> read;
  std::multiset<std::string> written;
  for (TxnId t{1}; t.index < history.txn_count(); ++t.index)
    for (const history::Operation& operation : history.operations(t))
      (operation.kind == history::OpKind::Read ? read : written)
          .insert(history.text(operation.value()));
  EXPECT_EQ(read, (std::multiset<std::string>{"-2", "-2"}));
  EXPECT_EQ(written, (std::multiset<std::string>{"-1", "0"}));
}

}  // namespace
}  // namespace isomer::synth
