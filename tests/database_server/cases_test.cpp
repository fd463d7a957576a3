// SPDX-License-Identifier: MIT
// Cases and experiments on a real server.
#include "support/database/cases.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "postgres/server.h"
#include "server/postgresql_server.h"
#include "support/database/experiment.h"

namespace isomer::test {
namespace {

using server::PostgresqlServer;

std::unique_ptr<PostgresqlServer> connected(const program::Program& program) {
  auto out = PostgresqlServer::connect(
      program,
      {.address = "user=postgres dbname=postgres host=" + test::server().socket_folder()});
  EXPECT_TRUE(out) << out.error();
  return out ? std::move(*out) : nullptr;
}

struct RealServer final : CaseServer {
  explicit RealServer(const program::Program& program) : server(connected(program)) {}

  database::Server& fresh() override {
    EXPECT_EQ(server->reset(), "");
    return *server;
  }

  std::unique_ptr<PostgresqlServer> server;
};

class OnPostgresql : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(server().problem(), ""); }
};

TEST_F(OnPostgresql, cases_break_as_expected_in_all_schedules) {
  const auto connect = [](const program::Program& program) {
    return std::make_unique<RealServer>(program);
  };
  EXPECT_EQ(compare_cases(connect, 200), 132U);
}

// On a busy machine sessions of the server may overtake each other; then it is asked again.
std::vector<std::string> lasting_surprises(const Experiment& experiment,
                                           const program::Program& program) {
  std::vector<std::string> out;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const auto server = connected(program);
    out = surprises(experiment, program, *server);
    if (out.empty()) break;
  }
  return out;
}

TEST_F(OnPostgresql, experiments_go_as_expected) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           ISOMER_SOURCE_DIR "/tests/corpus/database/postgresql")) {
    if (entry.path().extension() != ".experiments") continue;
    for (const Experiment& experiment : read_experiments(entry.path())) {
      const auto program = program_of(experiment);
      ASSERT_TRUE(program) << experiment.file << ":" << experiment.line;
      for (const std::string& surprise : lasting_surprises(experiment, *program))
        ADD_FAILURE() << surprise;
      ++count;
    }
  }
  EXPECT_GT(count, 180U);
}

}  // namespace
}  // namespace isomer::test
