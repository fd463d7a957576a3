// SPDX-License-Identifier: MIT
// The tokens of one text, read from left to right, and the complaints about them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/token_cursor.h"
#include "level/language/lexer.h"
#include "level/language/syntax.h"

namespace isomer::level {

class TokenReader : public TokenCursor<Token> {
 public:
  TokenReader(Program& program, std::uint32_t source, Diagnostics& errors);

  // Goes on, or complains: "expected '{' after the level's framework, found 'x'".
  bool expect(std::string_view sign, std::string_view where);
  // A word that can be a name: not a keyword.
  std::optional<Token> expect_name(std::string_view what);

  // Records the complaint (that of the token itself, if the token is bad).  False.
  bool fail_at(const Token& token, std::string message);
  bool fail_expected(std::string_view what);        // "expected ..., found ..."
  void add_note(Place place, std::string message);  // to the last complaint

  [[nodiscard]] Place place_of(const Token& token) const { return {source_, token.offset}; }

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
};

}  // namespace isomer::level
