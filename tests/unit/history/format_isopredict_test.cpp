// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/history/reading.h"

namespace isomer::history {
namespace {

TEST(Isopredict, makes_values_that_tell_the_writers) {
  EXPECT_EQ(as_hist("WRITE KEY[x] Txn(0, 0)\n"
                    "WRITE KEY[x] Txn(1, 0)\n"
                    "WRITE KEY[x] Txn(1, 0)\n"
                    "READ KEY[x] Txn(2, 0) From(1, 0)\n"
                    "READ KEY[y] Txn(2, 0) From(0, 0)\n"
                    "WRITE KEY[x] Txn(1, 1)\n"
                    "READ KEY[x] Txn(2, 1) From(1, 1)",
                    "isopredict"),
            "s1: { w(x)=1 w(x)=2 } { w(x)=3 }\ns2: { r(x)=2 r(y)=0 } { r(x)=3 }\n");
}

TEST(Isopredict, lets_a_read_stand_before_its_write) {
  EXPECT_EQ(
      as_hist("READ KEY[x] Txn(1, 0) From(2, 0)\nWRITE KEY[x] Txn(2, 0)\n", "isopredict"),
      "s1: { r(x)=1 }\ns2: { w(x)=1 }\n");
}

TEST(Isopredict, gives_own_reads_the_own_last_write) {
  EXPECT_EQ(as_hist("WRITE KEY[x] Txn(1, 0)\nREAD KEY[x] Txn(1, 0) From(1, 0)\n"
                    "WRITE KEY[x] Txn(1, 0)\nREAD KEY[x] Txn(1, 0) From(0, 0)\n",
                    "isopredict"),
            "s1: { w(x)=1 r(x)=1 w(x)=2 r(x)=2 }\n");
}

TEST(Isopredict, takes_elements_of_sets_for_keys) {
  EXPECT_EQ(as_hist("INSERT[5] to Set[s] Txn(1, 0)\nDELETE[5] from Set[s] Txn(2, 0)\n"
                    "CONTAINS[5] in Set[s] From(1, 0) Txn(3, 0)\n",
                    "isopredict"),
            "s1: { w(\"Set(s:5)\")=1 }\ns2: { w(\"Set(s:5)\")=2 }\n"
            "s3: { r(\"Set(s:5)\")=1 }\n");
}

TEST(Isopredict, takes_a_key_as_it_is) {
  EXPECT_EQ(as_hist("READ KEY[Txn(5, 5) From(] Txn(1, 0) From(0, 0)\n", "isopredict"),
            "s1: { r(\"Txn(5, 5) From(\")=0 }\n");
}

TEST(Isopredict, skips_noise_and_says_so) {
  const auto read = parse_history("starting\nWRITE KEY[x] Txn(1,0)\n\n", "input", {});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->history.txn_count(), 2U);
  EXPECT_THAT(read->warnings,
              testing::ElementsAre("1 lines without Txn(...) were left out"));
}

TEST(Isopredict, writes_writers_before_readers) {
  EXPECT_EQ(written("a: { r(x)=1 r(y)=0 }\nb: { w(x)=1 r(x)=1 }\n", "isopredict").bytes,
            "WRITE KEY[x] Txn(2, 0)\n"
            "READ KEY[x] Txn(2, 0) From(2, 0)\n"
            "READ KEY[x] Txn(1, 0) From(2, 0)\n"
            "READ KEY[y] Txn(1, 0) From(0, 0)\n");
}

TEST(Isopredict, refuses_reads_that_no_trace_can_say) {
  const auto thin_air = write_history(history_of("a: { r(x)=7 }"), "isopredict");
  ASSERT_FALSE(thin_air);
  EXPECT_THAT(render(thin_air.error()), testing::HasSubstr("no transaction committed"));
  const auto two = write_history(history_of("a: { w(x)=1 }\nb: { w(x)=1 }\nc: { r(x)=1 }"),
                                 "isopredict");
  ASSERT_FALSE(two);
  EXPECT_THAT(render(two.error()), testing::HasSubstr("two writers"));
}

}  // namespace
}  // namespace isomer::history
