// SPDX-License-Identifier: MIT
// The experiments of tests/corpus/database/mariadb on a real MariaDB.
#include <filesystem>
#include <list>

#include <gmock/gmock.h>
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

const program::Program nothing;

class MariadbExperiments : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_EQ(mariadb().problem(), ""); }

  // What surprises in one file; how many experiments there are.
  static std::size_t run(const std::string& file, const server::MariadbOptions& options,
                         std::vector<std::string>& found) {
    const auto experiments = read_experiments(folder / (file + ".experiments"));
    std::list<program::Program> programs;  // the server keeps the last one
    const auto server = server::MariadbServer::connect(nothing, {}, options);
    EXPECT_TRUE(server) << server.error();
    for (const Experiment& experiment : experiments) {
      EXPECT_EQ(experiment.problem, "") << experiment.name;
      const auto program = program_of(experiment);
      EXPECT_TRUE(program) << experiment.name << "\n"
                           << render(program.error()) << experiment.scenario;
      if (!server || !program) break;
      const program::Program& kept = programs.emplace_back(*program);
      EXPECT_EQ((*server)->turn_to(kept, experiment.kind), "");
      auto surprising = surprises(experiment, kept, **server);
      found.insert(found.end(), surprising.begin(), surprising.end());
    }
    return experiments.size();
  }
};

TEST_P(MariadbExperiments, go_as_expected) {
  std::vector<std::string> found;
  EXPECT_GT(run(GetParam(), {.address = mariadb().address()}, found), 6U);
  EXPECT_THAT(found, testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Files, MariadbExperiments, testing::ValuesIn(files()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace isomer::test
