// SPDX-License-Identifier: MIT
// Where the program made an operation: kept by our formats and by traces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/builder.h"
#include "unit/history/reading.h"

namespace isomer::history {
namespace {

using testing::HasSubstr;

constexpr const char* placed =
    "a: T1 {\n"
    "    r(x)=0  @bank.sql:12\n"
    "    w(x)=1  @bank.sql:14\n"
    "  } {\n"
    "    r(x)=1\n"
    "  }\n"
    "b: {\n"
    "    w(y)=2  @\"my bank.sql:3\"\n"
    "  } abort\n";

TEST(Places, are_absent_unless_given) {
  const History history = history_of("a: { r(x)=0 }");
  EXPECT_FALSE(history.has_places());
  EXPECT_EQ(history.place(0), "");
}

TEST(Places, belong_to_their_operations) {
  const History history = history_of(placed);
  ASSERT_TRUE(history.has_places());
  EXPECT_EQ(history.place(0), "bank.sql:12");
  EXPECT_EQ(history.place(1), "bank.sql:14");
  EXPECT_EQ(history.place(2), "");
  EXPECT_EQ(history.place(3), "my bank.sql:3");
}

TEST(Places, go_with_operations_that_are_put_in_order) {
  HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  const SessionId a = builder.session("a");
  const SessionId b = builder.session("b");
  const auto first = builder.begin(a);
  const auto second = builder.begin(b);
  const KeyId x = builder.key("x");
  builder.write(second, x, Value::integer(2));
  builder.set_place("f:2");
  builder.write(first, x, Value::integer(1));
  builder.write(second, x, Value::integer(4));
  builder.set_place("f:4");
  builder.read(first, x, Value::integer(1));
  const History history = builder.build();
  std::vector<std::string> places;
  for (std::uint32_t op = 0; op < 4; ++op)
    places.emplace_back(history.place(op));
  EXPECT_THAT(places, testing::ElementsAre("", "", "f:2", "f:4"));
}

TEST(Places, survive_our_formats) {
  EXPECT_EQ(as_hist(placed, "hist"), placed);
  for (const std::string format : {"json", "jsonl"})
    EXPECT_EQ(as_hist(written(placed, format).bytes, format), placed) << format;
}

TEST(Places, stand_fourth_in_json) {
  EXPECT_THAT(written(placed, "jsonl").bytes, HasSubstr(R"(["r","x",0,"bank.sql:12"])"));
  EXPECT_THAT(written(placed, "jsonl").bytes, HasSubstr(R"([["r","x",1]])"));
  EXPECT_EQ(as_hist(R"({"session":"a","operations":[["append","x",1,"f:1"],)"
                    R"(["r","x",[1],"f:2"]]})",
                    "jsonl"),
            "init none\na: {\n    a(x)=1  @f:1\n    r(x)=[1]  @f:2\n  }\n");
}

TEST(Places, end_the_lines_of_traces) {
  const std::string trace = written(placed, "isopredict").bytes;
  EXPECT_EQ(trace,
            "READ KEY[x] Txn(1, 0) From(0, 0) @bank.sql:12\n"
            "WRITE KEY[x] Txn(1, 0) @bank.sql:14\n"
            "READ KEY[x] Txn(1, 1) From(1, 0)\n");
  EXPECT_EQ(as_hist(trace, "isopredict"),
            "s1: {\n    r(x)=0  @bank.sql:12\n    w(x)=1  @bank.sql:14\n  } {\n"
            "    r(x)=1\n  }\n");
}

TEST(Places, that_would_spoil_a_trace_are_left_out) {
  EXPECT_EQ(written("a: { w(x)=1 @\"From(1, 0)\" }", "isopredict").bytes,
            "WRITE KEY[x] Txn(1, 0)\n");
}

TEST(Places, are_missed_by_formats_that_cannot_have_them) {
  for (const std::string format : {"plume", "dbcop", "elle", "awdit"}) {
    EXPECT_THAT(written(placed, format).warnings,
                testing::Contains(HasSubstr("stand in the program")))
        << format;
    EXPECT_THAT(written("a: { r(x)=0 }", format).warnings,
                Not(testing::Contains(HasSubstr("stand in the program"))))
        << format;
  }
}

TEST(Places, must_be_texts) {
  EXPECT_THAT(as_hist("a: { r(x)=0 @ }", "hist"),
              HasSubstr("input:1:14: error: expected a place such as bank.sql:12"));
  EXPECT_THAT(as_hist(R"({"session":"a","operations":[["r","x",0,12]]})", "jsonl"),
              HasSubstr("expected a place such as \"bank.sql:12\""));
  EXPECT_THAT(as_hist(R"({"session":"a","operations":[["r","x",0,"f:1",2]]})", "jsonl"),
              HasSubstr("expected an operation"));
  EXPECT_THAT(as_hist("a: { @f:1 r(x)=0 }", "hist"), HasSubstr("expected an operation"));
}

}  // namespace
}  // namespace isomer::history
