// SPDX-License-Identifier: MIT
// Reading text by hand: a position in a text, and the few things that several formats
// share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "history/builder.h"
#include "history/format/format.h"

namespace isomer::history {

// A set of characters: controls and blanks, and those that are named.
class Delimiters {
 public:
  constexpr explicit Delimiters(std::string_view punctuation) {
    for (std::size_t c = 0; c <= ' '; ++c)
      has_[c] = true;
    has_[0x7f] = true;
    for (const char c : punctuation)
      has_[static_cast<unsigned char>(c)] = true;
  }

  [[nodiscard]] constexpr bool contains(char c) const {
    return has_[static_cast<unsigned char>(c)];
  }

 private:
  std::array<bool, 256> has_{};
};

class Cursor {
 public:
  explicit Cursor(std::string_view text, std::size_t offset = 0)
      : text_(text), offset_(offset) {}

  [[nodiscard]] std::size_t offset() const { return offset_; }

  [[nodiscard]] bool at_end() const { return offset_ >= text_.size(); }

  // The character `ahead` of here; NUL beyond the end.
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return ahead < text_.size() - offset_ ? text_[offset_ + ahead] : '\0';
  }

  [[nodiscard]] std::string_view rest() const { return text_.substr(offset_); }

  void advance(std::size_t count = 1) {
    offset_ = count < text_.size() - offset_ ? offset_ + count : text_.size();
  }

  bool take(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    offset_ += word.size();
    return true;
  }

  template <class Predicate>
  std::string_view take_while(Predicate holds) {
    const std::size_t first = offset_;
    while (offset_ < text_.size() && holds(text_[offset_]))
      ++offset_;
    return text_.substr(first, offset_ - first);
  }

  void skip_blanks() { take_while(is_blank); }

  void skip_spaces() { take_while(is_space); }

  // To the end of the line, before its newline.
  void skip_line();

 private:
  std::string_view text_;
  std::size_t offset_;
};

// Line numbers of offsets that mostly grow, each newline counted once.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}

  std::uint32_t line_of(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t counted_ = 0;
  std::uint32_t line_ = 1;
};

// What stands at `offset`, for "expected X, found ...": a word, a character, "end of line".
std::string found_at(std::string_view text, std::size_t offset);

// "expected WHAT, found ..." at `offset`.
Diagnostic expected_at(const Source& source, std::size_t offset, std::string_view what);

// The whole of `digits` as a number ("-12", "007"); absent if it is not one or too large.
std::optional<std::int64_t> integer_of(std::string_view digits);

// True for "-12", "007" and numbers of any size.
bool is_integer(std::string_view text);

// A number if it is one and fits, else a string.
Value value_of_word(HistoryBuilder& builder, std::string_view word);

// A string in double quotes with the escapes of JSON; the cursor stands on the first quote.
tl::expected<std::string, Diagnostic> quoted_string(Cursor& cursor, const Source& source);

// The same for writing: quotes and escapes.
void append_quoted(std::string& out, std::string_view text);

// The offset of the first byte that is not UTF-8; absent if there is none.
std::optional<std::size_t> invalid_utf8(std::string_view text);

}  // namespace isomer::history
