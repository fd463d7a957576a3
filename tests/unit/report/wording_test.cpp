// SPDX-License-Identifier: MIT
#include "report/check/wording.h"

#include <gtest/gtest.h>

#include "history/builder.h"
#include "unit/report/fixtures.h"

namespace isomer::report {
namespace {

using history::HistoryBuilder;
using history::Value;

TEST(Printable, keeps_text_and_escapes_what_a_terminal_would_obey) {
  EXPECT_EQ(printable("balance"), "balance");
  EXPECT_EQ(printable("stra\xc3\x9f"
                      "e"),
            "stra\xc3\x9f"
            "e");
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable("a\nb"), "a\\x0ab");
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");           // a C1 control character
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
}

TEST(Printable, leaves_out_the_middle_of_what_is_long) {
  EXPECT_EQ(printable("abcdefghij/12", 9), "abcdef.../12");
  EXPECT_EQ(printable("abcdefghi", 9), "abcdefghi");
}

TEST(Counted, knows_the_plural) {
  EXPECT_EQ(counted(0, "read"), "0 reads");
  EXPECT_EQ(counted(1, "read"), "1 read");
  EXPECT_EQ(counted(2, "read"), "2 reads");
}

TEST(OperationText, shows_lists_and_appends) {
  HistoryBuilder builder;
  const auto x = builder.key("x");
  const auto a = builder.begin(builder.session("a"));
  builder.set_list_append();
  builder.write(a, x, Value::integer(1));
  builder.read_list(a, x, {Value::integer(1)});
  const history::History history = builder.build();
  EXPECT_EQ(operation_text(history, history.first_op({1})), "append(x)=1");
  EXPECT_EQ(operation_text(history, history.first_op({1}) + 1), "r(x)=[1]");
}

TEST(OperationText, shows_the_end_of_a_long_list) {
  HistoryBuilder builder;
  const auto x = builder.key("x");
  std::vector<Value> list;
  const auto a = builder.begin(builder.session("a"));
  builder.set_list_append();
  for (int i = 1; i <= 20; ++i) {
    builder.write(a, x, Value::integer(i));
    list.push_back(Value::integer(i));
  }
  const auto b = builder.begin(builder.session("b"));
  builder.read_list(b, x, list);
  const history::History history = builder.build();
  EXPECT_EQ(operation_text(history, history.first_op({2})),
            "r(x)=[... 12 more ... 13 14 15 16 17 18 19 20]");
}

// One history for each kind of read that no built-in level allows, and what is said about
// it.
TEST(Sentence, names_readers_values_and_writers) {
  struct Row {
    std::vector<std::pair<char, int>> first;   // operations on x of a/1
    std::vector<std::pair<char, int>> second;  // of b/1
    const char* expected;
  };

  const Row rows[] = {
      {{{'w', 1}, {'w', 2}},
       {{'r', 1}},
       "b/1 read x = 1, which a/1 wrote, and overwrote with 2 before it committed."},
      {{{'r', 1}, {'w', 1}}, {}, "a/1 read x = 1 before it wrote that value itself."},
      {{{'w', 1}, {'w', 2}, {'r', 1}},
       {},
       "a/1 read x = 1, a value it wrote itself but had already overwritten with 2."},
      {{{'w', 1}, {'r', 0}}, {}, "a/1 read x = 0, although it had just written 1 itself."},
      {{{'w', 1}}, {{'r', 7}}, "b/1 read x = 7, but nobody ever wrote that value to x."},
  };
  for (const Row& row : rows) {
    HistoryBuilder builder;
    builder.set_initial(Value::integer(0));
    const auto x = builder.key("x");
    const auto add = [&](const char* session, const auto& operations) {
      const auto t = builder.begin(builder.session(session));
      for (const auto& [kind, value] : operations)
        kind == 'r' ? builder.read(t, x, Value::integer(value))
                    : builder.write(t, x, Value::integer(value));
    };
    add("a", row.first);
    add("b", row.second);
    const history::History history = builder.build();
    ASSERT_EQ(history.problems().size(), 1U) << row.expected;
    EXPECT_EQ(sentence(history, history.problems()[0]), row.expected);
  }
}

TEST(Sentence, shows_both_lists_of_an_incompatible_pair) {
  HistoryBuilder builder;
  builder.set_list_append();
  const auto x = builder.key("x");
  builder.write(builder.begin(builder.session("a")), x, Value::integer(1));
  builder.write(builder.begin(builder.session("b")), x, Value::integer(2));
  builder.read_list(builder.begin(builder.session("c")), x,
                    {Value::integer(1), Value::integer(2)});
  builder.read_list(builder.begin(builder.session("d")), x, {Value::integer(2)});
  const history::History history = builder.build();
  ASSERT_EQ(history.problems().size(), 1U);
  const std::string found = sentence(history, history.problems()[0]);
  EXPECT_NE(found.find("[1 2]"), std::string::npos) << found;
  EXPECT_NE(found.find("[2]"), std::string::npos) << found;
  EXPECT_NE(found.find("neither list extends the other"), std::string::npos) << found;
}

}  // namespace
}  // namespace isomer::report
