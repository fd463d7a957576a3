// SPDX-License-Identifier: MIT
// The tokens of one litmus text, read from left to right, and the complaints about them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/token_cursor.h"
#include "program/ir.h"

namespace isomer::program {

struct LitmusToken {
  enum class Kind : std::uint8_t { Word, Integer, String, Sign, Bad, End };

  Kind kind = Kind::End;
  Span at;
  std::string_view text;  // as it stands in the source
  std::string content;    // of a string: without quotes and escapes
  std::string complaint;  // of Kind::Bad

  [[nodiscard]] bool is(std::string_view sign_or_word) const {
    return (kind == Kind::Word || kind == Kind::Sign) && text == sign_or_word;
  }
};

class LitmusTokens : public TokenCursor<LitmusToken> {
 public:
  LitmusTokens(std::string_view file, std::string_view text);

  // Goes on, or complains: "expected ';' after the statement, found 'x'".
  bool expect(std::string_view sign, std::string_view where);

  // Records a complaint (that of the token itself, if the token is bad).  False.
  bool fail_expected(std::string_view what);
  bool fail(Span at, std::string message);
  void add_note(Span at, std::string message);  // to the last complaint

  // Behind the next ';', or before the next '}', session or transaction.
  void recover();

  // Where the token read last ends.
  [[nodiscard]] std::uint32_t last_end() const { return last().at.last; }

  [[nodiscard]] std::string_view source(Span span) const {
    return text_.substr(span.first, span.last - span.first);
  }

  [[nodiscard]] bool is_full() const { return errors_.size() >= errors_max; }

  [[nodiscard]] Diagnostics take_errors() { return std::move(errors_); }

  [[nodiscard]] bool has_errors() const { return !errors_.empty(); }

 private:
  static constexpr std::size_t errors_max = 20;

  std::string_view file_;
  std::string_view text_;
  Diagnostics errors_;
};

}  // namespace isomer::program
