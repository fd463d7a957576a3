// SPDX-License-Identifier: MIT
// The experiments of tests/corpus/database/mariadb on a real MariaDB.
#include <filesystem>

#include <gtest/gtest.h>

#include "mariadb_server/server.h"
#include "server/mariadb_server.h"
#include "support/database/experiment.h"

namespace isomer::test {
namespace {

const std::filesystem::path folder = ISOMER_SOURCE_DIR "/tests/corpus/database/mariadb";

std::vector<std::string> files() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".experiments") out.push_back(entry.path().stem());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> surprises_on_server(const Experiment& experiment,
                                             const program::Program& program) {
  const auto server = server::MariadbServer::connect(program, experiment.kind,
                                                     {.address = mariadb().address()});
  if (!server) return {server.error()};
  return surprises(experiment, program, **server);
}

class MariadbExperiments : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_EQ(mariadb().problem(), ""); }
};

TEST_P(MariadbExperiments, go_as_expected) {
  const auto experiments = read_experiments(folder / (GetParam() + ".experiments"));
  EXPECT_FALSE(experiments.empty());
  for (const Experiment& experiment : experiments) {
    EXPECT_EQ(experiment.problem, "") << experiment.name;
    const auto program = program_of(experiment);
    ASSERT_TRUE(program) << experiment.name << "\n"
                         << render(program.error()) << experiment.scenario;
    for (const std::string& surprise : surprises_on_server(experiment, *program))
      ADD_FAILURE() << surprise;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, MariadbExperiments, testing::ValuesIn(files()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace isomer::test
