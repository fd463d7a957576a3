// SPDX-License-Identifier: MIT
// The tokens of one text, read from left to right, and the complaints about them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "level/lexer.h"
#include "level/syntax.h"

namespace isomer::level {

class TokenReader {
 public:
  TokenReader(Program& program, std::uint32_t source, Diagnostics& errors);

  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  const Token& next();
  // Goes on if the next token is this sign or word.
  bool accept(std::string_view sign_or_word);
  // Goes on, or complains: "expected '{' after the level's framework, found 'x'".
  bool expect(std::string_view sign, std::string_view where);
  // A word that can be a name: not a keyword.
  std::optional<Token> expect_name(std::string_view what);

  // Records the complaint (that of the token itself, if the token is bad).  False.
  bool fail_at(const Token& token, std::string message);
  bool fail_expected(std::string_view what);        // "expected ..., found ..."
  void add_note(Place place, std::string message);  // to the last complaint

  [[nodiscard]] Place place_of(const Token& token) const { return {source_, token.offset}; }

  [[nodiscard]] std::size_t position() const { return at_; }

  void go_to(std::size_t position) { at_ = position; }

  // The token read last; there must be one.
  [[nodiscard]] const Token& last() const { return tokens_[at_ - 1]; }

  [[nodiscard]] std::string_view text() const;

  [[nodiscard]] std::uint32_t source() const { return source_; }

  NodeId add(Node node);

  [[nodiscard]] Node& node(NodeId id) { return program_.nodes[id.index]; }

  [[nodiscard]] std::uint32_t depth_of(NodeId node) const {
    return program_.nodes[node.index].depth;
  }

 private:
  Program& program_;
  std::uint32_t source_;
  Diagnostics& errors_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace isomer::level
