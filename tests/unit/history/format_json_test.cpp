// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "unit/history/reading.h"

namespace isomer::history {
namespace {

TEST(JsonLines, reads_a_header_and_transactions) {
  EXPECT_EQ(
      as_hist("{\"isomer-history\": 1, \"initial\": 0, \"initial_of\": {\"y\": 5}}\n"
              "{\"session\": \"a\", \"operations\": [[\"r\",\"x\",0],[\"w\",\"x\",1]]}\n"
              "\n"
              "{\"session\": \"b\", \"name\": \"T7\", \"status\": \"aborted\", "
              "\"operations\": [[\"w\",\"y\",\"q\"]]}\r\n"
              "{\"session\": 5, \"status\": \"unknown\", \"operations\": []}",
              "jsonl"),
      "init y=5\na: { r(x)=0 w(x)=1 }\nb: T7 { w(y)=q } abort\ns5: { } unknown\n");
}

TEST(JsonLines, begin_with_nothing_unless_told) {
  EXPECT_EQ(as_hist("{\"session\": \"a\", \"operations\": []}", "jsonl"),
            "init none\na: { }\n");
}

TEST(JsonLines, keep_the_line_of_each_transaction) {
  const History h = history_of(
      "{\"isomer-history\": 1}\n\n{\"session\": \"a\", \"operations\": []}\n"
      "{\"session\": \"a\", \"operations\": []}\n",
      "jsonl");
  EXPECT_EQ(h.line({1}), 3U);
  EXPECT_EQ(h.line({2}), 4U);
}

TEST(JsonLines, have_list_append) {
  const std::string text =
      "{\"isomer-history\":1,\"initial\":null}\n"
      "{\"session\":\"a\",\"operations\":[[\"append\",\"x\",1],[\"r\",\"x\",[1]]]}\n";
  EXPECT_EQ(as_hist(text, "jsonl"), "a: { a(x)=1 r(x)=[1] }\n");
  EXPECT_EQ(written("a: { a(x)=1 r(x)=[1] }\n", "jsonl").bytes, text);
}

TEST(JsonLines, keep_numbers_that_are_no_64_bit_integers_as_text) {
  EXPECT_EQ(as_hist("{\"session\":\"a\",\"operations\":[[\"w\",18446744073709551615,1.5],"
                    "[\"w\",\"x\",1e300],[\"w\",\"x\",true],"
                    "[\"w\",\"x\",123456789012345678901234567890]]}",
                    "jsonl"),
            "init none\na: { w(18446744073709551615)=1.5 w(x)=1e300 w(x)=true "
            "w(x)=\"123456789012345678901234567890\" }\n");
}

TEST(Json, reads_what_the_command_line_prints) {
  EXPECT_EQ(
      as_hist("{\"sessions\": [{\"name\": \"a\", \"transactions\": [{\"name\": \"T\", "
              "\"status\": \"committed\", \"operations\": [[\"r\", \"x\", 0]]}]}]}",
              "json"),
      "a: T { r(x)=0 }\n");
}

TEST(Json, writes_every_part) {
  const std::string hist =
      "init none x=\"a\\\"b\"\na: T { r(x)=\"a\\\"b\" w(7)=nil } unknown\nb: { } abort\n";
  const std::string json = written(hist, "json").bytes;
  EXPECT_EQ(
      json,
      "{\"sessions\":[\n{\"name\":\"a\",\"transactions\":[\n"
      " {\"name\":\"T\",\"status\":\"unknown\",\"operations\":[[\"r\",\"x\",\"a\\\"b\"],"
      "[\"w\",7,null]]}]},\n{\"name\":\"b\",\"transactions\":[\n"
      " {\"status\":\"aborted\",\"operations\":[]}]}],"
      "\"initial_of\":{\"x\":\"a\\\"b\"},\"has_initial\":false}\n");
  EXPECT_EQ(as_hist(json, "json"), hist);
}

}  // namespace
}  // namespace isomer::history
