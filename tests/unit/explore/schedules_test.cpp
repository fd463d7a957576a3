// SPDX-License-Identifier: MIT
#include "explore/schedules.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "database/model.h"
#include "explore/model_run.h"
#include "explore/statement_runs.h"
#include "found_outcomes.h"
#include "program/load.h"
#include "support/effort.h"

namespace isomer::explore {
namespace {

using database::IsolationLevel;

database::Scenario at_level(const program::Program& program, IsolationLevel level) {
  return {
      .program = program,
      .begin = std::vector<database::BeginOptions>(program.types.size(), {.level = level})};
}

// --- the reduction ---

// How many were small enough for all orders.
std::uint64_t compare_with_brute_force(const database::ServerKind& kind,
                                       std::uint64_t applications) {
  std::uint64_t by_every_order = 0;
  for (std::uint64_t seed = 1; seed <= applications; ++seed) {
    const RandomScenario random = random_scenario(seed, kind.database);
    const program::Program program = program_of(random);
    const database::Scenario scenario{
        .program = program, .begin = random.begin, .server = kind};
    const FineRuns runs(scenario);
    const Found by_states = found(runs, Reduction::StatesOnce, 100'000);
    if (!by_states.is_complete) continue;
    const Found reduced = found(runs, Reduction::Reduced, 100'000);
    EXPECT_EQ(reduced.outcomes, by_states.outcomes) << "seed " << seed << shown(random);
    const Found by_orders = found(runs, Reduction::None, 2'000);
    if (!by_orders.is_complete) continue;
    ++by_every_order;
    EXPECT_EQ(by_orders.outcomes, by_states.outcomes) << "seed " << seed << shown(random);
  }
  return by_every_order;
}

TEST(Schedules, reduction_finds_what_brute_force_finds) {
  EXPECT_GT(compare_with_brute_force({}, effort(2000U, 400U, 40U)),
            effort(1000U, 200U, 20U));
}

TEST(Schedules, reduction_finds_what_brute_force_finds_on_mariadb) {
  const database::ServerKind mariadb{.database = database::Database::MariaDb};
  EXPECT_GT(compare_with_brute_force(mariadb, effort(300U, 30U)), effort(100U, 10U));
  const database::ServerKind with_snapshots{.database = database::Database::MariaDb,
                                            .has_snapshot_isolation = true};
  EXPECT_GT(compare_with_brute_force(with_snapshots, effort(100U, 10U)), effort(30U, 3U));
}

// --- progress ---

TEST(Schedules, progress_is_told_while_the_search_goes_on) {
  const auto program = program::load_program(std::string(ISOMER_SOURCE_DIR) +
                                             "/examples/apps/tpcc/deliveries.toml");
  ASSERT_TRUE(program);
  std::vector<ScheduleProgress> told;
  const Explored explored = every_outcome(
      at_level(*program, IsolationLevel::ReadCommitted),
      {.minimise = false,
       .on_progress = [&](const ScheduleProgress& at) { told.push_back(at); }});
  ASSERT_GT(told.size(), 2U);
  for (std::size_t i = 1; i < told.size(); ++i) {
    EXPECT_GT(told[i].states, told[i - 1].states);
    EXPECT_GE(told[i].schedules, told[i - 1].schedules);
    EXPECT_GE(told[i].outcomes, told[i - 1].outcomes);
  }
  EXPECT_LE(told.back().states, explored.states);
  EXPECT_LE(told.back().outcomes, explored.outcomes);
  EXPECT_GT(told.back().outcomes, 0U);
}

// --- whole statements ---

// The victim of each circle is chosen anew; as many have been asked as there are numbers.
std::set<std::string> told_of_server(const database::Scenario& scenario,
                                     std::size_t victim) {
  std::set<std::string> out;
  std::optional<database::Model> model;
  const auto all = every_schedule(
      scenario,
      [&]() -> database::Server& {
        model.emplace(
            scenario.server, scenario.program, scenario.program.sessions.size(),
            [&](std::span<const SessionIndex> circle) { return victim % circle.size(); });
        return *model;
      },
      [&](const database::ScheduleRun& run) {
        out.insert(told(run.calls(), run.committed_rows()));
        return true;
      },
      {.schedules_max = 3'000});
  if (!all.is_complete) out.clear();
  return out;
}

// None if there are too many to go through all.
std::set<std::string> told_of_runs(const auto& runs, const FineRuns& fine) {
  constexpr std::uint64_t schedules_max = 100'000;
  std::set<std::string> out;
  ReducedSearch search(runs, Reduction::StatesOnce, Budget());
  search.run(runs.start(), [&](const FineRun& run) {
    std::vector<std::vector<database::CallEnd>> calls;
    for (const FineRun::Session& session : run.sessions)
      calls.push_back(session.ends);
    out.insert(told(calls, fine.rows(run)));
    return search.schedules() < schedules_max;
  });
  if (search.schedules() >= schedules_max) out.clear();
  return out;
}

TEST(Schedules, of_statements_end_as_on_a_server_and_are_a_part_of_all) {
  std::size_t compared = 0;
  std::size_t larger = 0;
  for (std::uint64_t seed = 1; seed <= effort(300U, 30U); ++seed) {
    const RandomScenario random = random_scenario(seed);
    const program::Program program = program_of(random);
    const database::Scenario scenario{.program = program, .begin = random.begin};
    const FineRuns fine(scenario);
    const auto by_statements = told_of_runs(StatementRuns(scenario), fine);
    auto on_server = told_of_server(scenario, 0);
    if (on_server.empty() || by_statements.empty()) continue;
    on_server.merge(told_of_server(scenario, 1));
    ++compared;
    EXPECT_TRUE(std::ranges::includes(by_statements, on_server)) << seed << shown(random);
    if (program.sessions.size() == 2) {
      EXPECT_EQ(by_statements, on_server) << shown(random);
    }
    const auto by_steps = told_of_runs(fine, fine);
    if (by_steps.empty()) continue;
    EXPECT_TRUE(std::ranges::includes(by_steps, by_statements)) << seed << shown(random);
    larger += by_steps.size() > by_statements.size() ? 1 : 0;
  }
  EXPECT_GT(compared, effort(200U, 20U));
  EXPECT_GE(larger, effort(1U, 0U));
}

// --- conflicts ---

// The tests above are worth something only if they notice a conflict that is forgotten.
enum class Forgotten : std::uint8_t {
  Rows,
  Keys,
  Reads,
  Tables,
  Advice,
  Ends,
  // What only MariaDB has.
  Ranges,
  Queues,
};

struct ForgetfulRuns : FineRuns {
  Forgotten what;

  ForgetfulRuns(const database::Scenario& scenario, Forgotten forgotten)
      : FineRuns(scenario), what(forgotten) {}

  [[nodiscard]] Footprint without(Footprint of) const {
    if (what == Forgotten::Rows) of.rows.clear();
    if (what == Forgotten::Keys) of.keys.clear();
    if (what == Forgotten::Reads) of.reads.clear();
    if (what == Forgotten::Tables) of.tables.clear();
    if (what == Forgotten::Advice) of.advised.clear();
    if (what == Forgotten::Ends && of.ends) of = {};
    if (what == Forgotten::Ranges) of.ranges.clear();
    if (what == Forgotten::Queues) of.queues = false;
    return of;
  }

  [[nodiscard]] bool conflict(const Footprint& a, const Footprint& b) const {
    return FineRuns::conflict(without(a), without(b));
  }
};

// Random ones seldom lock numbers in opposite orders.
RandomScenario opposite_advisory_locks() {
  RandomScenario out;
  out.application =
      "CREATE PROCEDURE p(a int, b int) LANGUAGE plpgsql AS $$\nBEGIN\n"
      "  PERFORM pg_advisory_xact_lock(a);\n"
      "  PERFORM pg_advisory_xact_lock(b);\nEND $$;\n";
  out.sessions =
      "[[session]]\nname = \"ann\"\ncalls = [\"p(1, 2)\"]\n"
      "[[session]]\nname = \"bob\"\ncalls = [\"p(2, 1)\"]\n";
  out.begin.resize(1);
  return out;
}

class ForgottenConflict : public testing::TestWithParam<Forgotten> {};

TEST_P(ForgottenConflict, loses_outcomes) {
  if (is_slow_build) GTEST_SKIP() << "takes thousands of applications";
  bool is_noticed = false;
  const database::ServerKind kind{.database = GetParam() >= Forgotten::Ranges
                                                  ? database::Database::MariaDb
                                                  : database::Database::PostgreSql};
  for (std::uint64_t seed = 0; seed <= 1000 && !is_noticed; ++seed) {
    const RandomScenario random = seed == 0 && GetParam() < Forgotten::Ranges
                                      ? opposite_advisory_locks()
                                      : random_scenario(seed, kind.database);
    const program::Program program = program_of(random);
    const database::Scenario scenario{
        .program = program, .begin = random.begin, .server = kind};
    const Found reduced = found(FineRuns(scenario), Reduction::Reduced, 2'000);
    if (!reduced.is_complete) continue;
    is_noticed =
        found(ForgetfulRuns(scenario, GetParam()), Reduction::Reduced, 2'000).outcomes !=
        reduced.outcomes;
  }
  EXPECT_TRUE(is_noticed);
}

INSTANTIATE_TEST_SUITE_P(Schedules, ForgottenConflict,
                         testing::Values(Forgotten::Rows, Forgotten::Keys, Forgotten::Reads,
                                         Forgotten::Tables, Forgotten::Advice,
                                         Forgotten::Ends, Forgotten::Ranges));

// Pairs of moves, in random states, of which conflict() says that they commute.
struct Pairs {
  std::uint64_t commuting = 0;
  std::uint64_t differing = 0;
  std::string first_difference{};
};

template <class Runs>
void look_at_pairs(const Runs& runs, std::uint64_t seed, Pairs& out) {
  Random random(seed);
  FineRun run = runs.start();
  for (auto able = runs.sessions(run); !able.empty(); able = runs.sessions(run)) {
    for (const SessionIndex a : able)
      for (const SessionIndex b : able) {
        if (a >= b) continue;
        FineRun ab = run;
        FineRun ba = run;
        const auto first = runs.move(ab, {.session = a});
        const auto second = runs.move(ba, {.session = b});
        if (runs.conflict(first, second)) continue;
        ++out.commuting;
        runs.move(ab, {.session = b});
        runs.move(ba, {.session = a});
        if (runs.fingerprint(ab) == runs.fingerprint(ba)) continue;
        ++out.differing;
        if (out.first_difference.empty())
          out.first_difference = "seed " + std::to_string(seed) + ": sessions " +
                                 std::to_string(a) + ", " + std::to_string(b);
      }
    const SessionIndex who = able[random.below(able.size())];
    const std::size_t choice = random.below(runs.choices(run, who));
    runs.move(run, {.session = who, .choice = choice});
  }
}

TEST(Schedules, moves_that_do_not_conflict_commute_on_mariadb) {
  Pairs pairs;
  Pairs forgetful;
  for (std::uint64_t seed = 1; seed <= effort(20'000U, 1'500U, 150U); ++seed) {
    const RandomScenario random = random_scenario(seed, database::Database::MariaDb);
    const program::Program program = program_of(random);
    const database::Scenario scenario{.program = program,
                                      .begin = random.begin,
                                      .server = {.database = database::Database::MariaDb}};
    look_at_pairs(FineRuns(scenario), seed, pairs);
    if (pairs.differing > 0) {
      ADD_FAILURE() << pairs.first_difference << shown(random);
      return;
    }
    look_at_pairs(ForgetfulRuns(scenario, Forgotten::Queues), seed, forgetful);
  }
  EXPECT_GT(pairs.commuting, effort(5'000U, 500U));
  EXPECT_GT(forgetful.differing, 0U);
}

RandomScenario four_sessions_with_two_conflicts() {
  RandomScenario out;
  out.application = "CREATE TABLE t (id int PRIMARY KEY, a int);\n";
  out.sessions = "[init]\nsql = \"INSERT INTO t VALUES (0, 0)";
  for (int i = 1; i < 12; ++i)
    out.sessions += ", (" + std::to_string(i) + ", 0)";
  out.sessions += "\"\n";
  // Sessions 0 and 1 meet in row 0, sessions 2 and 3 in row 6.
  const int rows[4][3] = {{0, 1, 2}, {3, 4, 0}, {6, 7, 8}, {9, 10, 6}};
  for (int i = 0; i < 4; ++i) {
    const std::string name = "p" + std::to_string(i);
    out.application += "CREATE PROCEDURE " + name + "() LANGUAGE plpgsql AS $$\nBEGIN\n";
    for (const int row : rows[i])
      out.application += "  UPDATE t SET a = a * 2 + " + std::to_string(i) +
                         " WHERE id = " + std::to_string(row) + ";\n";
    out.application += "END $$;\n";
    out.sessions += "[[session]]\nname = \"" + name + "\"\ncalls = [\"" + name + "()\"]\n";
  }
  out.begin.resize(4);
  return out;
}

// Of 7 moves each there are 28! / 7!^4 orders; some are cut short by a wait.
TEST(Schedules, few_of_many_orders_are_tried) {
  const RandomScenario random = four_sessions_with_two_conflicts();
  const program::Program program = program_of(random);
  const database::Scenario scenario{.program = program, .begin = random.begin};
  const FineRuns runs(scenario);
  EXPECT_FALSE(found(runs, Reduction::None, 20'000).is_complete);
  const Found reduced = found(runs, Reduction::Reduced, 20'000);
  EXPECT_TRUE(reduced.is_complete);
  EXPECT_EQ(reduced.outcomes.size(), 4U);
  EXPECT_LE(reduced.schedules, 1'000U);
}

// --- what a real server answered ---

struct Expected {
  std::string application;
  std::string invariant;
  IsolationLevel level = IsolationLevel::ReadCommitted;
  bool is_broken = false;
};

std::vector<Expected> expectations() {
  std::vector<Expected> out;
  std::ifstream in(ISOMER_SOURCE_DIR "/tests/corpus/database/cases/expected.csv");
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    Expected& expected = out.emplace_back();
    std::string level;
    std::string broken;
    std::getline(fields, expected.application, ',');
    std::getline(fields, expected.invariant, ',');
    std::getline(fields, level, ',');
    std::getline(fields, broken, ',');
    expected.level = level == "READ COMMITTED"    ? IsolationLevel::ReadCommitted
                     : level == "REPEATABLE READ" ? IsolationLevel::RepeatableRead
                                                  : IsolationLevel::Serializable;
    expected.is_broken = broken == "yes";
  }
  return out;
}

TEST(Schedules, break_the_invariants_that_a_server_breaks) {
  std::size_t compared = 0;
  for (const Expected& expected : expectations()) {
    const auto program = program::load_program(
        ISOMER_SOURCE_DIR "/tests/corpus/database/cases/" + expected.application + ".toml");
    ASSERT_TRUE(program) << render(program.error());
    const Explored explored =
        every_outcome(at_level(*program, expected.level), {.minimise = false});
    EXPECT_TRUE(explored.is_complete);
    for (const InvariantCount& count : explored.invariants) {
      if (count.name != expected.invariant) continue;
      ++compared;
      EXPECT_EQ(count.broken > 0, expected.is_broken)
          << expected.application << ", " << expected.invariant << " at level "
          << static_cast<int>(expected.level);
      EXPECT_EQ(count.held + count.broken, explored.outcomes);
    }
  }
  EXPECT_EQ(compared, 132U);
}

// --- failures ---

RandomScenario two_counters(const std::string& body) {
  return {.application =
              "CREATE TABLE t (id int PRIMARY KEY, a int);\n"
              "CREATE PROCEDURE add(k int) LANGUAGE plpgsql AS $$\n"
              "DECLARE x int;\nBEGIN\n" +
              body + "END $$;\n",
          .sessions =
              "[init]\nsql = \"INSERT INTO t VALUES (1, 0), (2, 0)\"\n"
              "[[session]]\nname = \"ann\"\ncalls = [\"add(1)\"]\n"
              "[[session]]\nname = \"bob\"\ncalls = [\"add(1)\"]\n"
              "[[session]]\nname = \"cid\"\ncalls = [\"add(2)\"]\n"
              "[invariant]\n\"all count\" = \"SELECT sum(a) = 3 FROM t\"\n",
          .begin = {{}}};
}

TEST(Schedules, lose_updates_at_read_committed_in_whole_statements) {
  const RandomScenario random = two_counters(
      "  SELECT a INTO x FROM t WHERE id = k;\n  UPDATE t SET a = x + 1 WHERE id = k;\n");
  const program::Program program = program_of(random);
  const Explored explored =
      every_outcome(at_level(program, IsolationLevel::ReadCommitted), {});
  EXPECT_TRUE(explored.is_complete);
  ASSERT_TRUE(explored.failure);
  const ScheduleFailure& failure = *explored.failure;
  EXPECT_EQ(failure.invariant, "all count");
  EXPECT_TRUE(failure.is_by_statements());
  ASSERT_EQ(failure.steps.size(), failure.schedule.size());
  EXPECT_TRUE(explored.sqlstates.empty());
  // Ann or bob has to read while the other one is on the way: two changes between them.
  std::size_t switches = 0;
  for (std::size_t i = 1; i < failure.schedule.size(); ++i)
    switches += failure.schedule[i] != failure.schedule[i - 1] ? 1 : 0;
  EXPECT_LE(switches, 3U);
}

TEST(Schedules, keep_atomic_updates) {
  const RandomScenario random = two_counters("  UPDATE t SET a = a + 1 WHERE id = k;\n");
  const program::Program program = program_of(random);
  for (const auto level : {IsolationLevel::ReadCommitted, IsolationLevel::RepeatableRead}) {
    const Explored explored = every_outcome(at_level(program, level), {});
    EXPECT_TRUE(explored.is_complete);
    const bool fails = level == IsolationLevel::RepeatableRead;
    EXPECT_EQ(explored.sqlstates.contains("40001"), fails);
    EXPECT_EQ(explored.failure.has_value(), fails);
  }
}

// Who inserts a child has a weak lock on the parent.  It goes to the newest version of that
// with the others, and still locks it alone: nobody comes into a deadlock.
TEST(Schedules, lock_the_newest_version_one_after_the_other) {
  const RandomScenario random{
      .application =
          "CREATE TABLE t (id int PRIMARY KEY, a int);\n"
          "CREATE TABLE c (id int PRIMARY KEY, t int REFERENCES t);\n"
          "CREATE PROCEDURE add(k int) LANGUAGE plpgsql AS $$\nBEGIN\n"
          "  INSERT INTO c VALUES (k, 1);\n"
          "  UPDATE t SET a = a + 1 WHERE id = 1;\nEND $$;\n",
      .sessions =
          "[init]\nsql = \"INSERT INTO t VALUES (1, 0)\"\n"
          "[[session]]\ncalls = [\"add(1)\"]\n"
          "[[session]]\ncalls = [\"add(2)\"]\n"
          "[[session]]\ncalls = [\"add(3)\"]\n"
          "[invariant]\n\"all count\" = \"SELECT a = 3 FROM t\"\n",
      .begin = {}};
  const program::Program program = program_of(random);
  const Explored explored =
      every_outcome(at_level(program, IsolationLevel::ReadCommitted), {});
  EXPECT_TRUE(explored.is_complete);
  EXPECT_FALSE(explored.failure);
  EXPECT_TRUE(explored.sqlstates.empty());
}

// "call" is no table of the application.
TEST(Schedules, are_asked_how_calls_end) {
  RandomScenario random = two_counters("  UPDATE t SET a = a + 1 WHERE id = k;\n");
  random.sessions +=
      "\"nobody fails\" = \"SELECT count(*) = 0 FROM call WHERE NOT committed\"\n"
      "\"fails with 40001\" = \"SELECT NOT EXISTS (SELECT 1 FROM call WHERE "
      "sqlstate <> '40001')\"\n"
      "\"three\" = \"SELECT count(*) = 3 FROM call WHERE routine = 'add'\"\n";
  const program::Program program = program_of(random);
  const Explored explored =
      every_outcome(at_level(program, IsolationLevel::RepeatableRead), {.minimise = false});
  ASSERT_EQ(explored.invariants.size(), 4U);
  EXPECT_EQ(explored.invariants[1].name, "nobody fails");
  EXPECT_GT(explored.invariants[1].broken, 0U);
  EXPECT_GT(explored.invariants[1].held, 0U);
  EXPECT_EQ(explored.invariants[2].broken, 0U);
  EXPECT_EQ(explored.invariants[3].broken, 0U);
}

// A commit between the snapshot of a statement and its lock: doubling looks again at the
// new version of r, and still has the g that was there before r was changed.
TEST(Schedules, need_finer_steps_than_statements) {
  const RandomScenario random = {
      .application =
          "CREATE TABLE r (id int PRIMARY KEY, v int);\n"
          "CREATE TABLE g (id int PRIMARY KEY, v int);\n"
          "CREATE PROCEDURE double() LANGUAGE plpgsql AS $$\nBEGIN\n"
          "  UPDATE r SET v = v * 2 + 10 + 1000 * (SELECT v FROM g);\n"
          "END $$;\n"
          "CREATE PROCEDURE open() LANGUAGE plpgsql AS $$\nBEGIN\n"
          "  UPDATE g SET v = 1;\nEND $$;\n"
          "CREATE PROCEDURE add() LANGUAGE plpgsql AS $$\nBEGIN\n"
          "  UPDATE r SET v = v + 100 WHERE (SELECT v FROM g) = 1;\nEND $$;\n",
      .sessions =
          "[init]\nsql = \"INSERT INTO r VALUES (1, 0); INSERT INTO g VALUES (1, 0)\"\n"
          "[[session]]\nname = \"ann\"\ncalls = [\"double()\"]\n"
          "[[session]]\nname = \"bob\"\ncalls = [\"open()\", \"add()\"]\n"
          "[invariant]\n\"what is doubled is open\" = \"SELECT v <> 210 FROM r\"\n",
      .begin = {}};
  const program::Program program = program_of(random);
  const auto scenario = at_level(program, IsolationLevel::ReadCommitted);
  EXPECT_FALSE(every_outcome(scenario, {.steps = Steps::Statements}).failure);
  const Explored explored = every_outcome(scenario, {});
  EXPECT_TRUE(explored.is_complete);
  ASSERT_TRUE(explored.failure);
  const ScheduleFailure& failure = *explored.failure;
  EXPECT_FALSE(failure.is_by_statements());
  // Ann's UPDATE comes first, and once more after what bob does.
  ASSERT_FALSE(failure.order.empty());
  EXPECT_GT(std::ranges::count(failure.order, failure.order.front()), 1);
  EXPECT_EQ(failure.steps[failure.order.front()].session, 0U);
}

// A call without an end is no schedule: the answer is open.
TEST(Schedules, that_have_no_end_leave_the_answer_open) {
  const RandomScenario random{.application =
                                  "CREATE TABLE t (id int PRIMARY KEY, a int);\n"
                                  "CREATE PROCEDURE spin() LANGUAGE plpgsql AS $$\nBEGIN\n"
                                  "  LOOP PERFORM count(*) FROM t; END LOOP;\nEND $$;\n",
                              .sessions =
                                  "[[session]]\ncalls = [\"spin()\"]\n"
                                  "[[session]]\ncalls = [\"spin()\"]\n",
                              .begin = {}};
  const program::Program program = program_of(random);
  const Explored explored =
      every_outcome(at_level(program, IsolationLevel::ReadCommitted), {});
  EXPECT_FALSE(explored.is_complete);
  EXPECT_EQ(explored.unknown, "a schedule of more than 5000 steps");
}

// SAVEPOINT and RELEASE are entries of a schedule, though nobody else notices them.
TEST(Schedules, tell_savepoints_of_scripts) {
  const RandomScenario random{
      .application = "CREATE TABLE t (id int PRIMARY KEY, a int);\n",
      .sessions =
          "[init]\nsql = \"INSERT INTO t VALUES (1, 0)\"\n"
          "[[session]]\nscript = \"BEGIN; SAVEPOINT s; UPDATE t SET a = a + 1; "
          "RELEASE s; SAVEPOINT s; UPDATE t SET a = a + 1; COMMIT;\"\n"
          "[[session]]\nscript = \"UPDATE t SET a = a * 2\"\n"
          "[invariant]\n\"never\" = \"SELECT a < 0 FROM t\"\n",
      .begin = {}};
  const program::Program program = program_of(random);
  const Explored explored =
      every_outcome(at_level(program, IsolationLevel::ReadCommitted), {});
  ASSERT_TRUE(explored.failure);
  const ScheduleFailure& failure = *explored.failure;
  EXPECT_TRUE(failure.is_done_by_run);
  EXPECT_EQ(failure.schedule, (std::vector<SessionIndex>{0, 0, 0, 0, 0, 0, 1, 1}));
  std::vector<std::string> texts;
  for (const database::ScheduleStep& step : failure.steps)
    texts.push_back(step.text);
  EXPECT_EQ(texts,
            (std::vector<std::string>{"SAVEPOINT s", "UPDATE t SET a = a + 1", "RELEASE s",
                                      "SAVEPOINT s", "UPDATE t SET a = a + 1", "COMMIT",
                                      "UPDATE t SET a = a * 2", "COMMIT"}));
}

// At REPEATABLE READ one of two that count together fails; whoever tries again is counted.
// What goes wrong in silence is told apart, and shown.
TEST(Schedules, tell_what_breaks_only_after_errors) {
  RandomScenario random = {.application =
                               "CREATE TABLE rate (id int PRIMARY KEY, hits int);\n"
                               "CREATE PROCEDURE hit() LANGUAGE plpgsql AS $$\nBEGIN\n"
                               "  UPDATE rate SET hits = hits + 1;\nEND $$;\n"
                               "CREATE PROCEDURE twice() LANGUAGE plpgsql AS $$\n"
                               "DECLARE n int;\nBEGIN\n  SELECT hits INTO n FROM rate;\n"
                               "  UPDATE rate SET hits = n + 1;\nEND $$;\n",
                           .sessions =
                               "[init]\nsql = \"INSERT INTO rate VALUES (1, 0)\"\n"
                               "[[session]]\nretry = 0\ncalls = [\"hit()\"]\n"
                               "[[session]]\nretry = 0\ncalls = [\"hit()\"]\n"
                               "[invariant]\n\"counted\" = \"SELECT hits = 2 FROM rate\"\n",
                           .begin = {}};
  const auto counted = [&](IsolationLevel level) {
    const program::Program program = program_of(random);
    return every_outcome(at_level(program, level), {}).invariants[0];
  };
  EXPECT_EQ(counted(IsolationLevel::RepeatableRead).broken, 2U);
  EXPECT_EQ(counted(IsolationLevel::RepeatableRead).broken_after_errors, 2U);
  EXPECT_EQ(counted(IsolationLevel::ReadCommitted).broken, 0U);
  const auto replace_all = [&](const std::string& old, const std::string& fresh) {
    for (std::size_t at = 0; (at = random.sessions.find(old, at)) != std::string::npos;)
      random.sessions.replace(at, old.size(), fresh);
  };
  replace_all("retry = 0", "retry = 1");
  EXPECT_EQ(counted(IsolationLevel::RepeatableRead).broken, 0U);
  replace_all("hit()", "twice()");
  EXPECT_GT(counted(IsolationLevel::ReadCommitted).broken, 0U);
  EXPECT_EQ(counted(IsolationLevel::ReadCommitted).broken_after_errors, 0U);
}

// What a failure says of `run` is so.  Of a circle of waits `run` takes who closed it.
TEST(Schedules, know_whether_a_run_does_it_again) {
  const auto failure_of = [](const std::string& name) {
    const RandomScenario random = {
        .application =
            "CREATE TABLE t (id int PRIMARY KEY, n int);\n"
            "CREATE PROCEDURE up() LANGUAGE plpgsql AS $$\nBEGIN\n"
            "  UPDATE t SET n = 1 WHERE id = 1;\n"
            "  UPDATE t SET n = 1 WHERE id = 2;\nEND $$;\n"
            "CREATE PROCEDURE down() LANGUAGE plpgsql AS $$\nBEGIN\n"
            "  UPDATE t SET n = 2 WHERE id = 2;\n"
            "  UPDATE t SET n = 2 WHERE id = 1;\nEND $$;\n",
        .sessions =
            "[init]\nsql = \"INSERT INTO t VALUES (1, 0), (2, 0)\"\n"
            "[[session]]\nname = \"ann\"\ncalls = [\"up()\"]\n"
            "[[session]]\nname = \"bob\"\ncalls = [\"down()\"]\n"
            "[invariant]\n\"is no victim\" = \"SELECT NOT EXISTS (SELECT 1 FROM "
            "call WHERE session = '" +
            name + "' AND sqlstate = '40P01')\"\n",
        .begin = {}};
    const program::Program program = program_of(random);
    const auto scenario = at_level(program, IsolationLevel::ReadCommitted);
    const Explored explored = every_outcome(scenario, {});
    EXPECT_TRUE(explored.failure);
    const ScheduleFailure& failure = *explored.failure;
    const auto run = run_by_schedule(scenario, failure.schedule, Budget(), failure.choices);
    EXPECT_TRUE(failure.is_done_by_run) << name;
    EXPECT_TRUE(run && !run->invariants[0].holds) << name;
    const auto likeliest = run_by_schedule(scenario, failure.schedule, Budget());
    EXPECT_EQ(likeliest && !likeliest->invariants[0].holds, failure.choices.empty())
        << name;
    return failure.choices.empty();
  };
  const bool by_ann = failure_of("ann");
  const bool by_bob = failure_of("bob");
  EXPECT_TRUE(by_ann || by_bob);
}

TEST(Schedules, stop_when_the_budget_is_over) {
  const RandomScenario random = four_sessions_with_two_conflicts();
  const program::Program program = program_of(random);
  const Explored explored =
      every_outcome(at_level(program, IsolationLevel::ReadCommitted),
                    {.reduction = Reduction::None, .budget = Budget(0.05)});
  EXPECT_FALSE(explored.is_complete);
  EXPECT_EQ(explored.unknown, "timeout");
}

}  // namespace
}  // namespace isomer::explore
