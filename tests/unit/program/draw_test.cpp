// SPDX-License-Identifier: MIT
#include "program/scenario/draw.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isomer::program {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::Le;
using testing::MatchesRegex;

Draw parsed(std::string_view text, std::span<const Draw> earlier = {}) {
  auto draw = parse_draw(text, earlier);
  EXPECT_TRUE(draw) << text << ": " << (draw ? "" : draw.error().message);
  return draw.value_or(Draw{});
}

std::vector<std::string> draws_of(std::string_view text, int count = 300) {
  const Draw draw = parsed(text);
  Random random(1);
  std::vector<std::string> results;
  for (int i = 0; i < count; ++i)
    results.push_back(drawn(
        draw, {random, {}, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(i)}));
  return results;
}

std::set<std::string> values_of(std::string_view text) {
  const auto results = draws_of(text);
  return {results.begin(), results.end()};
}

using Values = std::set<std::string>;

TEST(draw, literals_draw_themselves) {
  EXPECT_EQ(values_of("7"), Values{"7"});
  EXPECT_EQ(values_of(" -1.50 "), Values{"-1.50"});
  EXPECT_EQ(values_of("'it''s'"), Values{"'it''s'"});
  EXPECT_EQ(values_of("null"), Values{"NULL"});
  EXPECT_EQ(values_of("true"), Values{"true"});
}

TEST(draw, int_draws_all_of_its_range_and_nothing_else) {
  EXPECT_EQ(values_of("int(-1, 3)"), (Values{"-1", "0", "1", "2", "3"}));
  EXPECT_EQ(values_of("int(5, 5)"), Values{"5"});
}

TEST(draw, numeric_has_its_digits) {
  EXPECT_THAT(draws_of("numeric(-3, 3, 2)"), Each(MatchesRegex("-?[0-3]\\.[0-9][0-9]")));
  EXPECT_EQ(values_of("numeric(4, 4, 3)"), Values{"4.000"});
  EXPECT_EQ(values_of("numeric(-1, 0, 0)"), (Values{"-1", "0"}));
}

TEST(draw, numeric_between_minus_one_and_zero_keeps_its_sign) {
  EXPECT_TRUE(values_of("numeric(-1, 0, 1)").contains("-0.5"));
}

TEST(draw, choice_draws_each) {
  EXPECT_EQ(values_of("choice(1, 'a', null)"), (Values{"1", "'a'", "NULL"}));
}

TEST(draw, percent_is_about_right) {
  const auto results = draws_of("percent(25, 1, 0)", 4000);
  const auto hits = std::count(results.begin(), results.end(), "1");
  EXPECT_THAT(hits, AllOf(Ge(900), Le(1100)));
  EXPECT_EQ(values_of("percent(0, 1, 0)"), Values{"0"});
  EXPECT_EQ(values_of("percent(100, 1, 0)"), Values{"1"});
}

TEST(draw, other_avoids_one_value) {
  EXPECT_EQ(values_of("other(2, 1, 3)"), (Values{"1", "3"}));
  EXPECT_EQ(values_of("other(9, 1, 2)"), (Values{"1", "2"}));
  EXPECT_EQ(values_of("other(1, 1, 1)"), Values{"1"});
}

TEST(draw, arguments_can_be_used_again) {
  const std::vector<Draw> earlier{parsed("int(1, 9)"), parsed("null")};
  const std::vector<std::string> arguments{"7", "NULL"};
  Random random(1);
  const DrawContext context{random, arguments, 0, 0};
  const auto value = [&](std::string_view text) {
    return drawn(parsed(text, earlier), context);
  };
  EXPECT_EQ(value("arg(1)"), "7");
  EXPECT_EQ(value("other(arg(1), 7, 8)"), "8");
  EXPECT_EQ(value("if_equal(arg(2), null, 'yes', 'no')"), "'yes'");
  EXPECT_EQ(value("if_equal(arg(1), 6, 'yes', 'no')"), "'no'");
}

TEST(draw, fresh_counts_the_calls_of_the_type) {
  const auto results = draws_of("fresh(10)", 3);
  EXPECT_THAT(results, testing::ElementsAre("10", "11", "12"));
}

TEST(draw, nurand_stays_in_range_and_is_not_uniform) {
  const auto results = draws_of("nurand(255, 0, 999)", 5000);
  std::set<std::string> distinct(results.begin(), results.end());
  for (const std::string& result : results)
    EXPECT_LE(std::stoi(result), 999);
  EXPECT_LT(distinct.size(), 900U) << "5000 uniform draws of 1000 give about 993";
}

TEST(draw, last_names_follow_the_standard) {
  EXPECT_EQ(values_of("last_name(371)"), Values{"'PRICALLYOUGHT'"});
  EXPECT_EQ(values_of("last_name(0)"), Values{"'BARBARBAR'"});
}

TEST(draw, list_joins_draws_and_ends_with_its_last) {
  EXPECT_EQ(values_of("list(3, 'a')"), Values{"'a,a,a'"});
  EXPECT_EQ(values_of("list(3, 1, 2)"), Values{"'1,1,2'"});
  EXPECT_EQ(values_of("list(0, 1)"), Values{"''"});
}

TEST(draw, text_and_names_are_quoted) {
  EXPECT_THAT(draws_of("text(2, 4)"), Each(MatchesRegex("'[a-z][a-z][a-z]?[a-z]?'")));
  EXPECT_THAT(draws_of("name()"), Each(MatchesRegex("'[a-z]+'")));
}

TEST(draw, timestamps_grow) {
  const auto results = draws_of("timestamp()", 100);
  EXPECT_TRUE(std::is_sorted(results.begin(), results.end()));
  EXPECT_EQ(results[61], "'2024-06-01 12:01:01'");
}

struct Refused {
  std::string_view text;
  std::size_t offset;
  std::string_view message;
};

TEST(draw, refuses_what_it_could_not_draw) {
  const std::vector<Refused> cases{
      {"", 0, "expected a number, a text in single quotes or a function"},
      {"int(1 2)", 6, "expected ',' or ')'"},
      {"int(1)", 0, "expected int(first, last)"},
      {"int(2, 1)", 0, "the range is empty"},
      {"int(1, 'a')", 7, "int(first, last): expected an integer"},
      {"int(1, choice(2, 2.5))", 7, "int(first, last): expected an integer"},
      {"dice(6)", 0, "there is no draw named 'dice'"},
      {"int(1, 2) 3", 10, "expected the end of the draw"},
      {"'open", 0, "the text is not closed"},
      {"1.", 0, "expected a number"},
      {"12345678901234567", 0, "a number has at most 15 digits"},
      {"percent(101, 1, 2)", 0, "a percentage is from 0 to 100"},
      {"arg(1)", 0, "expected the number of an earlier argument, from 1"},
      {"list(1001, 1)", 0, "a list has at most 1000 items"},
      {"name", 4, "expected name()"},
      {"numeric(0, 1, 10)", 0, "digits: a constant from 0 to 9"},
      {"nurand(-1, 0, 9)", 0, "nurand takes no negative numbers"},
      {"last_name(1000)", 0, "last names have numbers from 0 to 999"},
  };
  for (const Refused& refused : cases) {
    const auto draw = parse_draw(refused.text, {});
    ASSERT_FALSE(draw) << refused.text;
    EXPECT_EQ(draw.error().message, refused.message) << refused.text;
    EXPECT_EQ(draw.error().offset, refused.offset) << refused.text;
  }
}

TEST(draw, refuses_depth) {
  std::string text = "1";
  for (int i = 0; i < 50; ++i)
    text = "choice(" + text + ")";
  const auto draw = parse_draw(text, {});
  ASSERT_FALSE(draw);
  EXPECT_EQ(draw.error().message, "too deep");
}

}  // namespace
}  // namespace isomer::program
