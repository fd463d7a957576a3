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

std::string primary_key_definition(const PrintNames& names, const Table& table) {
  const std::string text = "PRIMARY KEY " + names_of(names, table, table.primary_key);
  if (table.primary_key_deferral == Deferral::None) return text;
  return fmt::format("CONSTRAINT {} {}{}", name_text(names, table.primary_key_name), text,
                     deferral_text(table.primary_key_deferral));
}

// What CREATE TABLE has, and the statements behind it.  Keys come in the order in which
// they are checked, so what follows an index that only CREATE INDEX makes comes later, too.
struct Definition {
  std::vector<std::string> parts{};
  std::vector<std::string> later{};
};

void add_keys(const PrintNames& names, TableId id, Definition& out) {
  const Table& table = names.program.tables[id.index];
  const std::string alter =
      fmt::format("ALTER TABLE {} ADD ", name_text(names, table.name));
  const auto add = [&](std::string text) {
    if (out.later.empty())
      out.parts.push_back(std::move(text));
    else
      out.later.push_back(alter + text);
  };
  auto next = table.index_constraints.begin();
  const auto add_those_before = [&](std::size_t unique) {
    for (; next != table.index_constraints.end() && next->unique_before <= unique; ++next) {
      const std::string text = index_constraint_text(names, id, *next);
      if (next->is_constraint)
        add(text);
      else
        out.later.push_back("CREATE " + text);
    }
  };
  for (std::size_t i = 0; i < table.unique.size(); ++i) {
    add_those_before(i);
    add("UNIQUE " + names_of(names, table, table.unique[i]));
  }
  add_those_before(table.unique.size());
}

std::vector<std::string> table_definition(const PrintNames& names, TableId id) {
  const Table& table = names.program.tables[id.index];
  Definition out;
  auto& parts = out.parts;
  for (const Column& column : table.columns)
    parts.push_back(column_definition(names, column));
  if (!table.primary_key.empty()) parts.push_back(primary_key_definition(names, table));
  add_keys(names, id, out);
  for (const Check& check : table.checks)
    parts.push_back(check_definition(names, id, check));
  out.later.insert(out.later.begin(),
                   fmt::format("CREATE TABLE {} ({})", name_text(names, table.name),
                               fmt::join(parts, ", ")));
  return std::move(out.later);
}

// Of values that an index of this kind does not know by itself?
bool excludes_equal_ones(const Program& program) {
  for (const Table& table : program.tables)
    for (const IndexConstraint& constraint : table.index_constraints)
      for (const auto& part : constraint.parts)
        if (constraint.is_exclusion && part.operation == Function::Equal &&
            part.value->type.kind != TypeKind::Range)
          return true;
  return false;
}

}  // namespace

std::string foreign_key_text(const PrintNames& names, TableId id, const ForeignKey& key) {
  const Table& table = names.program.tables[id.index];
  const Table& other = names.program.tables[key.table.index];
  const std::string name = key.deferral == Deferral::None
                               ? ""
                               : fmt::format("CONSTRAINT {} ", name_text(names, key.name));
  return fmt::format("{}FOREIGN KEY {} REFERENCES {} {}{}{}{}", name,
                     names_of(names, table, key.columns), name_text(names, other.name),
                     names_of(names, other, key.referenced),
                     action_text("DELETE", key.on_delete),
                     action_text("UPDATE", key.on_update), deferral_text(key.deferral));
}

std::string deferral_text(Deferral deferral) {
  switch (deferral) {
    case Deferral::None:
      return "";
    case Deferral::InitiallyImmediate:
      return " DEFERRABLE";
    case Deferral::InitiallyDeferred:
      return " DEFERRABLE INITIALLY DEFERRED";
  }
  return {};
}

std::string index_constraint_text(const PrintNames& names, TableId id,
                                  const IndexConstraint& constraint) {
  const std::string& table = names.program.tables[id.index].name;
  // Columns have no names of tables in front there.
  const std::vector<Source> row = {{.table = id, .alias = {}, .left_join_on = nullptr}};
  const PrintScope scope{.names = names, .sources = &row, .outer = nullptr};
  std::vector<std::string> parts;
  for (const auto& part : constraint.parts) {
    const std::string text = to_text(scope, *part.value);
    parts.push_back(part.value->kind == Expression::Kind::Column ? text : "(" + text + ")");
    if (constraint.is_exclusion) {
      parts.back() += part.operation == Function::Equal ? " WITH =" : " WITH &&";
    }
  }
  const std::string name = name_text(names, constraint.name);
  const std::string where =
      constraint.where ? " WHERE " + to_text(scope, *constraint.where) : "";
  if (constraint.is_exclusion)
    return fmt::format(
        "CONSTRAINT {} EXCLUDE USING gist ({}){}{}", name, fmt::join(parts, ", "),
        constraint.where ? " WHERE (" + to_text(scope, *constraint.where) + ")" : "",
        deferral_text(constraint.deferral));
  if (constraint.is_constraint)
    return fmt::format("CONSTRAINT {} UNIQUE ({}){}{}", name, fmt::join(parts, ", "), where,
                       deferral_text(constraint.deferral));
  return fmt::format("UNIQUE INDEX {} ON {} ({}){}", name, name_text(names, table),
                     fmt::join(parts, ", "), where);
}

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
  if (dialect == Dialect::PostgreSql && excludes_equal_ones(program))
    out.emplace_back("CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public");
  for (std::uint32_t i = 0; i < program.tables.size(); ++i)
    if (dialect == Dialect::PostgreSql)
      for (std::string& statement : table_definition(names, {i}))
        out.push_back(std::move(statement));
    else
      out.push_back(dialect == Dialect::Sqlite ? sqlite_definition(names, {i})
                                               : mariadb_definition(names, {i}));
  if (dialect == Dialect::Sqlite) return out;
  for (std::uint32_t i = 0; i < program.tables.size(); ++i)
    for (const ForeignKey& key : program.tables[i].foreign_keys)
      if (dialect != Dialect::MariaDb || !stands_in_table(key, {i}))
        out.push_back(fmt::format("ALTER TABLE {} ADD {}",
                                  name_text(names, program.tables[i].name),
                                  foreign_key_text(names, {i}, key)));
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
