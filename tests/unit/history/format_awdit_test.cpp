// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "unit/history/reading.h"

namespace isomer::history {
namespace {

TEST(Awdit, reads_the_example_of_the_format) {
  EXPECT_EQ(as_hist("    w 0 0\n    w 1 0\n    =====\n    w 0 1\n    -----\n\n    r 0 1\n"
                    "    r 1 0",
                    "awdit"),
            "init none\ns0: { w(0)=0 w(1)=0 }\ns1: { w(0)=1 } { r(0)=1 r(1)=0 }\n");
}

TEST(Awdit, writes_the_initial_values_as_a_session) {
  const WriteResult result =
      written("1: { r(1)=0 w(1)=5 } { w(2)=9 } abort { r(2)=0 }\n2: { }\n", "awdit");
  EXPECT_EQ(result.bytes, "w 1 0\nw 2 0\n=====\nr 1 0\nw 1 5\n-----\nr 2 0\n");
  EXPECT_EQ(result.warnings.size(), 3U);  // the last one: a transaction without operations
}

TEST(Awdit, writes_no_initial_values_where_there_are_none) {
  EXPECT_EQ(written("init none\n1: { w(1)=5 }\n2: { r(1)=5 }\n", "awdit").bytes,
            "w 1 5\n=====\nr 1 5\n");
}

}  // namespace
}  // namespace isomer::history
