// SPDX-License-Identifier: MIT
// RAISE, EXCEPTION, which catches what it raises, and the strings in them.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/plpgsql/conditions.h"
#include "program/plpgsql/parser.h"

namespace isomer::program {

// RAISE [level] 'format' [, value ..] [USING option = value, ..]; or a condition instead of
// the format.
bool PlParser::parse_raise(PlStatement& out) {
  constexpr std::array<std::string_view, 5> quiet = {"debug", "log", "info", "notice",
                                                     "warning"};
  tokens_.next();
  out.kind = PlStatement::Kind::Raise;
  if (tokens_.accept(";")) {
    out.raises_again = true;
    return true;
  }
  const bool is_quiet = std::any_of(
      quiet.begin(), quiet.end(), [&](std::string_view word) { return tokens_.is(word); });
  out.kind = is_quiet ? PlStatement::Kind::Notice : PlStatement::Kind::Raise;
  if (is_quiet || tokens_.is("exception")) tokens_.next();
  if (!parse_raised(out)) return false;
  if (tokens_.accept("using")) {
    do {
      if (!parse_raise_option(out)) return false;
    } while (tokens_.accept(","));
  }
  return expect_semicolon("after RAISE");
}

// What is raised: a message, SQLSTATE '23505', unique_violation, or nothing before USING.
bool PlParser::parse_raised(PlStatement& out) {
  if (tokens_.kind() == SqlToken::Kind::String) {
    out.text = string_constant(tokens_.peek());
    if (!out.text) return refuse(tokens_.place(), "this kind of string");
    tokens_.next();
    while (tokens_.accept(",")) {
      const auto value = tokens_.until({",", ";", "using"}, "a value of RAISE");
      if (!value) return false;
      out.values.push_back(*value);
    }
    return true;
  }
  if (tokens_.is("using")) return true;
  if (tokens_.accept("sqlstate")) {
    const auto code = parse_sqlstate();
    if (!code) return false;
    out.sqlstate = out.condition = *code;
    return true;
  }
  if (!tokens_.is_name())
    return tokens_.fail_expected("a message or condition", "in RAISE");
  if (!parse_condition(out.condition)) return false;
  out.sqlstate = sqlstate_of(out.condition);
  return true;
}

std::optional<std::string> PlParser::parse_sqlstate() {
  const auto code = tokens_.kind() == SqlToken::Kind::String
                        ? string_constant(tokens_.peek())
                        : std::nullopt;
  if (!code || !is_sqlstate(*code)) {
    tokens_.fail_expected("five digits or capital letters in quotes", "after SQLSTATE");
    return std::nullopt;
  }
  tokens_.next();
  return code;
}

bool PlParser::parse_condition(std::string& name) {
  name = folded(tokens_.peek());
  if (sqlstate_of(name).empty()) {
    tokens_.reporter.fail(tokens_.place(), fmt::format("there is no condition {}{}", name,
                                                       hint(name, condition_names())));
    return false;
  }
  tokens_.next();
  return true;
}

// EXCEPTION WHEN condition OR condition THEN statements WHEN ..
bool PlParser::parse_handlers(PlStatement& out) {
  if (!tokens_.is("when")) return tokens_.fail_expected("WHEN", "after EXCEPTION");
  while (tokens_.accept("when")) {
    PlHandler handler;
    do {
      if (!parse_handled(handler)) return false;
    } while (tokens_.accept("or"));
    if (!tokens_.expect("then", "after the conditions of WHEN")) return false;
    handler.body = parse_statements({"when", "end"});
    if (is_lost_) return false;
    out.handlers.push_back(std::move(handler));
  }
  return true;
}

bool PlParser::parse_handled(PlHandler& out) {
  if (tokens_.accept("sqlstate")) {
    const auto code = parse_sqlstate();
    if (code) out.sqlstates.push_back(*code);
    return code.has_value();
  }
  if (!tokens_.is_name()) return tokens_.fail_expected("a condition", "after WHEN");
  if (tokens_.accept("others")) {
    out.catches_others = true;
    return true;
  }
  std::string name;
  if (!parse_condition(name)) return false;
  for (const std::string_view code : sqlstates_of(name))
    out.sqlstates.emplace_back(code);
  return true;
}

bool PlParser::parse_raise_option(PlStatement& out) {
  constexpr std::array<std::string_view, 9> known = {"message",  "errcode", "detail",
                                                     "hint",     "column",  "table",
                                                     "datatype", "schema",  "constraint"};
  PlOption option{.name = folded(tokens_.peek()), .at = tokens_.place(), .value = {}};
  if (std::find(known.begin(), known.end(), option.name) == known.end())
    return refuse(option.at, fmt::format("option {} of RAISE", option.name));
  tokens_.next();
  if (!tokens_.accept("=") && !tokens_.expect(":=", "after the option of RAISE"))
    return false;
  const auto value = tokens_.until({",", ";"}, "the option of RAISE");
  if (!value) return false;
  option.value = *value;
  out.options.push_back(std::move(option));
  return true;
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
