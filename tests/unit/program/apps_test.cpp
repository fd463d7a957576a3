// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/files.h"

namespace isomer::program {
namespace {

// The text of an application's file from its tables on, without its delivery.
std::string without_delivery(const std::string& name) {
  std::string text = test::contents(ISOMER_SOURCE_DIR "/examples/apps/tpcc/" + name);
  text.erase(0, text.find("CREATE TABLE"));
  const std::size_t delivery = text.find("-- Clause 2.7.");
  const std::size_t next = text.find("-- Clause 2.8.");
  EXPECT_LT(delivery, next) << name;
  return text.erase(delivery, next - delivery);
}

TEST(Apps, of_tpcc_differ_in_their_delivery_alone) {
  const std::string text = without_delivery("tpcc.sql");
  EXPECT_GT(text.size(), 10'000U);
  EXPECT_EQ(text, without_delivery("tpcc_by_district.sql"));
}

}  // namespace
}  // namespace isomer::program
