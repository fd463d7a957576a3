// SPDX-License-Identifier: MIT
#include "logic/text_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace isomer::logic {
namespace {

using Texts = std::vector<std::string>;

Rational number(int numerator, int denominator = 1) {
  return *fraction(numerator, denominator);
}

TEST(TextOrderTest, short_texts_fit_between_others) {
  EXPECT_EQ(texts_between("", std::nullopt, 2), (Texts{"a", "b"}));
  EXPECT_EQ(texts_between("alice", "bob", 1), (Texts{"b"}));
  EXPECT_EQ(texts_between("logic", "logic2", 1), (Texts{"logic11"}));
  EXPECT_EQ(texts_between("a", "a ", 1), std::nullopt);
  EXPECT_EQ(texts_between("a", "a\t", 1), std::nullopt);
  EXPECT_TRUE(texts_between("a", "a!", 1).has_value());
}

TEST(TextOrderTest, random_gaps_are_filled_in_order) {
  Random random(3);
  for (int i = 0; i < 3000; ++i) {
    Texts ends(2);
    for (std::string& end : ends)
      for (std::uint64_t length = random.below(4); length > 0; --length)
        end += " !0azé"[random.below(7)];
    std::ranges::sort(ends);
    if (ends[0] == ends[1]) continue;
    const std::size_t count = 1 + random.below(70);
    const auto found = texts_between(ends[0], ends[1], count);
    if (!found) {  // only spaces are between them
      EXPECT_EQ(ends[1].find_first_not_of(' ', ends[0].size()), std::string::npos);
      continue;
    }
    Texts all{ends[0]};
    all.insert(all.end(), found->begin(), found->end());
    all.push_back(ends[1]);
    EXPECT_EQ(all.size(), count + 2);
    EXPECT_TRUE(std::ranges::is_sorted(all, std::less_equal<>()) &&
                std::ranges::adjacent_find(all) == all.end())
        << ends[0] << " .. " << ends[1];
  }
}

TEST(TextOrderTest, the_empty_text_is_the_first_one) {
  const TextOrder order({"a", ""});
  EXPECT_EQ(order.rank(""), number(0));
  EXPECT_EQ(order.rank("a"), number(1));
}

TEST(TextOrderTest, constants_keep_their_texts) {
  TextOrder order({"logic", "compilers", "logic"});
  EXPECT_EQ(order.text(number(0)), "");
  EXPECT_EQ(order.rank("compilers"), number(1));
  EXPECT_EQ(order.rank("logic"), number(2));
  order.place({number(3, 2), number(1), number(5, 4), number(7)});
  EXPECT_EQ(order.text(number(1)), "compilers");
  EXPECT_LT("compilers", *order.text(number(5, 4)));
  EXPECT_LT(*order.text(number(5, 4)), *order.text(number(3, 2)));
  EXPECT_LT(*order.text(number(3, 2)), "logic");
  EXPECT_LT("logic", *order.text(number(7)));
  // One that was not placed before.
  EXPECT_LT(*order.text(number(5, 4)), *order.text(number(11, 8)));
  EXPECT_LT(*order.text(number(11, 8)), *order.text(number(3, 2)));
}

}  // namespace
}  // namespace isomer::logic
