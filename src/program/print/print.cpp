// SPDX-License-Identifier: MIT
#include "program/print/print.h"
#include "program/call_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/print/scope.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

// The label of a litmus transaction is no name of SQL.
std::string type_name(const Program& program, const TransactionType& type) {
  return program.tables.empty() ? type.name : shown_name(type.name);
}

std::string column_names(const Table& table, const std::vector<ColumnId>& columns) {
  std::vector<std::string> out;
  for (const ColumnId column : columns)
    out.push_back(shown_name(table.columns[column.index].name));
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string table_text(const Program& program, const Table& table) {
  const PrintNames names{.program = program};
  std::string out = fmt::format("TABLE {}\n", shown_name(table.name));
  std::size_t width = 0;
  for (const Column& column : table.columns)
    width = std::max(width, shown_name(column.name).size());
  for (const Column& column : table.columns)
    out += fmt::format(
        "  {:<{}}  {}{}{}\n", shown_name(column.name), width, to_text(column.type),
        column.is_not_null ? " NOT NULL" : "",
        column.default_value ? " DEFAULT " + to_text(names, *column.default_value) : "");
  out += fmt::format("  PRIMARY KEY ({}){}\n", column_names(table, table.primary_key),
                     deferral_text(table.primary_key_deferral));
  for (const auto& unique : table.unique)
    out += fmt::format("  UNIQUE ({})\n", column_names(table, unique));
  const TableId id{static_cast<std::uint32_t>(&table - program.tables.data())};
  for (const IndexConstraint& constraint : table.index_constraints)
    out += fmt::format("  {}\n", index_constraint_text(names, id, constraint));
  const std::vector<Source> row = {
      {.table = id, .alias = table.name, .left_join_on = nullptr}};
  const PrintScope scope{.names = names, .sources = &row, .outer = nullptr};
  for (const Check& check : table.checks)
    out += fmt::format("  CHECK ({})\n", to_text(scope, *check.condition));
  for (const ForeignKey& key : table.foreign_keys) {
    const Table& other = program.tables[key.table.index];
    out += fmt::format("  FOREIGN KEY ({}) REFERENCES {} ({}){}{}{}\n",
                       column_names(table, key.columns), shown_name(other.name),
                       column_names(other, key.referenced),
                       action_text("DELETE", key.on_delete),
                       action_text("UPDATE", key.on_update), deferral_text(key.deferral));
  }
  return out;
}

std::string variable_type(const Variable& variable) {
  if (variable.type.kind == TypeKind::Any) return {};
  if (variable.fields.empty()) return fmt::format(" {}", to_text(variable.type));
  std::vector<std::string> fields;
  for (std::size_t i = 0; i < variable.fields.size(); ++i)
    fields.push_back(shown_name(variable.fields[i]) + " " +
                     to_text(variable.field_types[i]));
  return fmt::format(" record({})", fmt::join(fields, ", "));
}

std::string modes_text(const TransactionType& type) {
  return fmt::format("{}{}{}", type.level.empty() ? "" : " ISOLATION LEVEL " + type.level,
                     type.is_read_only ? " READ ONLY" : "",
                     type.is_deferrable ? " DEFERRABLE" : "");
}

std::string type_text(const Program& program, const TransactionType& type) {
  const PrintNames names{.program = program, .variables = &type.variables};
  std::vector<std::string> parameters;
  for (std::size_t i = 0; i < type.parameter_count; ++i)
    parameters.push_back(variable_text(names, {static_cast<std::uint32_t>(i)}, {}) +
                         variable_type(type.variables[i]));
  std::string out = fmt::format(
      "TRANSACTION {}({}){}{}\n", type_name(program, type), fmt::join(parameters, ", "),
      type.result.kind == TypeKind::Any ? "" : " RETURNS " + to_text(type.result),
      modes_text(type));
  for (std::uint32_t i = type.parameter_count; i < type.variables.size(); ++i) {
    const Variable& variable = type.variables[i];
    out += fmt::format("  VAR {}{}{}\n", variable_text(names, {i}, {}),
                       variable_type(variable),
                       variable.initial ? " := " + to_text(names, *variable.initial) : "");
  }
  return out + to_text(names, type.body, 2);
}

std::string row_text(const Program& program, TableId table, const std::vector<Value>& row) {
  std::vector<std::string> values;
  for (const Value& value : row)
    values.push_back(to_literal(value));
  return fmt::format("  {} ({})\n", shown_name(program.tables[table.index].name),
                     fmt::join(values, ", "));
}

std::string initial_text(const Program& program) {
  std::string out;
  for (const auto& [key, value] : program.initial_keys)
    out += fmt::format("  {} = {}\n", key, to_literal(value));
  for (const auto& [table, row] : program.initial_rows)
    out += row_text(program, table, row);
  return out.empty() ? out : "INITIAL STATE\n" + out + "\n";
}

std::string session_text(const Session& session) {
  std::string out =
      fmt::format("SESSION {}{}\n", session.name,
                  session.retry == 0 ? "" : fmt::format(" RETRY {}", session.retry));
  for (const Call& call : session.calls)
    out += fmt::format("  {}\n", call.text);
  return out;
}

std::string invariant_text(const Program& program, const Invariant& invariant) {
  const PrintNames names{.program = program};
  return fmt::format("INVARIANT {}\n  {}\n", invariant.name,
                     invariant.query    ? to_text(names, *invariant.query)
                     : invariant.assert ? to_text(names, *invariant.assert)
                                        : invariant.text);
}

std::string assumption_text(const Program& program) {
  const PrintNames names{.program = program};
  std::string out;
  for (const Assumption& assumption : program.assumptions)
    out += fmt::format("ASSUME {}\n  {}\n", assumption.name,
                       to_text(names, *assumption.condition));
  if (program.has_open_state && program.initial_invariants.empty())
    out += "ASSUME INITIALLY NOTHING\n";
  for (const std::uint32_t index : program.initial_invariants)
    out += fmt::format("ASSUME INITIALLY {}\n", program.invariants[index].name);
  for (const Symbol& symbol : program.symbols)
    out += fmt::format("SYMBOL ?{} {}{}\n", symbol.name, to_text(symbol.type),
                       symbol.value ? " = " + to_literal(*symbol.value) : "");
  return out;
}

std::string level_text(const Program& program) {
  std::string out;
  if (!program.levels.by_default.empty())
    out += fmt::format("LEVEL {}\n", program.levels.by_default);
  for (const auto& [type, level] : program.levels.types)
    out += fmt::format("LEVEL {} of {}\n", level, type_name(program, program.types[type]));
  for (const auto& group : program.levels.serial) {
    std::vector<std::string> names;
    for (const std::uint32_t type : group)
      names.push_back(type_name(program, program.types[type]));
    out += fmt::format("SERIAL {}\n", fmt::join(names, ", "));
  }
  for (const ServerSetting& setting : program.server_settings)
    out += fmt::format("DATABASE {} = {}\n", setting.name, setting.value);
  return out;
}

}  // namespace

std::string shown_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
  };
  const bool starts_well = !name.empty() && (name[0] < '0' || name[0] > '9');
  const bool is_hidden = name.starts_with('.') || name.starts_with('$');
  if (is_hidden || (starts_well && std::all_of(name.begin(), name.end(), is_plain)))
    return std::string(name);
  std::string out = "\"";
  for (const char c : name)
    out += std::string(c == '"' ? 2 : 1, c);
  return out + '"';
}

std::string action_text(std::string_view event, ReferenceAction action) {
  return action == ReferenceAction::NoAction
             ? ""
             : fmt::format(" ON {} {}", event, name(action));
}

std::string name_text(const PrintNames& names, std::string_view name) {
  return names.bindings != nullptr ? quoted_name(name, names.dialect) : shown_name(name);
}

std::string to_literal(const Value& value) {
  if (const auto* text = value.get_if<std::string>()) {
    std::string out = "'";
    for (const char c : *text)
      out += std::string(c == '\'' ? 2 : 1, c);
    out += '\'';
    return out;
  }
  if (const auto* truth = value.get_if<bool>()) return *truth ? "true" : "false";
  if (value.get_if<Date>() != nullptr) return fmt::format("DATE '{}'", to_text(value));
  if (value.get_if<Timestamp>() != nullptr)
    return fmt::format("TIMESTAMP '{}'", to_text(value));
  if (value.get_if<List>() != nullptr) {
    std::vector<std::string> items;
    for (const Value& item : value.items())
      items.push_back(to_literal(item));
    return fmt::format("[{}]", fmt::join(items, ", "));
  }
  return to_text(value);
}

std::string to_text(const Program& program) {
  std::string out;
  for (const Table& table : program.tables)
    out += table_text(program, table) + "\n";
  for (const TransactionType& type : program.types)
    out += type_text(program, type) + "\n";
  out += initial_text(program);
  for (const Session& session : program.sessions)
    out += session_text(session) + "\n";
  for (const Invariant& invariant : program.invariants)
    out += invariant_text(
               asks_for_calls(program, invariant) ? with_call_table(program) : program,
               invariant) +
           "\n";
  out += assumption_text(program) + level_text(program);
  while (out.ends_with("\n\n"))
    out.pop_back();
  return out;
}

}  // namespace isomer::program
