// SPDX-License-Identifier: MIT
// INSERT, UPDATE, DELETE and CREATE TABLE for MariaDB.
#include <algorithm>

#include <fmt/format.h>

#include "program/machine/columns.h"
#include "program/machine/evaluate.h"
#include "program/machine/references.h"
#include "program/print/mariadb_text.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

// A key of InnoDB's has 3072 bytes, four a character; some are left for other columns.
constexpr int text_length_of_keys = 700;

const Table& table_of(const PrintNames& names, TableId id) {
  return names.program.tables[id.index];
}

std::string named_columns(const PrintNames& names, const Table& table,
                          const std::vector<ColumnId>& columns) {
  std::vector<std::string> out;
  for (const ColumnId column : columns)
    out.push_back(name_text(names, table.columns[column.index].name));
  return fmt::format("({})", fmt::join(out, ", "));
}

std::string returning_text(const PrintScope& scope,
                           const std::vector<ExpressionPtr>& columns) {
  return columns.empty() ? "" : " RETURNING " + list_text(scope, columns);
}

bool cannot_be_null(const Table& table, ColumnId column) {
  return table.columns[column.index].is_not_null ||
         std::ranges::count(table.primary_key, column) != 0;
}

bool asks(const Expression& e) {
  return e.query != nullptr ||
         std::ranges::any_of(e.arguments,
                             [](const ExpressionPtr& part) { return asks(*part); });
}

// --- INSERT ---

// Would one of the values fail as such?  INSERT IGNORE changes such values and goes on.
bool has_wrong_value(const PrintNames& names, const Insert& insert,
                     const std::vector<ExpressionPtr>& row) {
  const Table& table = table_of(names, insert.table);
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (asks(*row[i])) continue;
    Context context{.variables = names.bindings->variables,
                    .found = names.bindings->found,
                    .row_count = names.bindings->row_count,
                    .query = {},
                    .named = {},
                    .fault = {}};
    const Column& column = table.columns[insert.columns[i].index];
    const Value value = evaluate(*row[i], nullptr, context);
    static_cast<void>(converted(value, column.type, Conversion::Assignment, context));
    if (context.fault || (value.is_null() && cannot_be_null(table, insert.columns[i])))
      return true;
  }
  return false;
}

// DO NOTHING is INSERT IGNORE, unless another error would be passed over with the
// duplicates: a statement with such a value fails before it finds any.
bool ignores(const PrintNames& names, const Insert& insert) {
  return insert.on_conflict == Insert::OnConflict::Nothing &&
         std::ranges::none_of(insert.rows, [&](const auto& row) {
           return has_wrong_value(names, insert, row);
         });
}

// EXCLUDED.c is VALUES(c).
std::string upsert_text(const PrintNames& names, const Insert& insert) {
  const Table& table = table_of(names, insert.table);
  const std::vector<Source> target = {
      {.table = insert.table, .alias = table.name, .left_join_on = nullptr},
      {.table = insert.table, .alias = ".excluded", .left_join_on = nullptr}};
  const PrintScope scope{.names = names, .sources = &target, .outer = nullptr};
  std::vector<std::string> parts;
  for (const Assignment& assignment : insert.updates)
    parts.push_back(fmt::format(
        "{} = {}", name_text(names, table.columns[assignment.column.index].name),
        to_text(scope, *assignment.value)));
  return fmt::format(" ON DUPLICATE KEY UPDATE {}", fmt::join(parts, ", "));
}

std::string insert_text(const PrintNames& names, const Insert& insert) {
  const Table& table = table_of(names, insert.table);
  const PrintScope nothing{.names = names};
  // Without a value, MariaDB would have another error for these.
  std::vector<ColumnId> columns = insert.columns;
  for (std::uint32_t i = 0; i < table.columns.size(); ++i)
    if (std::ranges::count(insert.columns, ColumnId{i}) == 0 &&
        cannot_be_null(table, {i}) && !table.columns[i].default_value)
      columns.push_back({i});
  const std::size_t missing = columns.size() - insert.columns.size();
  std::string out =
      fmt::format("INSERT {}INTO {} {} ", ignores(names, insert) ? "IGNORE " : "",
                  name_text(names, table.name), named_columns(names, table, columns));
  if (insert.query) {
    Select query = *insert.query;
    query.columns.insert(query.columns.end(), missing,
                         std::make_shared<const Expression>());
    out += to_text(nothing.within(), query);
  } else {
    std::vector<std::string> rows;
    for (auto row : insert.rows) {
      row.insert(row.end(), missing, std::make_shared<const Expression>());
      rows.push_back(fmt::format("({})", list_text(nothing, row)));
    }
    out += fmt::format("VALUES {}", fmt::join(rows, ", "));
  }
  if (insert.on_conflict == Insert::OnConflict::Update) out += upsert_text(names, insert);
  const std::vector<Source> alone = {
      {.table = insert.table, .alias = table.name, .left_join_on = nullptr}};
  const PrintScope row{.names = names, .sources = &alone, .outer = nullptr};
  return out + returning_text(row, insert.returning);
}

// --- UPDATE, DELETE ---

// The changed table stands among the others.
std::string update_text(const PrintNames& names, const Update& update) {
  const std::vector<Source> sources = sources_of(update);
  const PrintScope scope{.names = names, .sources = &sources, .outer = nullptr};
  const Table& table = table_of(names, update.table.table);
  std::vector<std::string> parts;
  for (const Assignment& assignment : update.assignments)
    parts.push_back(
        fmt::format("{}.{} = {}", name_text(names, update.table.alias),
                    name_text(names, table.columns[assignment.column.index].name),
                    to_text(scope, *assignment.value)));
  return fmt::format("UPDATE {} SET {}{}", source_names(scope, sources),
                     fmt::join(parts, ", "),
                     update.where ? " WHERE " + to_text(scope, *update.where) : "");
}

std::string delete_text(const PrintNames& names, const Delete& erase) {
  const std::vector<Source> sources = sources_of(erase);
  const PrintScope scope{.names = names, .sources = &sources, .outer = nullptr};
  const std::string where = erase.where ? " WHERE " + to_text(scope, *erase.where) : "";
  const bool is_alone =
      erase.from.empty() && erase.table.alias == table_of(names, erase.table.table).name;
  if (is_alone)
    return fmt::format("DELETE FROM {}{}{}", name_text(names, erase.table.alias), where,
                       returning_text(scope, erase.returning));
  return fmt::format("DELETE {} FROM {}{}", name_text(names, erase.table.alias),
                     source_names(scope, sources), where);
}

// --- CREATE TABLE ---

// Of a primary key, an index, or a foreign key, which has an index, or refers to the
// column.
bool is_in_key(const Program& program, TableId id, ColumnId column) {
  const Table& table = program.tables[id.index];
  const auto has = [&](const std::vector<ColumnId>& columns) {
    return std::ranges::count(columns, column) != 0;
  };
  return has(table.primary_key) || std::ranges::any_of(table.unique, has) ||
         std::ranges::any_of(table.indexes, has) ||
         std::ranges::any_of(table.foreign_keys,
                             [&](const ForeignKey& key) { return has(key.columns); });
}

std::string column_type(const Type& type, bool is_in_key) {
  switch (type.kind) {
    case TypeKind::Text:
      if (type.length_max)
        return fmt::format("{}({})", type.is_padded ? "char" : "varchar", *type.length_max);
      return is_in_key ? fmt::format("varchar({})", text_length_of_keys) : "longtext";
    case TypeKind::Numeric:
      return fmt::format("decimal({}, {})", type.precision.value_or(65), type.scale);
    case TypeKind::Timestamp:
      return "datetime(6)";
    default:
      return to_text(type);
  }
}

}  // namespace

std::string mariadb_change(const PrintNames& names, const Statement& statement) {
  if (statement.insert) return insert_text(names, *statement.insert);
  if (statement.update) return update_text(names, *statement.update);
  return delete_text(names, *statement.erase);
}

bool stands_in_table(const ForeignKey& key, TableId of) {
  return key.table.index <= of.index;
}

// Statistics are not counted anew behind our back, so that plans stay what they are.
std::string mariadb_definition(const PrintNames& names, TableId id) {
  const Table& table = table_of(names, id);
  std::vector<std::string> parts;
  for (std::uint32_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    std::string part =
        fmt::format("{} {}{}", name_text(names, column.name),
                    column_type(column.type, is_in_key(names.program, id, {i})),
                    cannot_be_null(table, {i}) ? " NOT NULL" : "");
    if (column.default_value)
      part += fmt::format(" DEFAULT {}", to_text(names, *column.default_value));
    parts.push_back(std::move(part));
  }
  parts.push_back("PRIMARY KEY " + named_columns(names, table, table.primary_key));
  for (const auto& unique : table.unique)
    parts.push_back("UNIQUE " + named_columns(names, table, unique));
  for (const auto& index : table.indexes)
    parts.push_back("INDEX " + named_columns(names, table, index));
  const std::vector<Source> row = {
      {.table = id, .alias = table.name, .left_join_on = nullptr}};
  const PrintScope scope{.names = names, .sources = &row, .outer = nullptr};
  for (const Check& check : table.checks)
    parts.push_back(fmt::format("CHECK ({})", to_text(scope, *check.condition)));
  for (const ForeignKey& key : table.foreign_keys)
    if (stands_in_table(key, id)) parts.push_back(foreign_key_text(names, id, key));
  return fmt::format(
      "CREATE TABLE {} ({}) ENGINE=InnoDB STATS_PERSISTENT=1 STATS_AUTO_RECALC=0",
      name_text(names, table.name), fmt::join(parts, ", "));
}

}  // namespace isomer::program
