// SPDX-License-Identifier: MIT
// A transaction whose statements are sent one by one ends as the function does when
// PostgreSQL runs it itself.  --gtest_random_seed gives others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "database/schedule.h"
#include "postgres/serial_run.h"
#include "program/sql/script.h"
#include "server/postgresql_server.h"
#include "support/effort.h"
#include "support/random_sql/random_sql.h"

namespace isomer::test {
namespace {

constexpr std::uint64_t batches = effort(3, 1);
constexpr int statements_per_batch = 500;

// One session with all functions without arguments, in their order.
program::Program with_session(program::Program program) {
  program::Session& session = program.sessions.emplace_back();
  for (std::uint32_t i = 0; i < program.types.size(); ++i)
    if (program.types[i].parameter_count == 0) session.calls.emplace_back().type = i;
  return program;
}

std::string outcome_of(const database::CallEnd& end, bool is_procedure) {
  if (end.kind != database::CallEnd::Kind::Committed)
    return "aborted: " + end.fault.sqlstate;
  const bool is_array = end.result.get_if<program::List>() != nullptr;
  return is_procedure ? "committed"
                      : "committed: " + (is_array ? program::array_text(end.result)
                                                  : program::to_text(end.result));
}

void compare(std::uint64_t seed) {
  const RandomSql random = random_sql(seed, statements_per_batch);
  const auto parsed = program::parse_sql("random.sql", random.sql);
  ASSERT_TRUE(parsed) << render(parsed.error());
  const program::Program program = with_session(*parsed);
  const Database database(server(),
                          {fmt::format("statements{}", seed), random.sql, "", {}});
  const SerialRun theirs = database.run(random.calls);
  const auto connected = server::PostgresqlServer::connect(
      program, {.address = fmt::format("host={} user=postgres dbname=postgres",
                                       server().socket_folder())});
  ASSERT_TRUE(connected) << connected.error();
  const database::Scenario scenario{
      .program = program,
      .begin = std::vector<database::BeginOptions>(program.types.size())};
  database::ScheduleRun run(scenario, **connected);
  ASSERT_TRUE(follow(run, {}));
  EXPECT_GT(2 * run.steps().size(), 3 * random.calls.size());
  int failures = 0;
  for (std::size_t i = 0; i < random.calls.size(); ++i) {
    const database::CallEnd& end = run.calls()[0][i];
    const auto& type = program.types[program.sessions[0].calls[i].type];
    const bool is_procedure = type.result.kind == program::TypeKind::Any;
    if (outcome_of(end, is_procedure) == theirs.outcomes[i] || ++failures > 10) continue;
    ADD_FAILURE() << "seed " << seed << ", " << random.calls[i]
                  << "\none by one: " << outcome_of(end, is_procedure) << " "
                  << end.fault.reason << "\nas a whole: " << theirs.outcomes[i] << " "
                  << theirs.messages[i] << "\n"
                  << random.sql.substr(random.sql.find("FUNCTION " + random.calls[i]), 600);
  }
}

TEST(Statements, sent_one_by_one_end_as_the_function_does) {
  ASSERT_EQ(server().problem(), "");
  const auto first = static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)) * batches;
  for (std::uint64_t seed = first + 1; seed <= first + batches; ++seed)
    compare(seed);
}

}  // namespace
}  // namespace isomer::test
