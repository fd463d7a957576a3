// SPDX-License-Identifier: MIT
// The applications under examples/apps mean the same to Isomer and to PostgreSQL.
#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "postgres/serial_run.h"
#include "program/load.h"
#include "program/scenario/scenario.h"
#include "support/effort.h"

namespace isomer::test {
namespace {

const std::filesystem::path apps = ISOMER_SOURCE_DIR "/examples/apps";

std::vector<std::filesystem::path> files(const std::string& extension) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(apps))
    if (entry.path().extension() == extension) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// A name for a schema: "tpcc_workload".
std::string name_of(const std::filesystem::path& scenario) {
  return scenario.parent_path().filename().string() + "_" + scenario.stem().string();
}

// What the scenario says, read without Isomer.
Application application_of(const std::filesystem::path& scenario) {
  const toml::table file = toml::parse_file(scenario.string());
  Application application;
  application.name = name_of(scenario);
  application.sql = contents(scenario.parent_path() / file["app"].value_or(std::string()));
  application.initial_sql = file["init"]["sql"].value_or(std::string());
  if (const toml::table* invariants = file["invariant"].as_table())
    for (const auto& [name, query] : *invariants)
      application.invariants[std::string(name.str())] = query.value_or(std::string());
  return application;
}

program::Program loaded(const std::filesystem::path& scenario) {
  auto program = program::load_program(scenario.string());
  EXPECT_TRUE(program) << (program ? "" : render(program.error()));
  return program ? std::move(*program) : program::Program{};
}

std::vector<program::Call> in_a_row(const std::vector<program::Session>& sessions) {
  std::vector<program::Call> calls;
  for (const program::Session& session : sessions)
    calls.insert(calls.end(), session.calls.begin(), session.calls.end());
  return calls;
}

std::vector<std::string> texts_of(const std::vector<program::Call>& calls) {
  std::vector<std::string> texts;
  for (const program::Call& call : calls)
    texts.push_back(call.text);
  return texts;
}

// What differs fails the test.
void compare(const std::vector<std::string>& calls, const SerialRun& ours,
             const SerialRun& theirs) {
  ASSERT_EQ(ours.outcomes.size(), calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i)
    EXPECT_EQ(ours.outcomes[i], theirs.outcomes[i])
        << "call " << i + 1 << ": " << calls[i] << "\nIsomer: " << ours.messages[i]
        << "\nPostgreSQL: " << theirs.messages[i];
  EXPECT_EQ(ours.tables, theirs.tables);
  EXPECT_EQ(ours.invariants, theirs.invariants);
  for (const auto& [name, truth] : ours.invariants)
    EXPECT_EQ(truth, "t") << name;
}

class Apps : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(server().problem(), ""); }
};

TEST_F(Apps, load_into_psql) {
  const auto scripts = files(".sql");
  EXPECT_EQ(scripts.size(), 12U);
  for (const auto& script : scripts) {
    const std::string name = script.stem();
    Connection(server()).must("CREATE SCHEMA " + name);
    const Outcome outcome =
        run("PGOPTIONS='-c search_path=" + name + "' psql -X -q -v ON_ERROR_STOP=1 -h " +
            server().socket_folder() + " -U postgres -f " + script.string());
    EXPECT_EQ(outcome.status, 0) << script << "\n" << outcome.output;
  }
}

TEST_F(Apps, scenarios_run_alike_and_keep_their_invariants_when_serial) {
  for (const auto& scenario : files(".toml")) {
    SCOPED_TRACE(scenario);
    const program::Program program = loaded(scenario);
    if (!program.symbols.empty()) continue;  // its calls are not SQL
    const Database database(server(), application_of(scenario));
    const std::vector<program::Call> calls = in_a_row(program.sessions);
    compare(texts_of(calls), run_serially(program, calls), database.run(texts_of(calls)));
  }
}

TEST_F(Apps, workloads_run_alike_and_keep_their_invariants_when_serial) {
  constexpr std::uint64_t seeds = effort(20U, 4U);
  std::size_t workloads = 0;
  for (const auto& scenario : files(".toml")) {
    if (scenario.stem() != "workload") continue;
    const program::Program program = loaded(scenario);
    const Database database(server(), application_of(scenario));
    for (std::uint64_t seed = 1; seed <= seeds; ++seed, ++workloads) {
      SCOPED_TRACE(scenario.string() + " --seed " + std::to_string(seed));
      const auto drawn =
          program::with_workload(program, program::WorkloadSize::Large, seed);
      ASSERT_TRUE(drawn) << render(drawn.error());
      const LatestRun latest = run_latest(*drawn, seed);
      ASSERT_EQ(latest.calls.size(), 24U);
      compare(latest.calls, latest.run, database.run(latest.calls));
      if (HasFailure()) return;
    }
  }
  EXPECT_GE(workloads, 10 * seeds);
}

TEST(AppsAlone, workloads_commit_every_type_and_abort_now_and_then) {
  std::set<std::string> committed;
  std::set<std::string> types;
  std::size_t aborts = 0;
  for (const auto& scenario : files(".toml")) {
    if (scenario.stem() != "workload") continue;
    const program::Program program = loaded(scenario);
    for (const program::WorkloadType& drawn : program.workload)
      types.insert(name_of(scenario) + program.types[drawn.type].name);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto drawn =
          program::with_workload(program, program::WorkloadSize::Large, seed);
      ASSERT_TRUE(drawn) << render(drawn.error());
      const auto calls = in_a_row(drawn->sessions);
      const SerialRun run = run_serially(*drawn, calls);
      for (std::size_t i = 0; i < calls.size(); ++i) {
        if (run.outcomes[i].starts_with("committed"))
          committed.insert(name_of(scenario) + program.types[calls[i].type].name);
        else
          ++aborts;
      }
    }
  }
  EXPECT_EQ(committed, types);
  EXPECT_GT(aborts, 500U);
}

}  // namespace
}  // namespace isomer::test
