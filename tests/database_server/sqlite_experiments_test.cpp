// SPDX-License-Identifier: MIT
// The experiments of tests/corpus/database/sqlite on SQLite itself.
#include <filesystem>

#include <gtest/gtest.h>

#include "server/sqlite_server.h"
#include "support/database/experiment.h"

namespace isomer::test {
namespace {

std::vector<std::string> surprises_in_library(const Experiment& experiment) {
  const auto program = program_of(experiment);
  if (!program) return {render(program.error())};
  const auto server = server::SqliteServer::open(*program, experiment.kind);
  if (!server) return {server.error()};
  return surprises(experiment, *program, **server);
}

TEST(SqliteExperiments, go_as_expected) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           ISOMER_SOURCE_DIR "/tests/corpus/database/sqlite")) {
    if (entry.path().extension() != ".experiments") continue;
    for (const Experiment& experiment : read_experiments(entry.path())) {
      EXPECT_EQ(experiment.problem, "") << experiment.name;
      for (const std::string& surprise : surprises_in_library(experiment))
        ADD_FAILURE() << surprise;
      ++count;
    }
  }
  EXPECT_GT(count, 60U);
}

}  // namespace
}  // namespace isomer::test
