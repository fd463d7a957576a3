// SPDX-License-Identifier: MIT
// Texts that people write: files, words, characters.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace isomer {

// The text of a file, of a bounded size.  Refuses what is no regular file, and more than
// `size_max` bytes as "too large for `what`".
Expected<std::string> read_text_file(const std::string& path, std::size_t size_max,
                                     std::string_view what);

// The known word that a person most likely meant, by edit distance without regard to case;
// absent if none is near.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& known);

// --- characters, in UTF-8; of those beyond ASCII the readers only need the length ---

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// What a name can begin with.
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

constexpr bool is_space(char c) {
  return is_blank(c) || c == '\n';
}

// Is this byte in a character, but not its first?
constexpr bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

// Where the character that begins at `at`, which is in the text, ends.
std::size_t character_end(std::string_view text, std::size_t at);

// How many bytes the character has that `text` begins with; 0 if it is none in UTF-8.
std::size_t character_length(std::string_view text);

}  // namespace isomer
