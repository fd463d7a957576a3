// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/history/reading.h"

namespace isomer::history {
namespace {

TEST(Hist, reads_sessions_statuses_and_names) {
  const History h = history_of(
      "# lost update\n"
      "init x=0 y=5\n"
      "a: { r(x)=0 w(x)=1 } { r(x)=1 }\n"
      "b: T7 { r(x)=0 w(x)=2 } abort\n"
      "   { r(y)=5 } unknown\n");
  EXPECT_EQ(h.session_count(), 2U);
  EXPECT_EQ(h.txn_count(), 5U);  // with the initial one
  EXPECT_EQ(h.session_name({0}), "a");
  EXPECT_EQ(h.txn_name({3}), "T7");
  EXPECT_EQ(h.status({3}), Status::Aborted);
  EXPECT_EQ(h.status({4}), Status::Unknown);
  EXPECT_EQ(h.line({3}), 4U);
  EXPECT_EQ(h.line({4}), 5U);
  EXPECT_EQ(h.initial_value({0}), Value::integer(0));
  EXPECT_EQ(h.initial_value({1}), Value::integer(5));
}

TEST(Hist, takes_the_spelling_with_a_comma) {
  EXPECT_EQ(as_hist("s1: { w(x,1) } { r(x, 1) w(x,2) }", "hist"),
            "s1: { w(x)=1 } { r(x)=1 w(x)=2 }\n");
}

TEST(Hist, appends_to_a_session_that_is_named_again) {
  EXPECT_EQ(as_hist("a: { w(x)=1 }\nb: { }\na: { w(x)=2 }", "hist"),
            "a: { w(x)=1 } { w(x)=2 }\nb: { }\n");
}

TEST(Hist, tells_numbers_words_strings_and_nil_apart) {
  const std::string text =
      "a: { w(x)=1 w(x)=\"1\" w(x)=nil w(x)=\"nil\" w(x)=word w(x)=\"two words\" "
      "w(x)=-5\n     }\n";
  const std::string canonical =
      "a: { w(x)=1 w(x)=\"1\" w(x)=nil w(x)=\"nil\" w(x)=word w(x)=\"two words\" w(x)=-5 "
      "}\n";
  EXPECT_EQ(as_hist(text, "hist"), canonical);
  const History h = history_of(text);
  EXPECT_EQ(h.operations()[0].value(), Value::integer(1));
  EXPECT_EQ(h.operations()[1].value_kind, ValueKind::String);
  EXPECT_EQ(h.operations()[2].value(), Value::none());
  EXPECT_EQ(h.operations()[3].value_kind, ValueKind::String);
}

TEST(Hist, keeps_numbers_of_any_size) {
  EXPECT_EQ(as_hist("a: { w(18446744073709551615)=-9223372036854775808 "
                    "w(x)=9223372036854775808 }",
                    "hist"),
            "a: { w(18446744073709551615)=-9223372036854775808 "
            "w(x)=\"9223372036854775808\" }\n");
}

TEST(Hist, quotes_what_would_be_read_as_something_else) {
  const std::string text =
      "init none \"*\"=1\n\"a b\": \"abort\" { w(\"x:y\")=\"q\\\"\\\\\\n\\u0001\" } abort\n"
      "\"unknown\": { w(\"\")=1 }\n";
  EXPECT_EQ(as_hist(text, "hist"), text);
}

TEST(Hist, quotes_a_name_that_begins_like_a_file) {
  const std::string text =
      "\"\xef\xbb\xbf"
      "a\": { w(x)=1 }\n";
  EXPECT_EQ(as_hist(text, "hist"), text);
}

TEST(Hist, decodes_escapes) {
  const History h = history_of("a: { w(x)=\"\\u00e9\\ud83d\\ude00\\t\" }");
  EXPECT_EQ(h.text(h.operations()[0].value()), "\u00e9\U0001F600\t");
}

TEST(Hist, begins_with_zero_unless_told) {
  EXPECT_EQ(history_of("a: { r(x)=0 }").default_initial_value(), Value::integer(0));
  EXPECT_EQ(history_of("init none a: { }").default_initial_value(), std::nullopt);
  EXPECT_EQ(history_of("init *=nil\na: { }").default_initial_value(), Value::none());
  EXPECT_EQ(history_of("init x=3\na: { }").default_initial_value(), Value::integer(0));
}

TEST(Hist, has_list_append) {
  const std::string text = "a: { a(x)=1 r(x)=[1] }\nb: { r(x)=[1 2] a(x)=3 } { r(y)=[] }\n";
  EXPECT_EQ(as_hist(text, "hist"), text);
  const History h = history_of(text);
  EXPECT_TRUE(h.is_list_append());
  EXPECT_EQ(h.default_initial_value(), Value::none());
  ASSERT_EQ(h.lists().size(), 3U);
  EXPECT_THAT(h.list(h.lists()[1]),
              testing::ElementsAre(Value::integer(1), Value::integer(2)));
}

TEST(Hist, lets_an_aborted_append_be_tried_again) {
  const std::string text = "a: { a(x)=1 } abort { a(x)=1 }\n";
  EXPECT_EQ(as_hist(text, "hist"), text);
}

TEST(Hist, breaks_long_sessions_between_transactions) {
  std::string text = "a:";
  for (int i = 1; i <= 12; ++i)
    text += " { w(x)=" + std::to_string(i) + " }";
  const std::string out = as_hist(text, "hist");
  EXPECT_EQ(out.find('\n'),
            std::string("a:").size() + 7 * std::string(" { w(x)=1 }").size());
  EXPECT_THAT(out, testing::HasSubstr("\n  { w(x)=8 }"));
  EXPECT_EQ(as_hist(out, "hist"), out);
}

TEST(Hist, keeps_sessions_apart_that_print_alike) {
  EXPECT_EQ(as_hist("1: { w(x)=1 }\ns1: { w(x)=2 }", "hist"),
            "s1: { w(x)=1 }\ns1': { w(x)=2 }\n");
}

}  // namespace
}  // namespace isomer::history
