// SPDX-License-Identifier: MIT
// Every order of steps on the model of SQLite, in all of its set-ups.
#include <algorithm>

#include <gtest/gtest.h>

#include "found_outcomes.h"
#include "support/effort.h"

namespace isomer::explore {
namespace {

using database::Database;
using database::ServerKind;

class SqliteSchedules : public testing::TestWithParam<ServerKind> {};

TEST_P(SqliteSchedules, reduction_finds_what_brute_force_finds) {
  std::uint64_t by_every_order = 0;
  for (std::uint64_t seed = 1; seed <= effort(2'000U, 150U, 15U); ++seed) {
    const RandomScenario random = random_scenario(seed, Database::Sqlite);
    const program::Program program = program_of(random);
    const database::Scenario scenario{
        .program = program, .begin = random.begin, .server = GetParam()};
    const FineRuns runs(scenario);
    const Found reduced = found(runs, Reduction::Reduced, 100'000);
    EXPECT_TRUE(reduced.is_complete);
    const Found by_states = found(runs, Reduction::StatesOnce, 100'000);
    EXPECT_TRUE(by_states.is_complete);
    EXPECT_EQ(reduced.outcomes, by_states.outcomes) << "seed " << seed << shown(random);
    const Found by_orders = found(runs, Reduction::None, 20'000);
    if (!by_orders.is_complete) continue;
    ++by_every_order;
    EXPECT_EQ(by_orders.outcomes, by_states.outcomes) << "seed " << seed << shown(random);
  }
  EXPECT_GT(by_every_order, effort(1'500U, 100U, 10U));
}

// --- conflicts ---

struct RunsWithoutLocks : FineRuns {
  using FineRuns::FineRuns;

  static bool conflict(Footprint a, const Footprint& b) {
    a.tables.clear();
    return FineRuns::conflict(a, b);
  }
};

// They are the only conflicts, so the test above is worth something.
TEST_P(SqliteSchedules, lose_outcomes_without_the_locks_of_the_file) {
  bool is_noticed = false;
  for (std::uint64_t seed = 1; seed <= 100 && !is_noticed; ++seed) {
    const RandomScenario random = random_scenario(seed, Database::Sqlite);
    const program::Program program = program_of(random);
    const database::Scenario scenario{
        .program = program, .begin = random.begin, .server = GetParam()};
    const Found reduced = found(FineRuns(scenario), Reduction::Reduced, 20'000);
    is_noticed = found(RunsWithoutLocks(scenario), Reduction::Reduced, 20'000).outcomes !=
                 reduced.outcomes;
  }
  EXPECT_TRUE(is_noticed);
}

// --- serial orders ---

// The rows that these sessions leave, one after the other, with nobody beside them.
std::set<TableRows> rows_of_serial_orders(const database::Scenario& scenario,
                                          std::vector<SessionIndex> order) {
  std::set<TableRows> out;
  const FineRuns runs(scenario);
  std::ranges::sort(order);
  do {
    FineRun run = runs.start();
    for (const SessionIndex session : order)
      while (run.sessions[session].machine)
        runs.move(run, {.session = session});
    out.insert(runs.rows(run));
  } while (std::ranges::next_permutation(order).found);
  return out;
}

// Outcomes that are those of no serial order of the calls that committed.
std::size_t count_not_serial(const database::Scenario& scenario) {
  const FineRuns runs(scenario);
  ReducedSearch search(runs, Reduction::Reduced, Budget());
  std::size_t out = 0;
  search.run(runs.start(), [&](const FineRun& run) {
    std::vector<SessionIndex> committed;
    for (SessionIndex i = 0; i < run.sessions.size(); ++i)
      if (run.sessions[i].ends[0].kind == database::CallEnd::Kind::Committed)
        committed.push_back(i);
    out += rows_of_serial_orders(scenario, committed).contains(runs.rows(run)) ? 0 : 1;
    return true;
  });
  return out;
}

TEST_P(SqliteSchedules, are_serializable_if_errors_end_calls) {
  for (std::uint64_t seed = 1; seed <= effort(1'000U, 100U, 10U); ++seed) {
    const RandomScenario random =
        random_scenario(seed, Database::Sqlite, Errors::EndTheCall);
    const program::Program program = program_of(random);
    const database::Scenario scenario{
        .program = program, .begin = random.begin, .server = GetParam()};
    EXPECT_EQ(count_not_serial(scenario), 0U) << "seed " << seed << shown(random);
  }
}

// Who passes the error over and commits has lost what failed.
TEST(SqliteErrors, that_are_passed_over_lose_updates) {
  const RandomScenario random{.application =
                                  "CREATE TABLE t (id int PRIMARY KEY, a int);\n"
                                  "CREATE PROCEDURE add(k int) LANGUAGE plpgsql AS $$\n"
                                  "DECLARE x int;\nBEGIN\n"
                                  "  SELECT a INTO x FROM t WHERE id = 1;\n"
                                  "  BEGIN UPDATE t SET a = x + k WHERE id = 1;\n"
                                  "  EXCEPTION WHEN serialization_failure THEN NULL; END;\n"
                                  "END $$;\n",
                              .sessions =
                                  "[init]\nsql = \"INSERT INTO t VALUES (1, 0)\"\n"
                                  "[[session]]\ncalls = [\"add(1)\"]\n"
                                  "[[session]]\ncalls = [\"add(2)\"]\n",
                              .begin = {{}}};
  const program::Program program = program_of(random);
  const auto at = [&](bool is_immediate) {
    return database::Scenario{.program = program,
                              .begin = {{.is_immediate = is_immediate}},
                              .server = {.database = Database::Sqlite}};
  };
  EXPECT_GT(count_not_serial(at(false)), 0U);
  EXPECT_EQ(count_not_serial(at(true)), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    AllSetUps, SqliteSchedules,
    testing::Values(ServerKind{.database = Database::Sqlite},
                    ServerKind{.database = Database::Sqlite, .fails_when_busy = true},
                    ServerKind{.database = Database::Sqlite, .has_wal = true},
                    ServerKind{.database = Database::Sqlite,
                               .has_wal = true,
                               .fails_when_busy = true}));

}  // namespace
}  // namespace isomer::explore
