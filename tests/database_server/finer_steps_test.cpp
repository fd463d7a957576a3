// SPDX-License-Identifier: MIT
// Commits fall between the snapshot of a statement and its locks, on a real server too.
// There a statement is held in between: a trigger that comes before its first row waits
// for an advisory lock.  What comes of that is among the outcomes of the model, and some of
// it no schedule of whole statements gives.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "explore/fine_run.h"
#include "explore/reduced_search.h"
#include "explore/statement_runs.h"
#include "postgres/server.h"
#include "server/postgresql_server.h"
#include "support/effort.h"
#include "unit/explore/random_schedules.h"

namespace isomer::test {
namespace {

using database::ScheduleRun;
using database::SessionIndex;
using explore::RandomScenario;

using Outcomes = std::set<std::string>;

Outcomes outcomes_of(const auto& runs, const explore::FineRuns& fine) {
  Outcomes out;
  explore::ReducedSearch search(runs, explore::Reduction::StatesOnce, Budget());
  const bool is_complete = search.run(runs.start(), [&](const explore::FineRun& run) {
    out.insert(explore::told(explore::FineRuns::calls(run), fine.rows(run)));
    return search.schedules() < 100'000;
  });
  return is_complete ? out : Outcomes();
}

// The first statement that changes rows while somebody has lock 99 waits for it, behind its
// snapshot.  Lock 98 says that one has done so.
constexpr std::string_view hold = R"(
CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_try_advisory_xact_lock_shared(99) THEN RETURN NULL; END IF;
  IF pg_try_advisory_xact_lock(98) THEN
    PERFORM pg_advisory_lock_shared(99);
    PERFORM pg_advisory_unlock_shared(99);
  END IF;
  RETURN NULL;
END $$)";

void hold_statements(const program::Program& program) {
  const Connection connection(server());
  const auto found = connection.run(
      "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'isomer%' ORDER BY oid DESC");
  ASSERT_FALSE(found.rows.empty());
  connection.must("SET search_path = " + *found.rows[0][0]);
  connection.must(std::string(hold));
  for (const program::Table& table : program.tables)
    connection.must(
        fmt::format("CREATE TRIGGER hold BEFORE INSERT OR UPDATE OR DELETE ON {} FOR EACH "
                    "STATEMENT EXECUTE FUNCTION hold()",
                    table.name));
}

// With one more session, the last, who has lock 99 for a while.
RandomScenario with_holder(const RandomScenario& random) {
  RandomScenario out = random;
  out.application +=
      "CREATE PROCEDURE hold_others() LANGUAGE plpgsql AS $$\n"
      "BEGIN\n  PERFORM pg_advisory_xact_lock(99);\nEND $$;\n";
  out.sessions += "[[session]]\nname = \"holder\"\ncalls = [\"hold_others()\"]\n";
  out.begin.emplace_back();
  return out;
}

// The holder comes and goes at some time.
std::string told_of(const database::Scenario& scenario, server::PostgresqlServer& server,
                    Random& random) {
  EXPECT_EQ(server.reset(), "");
  ScheduleRun run(scenario, server);
  database::run_randomly(run, random);
  auto calls = run.calls();
  calls.pop_back();
  return explore::told(calls, run.committed_rows());
}

// One session computes from two tables, others change both, one after the other.
RandomScenario two_tables(std::uint64_t seed) {
  static constexpr std::array readers = {
      "UPDATE r SET v = v * 2 + 10 * (SELECT sum(v) FROM g)",
      "UPDATE r SET v = v + (SELECT v FROM g WHERE id = 1) WHERE v < 2",
      "UPDATE r SET v = (SELECT count(*) FROM g WHERE g.v = r.v)",
      "DELETE FROM r WHERE v = (SELECT v FROM g WHERE id = 1)",
      "INSERT INTO r SELECT id + 2, v + (SELECT max(v) FROM r) FROM g WHERE id = 1"};
  static constexpr std::array changes_of_g = {
      "UPDATE g SET v = v + 1",
      "INSERT INTO g VALUES (2, 5) ON CONFLICT (id) DO UPDATE SET v = g.v + 1",
      "DELETE FROM g WHERE v = 0"};
  static constexpr std::array changes_of_r = {
      "UPDATE r SET v = v + 1 WHERE (SELECT v FROM g WHERE id = 1) = 1",
      "UPDATE r SET v = v + 100 WHERE v < 100",
      "DELETE FROM r WHERE NOT EXISTS (SELECT 1 FROM g WHERE g.v = 0)"};
  Random random(seed);
  RandomScenario out{.application =
                         "CREATE TABLE r (id int PRIMARY KEY, v int);\n"
                         "CREATE TABLE g (id int PRIMARY KEY, v int);\n",
                     .sessions =
                         "[init]\nsql = \"INSERT INTO r VALUES (1, 0), (2, 1); "
                         "INSERT INTO g VALUES (1, 0)\"\n",
                     .begin = {}};
  const auto add = [&](const char* statement) {
    const std::size_t number = out.begin.size();
    out.application += fmt::format(
        "CREATE PROCEDURE p{}() LANGUAGE plpgsql AS $$\nBEGIN\n  {};\nEND $$;\n", number,
        statement);
    out.begin.push_back({.level = random.below(4) == 0
                                      ? database::IsolationLevel::RepeatableRead
                                      : database::IsolationLevel::ReadCommitted});
    return number;
  };
  const std::size_t reader = add(readers[random.below(readers.size())]);
  const std::size_t first = add(changes_of_g[random.below(changes_of_g.size())]);
  const std::size_t second = add(changes_of_r[random.below(changes_of_r.size())]);
  out.sessions += fmt::format(
      "[[session]]\nname = \"ann\"\ncalls = [\"p{}()\"]\n"
      "[[session]]\nname = \"bob\"\ncalls = [\"p{}()\", \"p{}()\"]\n",
      reader, first, second);
  return out;
}

struct Tally {
  std::size_t applications = 0;
  std::size_t runs = 0;
  std::size_t finer = 0;  // with an outcome that whole statements do not have
};

void hold_and_compare(const RandomScenario& random, std::uint64_t seed, Tally& tally) {
  const program::Program program = explore::program_of(random);
  const database::Scenario scenario{.program = program, .begin = random.begin};
  const explore::FineRuns fine(scenario);
  const Outcomes by_steps = outcomes_of(fine, fine);
  const Outcomes by_statements = outcomes_of(explore::StatementRuns(scenario), fine);
  if (by_steps.size() == by_statements.size()) return;
  ++tally.applications;
  const RandomScenario held = with_holder(random);
  const program::Program with_one_more = explore::program_of(held);
  auto server = server::PostgresqlServer::connect(
      with_one_more,
      {.address = "user=postgres dbname=postgres host=" + test::server().socket_folder()});
  ASSERT_TRUE(server) << server.error();
  hold_statements(program);
  const database::Scenario on_server{.program = with_one_more, .begin = held.begin};
  Random choice(seed);
  for (int i = 0; i < 40; ++i, ++tally.runs) {
    const std::string told = told_of(on_server, **server, choice);
    EXPECT_TRUE(by_steps.contains(told)) << seed << "\n"
                                         << random.application << random.sessions << told;
    tally.finer += by_steps.contains(told) && !by_statements.contains(told) ? 1U : 0U;
  }
}

TEST(FinerSteps, of_a_real_server_are_those_of_the_model) {
  ASSERT_EQ(server().problem(), "");
  Tally tally;
  for (std::uint64_t seed = 1; seed <= effort(1'000U, 120U, 40U); ++seed)
    hold_and_compare(two_tables(seed), seed, tally);
  fmt::print("{} applications, {} runs on the server, {} of them by finer steps alone\n",
             tally.applications, tally.runs, tally.finer);
  EXPECT_GT(tally.finer, 0U);
}

}  // namespace
}  // namespace isomer::test
