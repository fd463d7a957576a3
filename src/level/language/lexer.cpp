// SPDX-License-Identifier: MIT
// A word is a letter or '_', then letters, digits, '_' and quotes; '-' and '.' belong to
// it if a letter or digit follows on both sides (PL-2.99, G-single): the language has no
// other use for them.  A '+' at the end of a level's name (PL-2+) is joined by the parser,
// since after a relation it is the transitive closure.
#include "level/language/lexer.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace isomer::level {
namespace {

bool continues_word(std::string_view text, std::size_t at) {
  const auto plain = [&](std::size_t i) {
    return i < text.size() && (is_letter(text[i]) || is_digit(text[i]));
  };
  if (plain(at)) return true;
  if (at < text.size() && text[at] == '\'') return true;
  return at < text.size() && (text[at] == '-' || text[at] == '.') && plain(at - 1) &&
         plain(at + 1);
}

struct Lexer {
  std::string_view text;
  std::size_t at = 0;
  bool begins_line = true;
  bool follows_space = true;

  void skip_space() {
    follows_space = at == 0;
    while (at < text.size()) {
      if (text.substr(at, 2) == "//")
        at = std::min(text.find('\n', at), text.size());
      else if (is_space(text[at]))
        begins_line = text[at++] == '\n' || begins_line;
      else
        return;
      follows_space = true;
    }
  }

  Token token(TokenKind kind, std::size_t size) {
    Token out{.kind = kind,
              .text = text.substr(at, size),
              .offset = static_cast<std::uint32_t>(at),
              .end = static_cast<std::uint32_t>(at + size),
              .follows_space = follows_space,
              .begins_line = begins_line,
              .complaint = {}};
    at += size;
    begins_line = false;
    return out;
  }

  Token bad(std::size_t size, std::string_view complaint) {
    Token out = token(TokenKind::Bad, size);
    out.complaint = complaint;
    return out;
  }

  Token word() {
    std::size_t end = at + 1;
    while (continues_word(text, end))
      ++end;
    return token(TokenKind::Word, end - at);
  }

  Token number() {
    std::size_t end = at + 1;
    while (end < text.size() && (is_digit(text[end]) || is_letter(text[end])))
      ++end;
    if (text.substr(at, end - at) == "0") return token(TokenKind::Number, 1);
    return bad(end - at, "the only number is 0, the empty relation");
  }

  // A quote in it is written twice, and stays so in the token.
  Token string() {
    std::size_t end = text.find_first_of("\"\n", at + 1);
    while (end != std::string_view::npos && text.substr(end, 2) == "\"\"")
      end = text.find_first_of("\"\n", end + 2);
    if (end == std::string_view::npos || text[end] == '\n')
      return bad(std::min(end, text.size()) - at, "this string is not closed");
    Token out = token(TokenKind::String, end + 1 - at);
    out.text = out.text.substr(1, out.text.size() - 2);
    return out;
  }

  Token sign() {
    static constexpr std::array<std::string_view, 18> signs = {
        "^-1", "!=", "{", "}", "(",  ")", "[", "]", ":",
        ",",   ";",  "*", "&", "\\", "|", "+", "?", "="};
    for (const std::string_view known : signs)
      if (text.substr(at).starts_with(known)) return token(TokenKind::Sign, known.size());
    if (text[at] == '^') return bad(1, "expected '^-1', the inverse of a relation");
    if (text[at] == '-')
      return bad(1, "'-' stands only in names and in '^-1'; a difference is written '\\'");
    if (text[at] == '!') return bad(1, "expected '!='; negation is written 'not'");
    return bad(character_end(text, at) - at, "this character has no meaning here");
  }
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> out;
  Lexer lexer{.text = text};
  while (true) {
    lexer.skip_space();
    if (lexer.at >= text.size()) break;
    const char c = text[lexer.at];
    if (is_letter(c))
      out.push_back(lexer.word());
    else if (is_digit(c))
      out.push_back(lexer.number());
    else if (c == '"')
      out.push_back(lexer.string());
    else
      out.push_back(lexer.sign());
  }
  lexer.begins_line = true;
  out.push_back(lexer.token(TokenKind::End, 0));
  return out;
}

}  // namespace isomer::level
