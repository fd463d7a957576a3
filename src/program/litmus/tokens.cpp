// SPDX-License-Identifier: MIT
#include "program/litmus/tokens.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace isomer::program {
namespace {

using Kind = LitmusToken::Kind;

struct Lexer {
  std::string_view text;
  std::size_t at = 0;

  void skip_space() {
    while (at < text.size()) {
      if (text[at] == '#')
        at = std::min(text.find('\n', at), text.size());
      else if (is_space(text[at]))
        ++at;
      else
        return;
    }
  }

  LitmusToken token(Kind kind, std::size_t size) {
    LitmusToken out;
    out.kind = kind;
    out.at = {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + size)};
    out.text = text.substr(at, size);
    at += size;
    return out;
  }

  LitmusToken bad(std::size_t size, std::string complaint) {
    LitmusToken out = token(Kind::Bad, size);
    out.complaint = std::move(complaint);
    return out;
  }

  LitmusToken word_or_integer(Kind kind) {
    std::size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end])))
      ++end;
    const std::string_view found = text.substr(at, end - at);
    if (kind == Kind::Integer && !std::all_of(found.begin(), found.end(), is_digit))
      return bad(end - at, fmt::format("'{}' is neither a number nor a name", found));
    return token(kind, end - at);
  }

  LitmusToken string() {
    std::string content;
    for (std::size_t end = at + 1; end < text.size() && text[end] != '\n'; ++end) {
      if (text[end] == '"') {
        LitmusToken out = token(Kind::String, end + 1 - at);
        out.content = std::move(content);
        return out;
      }
      if (text[end] == '\\') {
        ++end;
        const char escaped = end < text.size() ? text[end] : '\0';
        if (escaped != '"' && escaped != '\\') {
          at = end - 1;
          return bad(1, "expected '\\\"' or '\\\\': a string has no other escapes");
        }
      }
      content.push_back(text[end]);
    }
    return bad(std::min(text.find('\n', at), text.size()) - at,
               "this string is not closed");
  }

  LitmusToken sign() {
    static constexpr std::array<std::string_view, 23> signs = {
        ":=", "==", "!=", "<=", ">=", "&&", "||", "{", "}", "(", ")", "[",
        "]",  ";",  ",",  "=",  "<",  ">",  "+",  "-", "!", ".", "*"};
    for (const std::string_view known : signs)
      if (text.substr(at).starts_with(known)) return token(Kind::Sign, known.size());
    if (text[at] == '&' || text[at] == '|')
      return bad(1, fmt::format("expected '{0}{0}'", text[at]));
    if (text[at] == ':') return bad(1, "expected ':='");
    return bad(character_end(text, at) - at, "this character has no meaning here");
  }
};

std::vector<LitmusToken> tokens_of(std::string_view text) {
  std::vector<LitmusToken> out;
  Lexer lexer{.text = text};
  while (true) {
    lexer.skip_space();
    if (lexer.at >= text.size()) break;
    const char c = text[lexer.at];
    if (is_letter(c))
      out.push_back(lexer.word_or_integer(Kind::Word));
    else if (is_digit(c))
      out.push_back(lexer.word_or_integer(Kind::Integer));
    else if (c == '"')
      out.push_back(lexer.string());
    else
      out.push_back(lexer.sign());
  }
  out.push_back(lexer.token(Kind::End, 0));
  return out;
}

std::string description(const LitmusToken& token) {
  if (token.kind == Kind::End) return "the end of the file";
  if (token.kind == Kind::String) return fmt::format("the string {}", token.text);
  return fmt::format("'{}'", token.text);
}

}  // namespace

LitmusTokens::LitmusTokens(std::string_view file, std::string_view text)
    : TokenCursor(tokens_of(text)), file_(file), text_(text) {}

bool LitmusTokens::expect(std::string_view sign, std::string_view where) {
  return accept(sign) || fail_expected(fmt::format("'{}' {}", sign, where));
}

bool LitmusTokens::fail_expected(std::string_view what) {
  return fail(peek().at, fmt::format("expected {}, found {}", what, description(peek())));
}

bool LitmusTokens::fail(Span at, std::string message) {
  if (is_full()) return false;
  const bool is_bad = peek().kind == Kind::Bad && peek().at.first == at.first;
  errors_.push_back(
      diagnostic_at(file_, text_, at.first, is_bad ? peek().complaint : message));
  return false;
}

void LitmusTokens::add_note(Span at, std::string message) {
  if (errors_.empty()) return;
  errors_.back().notes.push_back(
      Note{.at = position_of(text_, at.first), .message = std::move(message)});
}

void LitmusTokens::recover() {
  while (peek().kind != Kind::End && !peek().is("}") && !peek().is("session") &&
         !peek().is("begin") && !peek().is("commit"))
    if (next().is(";")) return;
}

}  // namespace isomer::program
