// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <string>

#include <gtest/gtest.h>

namespace isomer {
namespace {

TEST(Characters, have_a_length_in_bytes) {
  EXPECT_EQ(character_length("ab"), 1U);
  EXPECT_EQ(character_length("\xc3\x9f"), 2U);
  EXPECT_EQ(character_length("\xe2\x89\xa4 b"), 3U);
  EXPECT_EQ(character_length("\xf0\x9f\x90\x98"), 4U);
  EXPECT_EQ(character_length(std::string(1, '\0')), 1U);
}

TEST(Characters, are_none_if_they_are_not_utf8) {
  for (const std::string text :
       {"", "\x80", "\xc3", "\xc3 ", "\xe2\x89", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
        "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"})
    EXPECT_EQ(character_length(text), 0U) << testing::PrintToString(text);
}

TEST(Characters, end_before_the_next_first_byte) {
  EXPECT_EQ(character_end("a\xc3\x9f", 0), 1U);
  EXPECT_EQ(character_end("a\xc3\x9f", 1), 3U);
  EXPECT_EQ(character_end("\xc3\x9f\x80\x80z", 0), 4U);
}

}  // namespace
}  // namespace isomer
