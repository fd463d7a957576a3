// SPDX-License-Identifier: MIT
// Words and signs of a level text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "level/language/syntax.h"

namespace isomer::level {

enum class TokenKind : std::uint8_t { Word, Number, String, Sign, Bad, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;  // of a string what is between its quotes
  std::uint32_t offset = 0;
  std::uint32_t end = 0;       // offset behind it
  bool follows_space = false;  // or a comment, or nothing
  bool begins_line = false;    // the first of its line
  std::string_view complaint;  // of TokenKind::Bad: what is wrong with it

  [[nodiscard]] bool is(std::string_view sign_or_word) const {
    return (kind == TokenKind::Word || kind == TokenKind::Sign) && text == sign_or_word;
  }
};

// The tokens, the last of which is the end.  Nothing is refused here: what cannot be read
// is a Bad token.
std::vector<Token> tokens_of(std::string_view text);

}  // namespace isomer::level
