// SPDX-License-Identifier: MIT
// The reader wants [init] without escapes of TOML, so that places in it can be told.  So it
// is written between ''' and ''', and the SQL in it avoids three quotes in a row and
// control characters by escapes of SQL: E'\x27' for a text, U&"\0027" for a name.
#include "program/scenario/write.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/print/print.h"
#include "program/scenario/sql.h"
#include "program/sql/parse.h"

namespace isomer::program {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_control);
}

bool is_plain_word(std::string_view name) {
  const auto is_start = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !name.empty() && is_start(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return is_start(c) || (c >= '0' && c <= '9'); });
}

// Does PostgreSQL's grammar take the word for the name of a function and of a table, and
// not for a keyword?
bool is_free_word(const std::string& word) {
  const auto first = [](const std::string& text) -> std::optional<SqlNode> {
    const auto tokens = scan_sql(text);
    if (!tokens) return std::nullopt;
    auto statements = parse_sql_text(text, *tokens);
    if (!statements || statements->size() != 1) return std::nullopt;
    return statements->front()["stmt"];
  };
  const auto call = first(fmt::format("SELECT {}(1)", word));
  if (!call) return false;
  const SqlNode& target = (*call)["targetList"].item(0);
  const SqlNode& function = target["val"];
  if (!function.is("FuncCall") || function["funcname"].items().size() != 1 ||
      function["funcname"].items().front().name() != word)
    return false;
  const auto insert = first(fmt::format("INSERT INTO {} VALUES (1)", word));
  return insert && (*insert)["relation"]["relname"].text() == word;
}

// SQL as a string of TOML, without escapes if possible.
std::string toml_sql(std::string_view sql) {
  const bool has_lines = sql.find('\n') != std::string_view::npos;
  const bool has_marks = sql.find_first_of("\"\\") != std::string_view::npos;
  if (!has_lines && !has_marks && !has_control(sql)) return fmt::format("\"{}\"", sql);
  const bool is_literal =
      sql.find("\'\'\'") == std::string_view::npos && !sql.ends_with('\'') &&
      std::none_of(sql.begin(), sql.end(),
                   [](char c) { return is_control(c) && c != '\n' && c != '\t'; });
  return is_literal ? fmt::format("\'\'\'{}\'\'\'", sql) : toml_string(sql);
}

// Calls have their values written out, so invariants have them, too: ?x outside of quotes
// becomes its value.
std::string with_constants(const Program& program, std::string_view text) {
  std::string out;
  char quote = '\0';  // of the text or name that it is in
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] == '\'' || text[i] == '"') && (quote == '\0' || quote == text[i]))
      quote = quote == '\0' ? text[i] : '\0';
    std::string name;
    for (std::size_t k = i + 1;
         text[i] == '?' && quote == '\0' && k < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[k])) != 0 || text[k] == '_');
         ++k)
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(text[k])));
    const auto symbol = std::ranges::find(program.symbols, name, &Symbol::name);
    if (name.empty() || symbol == program.symbols.end() || !symbol->value) {
      out += text[i];
      continue;
    }
    out += fmt::format("({})", sql_constant(*symbol->value));
    i += name.size();
  }
  return out;
}

}  // namespace

std::string sql_name(std::string_view name) {
  if (is_plain_word(name) && is_free_word(std::string(name))) return std::string(name);
  const bool is_literal =
      name.find("\'\'\'") == std::string_view::npos && !has_control(name);
  std::string out = is_literal ? "\"" : "U&\"";
  for (const char c : name)
    if (c == '"')
      out += "\"\"";
    else if (!is_literal && (c == '\'' || c == '\\' || is_control(c)))
      out += fmt::format("\\{:04x}", static_cast<unsigned char>(c));
    else
      out += c;
  return out + '"';
}

std::string sql_constant(const Value& value) {
  const auto* text = value.get_if<std::string>();
  if (text == nullptr ||
      (text->find_first_of("\'\\") == std::string::npos && !has_control(*text)))
    return to_literal(value);
  std::string out = "E'";
  for (const char c : *text)
    if (c == '\\')
      out += "\\\\";
    else if (c == '\'' || is_control(c))
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  return out + '\'';
}

std::string call_text(const TransactionType& type, std::span<const Value> arguments) {
  std::vector<std::string> texts;
  for (const Value& argument : arguments)
    texts.push_back(sql_constant(argument));
  return fmt::format("{}({})", sql_name(type.name), fmt::join(texts, ", "));
}

std::string_view called_name(std::string_view call) {
  bool is_quoted = false;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (call[i] == '"') is_quoted = !is_quoted;
    if (call[i] == '(' && !is_quoted) return call.substr(0, i);
  }
  return call;
}

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (is_control(c))
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      out += c;
  return out + '"';
}

std::string toml_key(std::string_view name) {
  return is_plain_word(name) ? std::string(name) : toml_string(name);
}

std::string initial_text(const Program& program, const TableRows& rows) {
  std::string statements;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& [table, row] = rows[i];
    std::vector<std::string> values;
    for (const Value& value : row)
      values.push_back(sql_constant(value));
    const bool goes_on = i > 0 && rows[i - 1].first == table;
    statements += goes_on ? ", "
                          : fmt::format("{}INSERT INTO {} VALUES ", i == 0 ? "" : ";\n",
                                        sql_name(program.tables[table.index].name));
    statements += fmt::format("({})", fmt::join(values, ", "));
  }
  if (statements.empty()) return {};
  return fmt::format("\n[init]\nsql = \'\'\'\n{};\n\'\'\'\n", statements);
}

std::string session_text(std::string_view name, const std::vector<std::string>& calls) {
  std::vector<std::string> texts;
  for (const std::string& call : calls)
    texts.push_back(toml_sql(call));
  return fmt::format("\n[[session]]\n{}calls = [{}]\n",
                     name.empty() ? "" : fmt::format("name = {}\n", toml_string(name)),
                     fmt::join(texts, ", "));
}

namespace {

std::string retry_text(const Session& session) {
  return session.retry == 0 ? "" : fmt::format("retry = {}\n", session.retry);
}

// A text that was read without escapes lacks one of the two quotes.
std::string script_session_text(const Program& program, const Session& session) {
  const std::string text = script_text(program, session.calls);
  const std::string_view quote = text.find("'''") == std::string::npos ? "'''" : "\"\"\"";
  return fmt::format("\n[[session]]\nname = {}\nscript = {}\n{}{}\n{}",
                     toml_string(session.name), quote, text, quote, retry_text(session));
}

}  // namespace

std::string scenario_text(const Program& program, const std::string& app) {
  std::string out = fmt::format("app = {}\n{}", toml_string(app),
                                initial_text(program, program.initial_rows));
  for (const Session& session : program.sessions) {
    std::vector<std::string> calls;
    if (!session.calls.empty() && program.types[session.calls[0].type].is_script) {
      out += script_session_text(program, session);
      continue;
    }
    for (const Call& call : session.calls) {
      std::vector<Value> arguments;
      for (const ExpressionPtr& argument : call.arguments)
        arguments.push_back(argument->value);
      calls.push_back(call_text(program.types[call.type], arguments));
    }
    out += session_text(session.name, calls) + retry_text(session);
  }
  std::string invariants;
  for (const Invariant& invariant : program.invariants)
    if (invariant.text != invariant.name)  // else it is built in, and no SQL
      invariants += fmt::format("{} = {}\n", toml_string(invariant.name),
                                toml_sql(with_constants(program, invariant.text)));
  return invariants.empty() ? out : fmt::format("{}\n[invariant]\n{}", out, invariants);
}

}  // namespace isomer::program
