// SPDX-License-Identifier: MIT
// How single rows come, change and go: constraints, and whether a page of the file changes.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "database/sqlite/statement.h"
#include "program/machine/columns.h"
#include "program/machine/constraints.h"

namespace isomer::database::sqlite {
namespace {

bool has_null(std::span<const Value> values) {
  return std::any_of(values.begin(), values.end(),
                     [](const Value& value) { return value.is_null(); });
}

bool have_one_in_common(std::span<const ColumnId> a, std::span<const ColumnId> b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

}  // namespace

bool Statement::put(TableId id, const Value& row) {
  has_written_ = true;
  logged_.write(id, {}, row);
  tables_.own_rows(id).emplace(program::primary_key_of(table(id), row.items()), row);
  changes_.push_back({.table = id, .before = {}, .after = row});
  return !is_stopped();
}

bool Statement::replace(const NewRow& row) {
  if (!check_row(row.table, row.after, row.columns) ||
      !check_unique(row.table, row.after, row.before))
    return false;
  has_written_ |= changes_page(row);
  logged_.write(row.table, row.before, row.after);
  const program::Table& of = table(row.table);
  TableRows& rows = tables_.own_rows(row.table);
  rows.erase(program::primary_key_of(of, row.before.items()));
  rows.emplace(program::primary_key_of(of, row.after.items()), row.after);
  changes_.push_back({.table = row.table, .before = row.before, .after = row.after});
  return act_on_children({.table = row.table, .before = row.before, .after = row.after});
}

bool Statement::remove(TableId id, const Value& row) {
  has_written_ = true;
  logged_.write(id, row, {});
  tables_.own_rows(id).erase(program::primary_key_of(table(id), row.items()));
  changes_.push_back({.table = id, .before = row, .after = {}});
  return act_on_children({.table = id, .before = row, .after = {}});
}

// Entries of indexes, and rows that may refer to themselves, are taken out and put in
// again.
bool Statement::changes_page(const NewRow& row) const {
  if (row.before != row.after) return true;
  const program::Table& of = table(row.table);
  for (const auto columns : program::unique_constraints(of))
    if (have_one_in_common(columns, row.columns)) return true;
  return std::any_of(
      of.foreign_keys.begin(), of.foreign_keys.end(), [&](const program::ForeignKey& key) {
        return key.table == row.table && have_one_in_common(key.columns, row.columns);
      });
}

bool Statement::check_row(TableId id, const Value& row, std::span<const ColumnId> columns) {
  if (is_stopped()) return false;
  program::check_row(execution_, id, row.items(), columns);
  return !is_stopped();
}

// Unlike the reader, this sees what the statement has changed.
std::vector<Value> Statement::rows_with(TableId id, std::span<const ColumnId> columns,
                                        const std::vector<Value>& values) const {
  Region region{.table = id};
  for (std::size_t i = 0; i < columns.size(); ++i)
    region.equal.emplace_back(columns[i], values[i]);
  logged_.look(std::move(region));
  const TableRows& rows = tables_.rows(id);
  const auto& key = table(id).primary_key;
  if (std::equal(columns.begin(), columns.end(), key.begin(), key.end())) {
    const auto at = rows.find(values);
    return at == rows.end() ? std::vector<Value>() : std::vector<Value>{at->second};
  }
  std::vector<Value> out;
  for (const auto& [known_as, row] : rows)
    if (program::picked(row.items(), columns) == values) out.push_back(row);
  return out;
}

Value Statement::other_with(TableId id, std::span<const ColumnId> columns,
                            const Value& after, const Value& before) const {
  const auto values = program::picked(after.items(), columns);
  if (has_null(values)) return {};
  for (const Value& row : rows_with(id, columns, values))
    if (before.is_null() || program::primary_key_of(table(id), row.items()) !=
                                program::primary_key_of(table(id), before.items()))
      return row;
  return {};
}

bool Statement::check_unique(TableId id, const Value& after, const Value& before) {
  for (const auto columns : program::unique_constraints(table(id)))
    if (!other_with(id, columns, after, before).is_null()) return fail_unique(id, columns);
  return true;
}

bool Statement::fail_unique(TableId id, std::span<const ColumnId> columns) {
  const program::Table& of = table(id);
  std::vector<std::string> names;
  for (const ColumnId column : columns)
    names.push_back(fmt::format("{}.{}", of.name, of.columns[column.index].name));
  const bool is_primary = columns.data() == of.primary_key.data();
  return fail(is_primary ? primary_key_failed : unique_failed,
              fmt::format("UNIQUE constraint failed: {}", fmt::join(names, ", ")));
}

}  // namespace isomer::database::sqlite
