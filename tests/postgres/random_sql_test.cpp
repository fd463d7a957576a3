// SPDX-License-Identifier: MIT
// Random statements mean the same to Isomer and to PostgreSQL.  --gtest_random_seed gives
// others.
#include "support/random_sql/random_sql.h"

#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "postgres/serial_run.h"
#include "program/sql/script.h"
#include "support/effort.h"

namespace isomer::test {
namespace {

constexpr int batches = effort(10, 2);
constexpr int statements_per_batch = 500;
constexpr int failures_max = 10;

// The functions without arguments, in their order; the others are what these call.
std::vector<program::Call> calls_of(const program::Program& program) {
  std::vector<program::Call> calls;
  for (std::uint32_t i = 0; i < program.types.size(); ++i)
    if (program.types[i].parameter_count == 0) calls.emplace_back().type = i;
  return calls;
}

std::string text_of(const RandomSql& random, const std::string& call) {
  const std::size_t first = random.sql.find("CREATE FUNCTION " + call);
  return random.sql.substr(first, random.sql.find("$$;", first) - first);
}

struct Counts {
  std::map<std::string, int> sqlstates;
  int committed = 0;
};

// Compares one batch, and counts how its statements ended.
void compare(std::uint64_t seed, const RandomSql& random, Counts& counts) {
  const auto program = program::parse_sql("random.sql", random.sql);
  ASSERT_TRUE(program) << render(program.error());
  const Database database(server(), {fmt::format("random{}", seed), random.sql, "", {}});
  const SerialRun theirs = database.run(random.calls);
  const SerialRun ours = run_serially(*program, calls_of(*program));
  int failures = 0;
  for (std::size_t i = 0; i < random.calls.size(); ++i) {
    const std::string& outcome = theirs.outcomes[i];
    if (outcome.starts_with("aborted: ")) ++counts.sqlstates[outcome.substr(9)];
    if (outcome.starts_with("committed")) ++counts.committed;
    if (ours.outcomes[i] == outcome || ++failures > failures_max) continue;
    ADD_FAILURE() << "seed " << seed << ", " << text_of(random, random.calls[i])
                  << "\nIsomer:     " << ours.outcomes[i] << " " << ours.messages[i]
                  << "\nPostgreSQL: " << outcome << " " << theirs.messages[i];
  }
  EXPECT_TRUE(failures > 0 || ours.tables == theirs.tables) << "seed " << seed;
}

TEST(RandomSql, statements_end_alike) {
  ASSERT_EQ(server().problem(), "");
  Counts counts;
  const auto first = static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)) * batches;
  for (std::uint64_t seed = first + 1; seed <= first + batches; ++seed)
    compare(seed, random_sql(seed, statements_per_batch), counts);
  EXPECT_GT(counts.committed, 200 * batches);
  // What RAISE itself says of its options.
  const std::set<std::string> by_raise = {"42601", "42704"};
  for (const auto& [sqlstate, count] : counts.sqlstates)
    EXPECT_TRUE(!sqlstate.starts_with("42") || by_raise.contains(sqlstate))
        << "a statement is ill typed: " << sqlstate;
  if (is_slow_build) return;  // too few statements for the rare ones
  for (const char* sqlstate :
       {"22001", "22003", "22004", "22007", "22008", "22011", "22012", "22025", "22P02",
        "23502", "23503", "23505", "23514", "42704", "P0002"})
    EXPECT_GT(counts.sqlstates[sqlstate], 0) << sqlstate;
}

TEST(RandomSql, rows_that_are_computed_are_alike) {
  ASSERT_EQ(server().problem(), "");
  Counts counts;
  const auto seed = static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)) + 1'000'000;
  compare(seed, random_computed_sql(seed, statements_per_batch), counts);
  EXPECT_EQ(counts.committed, statements_per_batch + 1);
}

}  // namespace
}  // namespace isomer::test
