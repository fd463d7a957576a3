// SPDX-License-Identifier: MIT
// The oracle itself is held to account: by known numbers, by the checkers, and by itself.
#include "support/explore/brute_force.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "program/litmus/litmus.h"
#include "programs.h"
#include "store/consistency.h"
#include "support/effort.h"
#include "support/explore/draft.h"
#include "support/shrunk.h"

namespace isomer::explore {
namespace {

using check::Level;

std::size_t count(const Space& space, AnyLevel level) {
  return allowed(space, level).size();
}

// The level's number, through a weaker level that can be asked on the way.
std::uint64_t brute_force_count(const std::string& program_name, AnyLevel base,
                                AnyLevel level) {
  const Program program = litmus(program_name);
  return count(*brute_force(program, {.level = base}), level);
}

TEST(BruteForce, finds_as_many_histories_as_are_known) {
  const std::map<std::string, std::pair<AnyLevel, AnyLevel>> columns = {
      {"rc", {Level::RC, Level::RC}},
      {"ra", {Level::RA, Level::RA}},
      {"cc", {Level::CC, Level::CC}},
      {"si", {Level::CC, Level::SI}},
      {"ser", {Level::CC, Level::SER}}};
  int compared = 0;
  for (const KnownCounts& known : known_counts())
    for (const auto& [column, number] : known.counts) {
      const auto found = columns.find(column);
      if (found == columns.end()) continue;
      const std::uint64_t number_max = effort(400, 60);
      if (known.counts.at("cc") > number_max || number > number_max) continue;
      const auto& [base, level] = found->second;
      EXPECT_EQ(brute_force_count(known.program, base, level), number)
          << known.program << " " << column;
      ++compared;
    }
  EXPECT_GE(compared, effort(25, 8));
}

TEST(BruteForce, finds_what_the_printed_algorithm_misses) {
  const Program program = litmus("swapped-counterexample");
  const Space space = *brute_force(program);
  EXPECT_EQ(space.histories.size(), 6U);
  EXPECT_EQ(count(space, Level::RC), 6U);
  EXPECT_EQ(count(space, Level::RA), 6U);
  for (const Level level : {Level::CC, Level::PC, Level::PSI, Level::SI, Level::SER})
    EXPECT_EQ(count(space, level), 4U) << name(level);
}

// As the store sees it: aborted transactions are some that do not write.
std::vector<store::RunTransaction> run_transactions(const Space& space,
                                                    const Outcome& history) {
  const Shape shape = shape_of(space, history, Counting::All);
  std::vector<store::RunTransaction> out(shape.count - 1);
  std::uint32_t t = 0;
  for (std::uint32_t s = 0; s < space.program->sessions.size(); ++s)
    for (std::size_t i = 0; i < space.program->sessions[s].calls.size(); ++i)
      out[t++].session = s;
  for (const auto& [reader, key, writer] : shape.reads)
    out[reader - 1].reads.push_back({.key = key, .writer = writer});
  for (std::uint32_t key = 0; key < shape.writers.size(); ++key)
    for (t = 1; t < shape.count; ++t)
      if ((shape.writers[key] >> t & 1U) != 0) out[t - 1].writes.push_back(key);
  return out;
}

TEST(BruteForce, agrees_with_the_checkers) {
  std::map<AnyLevel, int> forbidden;
  int histories = 0;
  for (std::uint64_t seed = 1; seed <= effort(300U, 10U); ++seed) {
    const RandomSpace random = random_space(seed, 300);
    for (const Outcome& history : random.space.histories) {
      ++histories;
      const auto transactions = run_transactions(random.space, history);
      for (const Level level : check::all_levels) {
        const bool is_allowed = allows(level, random.space, history);
        if (!is_allowed) ++forbidden[level];
        ASSERT_EQ(is_allowed, store::is_allowed(transactions, level, {}).value())
            << name(level) << "\n"
            << text(random.draft) << history.text;
      }
    }
  }
  for (const Level level : check::all_levels) {
    EXPECT_GT(forbidden[level], histories / 50) << name(level);
    EXPECT_LT(forbidden[level], histories * 49 / 50) << name(level);
  }
}

// Prefix closure: whether a level is asked at each step or at the end.
TEST(BruteForce, may_ask_the_level_early_or_late) {
  for (std::uint64_t seed = 1; seed <= effort(300U, 20U); ++seed) {
    const RandomSpace random = random_space(seed, 300);
    for (const Level level : {Level::RC, Level::RA, Level::CC})
      ASSERT_EQ(allowed(*brute_force(*random.program, {.level = level}), std::nullopt),
                allowed(random.space, level))
          << name(level) << "\n"
          << text(random.draft);
  }
}

// What random programs are for: if they had no aborts, say, tests would mean little.
TEST(RandomDraft, has_everything_that_matters) {
  std::map<std::string, int> found;
  const int count = effort(300, 100);
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(count); ++seed) {
    const RandomSpace random = random_space(seed, 2000);
    const auto note = [&](const std::string& what, const auto& question) {
      found[what] += std::ranges::any_of(random.space.histories, question) ? 1 : 0;
    };
    const auto note_transaction = [&](const std::string& what, const auto& question) {
      note(what, [&](const Outcome& history) {
        return std::ranges::any_of(history.transactions, question);
      });
    };
    note_transaction("an abort after a read", [](const auto& ran) {
      return !ran->is_committed && !ran->reads.empty();
    });
    note_transaction("a failed assert",
                     [](const auto& ran) { return ran->failed_assert.has_value(); });
    note_transaction("a key read from two transactions", [](const auto& ran) {
      return ran->reads.size() > 1 && ran->reads[0].first == ran->reads[1].first &&
             ran->reads[0].second != ran->reads[1].second;
    });
    note("a broken final assert", [&](const Outcome& history) {
      return !broken_asserts(random.space, history).empty();
    });
    note("a history that CC allows and SER does not", [&](const Outcome& history) {
      return allows(Level::CC, random.space, history) &&
             !is_serializable(random.space, history);
    });
    found["many histories"] += random.space.histories.size() > 20 ? 1 : 0;
  }
  for (const auto& [what, times] : found) {
    EXPECT_GT(times, count / 20) << what;
    EXPECT_LT(times, count * 19 / 20) << what;
  }
}

TEST(Shrunk, keeps_only_what_fails) {
  const auto fails = [](const Draft& draft) {
    const std::string program = text(draft);
    return program.find("write(\"k0\"") != std::string::npos &&
           program::parse_litmus("shrunk", program).has_value();
  };
  int tried = 0;
  for (std::uint64_t seed = 1; tried < 20; ++seed) {
    const Draft draft = random_draft(seed);
    if (!fails(draft)) continue;
    ++tried;
    const Draft small = test::shrunk(draft, fails);
    ASSERT_EQ(small.sessions.size(), 1U) << text(small);
    ASSERT_EQ(small.sessions[0].size(), 1U) << text(small);
    ASSERT_TRUE(small.asserts.empty());
    ASSERT_TRUE(fails(small));
  }
}

}  // namespace
}  // namespace isomer::explore
