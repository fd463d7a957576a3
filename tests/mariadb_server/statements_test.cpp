// SPDX-License-Identifier: MIT
// What is printed for MariaDB means there what it means here: random statements on a real
// server and in the interpreter.  --gtest_random_seed gives others.
#include <list>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "database/schedule.h"
#include "mariadb_server/server.h"
#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "program/print/dialect.h"
#include "program/sql/script.h"
#include "server/mariadb_server.h"
#include "support/effort.h"
#include "support/random_sql/random_sql.h"

namespace isomer::test {
namespace {

constexpr std::uint64_t batches = effort(4, 1);
constexpr int statements_per_batch = 500;
constexpr int failures_max = 10;

// MariaDB has no numeric without precision.
std::string with_precision(std::string sql) {
  const std::string column = "m  numeric,";
  return sql.replace(sql.find(column), column.size(), "m  numeric(30, 8),");
}

// The functions without arguments that MariaDB can be told, in their order, as calls of
// one session.
program::Program without_obstacles(const program::Program& whole) {
  program::Program out = whole;
  std::vector<program::TransactionType> kept;
  for (const program::TransactionType& type : whole.types) {
    out.types = {type};
    if (type.parameter_count == 0 && obstacles(out, program::Dialect::MariaDb).empty())
      kept.push_back(type);
  }
  out.types = std::move(kept);
  program::Session& session = out.sessions.emplace_back();
  for (std::uint32_t i = 0; i < out.types.size(); ++i)
    session.calls.emplace_back().type = i;
  return out;
}

// How a call ended; numbers are compared by value, since MariaDB shows them with the
// decimals of a column.
struct Outcome {
  std::string sqlstate;
  program::Value result;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome_of(const database::CallEnd& end) {
  if (end.kind == database::CallEnd::Kind::Committed)
    return {.sqlstate = "", .result = end.result};
  return {.sqlstate = end.has_failed_assert ? "P0004" : end.fault.handled_as(),
          .result = {}};
}

Outcome outcome_of(const program::Step& end) {
  if (const auto* abort = std::get_if<program::Aborts>(&end))
    return {.sqlstate = abort->sqlstate, .result = {}};
  if (std::holds_alternative<program::FailsAssert>(end))
    return {.sqlstate = "P0004", .result = {}};
  return {.sqlstate = "", .result = std::get<program::Commits>(end).result};
}

std::string text_of(const Outcome& outcome) {
  return outcome.sqlstate.empty() ? program::to_text(outcome.result) : outcome.sqlstate;
}

// Numbers are computed in larger types there, and dates have other ends: what is too large
// fails where it is kept.
bool is_too_large(const Outcome& outcome) {
  return outcome.sqlstate == "22003" || outcome.sqlstate == "22008";
}

// Of rows that break several constraints, each is looked at by itself there.
bool break_constraints(const Outcome& ours, const Outcome& theirs) {
  return ours.sqlstate.starts_with("23") && theirs.sqlstate.starts_with("23");
}

struct Counts {
  std::size_t refused = 0;
  std::size_t compared = 0;
  std::size_t committed = 0;
  std::size_t too_large = 0;
};

std::vector<std::vector<std::vector<program::Value>>> tables_of(
    const program::Program& program, const program::Database& database) {
  std::vector<std::vector<std::vector<program::Value>>> out;
  for (const program::Table& table : program.tables) {
    auto& rows = out.emplace_back();
    for (const program::KeyName& key : program::universe_of(table, database)) {
      const auto items = database.at(key).items();
      rows.emplace_back(items.begin(), items.end());
    }
    std::sort(rows.begin(), rows.end());
  }
  return out;
}

// The calls up to the first that ends otherwise on both; what comes behind may depend on
// it.  They all come in one session, so what one changes the next one finds.
void compare(std::uint64_t seed, server::MariadbServer& server, Counts& counts,
             std::list<program::Program>& programs) {
  const RandomSql random = random_sql(seed, statements_per_batch);
  const auto parsed = program::parse_sql("random.sql", with_precision(random.sql));
  ASSERT_TRUE(parsed) << render(parsed.error());
  const program::Program& program = programs.emplace_back(without_obstacles(*parsed));
  counts.refused += random.calls.size() - program.types.size();
  ASSERT_EQ(server.turn_to(program, {}), "");
  const database::Scenario scenario{
      .program = program,
      .begin = std::vector<database::BeginOptions>(program.types.size())};
  program::Database database = program::initial_database(program);
  database::ScheduleRun run(scenario, server);
  int failures = 0;
  for (std::size_t i = 0; i < program.types.size(); ++i) {
    const program::Call& call = program.sessions[0].calls[i];
    const Outcome ours = outcome_of(
        program::run_serially(program, call, program::argument_values(call), database).end);
    while (run.calls()[0][i].kind == database::CallEnd::Kind::NotReached)
      run.step(0);
    const database::CallEnd& end = run.calls()[0][i];
    ++counts.compared;
    counts.committed += ours.sqlstate.empty() ? 1U : 0U;
    const Outcome theirs = outcome_of(end);
    if (ours == theirs || break_constraints(ours, theirs) || end.fault.is_limit) continue;
    if (is_too_large(ours)) {
      ++counts.too_large;
      if (tables_of(program, database) == run.committed_rows()) continue;
      return;
    }
    const std::string name = program.types[i].name;
    ADD_FAILURE() << "seed " << seed << ", " << name << "\nIsomer:  " << text_of(ours)
                  << "\nMariaDB: " << text_of(theirs) << " " << end.fault.number << " "
                  << end.fault.reason << "\n"
                  << random.sql.substr(random.sql.find("FUNCTION " + name + "("), 700);
    if (++failures == failures_max) return;
  }
  EXPECT_TRUE(failures != 0 || tables_of(program, database) == run.committed_rows())
      << seed;
}

TEST(MariadbStatements, mean_what_they_mean_here) {
  ASSERT_EQ(mariadb().problem(), "");
  const program::Program nothing;
  std::list<program::Program> programs;
  const auto server =
      server::MariadbServer::connect(nothing, {}, {.address = mariadb().address()});
  ASSERT_TRUE(server) << server.error();
  Counts counts;
  const auto first = static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)) * batches;
  for (std::uint64_t seed = first + 1; seed <= first + batches; ++seed)
    compare(seed, **server, counts, programs);
  fmt::print("{} statements compared, {} refused, {} committed, {} too large\n",
             counts.compared, counts.refused, counts.committed, counts.too_large);
  EXPECT_GT(counts.committed, 60 * batches);
}

}  // namespace
}  // namespace isomer::test
