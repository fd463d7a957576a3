// SPDX-License-Identifier: MIT
#include "report/program/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/print/print.h"

namespace isomer::report {
namespace {

using program::Program;
using program::Value;

// A basic string of TOML.
std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    else
      out += c;
  return out + '"';
}

// SQL as a string of TOML: without escapes, so that its places can be told.
class SqlStrings {
 public:
  std::string operator()(std::string_view sql) {
    for (const std::string_view marks : {"\"", "\'\'\'", "\"\"\""}) {
      const bool is_literal = marks.starts_with('\'');
      const bool has_escape = !is_literal && sql.find('\\') != std::string_view::npos;
      if (sql.find(marks) == std::string_view::npos && !has_escape &&
          !(marks.size() == 1 && sql.find('\n') != std::string_view::npos))
        return fmt::format("{0}{1}{0}", marks, sql);
    }
    is_possible = false;
    return {};
  }

  bool is_possible = true;
};

std::string sql_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name)
    out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string row_text(const std::vector<Value>& row) {
  std::vector<std::string> values;
  for (const Value& value : row)
    values.push_back(program::to_literal(value));
  return fmt::format("({})", fmt::join(values, ", "));
}

std::string initial_part(const Program& program, SqlStrings& strings) {
  std::string statements;
  for (std::uint32_t i = 0; i < program.tables.size(); ++i) {
    std::vector<std::string> rows;
    for (const auto& [table, row] : program.initial_rows)
      if (table.index == i) rows.push_back(row_text(row));
    if (!rows.empty())
      statements += fmt::format("INSERT INTO {} VALUES {};\n",
                                sql_name(program.tables[i].name), fmt::join(rows, ", "));
  }
  if (statements.empty()) return {};
  return fmt::format("\n[init]\nsql = {}\n", strings("\n" + statements));
}

std::string call_text(const Program& program, const program::Call& call) {
  std::vector<std::string> arguments;
  for (const program::ExpressionPtr& argument : call.arguments)
    arguments.push_back(program::to_literal(argument->value));
  return fmt::format("{}({})", program.types[call.type].name, fmt::join(arguments, ", "));
}

std::string session_part(const Program& program, const program::Session& session,
                         SqlStrings& strings) {
  std::vector<std::string> calls;
  for (const program::Call& call : session.calls)
    calls.push_back(strings(call_text(program, call)));
  return fmt::format("\n[[session]]\nname = {}\ncalls = [{}]\n", toml_string(session.name),
                     fmt::join(calls, ", "));
}

}  // namespace

std::optional<std::string> scenario_text(const Program& program, const std::string& app) {
  SqlStrings strings;
  std::string out =
      fmt::format("app = {}\n{}", toml_string(app), initial_part(program, strings));
  for (const program::Session& session : program.sessions)
    out += session_part(program, session, strings);
  std::string invariants;
  for (const program::Invariant& invariant : program.invariants)
    if (invariant.text != invariant.name)  // else it is built in, and no SQL
      invariants +=
          fmt::format("{} = {}\n", toml_string(invariant.name), strings(invariant.text));
  if (!strings.is_possible) return std::nullopt;
  return invariants.empty() ? out : fmt::format("{}\n[invariant]\n{}", out, invariants);
}

}  // namespace isomer::report
