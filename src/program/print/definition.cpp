// SPDX-License-Identifier: MIT
// The tables of a program and their initial rows, for a server to read.
#include <fmt/format.h>

#include "program/print/mariadb_text.h"
#include "program/print/print.h"
#include "program/print/scope.h"
#include "program/print/sqlite_text.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

std::string names_of(const PrintNames& names, const Table& table,
                     const std::vector<ColumnId>& columns) {
  std::vector<std::string> out;
  for (const ColumnId column : columns)
    out.push_back(name_text(names, table.columns[column.index].name));
  return fmt::format("({})", fmt::join(out, ", "));
}

std::string column_definition(const PrintNames& names, const Column& column) {
  std::string out = name_text(names, column.name) + " " + to_text(column.type);
  if (column.is_not_null) out += " NOT NULL";
  if (column.default_value) out += " DEFAULT " + to_text(names, *column.default_value);
  return out;
}

std::string check_definition(const PrintNames& names, TableId id, const Check& check) {
  const std::vector<Source> row = {
      {.table = id, .alias = names.program.tables[id.index].name, .left_join_on = nullptr}};
  const PrintScope scope{.names = names, .sources = &row, .outer = nullptr};
  const std::string name =
      check.name.empty() ? "" : "CONSTRAINT " + name_text(names, check.name) + " ";
  return fmt::format("{}CHECK ({})", name, to_text(scope, *check.condition));
}

std::string table_definition(const PrintNames& names, TableId id) {
  const Table& table = names.program.tables[id.index];
  std::vector<std::string> parts;
  for (const Column& column : table.columns)
    parts.push_back(column_definition(names, column));
  if (!table.primary_key.empty())
    parts.push_back("PRIMARY KEY " + names_of(names, table, table.primary_key));
  for (const auto& unique : table.unique)
    parts.push_back("UNIQUE " + names_of(names, table, unique));
  for (const Check& check : table.checks)
    parts.push_back(check_definition(names, id, check));
  return fmt::format("CREATE TABLE {} ({})", name_text(names, table.name),
                     fmt::join(parts, ", "));
}

}  // namespace

std::string quoted_name(std::string_view name, Dialect dialect) {
  const char mark = dialect == Dialect::MariaDb ? '`' : '"';
  std::string out(1, mark);
  for (const char c : name)
    out += std::string(c == mark ? 2 : 1, c);
  return out + mark;
}

// Foreign keys come last: tables may refer to each other in a circle.
std::vector<std::string> table_definitions(const Program& program, Dialect dialect) {
  const Bindings nothing;
  const PrintNames names{.program = program, .bindings = &nothing, .dialect = dialect};
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < program.tables.size(); ++i)
    out.push_back(dialect == Dialect::Sqlite    ? sqlite_definition(names, {i})
                  : dialect == Dialect::MariaDb ? mariadb_definition(names, {i})
                                                : table_definition(names, {i}));
  if (dialect == Dialect::Sqlite) return out;
  for (const Table& table : program.tables)
    for (const ForeignKey& key : table.foreign_keys) {
      const Table& other = program.tables[key.table.index];
      out.push_back(fmt::format(
          "ALTER TABLE {} ADD FOREIGN KEY {} REFERENCES {} {}{}{}",
          name_text(names, table.name), names_of(names, table, key.columns),
          name_text(names, other.name), names_of(names, other, key.referenced),
          action_text("DELETE", key.on_delete), action_text("UPDATE", key.on_update)));
    }
  return out;
}

// PostgreSQL gets all in one statement: foreign keys are checked at its end, whatever the
// order of tables.
std::vector<std::string> initial_inserts(const Program& program, Dialect dialect) {
  std::vector<std::vector<std::string>> rows(program.tables.size());
  for (const auto& [id, row] : program.initial_rows) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < row.size(); ++i)
      values.push_back(
          constant_text(row[i], program.tables[id.index].columns[i].type, dialect));
    rows[id.index].push_back(fmt::format("({})", fmt::join(values, ", ")));
  }
  std::vector<std::string> inserts;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows[i].empty())
      inserts.push_back(fmt::format("INSERT INTO {} VALUES {}",
                                    quoted_name(program.tables[i].name, dialect),
                                    fmt::join(rows[i], ", ")));
  if (dialect != Dialect::PostgreSql || inserts.size() < 2) return inserts;
  std::vector<std::string> parts;
  for (const std::string& insert : inserts)
    parts.push_back(fmt::format("i{} AS ({})", parts.size(), insert));
  return {fmt::format("WITH {} SELECT", fmt::join(parts, ", "))};
}

}  // namespace isomer::program
