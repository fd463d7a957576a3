// SPDX-License-Identifier: MIT
#include "program/sql/text.h"

#include <algorithm>
#include <cctype>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"

namespace isomer::program {

void Reporter::fail(std::size_t offset, std::string message) {
  if (is_full()) return;
  Diagnostic complaint = diagnostic_in(program_, offset, std::move(message));
  const bool is_known =
      std::any_of(errors_.begin(), errors_.end(), [&](const Diagnostic& other) {
        return other.message == complaint.message && other.file == complaint.file &&
               other.at.line == complaint.at.line && other.at.column == complaint.at.column;
      });
  if (!is_known) errors_.push_back(std::move(complaint));
}

void Reporter::note(std::size_t offset, std::string message) {
  if (errors_.empty()) return;
  auto [file, position] = place_of(program_, offset);
  if (file == errors_.back().file) file.clear();
  errors_.back().notes.push_back(
      {.at = position, .message = std::move(message), .file = std::move(file)});
}

void Reporter::sort() {
  const auto key = [&](const Diagnostic& error) {
    return std::tuple(error.file, error.at.line, error.at.column);
  };
  std::stable_sort(
      errors_.begin(), errors_.end(),
      [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
}

std::optional<std::vector<SqlNode>> SqlText::parse(Reporter& reporter) {
  auto tokens = scan_sql(text_);
  if (!tokens) {
    reporter.fail(at(tokens.error().offset, text_.size()), tokens.error().message);
    return std::nullopt;
  }
  tokens_ = std::move(*tokens);
  auto statements = parse_sql_text(text_, tokens_);
  if (statements) return std::move(*statements);
  reporter.fail(at(statements.error().offset, text_.size()), statements.error().message);
  return std::nullopt;
}

const SqlToken* SqlText::token_at(std::size_t place) const {
  const auto found =
      std::find_if(tokens_.begin(), tokens_.end(),
                   [&](const SqlToken& token) { return token.last > place; });
  return found == tokens_.end() ? nullptr : &*found;
}

const SqlToken* SqlText::closing(const SqlToken* token) const {
  if (token == nullptr) return nullptr;
  std::size_t depth = 0;
  for (const SqlToken* t = token; t != tokens_.data() + tokens_.size(); ++t) {
    const std::string_view sign = text_of(*t);
    if (sign == "(") ++depth;
    if (sign == ")" && depth <= 1) return depth == 1 ? t : nullptr;
    if (sign == ")") --depth;
  }
  return nullptr;
}

Span SqlText::at(std::size_t first, std::size_t last) const {
  if (place_) return *place_;
  const auto mapped = [&](std::size_t place) {
    return static_cast<std::uint32_t>(source_first_ + std::max(place, prefix_) - prefix_);
  };
  return {.first = mapped(first), .last = mapped(last)};
}

Span SqlText::at(const SqlNode& node) const {
  const std::int64_t place = node["location"].number();
  const SqlToken* token =
      token_at(static_cast<std::size_t>(std::max<std::int64_t>(place, 0)));
  return token == nullptr ? whole() : at(*token);
}

namespace {

// BEGIN ATOMIC .. END has semicolons of its own.
struct AtomicBody {
  bool is_open = false;

  void read(std::string_view word, std::string_view before) {
    if (is_keyword(before, "begin") && is_keyword(word, "atomic")) is_open = true;
    if (is_keyword(word, "end")) is_open = false;
  }
};

// The first byte that is no UTF-8 text, or NUL.
std::optional<std::size_t> first_bad_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text.substr(i));
    if (length == 0 || text[i] == '\0') return i;
    i += length;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Span> split_statements(std::string_view source, Span at, Reporter& reporter) {
  const std::string text(source.substr(at.first, at.last - at.first));
  if (const auto bad = first_bad_byte(text)) {
    reporter.fail(at.first + *bad, "this byte is not text in UTF-8");
    return {};
  }
  const auto tokens = scan_sql(text);
  if (!tokens) {
    reporter.fail(at.first + tokens.error().offset, tokens.error().message);
    return {};
  }
  std::vector<Span> out;
  Span statement;  // empty between statements
  AtomicBody atomic;
  std::string_view before;
  for (const SqlToken& token : *tokens) {
    const std::string_view word =
        std::string_view(text).substr(token.first, token.last - token.first);
    atomic.read(word, before);
    before = word;
    if (word != ";" || atomic.is_open) {
      statement =
          join(statement, {.first = at.first + token.first, .last = at.first + token.last});
    } else if (statement.last != 0) {
      out.push_back(statement);
      statement = {};
    }
  }
  if (statement.last != 0) out.push_back(statement);
  return out;
}

std::string folded(std::string_view word) {
  std::string out;
  if (word.size() < 2 || word.front() != '"') {
    for (const char c : word)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
  }
  for (std::size_t i = 1; i + 1 < word.size(); ++i) {
    out += word[i];
    if (word[i] == '"') ++i;
  }
  return out;
}

bool is_keyword(std::string_view word, std::string_view keyword) {
  return std::equal(word.begin(), word.end(), keyword.begin(), keyword.end(),
                    [](unsigned char a, char b) { return std::tolower(a) == b; });
}

std::string hint(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t length_min = 3;  // anything is near to a shorter word
  const auto near = word.size() < length_min ? std::nullopt : nearest(word, known);
  return near ? fmt::format("; did you mean {}?", *near) : std::string();
}

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

bool mentions(std::string_view text, std::string_view word) {
  const auto is_same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), is_same) !=
         text.end();
}

Span join(Span a, Span b) {
  if (a.last == 0) return b;
  if (b.last == 0) return a;
  return {.first = std::min(a.first, b.first), .last = std::max(a.last, b.last)};
}

}  // namespace isomer::program
