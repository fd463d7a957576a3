// SPDX-License-Identifier: MIT
// What MariaDB does, experiment by experiment, on the model.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "database/model.h"
#include "support/database/experiment.h"

namespace isomer::database::innodb {
namespace {

const std::filesystem::path folder =
    std::filesystem::path(ISOMER_SOURCE_DIR) / "tests/corpus/database/mariadb";

std::vector<std::string> files() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".experiments") out.push_back(entry.path().stem());
  std::sort(out.begin(), out.end());
  return out;
}

class InnodbExperiments : public testing::TestWithParam<std::string> {};

TEST_P(InnodbExperiments, go_as_on_a_server) {
  const auto experiments = test::read_experiments(folder / (GetParam() + ".experiments"));
  EXPECT_FALSE(experiments.empty());
  for (const test::Experiment& experiment : experiments) {
    EXPECT_EQ(experiment.problem, "");
    const auto program = test::program_of(experiment);
    if (!program) {
      ADD_FAILURE() << experiment.file << ":" << experiment.line << ": "
                    << program.error()[0].message << "\n"
                    << experiment.scenario;
      continue;
    }
    Model model(experiment.kind, *program, program->sessions.size());
    for (const std::string& surprise : test::surprises(experiment, *program, model))
      ADD_FAILURE() << surprise;
  }
}

TEST(InnodbExperimentRunner, notices_wrong_expectations) {
  std::size_t checked = 0;
  for (test::Experiment experiment :
       test::read_experiments(folder / "newest_versions.experiments")) {
    for (auto& step : experiment.steps)
      if (!step.is_wake) step.expected = step.expected == "1062" ? "1213" : "1062";
    const auto program = test::program_of(experiment);
    ASSERT_TRUE(program);
    Model model(experiment.kind, *program, program->sessions.size());
    EXPECT_FALSE(test::surprises(experiment, *program, model).empty());
    ++checked;
  }
  EXPECT_GT(checked, 5U);
}

INSTANTIATE_TEST_SUITE_P(Files, InnodbExperiments, testing::ValuesIn(files()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace isomer::database::innodb
