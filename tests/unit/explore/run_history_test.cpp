// SPDX-License-Identifier: MIT
#include "explore/run_history.h"

#include <array>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "check/uncertified.h"
#include "database/model.h"
#include "explore/schedules.h"
#include "explore/serial_order.h"
#include "history/formats.h"
#include "program/load.h"
#include "random_schedules.h"
#include "support/effort.h"

namespace isomer::explore {
namespace {

using check::Level;
using database::IsolationLevel;
using database::ScheduleStep;

constexpr std::array postgresql_levels = {IsolationLevel::ReadCommitted,
                                          IsolationLevel::RepeatableRead,
                                          IsolationLevel::Serializable};

// A run by a random schedule, and what was noted meanwhile.
struct LoggedRun {
  const database::Scenario& scenario;
  database::Model model;
  database::ScheduleRun run;

  LoggedRun(const database::Scenario& of, std::uint64_t seed)
      : scenario(of),
        model(database::recorded_server(of.server, of.program, of.program.sessions.size())),
        run(of, model) {
    Random random(seed);
    database::run_randomly(run, random);
  }

  [[nodiscard]] const database::AccessLog& log() const { return *model.state().accesses(); }

  [[nodiscard]] RunHistory history() const {
    const auto told = history_of_run(scenario, run.steps(), &log(), {});
    if (!told) ADD_FAILURE() << "the model noted nothing";
    return told ? RunHistory(**told) : RunHistory{};
  }

  // Without retries a session makes each of its calls once.
  [[nodiscard]] std::optional<std::vector<std::size_t>> serial_order() const {
    std::vector<store::Place> calls;
    for (const std::size_t i : log().committed()) {
      const database::LoggedTransaction& of = log().transactions()[i];
      const auto before =
          std::count_if(log().transactions().begin(),
                        log().transactions().begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const auto& other) { return other.session == of.session; });
      calls.emplace_back(of.session, static_cast<std::uint32_t>(before));
    }
    return explore::serial_order(scenario, log(), calls, {});
  }

  [[nodiscard]] std::string shown() const {
    std::string out;
    for (const ScheduleStep& step : run.steps())
      out += fmt::format("s{}: {}\n", step.session, step.text);
    const auto text = history::write_history(history().history, "hist");
    return out + (text ? text->bytes : "");
  }
};

bool allows(const RunHistory& run, Level level) {
  for (const check::LevelResult& result : run.levels.levels)
    if (result.level == check::AskedLevel(level))
      return std::holds_alternative<check::Consistent>(result.verdict);
  ADD_FAILURE() << "the level was not asked";
  return false;
}

// `visit` gets some schedules of random applications at each level.
template <class Visit>
void visit_random_runs(std::uint64_t seeds, Visit visit) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    RandomScenario random = random_scenario(seed);
    const program::Program program = program_of(random);
    for (const IsolationLevel level : postgresql_levels) {
      for (auto& begin : random.begin)
        begin.level = level;
      const database::Scenario scenario{.program = program, .begin = random.begin};
      for (std::uint64_t schedule = 1; schedule <= 4; ++schedule) {
        SCOPED_TRACE(fmt::format("seed {}, level {}, schedule {}\n{}{}", seed,
                                 static_cast<int>(level), schedule, random.application,
                                 random.sessions));
        visit(LoggedRun(scenario, schedule), level, random.application);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// --- what serializable means ---

// What SKIP LOCKED leaves out depends on locks, which no version of a row tells of.
TEST(RunHistory, is_serializable_where_an_order_gives_the_same_results) {
  std::uint64_t serializable = 0;
  std::uint64_t others = 0;
  visit_random_runs(effort<std::uint64_t>(3'000, 600, 60),
                    [&](const LoggedRun& run, IsolationLevel, const std::string& text) {
                      if (text.find("SKIP LOCKED") != std::string::npos) return;
                      const bool is_serializable = allows(run.history(), Level::SER);
                      EXPECT_EQ(is_serializable, run.serial_order().has_value())
                          << run.shown();
                      ++(is_serializable ? serializable : others);
                    });
  EXPECT_GT(serializable, effort(4'000U, 400U));
  EXPECT_GT(others, effort(30U, 3U));
}

// What a unique index tells is no read that SERIALIZABLE keeps an account of.  So ON
// CONFLICT may find a key in the way, and not find it again once somebody else has taken it
// away.
bool has_key_that_goes(const LoggedRun& run) {
  std::map<std::pair<program::TableId, program::PrimaryKey>, std::set<bool>> known;
  for (const std::size_t i : run.log().committed())
    for (const auto& [key, row] :
         database::final_writes(run.scenario.program, run.log().transactions()[i]))
      known[key].insert(row.is_null());
  return std::any_of(known.begin(), known.end(),
                     [](const auto& key) { return key.second.size() > 1; });
}

// Has a call committed although a statement told it of rows that its snapshot does not
// have?
bool was_told_of_constraint(const LoggedRun& run) {
  for (const std::size_t i : run.log().committed())
    for (const auto& statement : run.log().transactions()[i].statements)
      if (statement.reply.fault.sqlstate.starts_with("23")) return true;
  return false;
}

TEST(RunHistory, of_serializable_is_serializable_but_for_what_unique_indexes_tell) {
  std::uint64_t runs = 0;
  std::uint64_t exceptions = 0;
  visit_random_runs(
      effort<std::uint64_t>(6'000, 600, 60),
      [&](const LoggedRun& run, IsolationLevel level, const std::string& text) {
        if (level != IsolationLevel::Serializable ||
            text.find("SKIP LOCKED") != std::string::npos)
          return;
        ++runs;
        const bool has_on_conflict = text.find("ON CONFLICT") != std::string::npos;
        if (was_told_of_constraint(run) || (has_on_conflict && has_key_that_goes(run)))
          exceptions += allows(run.history(), Level::SER) ? 0 : 1;
        else
          EXPECT_TRUE(allows(run.history(), Level::SER)) << run.shown();
      });
  EXPECT_GT(runs, effort(1'500U, 150U));
  EXPECT_LT(exceptions, runs / 100);
}

TEST(RunHistory, of_read_committed_is_read_committed_but_for_rows_put_back) {
  visit_random_runs(effort<std::uint64_t>(6'000, 600, 60),
                    [&](const LoggedRun& run, IsolationLevel level, const std::string&) {
                      if (level != IsolationLevel::ReadCommitted) return;
                      const RunHistory told = run.history();
                      const bool is_read_committed = allows(told, Level::RC);
                      const bool has_intermediate_read = std::any_of(
                          told.history.problems().begin(), told.history.problems().end(),
                          [](const auto& problem) {
                            return problem.kind == history::ProblemKind::IntermediateRead;
                          });
                      EXPECT_EQ(is_read_committed, !has_intermediate_read) << run.shown();
                    });
}

// --- what is in it ---

TEST(RunHistory, ends_with_the_committed_rows) {
  visit_random_runs(
      effort<std::uint64_t>(2'000, 300, 40),
      [&](const LoggedRun& run, IsolationLevel, const std::string&) {
        const program::Program& program = run.scenario.program;
        database::KeyRows rows;
        for (const auto& [table, row] : program.initial_rows)
          rows[{table, program::primary_key_of(program.tables[table.index], row)}] =
              program::Value::list(row);
        for (const std::size_t i : run.log().committed())
          for (const auto& [key, row] :
               database::final_writes(program, run.log().transactions()[i]))
            rows[key] = row;
        TableRows expected(program.tables.size());
        for (const auto& [key, row] : rows)
          if (!row.is_null())
            expected[key.first.index].emplace_back(row.items().begin(), row.items().end());
        for (auto& table : expected)
          std::sort(table.begin(), table.end());
        EXPECT_EQ(run.run.committed_rows(), expected);
      });
}

TEST(RunHistory, is_judged_alike_when_it_is_read_back) {
  visit_random_runs(effort<std::uint64_t>(500, 100, 10), [&](const LoggedRun& run,
                                                             IsolationLevel,
                                                             const std::string&) {
    const RunHistory told = run.history();
    for (const char* const format : {"hist", "json"}) {
      const auto written = history::write_history(told.history, format);
      ASSERT_TRUE(written);
      const auto back = history::parse_history(written->bytes, "run", {.format = format});
      ASSERT_TRUE(back);
      for (const check::LevelResult& result : told.levels.levels)
        EXPECT_EQ(check::uncertified_verdict(back->history, result.level, {}).index(),
                  result.verdict.index())
            << format << result.level.name;
    }
  });
}

// --- rows by their primary keys ---

// Reads and updates of single rows, and nothing else: what a history has of these can be
// said without looking at any model.
struct RowByRow {
  Random random;

  std::string statement() {
    const std::string row = fmt::format("WHERE id = {}", 1 + random.below(3));
    switch (random.below(4)) {
      case 0:
        return fmt::format("UPDATE t SET v = x + 1 {};", row);
      case 1:
        return fmt::format("UPDATE t SET v = v + 1 {};", row);
      default:
        return fmt::format("SELECT v INTO x FROM t {};", row);
    }
  }

  RandomScenario scenario(IsolationLevel level) {
    RandomScenario out;
    out.application = "CREATE TABLE t (id int PRIMARY KEY, v int);\n";
    out.sessions = "[init]\nsql = \"INSERT INTO t VALUES (1, 10), (2, 20), (3, 30);\"\n";
    for (std::uint64_t i = 0; i < 3; ++i) {
      std::string body;
      for (std::uint64_t count = 1 + random.below(4); count > 0; --count)
        body += statement() + "\n";
      out.application += fmt::format(
          "CREATE PROCEDURE p{}() LANGUAGE plpgsql AS $$\nDECLARE x int := 0;\n"
          "BEGIN\n{}END $$;\n",
          i, body);
      out.sessions +=
          fmt::format("[[session]]\nname = \"s{}\"\ncalls = [\"p{}()\"]\n", i, i);
      out.begin.push_back({.level = level});
    }
    return out;
  }
};

std::string value_shown(const history::History& history, std::uint32_t op) {
  const history::Value value = history.operations()[op].value();
  const std::string text(history.string(value));
  return text.substr(0, text.find(" #"));
}

// "r(t/1)=(1,10)"; values that are written are not compared.
std::vector<std::string> operations_of(const history::History& history, history::TxnId t) {
  std::vector<std::string> out;
  std::uint32_t op = history.first_op(t);
  for (const history::Operation& operation : history.operations(t)) {
    const std::string key = history.key_name(operation.key);
    out.push_back(operation.kind == history::OpKind::Read
                      ? fmt::format("r({})={}", key, value_shown(history, op))
                      : fmt::format("w({})", key));
    ++op;
  }
  return out;
}

// By what the statements returned.  Of an UPDATE only the key is known.
std::vector<std::string> expected_of(const LoggedRun& run, std::uint32_t session) {
  std::vector<std::string> out;
  std::set<char> own;
  for (const ScheduleStep& step : run.run.steps()) {
    if (step.session != session || step.kind != ScheduleStep::Kind::Statement) continue;
    const char row = step.text.back();
    const bool is_update = step.text.starts_with("UPDATE");
    if (!own.contains(row))
      out.push_back(is_update ? fmt::format("r(t/{})", row)
                              : fmt::format("r(t/{0})=({0},{1})", row,
                                            program::to_text(step.reply.rows[0][0])));
    if (!is_update) continue;
    out.push_back(fmt::format("w(t/{})", row));
    own.insert(row);
  }
  return out;
}

TEST(RunHistory, has_what_statements_returned_by_primary_key) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= effort(400U, 100U); ++seed) {
    const IsolationLevel level = postgresql_levels[seed % 3];
    const RandomScenario random = RowByRow{.random = Random(seed)}.scenario(level);
    const program::Program program = program_of(random);
    const database::Scenario scenario{.program = program, .begin = random.begin};
    const LoggedRun run(scenario, seed);
    const RunHistory told = run.history();
    SCOPED_TRACE(random.application + run.shown());
    for (history::SessionId s{0}; s.index < told.history.session_count(); ++s.index) {
      const history::TxnId t = told.history.first_txn(s);
      if (told.history.status(t) != history::Status::Committed || told.left_out > 0)
        continue;
      ++compared;
      const auto session =
          static_cast<std::uint32_t>(told.history.session_name(s)[1] - '0');
      const auto expected = expected_of(run, session);
      const auto found = operations_of(told.history, t);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_TRUE(found[i].starts_with(expected[i])) << found[i] << " " << expected[i];
    }
    EXPECT_TRUE(allows(told, level == IsolationLevel::ReadCommitted    ? Level::RC
                             : level == IsolationLevel::RepeatableRead ? Level::SI
                                                                       : Level::SER));
  }
  EXPECT_GT(compared, effort(600U, 150U));
}

// Each try of a call is a transaction by itself.
TEST(RunHistory, has_every_try_of_a_call) {
  std::uint64_t again = 0;
  for (std::uint64_t seed = 1; seed <= effort(200U, 50U); ++seed) {
    RandomScenario random =
        RowByRow{.random = Random(seed)}.scenario(IsolationLevel::Serializable);
    std::size_t at = 0;
    while ((at = random.sessions.find("calls", at)) != std::string::npos) {
      random.sessions.insert(at, "retry = 2\n");
      at += 20;
    }
    const program::Program program = program_of(random);
    const database::Scenario scenario{.program = program, .begin = random.begin};
    const LoggedRun run(scenario, seed);
    const RunHistory told = run.history();
    EXPECT_TRUE(allows(told, Level::SER)) << random.application << run.shown();
    std::uint32_t tries = 0;
    for (const auto& session : run.run.calls())
      tries += session[0].attempts;
    EXPECT_EQ(told.history.txn_count() - 1, tries) << random.application << run.shown();
    again += tries > 3 ? 1 : 0;
  }
  EXPECT_GT(again, effort(20U, 5U));
}

// --- SQLite ---

// Scans, new rows and keys that change; nothing of PostgreSQL alone.
struct SmallStatements {
  Random random;

  std::string statement() {
    const std::string row = fmt::format("WHERE id = {}", 1 + random.below(3));
    switch (random.below(9)) {
      case 0:
        return fmt::format("UPDATE t SET v = x + 1 {};", row);
      case 6:
        return fmt::format(
            "BEGIN UPDATE t SET v = v + 7 {0}; SELECT v INTO x FROM t {0}; x := 1 / 0; "
            "EXCEPTION WHEN division_by_zero THEN x := x + 1; END;",
            row);
      case 1:
        return "UPDATE t SET v = v + 1 WHERE v > 15;";
      case 2:
        return fmt::format("INSERT INTO t VALUES ({}, 5) ON CONFLICT (id) DO NOTHING;",
                           1 + random.below(5));
      case 3:
        return fmt::format("DELETE FROM t {};", row);
      case 4:
        return fmt::format("UPDATE t SET id = id + 3 {};", row);
      case 5:
        return "SELECT sum(v) INTO x FROM t;";
      default:
        return fmt::format("SELECT v INTO x FROM t {};", row);
    }
  }

  RandomScenario scenario() {
    RowByRow rows{.random = Random(random.below(1'000'000))};
    RandomScenario out = rows.scenario(IsolationLevel::Serializable);
    out.application = "CREATE TABLE t (id int PRIMARY KEY, v int);\n";
    for (std::size_t i = 0; i < out.begin.size(); ++i) {
      out.begin[i].is_immediate = random.below(4) == 0;
      std::string body;
      for (std::uint64_t count = 1 + random.below(4); count > 0; --count)
        body += statement() + "\n";
      out.application += fmt::format(
          "CREATE PROCEDURE p{}() LANGUAGE plpgsql AS $$\nDECLARE x int := 0;\n"
          "BEGIN\n{}END $$;\n",
          i, body);
    }
    return out;
  }
};

TEST(RunHistory, leaves_out_what_was_undone) {
  std::uint64_t others = 0;
  for (std::uint64_t seed = 1; seed <= effort(400U, 100U); ++seed) {
    RandomScenario random = SmallStatements{.random = Random(seed)}.scenario();
    for (auto& begin : random.begin)
      begin = {.level = postgresql_levels[seed % 3]};
    const program::Program program = program_of(random);
    const database::Scenario scenario{.program = program, .begin = random.begin};
    const LoggedRun run(scenario, seed);
    const bool is_serializable = allows(run.history(), Level::SER);
    EXPECT_EQ(is_serializable, run.serial_order().has_value())
        << random.application << run.shown();
    others += is_serializable ? 0 : 1;
  }
  EXPECT_GT(others, effort(10U, 2U));
}

TEST(RunHistory, of_sqlite_is_serializable) {
  std::uint64_t committed = 0;
  std::uint64_t overlapping = 0;
  for (std::uint64_t seed = 1; seed <= effort(1'000U, 200U); ++seed) {
    const RandomScenario random = SmallStatements{.random = Random(seed)}.scenario();
    const program::Program program = program_of(random);
    const database::Scenario scenario{.program = program,
                                      .begin = random.begin,
                                      .server = {.database = database::Database::Sqlite,
                                                 .has_wal = seed % 2 == 0,
                                                 .fails_when_busy = seed % 4 < 2}};
    const LoggedRun run(scenario, seed);
    const RunHistory told = run.history();
    EXPECT_TRUE(allows(told, Level::SER)) << random.application << run.shown();
    EXPECT_TRUE(run.serial_order()) << random.application << run.shown();
    committed += run.log().committed().size();
    overlapping += run.log().committed().size() > 1 ? 1 : 0;
  }
  EXPECT_GT(committed, effort(1'500U, 300U));
  EXPECT_GT(overlapping, effort(500U, 100U));
}

// --- names ---

std::string anomaly_of(const std::string& name, IsolationLevel level) {
  const auto program = program::load_program(
      fmt::format("{}/tests/corpus/database/cases/{}.toml", ISOMER_SOURCE_DIR, name));
  if (!program) return render(program.error());
  const database::Scenario scenario{.program = *program,
                                    .begin = std::vector<database::BeginOptions>(
                                        program->types.size(), {.level = level})};
  const Explored explored = every_outcome(scenario, {.stops_at_failure = true});
  if (!explored.failure || !explored.failure->history) return "no failure with a history";
  const RunHistory& run = *explored.failure->history;
  for (const check::LevelResult& result : run.levels.levels)
    if (const auto* violated = std::get_if<check::Violated>(&result.verdict))
      return fmt::format("{} at {}", violated->anomaly, result.level.name);
  return "serializable";
}

TEST(RunHistory, has_the_name_of_its_anomaly) {
  EXPECT_EQ(anomaly_of("simple_write_skew", IsolationLevel::RepeatableRead),
            "write skew at SER");
  EXPECT_EQ(anomaly_of("guard_row_locked", IsolationLevel::RepeatableRead),
            "write skew at SER");
  EXPECT_EQ(anomaly_of("read_only_anomaly", IsolationLevel::RepeatableRead),
            "serialization anomaly at SER");
  EXPECT_EQ(anomaly_of("stale_guard_then_update", IsolationLevel::ReadCommitted),
            "non-repeatable read at RA");
  EXPECT_EQ(anomaly_of("two_statements", IsolationLevel::ReadCommitted),
            "fractured read at RA");
  EXPECT_EQ(anomaly_of("epq_subquery", IsolationLevel::ReadCommitted),
            "non-repeatable read at RA");
  // A row that was deleted and inserted again is not found.
  EXPECT_EQ(anomaly_of("epq_replace", IsolationLevel::ReadCommitted),
            "intermediate read at RC");
  // Only the errors are against the invariant.
  EXPECT_EQ(anomaly_of("deadlock", IsolationLevel::ReadCommitted), "serializable");
}

}  // namespace
}  // namespace isomer::explore
