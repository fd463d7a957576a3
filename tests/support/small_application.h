// SPDX-License-Identifier: MIT
// Applications that are written into a test.
#pragma once

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "program/scenario/scenario.h"
#include "support/command.h"

namespace isomer::test {

// The application, with a scenario of it, which needs no line `app = ..`.
inline program::Program small_application(const std::string& sql,
                                          const std::string& scenario = "") {
  const Scratch scratch;
  std::ofstream(scratch.path("app.sql")) << sql;
  const auto program =
      program::parse_scenario(scratch.path("app.toml"), "app = \"app.sql\"\n" + scenario);
  EXPECT_TRUE(program) << render(program.error()) << sql << scenario;
  return program.value();
}

}  // namespace isomer::test
