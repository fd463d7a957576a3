// SPDX-License-Identifier: MIT
#include "level/language/token_reader.h"

#include <algorithm>

#include <fmt/format.h>

#include "level/language/vocabulary.h"

namespace isomer::level {
namespace {

std::string wording(const Token& token) {
  if (token.kind == TokenKind::End) return "the end of the text";
  if (token.kind == TokenKind::String) return "a string";
  return fmt::format("'{}'", token.text);
}

}  // namespace

TokenReader::TokenReader(Program& program, std::uint32_t source, Diagnostics& errors)
    : TokenCursor(tokens_of(program.sources[source].text)),
      program_(program),
      source_(source),
      errors_(errors) {}

bool TokenReader::expect(std::string_view sign, std::string_view where) {
  return accept(sign) || fail_expected(fmt::format("'{}' {}", sign, where));
}

std::optional<Token> TokenReader::expect_name(std::string_view what) {
  const Token& token = peek();
  if (token.kind == TokenKind::Word && !is_keyword(token.text)) return next();
  if (token.kind == TokenKind::Word)
    fail_at(token, fmt::format("expected {}, but '{}' is a word of the language", what,
                               token.text));
  else
    fail_expected(what);
  return std::nullopt;
}

bool TokenReader::fail_at(const Token& token, std::string message) {
  if (token.kind == TokenKind::Bad) message = token.complaint;
  errors_.push_back(diagnostic_at(program_, place_of(token), std::move(message)));
  return false;
}

bool TokenReader::fail_expected(std::string_view what) {
  return fail_at(peek(), fmt::format("expected {}, found {}", what, wording(peek())));
}

void TokenReader::add_note(Place place, std::string message) {
  errors_.back().notes.push_back(note_at(program_, place, std::move(message)));
}

std::string_view TokenReader::text() const {
  return program_.sources[source_].text;
}

NodeId TokenReader::add(Node node) {
  for (const NodeId child : node.children)
    node.depth = std::max(node.depth, depth_of(child) + 1);
  program_.nodes.push_back(std::move(node));
  return {static_cast<std::uint32_t>(program_.nodes.size() - 1)};
}

}  // namespace isomer::level
