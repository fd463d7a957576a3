// SPDX-License-Identifier: MIT
// The tokens of one text, read from left to right.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace isomer {

// The last token is the end of the text: nobody gets beyond it.
template <class Token>
class TokenCursor {
 public:
  explicit TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }

  const Token& next() {
    const Token& out = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return out;
  }

  // Goes on if the next token is this sign or word.
  bool accept(std::string_view sign_or_word) {
    if (!peek().is(sign_or_word)) return false;
    next();
    return true;
  }

  // The token read last; there must be one.
  [[nodiscard]] const Token& last() const { return tokens_[at_ - 1]; }

  [[nodiscard]] std::size_t position() const { return at_; }

  void go_to(std::size_t position) { at_ = position; }

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace isomer
