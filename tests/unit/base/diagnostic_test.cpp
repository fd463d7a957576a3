// SPDX-License-Identifier: MIT
#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace isomer {
namespace {

void expect_position(std::string_view text, std::size_t offset, std::uint64_t line,
                     std::uint64_t column) {
  const Position at = position_of(text, offset);
  EXPECT_EQ(at.line, line) << "offset " << offset;
  EXPECT_EQ(at.column, column) << "offset " << offset;
}

TEST(Diagnostic, lines_and_columns_count_from_one) {
  const std::string_view text = "ab\n\ncd";
  expect_position(text, 0, 1, 1);
  expect_position(text, 1, 1, 2);
  expect_position(text, 2, 1, 3);  // the newline is the last column of its line
  expect_position(text, 3, 2, 1);
  expect_position(text, 4, 3, 1);
  expect_position(text, 5, 3, 2);
}

TEST(Diagnostic, the_end_of_the_text_is_a_place) {
  expect_position("ab", 2, 1, 3);
  expect_position("ab\n", 3, 2, 1);
  expect_position("ab", 99, 1, 3);
  expect_position("", 0, 1, 1);
}

TEST(Diagnostic, columns_count_bytes) {
  expect_position("\xc3\xa4x", 2, 1, 3);
}

TEST(Diagnostic, renders_the_line_with_a_caret_under_the_place) {
  EXPECT_EQ(render(diagnostic_at("a.hist", "one\ntwo three\nfour", 8, "expected a key")),
            "a.hist:2:5: error: expected a key\n"
            "  two three\n"
            "      ^\n");
}

TEST(Diagnostic, the_caret_may_stand_behind_the_line) {
  EXPECT_EQ(render(diagnostic_at("a.hist", "one\ntwo", 3, "expected ')'")),
            "a.hist:1:4: error: expected ')'\n"
            "  one\n"
            "     ^\n");
  EXPECT_EQ(render(diagnostic_at("a.hist", "one", 3, "expected ')'")),
            "a.hist:1:4: error: expected ')'\n"
            "  one\n"
            "     ^\n");
}

TEST(Diagnostic, an_empty_line_has_no_excerpt) {
  EXPECT_EQ(render(diagnostic_at("a.hist", "one\n\ntwo", 4, "expected a key")),
            "a.hist:2:1: error: expected a key\n");
}

TEST(Diagnostic, a_carriage_return_is_no_part_of_the_line) {
  EXPECT_EQ(diagnostic_at("a.hist", "one\r\ntwo", 1, "m").source_line, "one");
}

TEST(Diagnostic, a_long_line_is_shown_around_the_place) {
  std::string text(1000, 'a');
  text[500] = 'X';
  const Diagnostic middle = diagnostic_at("a.hist", text, 500, "m");
  EXPECT_EQ(middle.at.column, 501U);
  EXPECT_EQ(middle.source_line.size(), 80U);
  EXPECT_EQ(middle.source_line[middle.caret - 1], 'X');

  text[999] = 'X';
  const Diagnostic end = diagnostic_at("a.hist", text, 999, "m");
  EXPECT_EQ(end.source_line.size(), 41U);
  EXPECT_EQ(end.caret, 41U);
  EXPECT_EQ(end.source_line[40], 'X');

  const Diagnostic begin = diagnostic_at("a.hist", text, 3, "m");
  EXPECT_EQ(begin.source_line, std::string(80, 'a'));
  EXPECT_EQ(begin.caret, 4U);
}

TEST(Diagnostic, a_line_that_fits_is_shown_whole) {
  const std::string text(80, 'a');
  const Diagnostic end = diagnostic_at("a.hist", text, 79, "m");
  EXPECT_EQ(end.source_line, text);
  EXPECT_EQ(end.caret, 80U);
}

TEST(Diagnostic, unprintable_bytes_are_shown_as_dots) {
  const std::string_view text("a\t\x1b[31m\x7f\xc3\xa4\0z", 12);
  EXPECT_EQ(diagnostic_at("a.hist", text, 0, "m").source_line, "a..[31m....z");
}

TEST(Diagnostic, of_a_file_has_neither_line_nor_caret) {
  EXPECT_EQ(render(diagnostic_of_file("a.hist", "the file is empty")),
            "a.hist: error: the file is empty\n");
}

TEST(Diagnostic, notes_follow_the_caret_in_order) {
  Diagnostic d = diagnostic_at("a.hist", "one\ntwo", 4, "again");
  d.notes.push_back({{.line = 1, .column = 1}, "first here"});
  d.notes.push_back({{}, "on the whole"});
  EXPECT_EQ(render(d),
            "a.hist:2:1: error: again\n"
            "  two\n"
            "  ^\n"
            "a.hist:1:1: note: first here\n"
            "a.hist: note: on the whole\n");
}

TEST(Diagnostic, several_are_rendered_one_after_the_other) {
  EXPECT_EQ(render(Diagnostics{diagnostic_of_file("a", "x"), diagnostic_of_file("b", "y")}),
            "a: error: x\nb: error: y\n");
}

}  // namespace
}  // namespace isomer
