// SPDX-License-Identifier: MIT
// Level texts with words missing, doubled, swapped or replaced: each is either understood
// or refused with a message, and what is understood is made of closed formulas.
#include <gtest/gtest.h>

#include "base/random.h"
#include "level/language/lexer.h"
#include "level/library.h"
#include "level/load.h"

namespace isomer::level {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::size_t end = 0;
  for (const Token& token : tokens_of(text)) {
    out.emplace_back(text.substr(end, token.end - end));
    end = token.end;
  }
  return out;
}

std::string mutated(std::vector<std::string> words, Random& random) {
  const std::size_t changes = 1 + random.below(3);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = random.below(words.size());
    const std::size_t other = random.below(words.size());
    switch (random.below(4)) {
      case 0:
        words[at].clear();
        break;
      case 1:
        words[at] += words[at];
        break;
      case 2:
        std::swap(words[at], words[other]);
        break;
      default:
        words[at] = words[other];
    }
  }
  std::string out;
  for (const std::string& word : words)
    out += word;
  return out;
}

void expect_sound(const Level& level, const std::string& text) {
  for (const Axiom& axiom : level.axioms) {
    EXPECT_EQ(level.terms[axiom.formula].type.kind, Kind::Formula) << text;
    EXPECT_EQ(level.terms[axiom.formula].free_variables, 0U) << text;
  }
}

TEST(Mutations, are_understood_or_refused) {
  Random random(1);
  std::size_t accepted = 0;
  std::size_t refused = 0;
  for (const StandardText& standard : standard_texts()) {
    const std::vector<std::string> words = words_of(standard.text);
    for (int i = 0; i < 300; ++i) {
      const std::string text = mutated(words, random);
      const auto levels = parse_levels("mutated.level", text);
      (levels ? accepted : refused) += 1;
      if (!levels) {
        EXPECT_GE(levels.error().size(), 1U);
        EXPECT_LE(levels.error().size(), 20U);
        EXPECT_FALSE(levels.error().front().message.empty()) << text;
        EXPECT_NE(levels.error().front().at.line, 0U) << text;
        continue;
      }
      for (const Level& level : *levels)
        expect_sound(level, text);
    }
  }
  EXPECT_GT(accepted, 20U);
  EXPECT_GT(refused, 500U);
}

}  // namespace
}  // namespace isomer::level
