// SPDX-License-Identifier: MIT
// Characters of a text in UTF-8.  Of those beyond ASCII the readers only need the length.
#pragma once

#include <cstddef>
#include <string_view>

namespace isomer {

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
