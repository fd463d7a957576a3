// SPDX-License-Identifier: MIT
// What SQLite does, experiment by experiment, on the model.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "database/model.h"
#include "support/database/experiment.h"

namespace isomer::database::sqlite {
namespace {

const std::filesystem::path folder =
    std::filesystem::path(ISOMER_SOURCE_DIR) / "tests/corpus/database/sqlite";

std::vector<std::string> files() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".experiments") out.push_back(entry.path().stem());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::string> surprises_on_model(const test::Experiment& experiment) {
  if (!experiment.problem.empty()) return {experiment.name + ": " + experiment.problem};
  const auto program = test::program_of(experiment);
  if (!program) return {render(program.error())};
  Model model(experiment.kind, *program, program->sessions.size());
  return test::surprises(experiment, *program, model);
}

class SqliteExperiments : public testing::TestWithParam<std::string> {};

TEST_P(SqliteExperiments, go_as_in_the_library) {
  const auto experiments = test::read_experiments(folder / (GetParam() + ".experiments"));
  EXPECT_FALSE(experiments.empty());
  for (const test::Experiment& experiment : experiments)
    for (const std::string& surprise : surprises_on_model(experiment))
      ADD_FAILURE() << surprise;
}

// A wrong expectation is noticed, whichever it is.
TEST(SqliteExperimentRunner, notices_wrong_expectations) {
  std::size_t checked = 0;
  for (const std::string& file : files())
    for (const test::Experiment& experiment :
         test::read_experiments(folder / (file + ".experiments")))
      for (std::size_t i = 0; i < experiment.steps.size(); ++i) {
        if (experiment.steps[i].expected.empty()) continue;
        test::Experiment wrong = experiment;
        wrong.steps[i].expected = experiment.steps[i].expected == "BUSY" ? "1 row" : "BUSY";
        EXPECT_FALSE(surprises_on_model(wrong).empty()) << wrong.name;
        ++checked;
      }
  EXPECT_GT(checked, 100U);
}

INSTANTIATE_TEST_SUITE_P(Files, SqliteExperiments, testing::ValuesIn(files()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace isomer::database::sqlite
