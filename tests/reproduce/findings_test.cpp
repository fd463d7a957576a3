// SPDX-License-Identifier: MIT
// What the models find happens on the servers: of the examples, and of the cases that a
// PostgreSQL 15 broke.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "database/level_rules.h"
#include "database/server_settings.h"
#include "program/load.h"
#include "program/print/dialect.h"
#include "reproduce/reproduce.h"
#include "reproduce/targets.h"
#include "support/effort.h"

namespace isomer::test {
namespace {

using database::Database;
using database::DatabaseLevel;
using program::Program;
using reproduce::Result;
namespace fs = std::filesystem;

const double seconds_to_find = effort(10.0, 1.0, 1.0);

program::Dialect dialect_of(Database database) {
  return database == Database::Sqlite    ? program::Dialect::Sqlite
         : database == Database::MariaDb ? program::Dialect::MariaDb
                                         : program::Dialect::PostgreSql;
}

bool can_be_run(const Program& program, Database database) {
  const bool has_calls = std::ranges::any_of(
      program.sessions, [](const auto& session) { return !session.calls.empty(); });
  return has_calls && !program.tables.empty() && store::missing_values(program).empty() &&
         program::obstacles(program, dialect_of(database)).empty();
}

struct Tally {
  std::size_t tried = 0;
  std::size_t broken = 0;
  std::size_t as_in_the_model = 0;  // by the schedule that was found, step by step
};

// The first failure of the program at the level, if there is one, happens there.
bool is_broken_there(const Program& program, const DatabaseLevel& level, Tally& tally) {
  ++tally.tried;
  const auto scenario = database::scenario_at(program, level);
  const auto explored = explore::every_outcome(
      scenario, {.stops_at_failure = true, .budget = Budget(seconds_to_find)});
  if (!explored.failure) return false;
  ++tally.broken;
  const Program failing = reproduce::program_of(program, *explored.failure);
  const auto smaller = database::scenario_at(failing, level);
  const auto& there = target(level.database);
  if (!there) {
    ADD_FAILURE() << there.error();
    return false;
  }
  const auto found = reproduce::finding_of(smaller, *explored.failure);
  const auto on = reproduce::reproduce(found, *there);
  const bool is_same = on.tried == 1 && !on.step;
  tally.as_in_the_model += is_same ? 1U : 0U;
  if (!is_same || on.result != Result::Reproduced)
    fmt::print("{} at {}: {}{}, {} schedules, step {} {}\n", program.file,
               database::short_name(level), reproduce::name(on.result),
               explored.failure->is_by_statements() ? "" : ", by finer steps", on.tried,
               on.step ? *on.step + 1 : 0, on.problem);
  // Nobody can time what comes in the midst of a statement.
  if (!explored.failure->is_by_statements() && on.result == Result::Refuted) return true;
  EXPECT_EQ(on.result, Result::Reproduced)
      << program.file << " at " << database::short_name(level) << ", "
      << explored.failure->invariant << ": " << on.problem;
  return true;
}

std::vector<fs::path> scenarios_in(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".toml") out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

Tally try_all(const fs::path& folder, Database database) {
  Tally tally;
  for (const fs::path& file : scenarios_in(folder)) {
    const auto program = program::load_program(file.string());
    if (!program || !can_be_run(*program, database)) continue;
    for (const DatabaseLevel& level : database::database_levels())
      if (level.database == database) is_broken_there(*program, level, tally);
  }
  fmt::print("{}: {} tried, {} broken, {} of them step by step as in the model\n",
             folder.filename().string(), tally.tried, tally.broken, tally.as_in_the_model);
  return tally;
}

const fs::path root = ISOMER_SOURCE_DIR;
const fs::path cases = root / "tests/corpus/database/cases";

TEST(Findings, of_the_cases_happen_on_postgresql) {
  std::ifstream in(cases / "expected.csv");
  std::string line;
  std::getline(in, line);
  Tally tally;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    std::string name, invariant, level, is_broken;
    std::getline(fields, name, ',');
    std::getline(fields, invariant, ',');
    std::getline(fields, level, ',');
    std::getline(fields, is_broken, ',');
    if (is_broken != "yes") continue;
    auto program = program::load_program((cases / (name + ".toml")).string());
    ASSERT_TRUE(program) << name;
    std::erase_if(program->invariants,
                  [&](const auto& other) { return other.name != invariant; });
    EXPECT_TRUE(
        is_broken_there(*program, *database::parse_level_name("pg:" + level), tally))
        << line;
  }
  EXPECT_EQ(tally.broken, 23U);
  fmt::print("{} broken, {} step by step\n", tally.broken, tally.as_in_the_model);
}

TEST(Findings, of_the_examples_happen_on_postgresql) {
  EXPECT_GT(try_all(root / "examples", Database::PostgreSql).broken, 15U);
}

TEST(Findings, of_the_examples_happen_on_mariadb) {
  if (is_slow_build) GTEST_SKIP() << "takes half a minute";
  EXPECT_GT(try_all(root / "examples", Database::MariaDb).broken, 10U);
}

TEST(Findings, of_the_cases_happen_on_mariadb) {
  EXPECT_GT(try_all(cases, Database::MariaDb).broken, 10U);
}

TEST(Findings, of_the_examples_happen_on_sqlite) {
  EXPECT_GT(try_all(root / "examples", Database::Sqlite).tried, 10U);
}

TEST(Findings, of_the_cases_happen_on_sqlite) {
  EXPECT_GT(try_all(cases, Database::Sqlite).tried, 50U);
}

}  // namespace
}  // namespace isomer::test
