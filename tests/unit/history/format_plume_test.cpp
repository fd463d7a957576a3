// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/history/reading.h"

namespace isomer::history {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Plume, reads_the_example_of_the_format) {
  EXPECT_EQ(
      as_hist("w(1,1,0,0)\nr(1,1,0,1)\nw(2,1,0,1)\nw(2,9,1,-1)\nr(2,1,1,2)\n", "plume"),
      "s0: { w(1)=1 } { r(1)=1 w(2)=1 }\ns1: { w(2)=9 } abort { r(2)=1 }\n");
}

// Long enough that most lines take the fast way, and interleaved.
TEST(Plume, reads_interleaved_transactions_in_order_of_first_appearance) {
  std::string text;
  for (int i = 1; i <= 20; ++i)
    text += "w(" + std::to_string(i) + ",5,7,900)\nr(" + std::to_string(i) + ",0,7,30)\n";
  const History h = history_of(text, "plume");
  EXPECT_EQ(h.txn_count(), 3U);
  EXPECT_EQ(h.operations({1}).size(), 20U);
  EXPECT_EQ(h.operations({1})[0].kind, OpKind::Write);
  EXPECT_EQ(h.operations({2})[19].kind, OpKind::Read);
  EXPECT_EQ(h.line({2}), 2U);
  EXPECT_EQ(h.session_name({0}), "s7");
}

TEST(Plume, ignores_reads_of_aborted_transactions) {
  EXPECT_EQ(as_hist("r(1,7,0,-1)\nw(1,8,0,-1)\nw(2,8,0,-1)\n", "plume"),
            "s0: { w(1)=8 } abort { w(2)=8 } abort\n");
}

TEST(Plume, reads_the_same_in_the_fast_and_the_careful_way) {
  const std::string fast = "w(123456789012345678,999999999999999999,3,4)\n";
  const std::string careful = "w(123456789012345678,999999999999999999,3,4) \n";
  const std::string filler = std::string(200, '\n');
  EXPECT_EQ(as_hist(fast + filler, "plume"), as_hist(careful, "plume"));
  EXPECT_EQ(as_hist(fast + filler, "plume"),
            "s3: { w(123456789012345678)=999999999999999999 }\n");
}

// A blank at the end of a line makes it one for the careful way.
TEST(Plume, reads_numbers_of_every_length_in_both_ways) {
  const std::string digits = "1234567890123456789";
  std::string fast;
  std::string careful;
  for (std::size_t length = 1; length <= digits.size(); ++length) {
    const std::string number = digits.substr(0, length);
    const std::string line =
        "w(" + number + "," + number + "," + number + "," + number + ")";
    fast += line + "\n";
    careful += line + " \n";
  }
  const std::string filler = std::string(200, '\n');
  EXPECT_EQ(as_hist(fast + filler, "plume"), as_hist(careful, "plume"));
  EXPECT_THAT(as_hist(fast + filler, "plume"),
              testing::HasSubstr("s123456789012: { w(123456789012)=123456789012 }\n"));
}

TEST(Plume, a_line_that_ends_like_the_one_before_belongs_to_the_same_transaction) {
  const std::string filler = std::string(200, '\n');
  EXPECT_EQ(as_hist("w(1,1,2,3)\nw(2,1,2,3)\nw(1,2,2,33)\nw(2,2,12,3)\n" + filler, "plume"),
            "input:4:1: error: transaction 3 is in session 12 here, but in another session "
            "on line 1: transaction numbers are global\n"
            "  w(2,2,12,3)\n"
            "  ^\n"
            "input:1:1: note: the transaction begins here\n");
  EXPECT_EQ(as_hist("w(1,1,2,3)\nw(2,1,2,3)\nw(1,2,2,33)\nr(2,1,2,33)\n" + filler, "plume"),
            "s2: { w(1)=1 w(2)=1 } { w(1)=2 r(2)=1 }\n");
}

TEST(Plume, a_line_for_the_careful_way_does_not_mislead_the_next) {
  const std::string filler = std::string(200, '\n');
  EXPECT_EQ(as_hist("w(1,1,2,3)\nw(2,1,5,6) \nw(3,1,2,3)\n" + filler, "plume"),
            "s2: { w(1)=1 w(3)=1 }\ns5: { w(2)=1 }\n");
}

TEST(Plume, keeps_numbers_beyond_64_signed_bits_as_they_are) {
  EXPECT_EQ(as_hist("w(18446744073709551615,9223372036854775808,0,0)\n"
                    "r(18446744073709551615,9223372036854775808,0,1)\n" +
                        std::string(200, '\n'),
                    "plume"),
            "s0: { w(18446744073709551615)=\"9223372036854775808\" }\n "
            " { r(18446744073709551615)=\"9223372036854775808\" }\n");
}

TEST(Plume, takes_sparse_transaction_numbers) {
  EXPECT_EQ(
      as_hist("w(1,1,0,9000000000000000000)\nr(1,1,0,5)\nw(2,2,0,9000000000000000000)\n",
              "plume"),
      "s0: { w(1)=1 w(2)=2 } { r(1)=1 }\n");
}

TEST(Plume, writes_numbers_as_they_are) {
  const WriteResult result =
      written("1: { w(1)=1 }\n2: { r(1)=1 w(2)=7 } { w(2)=8 } abort\n", "plume");
  EXPECT_EQ(result.bytes, "w(1,1,1,0)\nr(1,1,2,1)\nw(2,7,2,1)\nw(2,8,2,-1)\n");
  EXPECT_THAT(
      result.warnings,
      ElementsAre("aborted transactions keep only their writes, one transaction each"));
}

TEST(Plume, says_nothing_when_nothing_is_lost) {
  EXPECT_THAT(written("1: { w(1)=1 }\n", "plume").warnings, IsEmpty());
}

TEST(Plume, numbers_keys_and_values_that_are_no_numbers) {
  const WriteResult result =
      written("init x=a\ns: { r(x)=a w(x)=b w(y)=b } { r(x)=b r(y)=0 w(y)=-7 }\n", "plume");
  EXPECT_EQ(result.bytes,
            "r(0,0,0,0)\nw(0,1,0,0)\nw(1,1,0,0)\nr(0,1,0,1)\nr(1,0,0,1)\nw(1,2,0,1)\n");
  EXPECT_EQ(result.warnings.size(), 2U);
}

TEST(Plume, settles_unknown_outcomes_by_who_was_seen) {
  const WriteResult result =
      written("1: { r(5)=9 w(1)=1 } unknown { w(1)=2 } unknown\n2: { r(1)=1 }\n", "plume");
  EXPECT_EQ(result.bytes, "w(1,1,1,0)\nw(1,2,1,-1)\nr(1,1,2,2)\n");
  EXPECT_EQ(result.warnings.size(), 2U);
}

TEST(Plume, does_not_let_a_thin_air_zero_become_initial) {
  const WriteResult result = written("init none\n1: { r(1)=0 }\n", "plume");
  EXPECT_EQ(result.bytes, "r(1,1,1,0)\n");
}

// --- AWDIT, whose format has the same pieces ---

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
