// SPDX-License-Identifier: MIT
// Random programs are cut down to what matters.
#include "differential/subject.h"

#include <gtest/gtest.h>

#include "support/command.h"
#include "support/shrunk.h"

namespace isomer::differential {
namespace {

bool has_update(const Application& application) {
  return application.sql.find("UPDATE acc") != std::string::npos &&
         loaded(application).has_value();
}

TEST(Application, is_cut_down_to_what_fails) {
  const test::Scratch scratch;
  int tried = 0;
  for (std::uint64_t seed = 1; tried < 5; ++seed) {
    const Application whole = random_application(seed).application;
    if (!has_update(whole)) continue;
    ++tried;
    const Application small = test::shrunk(whole, has_update);
    EXPECT_EQ(small.scenario.find("[[session]]"), std::string::npos) << small.scenario;
    EXPECT_EQ(small.sql.find("CREATE TABLE log"), std::string::npos) << small.sql;
    EXPECT_EQ(small.sql.find("IF "), std::string::npos) << small.sql;
    const std::size_t procedure = small.sql.find("CREATE PROCEDURE");
    EXPECT_EQ(small.sql.find("CREATE PROCEDURE", procedure + 1), std::string::npos);
  }
}

}  // namespace
}  // namespace isomer::differential
