// SPDX-License-Identifier: MIT
// A piece of SQL that was parsed, and where its bytes stand in the program's source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir.h"
#include "program/sql/parse.h"

namespace isomer::program {

inline constexpr std::size_t errors_max = 20;

// Collects complaints about the source of a program; beyond errors_max they are dropped.
class Reporter {
 public:
  Reporter(const Program& program, Diagnostics& errors)
      : program_(program), errors_(errors) {}

  void fail(std::size_t offset, std::string message);

  void fail(Span at, std::string message) { fail(at.first, std::move(message)); }

  // To the last complaint.
  void note(std::size_t offset, std::string message);

  // By place.
  void sort();

  [[nodiscard]] bool is_full() const { return errors_.size() >= errors_max; }

  [[nodiscard]] std::size_t count() const { return errors_.size(); }

 private:
  const Program& program_;
  Diagnostics& errors_;
};

// SQL as PostgreSQL's parser sees it: perhaps with "SELECT " put in front of an expression,
// and with parts of PL/pgSQL blanked out.  Places in its tree count its own bytes; `at`
// turns them into places of the source.
class SqlText {
 public:
  SqlText() = default;

  SqlText(std::string text, std::size_t prefix_size, std::size_t source_first)
      : text_(std::move(text)), prefix_(prefix_size), source_first_(source_first) {}

  // All of it stands for this place: a string of a scenario with escapes in it.
  void stand_at(Span place) { place_ = place; }

  // Fills in the tokens and gives the statements; complains if it cannot.
  std::optional<std::vector<SqlNode>> parse(Reporter& reporter);

  [[nodiscard]] const std::string& text() const { return text_; }

  [[nodiscard]] const std::vector<SqlToken>& tokens() const { return tokens_; }

  [[nodiscard]] std::string_view text_of(const SqlToken& token) const {
    return std::string_view(text_).substr(token.first, token.last - token.first);
  }

  // The first token at or after a place of the text; null at the end.
  [[nodiscard]] const SqlToken* token_at(std::size_t place) const;

  // The token that closes the parenthesis opened at or after `token`.
  [[nodiscard]] const SqlToken* closing(const SqlToken* token) const;

  [[nodiscard]] Span at(std::size_t first, std::size_t last) const;

  [[nodiscard]] Span at(const SqlToken& token) const { return at(token.first, token.last); }

  // The token at the place that a node names.
  [[nodiscard]] Span at(const SqlNode& node) const;

  [[nodiscard]] Span whole() const { return at(prefix_, text_.size()); }

 private:
  std::string text_;
  std::size_t prefix_ = 0;
  std::size_t source_first_ = 0;
  std::optional<Span> place_;
  std::vector<SqlToken> tokens_;
};

// The statements of a script, without their semicolons; complains of bytes that are no
// text.
std::vector<Span> split_statements(std::string_view source, Span at, Reporter& reporter);

// A name as PostgreSQL folds it: lower case, or what the quotes hold.
std::string folded(std::string_view word);

// Whether a word without quotes is this keyword (lower case).
bool is_keyword(std::string_view word, std::string_view keyword);

Span join(Span a, Span b);

// Whether the word (lower case) is somewhere in the text, as part of another perhaps.
bool mentions(std::string_view text, std::string_view word);

// "; did you mean X?" if one of the known words is near; else nothing.
std::string hint(std::string_view word, const std::vector<std::string>& known);

// "1 column", "2 columns".
std::string counted(std::size_t count, std::string_view what);

}  // namespace isomer::program
