// SPDX-License-Identifier: MIT
// The applications of tests/corpus/defects/program end on PostgreSQL as it is written
// beside them.  With ISOMER_PROMOTE it writes that.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "postgres/serial_run.h"
#include "support/files.h"
#include "support/pinned.h"

namespace isomer::test {
namespace {

const std::filesystem::path folder = corpus / "defects/program";

std::vector<std::string> cases() {
  std::vector<std::string> out;
  for (const auto& file : files_in(folder, ".toml"))
    out.push_back(file.stem());
  return out;
}

class Defects : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_EQ(server().problem(), ""); }
};

TEST_P(Defects, end_as_written) {
  const std::string file = folder / (GetParam() + ".toml");
  const toml::table scenario = toml::parse_file(file);
  std::vector<std::string> calls;
  for (const toml::node& call : *scenario["session"][0]["calls"].as_array())
    calls.push_back(call.value_or(std::string()));
  const Database database(server(), {"defect_" + GetParam(),
                                     contents(folder / (GetParam() + ".sql")),
                                     scenario["init"]["sql"].value_or(std::string()),
                                     {}});
  const SerialRun run = database.run(calls);
  std::string found;
  for (std::size_t i = 0; i < calls.size(); ++i)
    found += fmt::format("{} {}\n", calls[i], run.outcomes[i]);
  expect_pinned(file + ".expect", found);
}

INSTANTIATE_TEST_SUITE_P(Files, Defects, testing::ValuesIn(cases()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace isomer::test
