// SPDX-License-Identifier: MIT
#include "database/model.h"

#include <gtest/gtest.h>

namespace isomer::database::postgresql {
namespace {

TEST(Model, starts_empty) {
  const program::Program program;
  Model model({}, program, 1);
  EXPECT_EQ(model.begin(0, {}).kind, Reply::Kind::Done);
  EXPECT_EQ(model.commit(0).kind, Reply::Kind::Done);
  EXPECT_TRUE(model.woken().empty());
}

}  // namespace
}  // namespace isomer::database::postgresql
