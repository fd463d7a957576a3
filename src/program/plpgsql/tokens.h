// SPDX-License-Identifier: MIT
// The tokens of a PL/pgSQL body, read from left to right.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/sql/text.h"

namespace isomer::program {

class PlTokens {
 public:
  PlTokens(std::string_view source, Span body, Reporter& reporter);

  [[nodiscard]] bool at_end() const { return at_ >= tokens_.size(); }

  // The text of a token ahead; empty beyond the end.
  [[nodiscard]] std::string_view peek(std::size_t ahead = 0) const;
  [[nodiscard]] bool is(std::string_view word, std::size_t ahead = 0) const;
  [[nodiscard]] bool is_name(std::size_t ahead = 0) const;
  [[nodiscard]] SqlToken::Kind kind() const;
  [[nodiscard]] Span place(std::size_t ahead = 0) const;  // the end of the body beyond it

  void next() { ++at_; }

  bool accept(std::string_view word);
  // Complains: expected THEN after the condition, found 'x'.
  bool expect(std::string_view word, std::string_view where);
  bool fail_expected(std::string_view what, std::string_view where);

  // Goes to the first of these words outside parentheses and gives what lies before;
  // absent, after a complaint, if none comes before ';' or the end.
  std::optional<Span> until(std::initializer_list<std::string_view> words,
                            std::string_view what);

  // Goes behind the next ';' that is not inside a block, loop or IF that starts on the way.
  void skip_statement();

  [[nodiscard]] std::size_t position() const { return at_; }

  void go_to(std::size_t position) { at_ = position; }

  [[nodiscard]] Span last_place() const;

  Reporter& reporter;

 private:
  std::string_view source_;
  Span body_;
  std::string text_;
  std::vector<SqlToken> tokens_;
  std::size_t at_ = 0;
};

}  // namespace isomer::program
