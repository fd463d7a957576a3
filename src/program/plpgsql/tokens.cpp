// SPDX-License-Identifier: MIT
#include "program/plpgsql/tokens.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace isomer::program {

PlTokens::PlTokens(std::string_view source, Span body, Reporter& to)
    : reporter(to),
      source_(source),
      body_(body),
      text_(source.substr(body.first, body.last - body.first)) {
  auto tokens = scan_sql(text_);
  if (tokens)
    tokens_ = std::move(*tokens);
  else
    reporter.fail(body.first + tokens.error().offset, tokens.error().message);
}

std::string_view PlTokens::peek(std::size_t ahead) const {
  if (at_ + ahead >= tokens_.size()) return {};
  const SqlToken& token = tokens_[at_ + ahead];
  return std::string_view(text_).substr(token.first, token.last - token.first);
}

bool PlTokens::is(std::string_view word, std::size_t ahead) const {
  return at_ + ahead < tokens_.size() && is_keyword(peek(ahead), word);
}

bool PlTokens::is_name(std::size_t ahead) const {
  if (at_ + ahead >= tokens_.size()) return false;
  const SqlToken::Kind kind = tokens_[at_ + ahead].kind;
  return kind == SqlToken::Kind::Word || kind == SqlToken::Kind::QuotedWord;
}

SqlToken::Kind PlTokens::kind() const {
  return at_end() ? SqlToken::Kind::Sign : tokens_[at_].kind;
}

Span PlTokens::place(std::size_t ahead) const {
  if (at_ + ahead >= tokens_.size()) return {.first = body_.last, .last = body_.last};
  const SqlToken& token = tokens_[at_ + ahead];
  return {.first = body_.first + token.first, .last = body_.first + token.last};
}

Span PlTokens::last_place() const {
  if (at_ == 0 || tokens_.empty()) return {.first = body_.first, .last = body_.first};
  const SqlToken& token = tokens_[std::min(at_, tokens_.size()) - 1];
  return {.first = body_.first + token.first, .last = body_.first + token.last};
}

bool PlTokens::accept(std::string_view word) {
  if (!is(word)) return false;
  ++at_;
  return true;
}

bool PlTokens::expect(std::string_view word, std::string_view where) {
  if (accept(word)) return true;
  std::string shown(word);
  for (char& c : shown)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return fail_expected(std::isalpha(static_cast<unsigned char>(word[0])) != 0
                           ? shown
                           : fmt::format("'{}'", shown),
                       where);
}

bool PlTokens::fail_expected(std::string_view what, std::string_view where) {
  const std::string found =
      at_end() ? "the end of the body" : fmt::format("'{}'", peek().substr(0, 40));
  reporter.fail(place(), fmt::format("expected {} {}, found {}", what, where, found));
  return false;
}

std::optional<Span> PlTokens::until(std::initializer_list<std::string_view> words,
                                    std::string_view what) {
  const Span first = place();
  std::size_t depth = 0;
  for (; !at_end(); ++at_) {
    const auto is_any = [&](std::string_view word) { return is(word); };
    if (depth == 0 && std::any_of(words.begin(), words.end(), is_any)) {
      const Span last = last_place();
      if (last.last > first.first) return Span{.first = first.first, .last = last.last};
      reporter.fail(first, fmt::format("expected {}, found '{}'", what, peek()));
      return std::nullopt;
    }
    if (is("(") || is("[")) ++depth;
    if ((is(")") || is("]")) && depth > 0) --depth;
    if (is(";")) break;
  }
  std::string list = fmt::format("{}", fmt::join(words, " or "));
  std::transform(list.begin(), list.end(), list.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  fail_expected(list == ";" ? "';'" : list, fmt::format("after {}", what));
  return std::nullopt;
}

void PlTokens::skip_statement() {
  std::size_t depth = 0;
  for (; !at_end(); ++at_) {
    if (is("end")) {
      if (depth == 0) return;
      --depth;
      while (!at_end() && !is(";"))
        ++at_;
    } else if (is("loop") || is("begin") || is("if") || is("case")) {
      ++depth;
    }
    if (depth == 0 && accept(";")) return;
  }
}

}  // namespace isomer::program
