// SPDX-License-Identifier: MIT
// The same counts on the model as on PostgreSQL, over all schedules of each case.
#include "support/database/cases.h"

#include <optional>

#include <gtest/gtest.h>

#include "database/model.h"

namespace isomer::database::postgresql {
namespace {

struct ModelServer final : test::CaseServer {
  explicit ModelServer(const program::Program& of) : program(of) {}

  Server& fresh() override {
    return model.emplace(ServerKind{}, program, program.sessions.size());
  }

  const program::Program& program;
  std::optional<Model> model{};
};

TEST(Cases, break_as_on_a_server) {
  const auto connect = [](const program::Program& program) {
    return std::make_unique<ModelServer>(program);
  };
  EXPECT_EQ(test::compare_cases(connect, 1000), 132U);
}

}  // namespace
}  // namespace isomer::database::postgresql
