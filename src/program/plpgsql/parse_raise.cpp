// SPDX-License-Identifier: MIT
// RAISE, and the strings in it.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/plpgsql/parser.h"

namespace isomer::program {

// RAISE [level] 'format' [, value ..] [USING option = value, ..]; or a bare SQLSTATE or
// condition name.
bool PlParser::parse_raise(PlStatement& out) {
  constexpr std::array<std::string_view, 5> quiet = {"debug", "log", "info", "notice",
                                                     "warning"};
  tokens_.next();
  const bool is_quiet = std::any_of(
      quiet.begin(), quiet.end(), [&](std::string_view word) { return tokens_.is(word); });
  out.kind = is_quiet ? PlStatement::Kind::Notice : PlStatement::Kind::Raise;
  out.sqlstate = "P0001";
  if (is_quiet || tokens_.is("exception")) tokens_.next();
  if (tokens_.is(";") && !is_quiet) return refuse(out.at, "RAISE without a message");
  if (tokens_.kind() == SqlToken::Kind::String) {
    const auto format = string_constant(tokens_.peek());
    if (!format) return refuse(tokens_.place(), "this kind of string");
    out.text = *format;
    tokens_.next();
  } else if (tokens_.accept("sqlstate")) {
    out.sqlstate = string_constant(tokens_.peek()).value_or("");
    out.text = out.sqlstate;
    tokens_.next();
  } else if (tokens_.is_name() && !tokens_.is("using")) {
    out.text = folded(tokens_.peek());
    tokens_.next();
  }
  while (tokens_.accept(",")) {
    const auto value = tokens_.until({",", ";", "using"}, "a value of RAISE");
    if (!value) return false;
    out.values.push_back(*value);
  }
  if (tokens_.accept("using")) {
    do {
      if (!parse_raise_option(out)) return false;
    } while (tokens_.accept(","));
  }
  return expect_semicolon("after RAISE");
}

bool PlParser::parse_raise_option(PlStatement& out) {
  const std::string option = folded(tokens_.peek());
  const Span at = tokens_.place();
  tokens_.next();
  if (!tokens_.accept("=") && !tokens_.expect(":=", "after the option of RAISE"))
    return false;
  const std::size_t start = tokens_.position();
  const auto value = tokens_.until({",", ";"}, "the option of RAISE");
  if (!value) return false;
  if (option == "errcode") {
    const std::size_t end = tokens_.position();
    tokens_.go_to(start);
    const auto code = tokens_.kind() == SqlToken::Kind::String
                          ? string_constant(tokens_.peek())
                          : std::nullopt;
    if (!code || end != start + 1) return refuse(at, "an ERRCODE that is not a constant");
    out.sqlstate = *code;
    tokens_.go_to(end);
    return true;
  }
  if (option == "message") {
    out.text = std::string("%");
    out.values = {*value};
    return true;
  }
  constexpr std::array<std::string_view, 7> harmless = {
      "detail", "hint", "column", "constraint", "datatype", "table", "schema"};
  if (std::find(harmless.begin(), harmless.end(), option) != harmless.end()) return true;
  return refuse(at, fmt::format("option {} of RAISE", option));
}

std::optional<std::string> string_constant(std::string_view quoted) {
  if (quoted.size() >= 2 && quoted.front() == '$') {
    const std::size_t tag = quoted.find('$', 1) + 1;
    return std::string(quoted.substr(tag, quoted.size() - 2 * tag));
  }
  if (quoted.size() < 2 || quoted.front() != '\'') return std::nullopt;
  std::string out;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    out += quoted[i];
    if (quoted[i] == '\'') ++i;
  }
  return out;
}

}  // namespace isomer::program
