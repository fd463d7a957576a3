// SPDX-License-Identifier: MIT
#include "program/machine/columns.h"

#include <algorithm>

#include "program/machine/references.h"
#include "program/machine/view.h"

namespace isomer::program {
namespace {

void need_all(View& view, TableId table, std::span<const ColumnId> columns) {
  for (const ColumnId column : columns)
    view.need(table, column);
}

// Columns of the own FROM.
void need_of(View& view, const Expression* expression, std::span<const TableId> sources) {
  if (expression == nullptr) return;
  visit_columns(*expression, 0, [&](const Expression& column) {
    view.need(sources[column.source.index], column.column);
  });
  need_columns(view, *expression);
}

// Constraints on a row of the table that comes, changes or goes.
void need_constraints(View& view, TableId id) {
  const auto& tables = view.program().tables;
  const Table& table = tables[id.index];
  for (const Check& check : table.checks)
    need_of(view, check.condition.get(), std::span(&id, 1));
  for (const auto& columns : table.unique)
    need_all(view, id, columns);
  if (!table.index_constraints.empty()) need_all(view, id, all_columns(table));
  for (const ForeignKey& key : table.foreign_keys) {
    need_all(view, id, key.columns);
    need_all(view, key.table, key.referenced);
  }
  for (std::uint32_t i = 0; i < tables.size(); ++i)
    for (const ForeignKey& key : tables[i].foreign_keys)
      if (key.table == id) {
        need_all(view, id, key.referenced);
        need_all(view, {i}, key.columns);
      }
}

void need_assignments(View& view, const std::vector<Assignment>& assignments,
                      std::span<const TableId> sources, TableId changed) {
  const Table& table = view.table(changed);
  const auto& key = table.primary_key;
  for (const Assignment& assignment : assignments) {
    need_of(view, assignment.value.get(), sources);
    if (std::find(key.begin(), key.end(), assignment.column) == key.end()) continue;
    for (std::uint32_t i = 0; i < table.columns.size(); ++i)
      view.need(changed, {i});
  }
}

void need_returning(View& view, const std::vector<ExpressionPtr>& returning,
                    std::span<const TableId> sources) {
  for (const ExpressionPtr& column : returning)
    need_of(view, column.get(), sources);
}

template <class Change>
std::vector<TableId> need_sources(View& view, const Change& change) {
  std::vector<TableId> tables;
  for (const Source& source : sources_of(change))
    tables.push_back(source.table);
  for (const CommonTable& common : change.with)
    need_columns(view, *common.rows);
  for (const Source& source : change.from) {
    if (source.rows) need_columns(view, *source.rows);
    need_of(view, source.left_join_on.get(), tables);
  }
  need_of(view, change.where.get(), tables);
  need_returning(view, change.returning, tables);
  need_constraints(view, change.table.table);
  return tables;
}

}  // namespace

std::vector<ColumnId> all_columns(const Table& table) {
  std::vector<ColumnId> out;
  for (std::uint32_t i = 0; i < table.columns.size(); ++i)
    out.push_back({i});
  return out;
}

std::vector<std::span<const ColumnId>> unique_constraints(const Table& table) {
  std::vector<std::span<const ColumnId>> out{table.primary_key};
  for (const auto& columns : table.unique)
    out.emplace_back(columns);
  return out;
}

std::vector<ColumnId> changed_columns(const std::vector<Assignment>& assignments) {
  std::vector<ColumnId> out;
  for (const Assignment& assignment : assignments)
    out.push_back(assignment.column);
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<std::size_t> value_index(const Insert& statement, ColumnId column) {
  const std::vector<ColumnId>& columns = statement.columns;
  const auto named = std::find(columns.begin(), columns.end(), column);
  if (named == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(named - columns.begin());
}

bool is_arbiter(const Insert& statement, std::span<const ColumnId> columns) {
  if (statement.on_conflict == Insert::OnConflict::Fail) return false;
  return !has_conflict_target(statement) ||
         (statement.conflict_expressions.empty() &&
          std::is_permutation(columns.begin(), columns.end(),
                              statement.conflict_columns.begin(),
                              statement.conflict_columns.end()));
}

bool is_arbiter_index(const Insert& statement, std::uint32_t index) {
  if (statement.on_conflict == Insert::OnConflict::Fail) return false;
  const auto& meant = statement.conflict_indexes;
  return !has_conflict_target(statement) ||
         std::find(meant.begin(), meant.end(), index) != meant.end();
}

void need_columns(View& view, const Expression& expression) {
  if (!view.has_field_keys()) return;
  for (const ExpressionPtr& argument : expression.arguments)
    need_columns(view, *argument);
  if (expression.query) need_columns(view, *expression.query);
}

// Columns of the query are needed wherever they are mentioned, also inside its subqueries.
void need_columns(View& view, const Select& query) {
  if (!view.has_field_keys()) return;
  visit_columns(query, 0, [&](const Expression& column) {
    view.need(query.from[column.source.index].table, column.column);
  });
  visit_parts(query, [&](const Expression& part) { need_columns(view, part); });
}

void need_columns(View& view, const Insert& statement) {
  if (!view.has_field_keys()) return;
  const TableId sources[] = {statement.table, statement.table};
  for (const CommonTable& common : statement.with)
    need_columns(view, *common.rows);
  if (statement.query) need_columns(view, *statement.query);
  for (const auto& row : statement.rows)
    for (const ExpressionPtr& value : row)
      if (value) need_columns(view, *value);
  need_assignments(view, statement.updates, sources, statement.table);
  need_of(view, statement.update_where.get(), sources);
  need_returning(view, statement.returning, sources);
  need_constraints(view, statement.table);
}

void need_columns(View& view, const Update& statement) {
  if (!view.has_field_keys()) return;
  const std::vector<TableId> sources = need_sources(view, statement);
  need_assignments(view, statement.assignments, sources, statement.table.table);
}

void need_columns(View& view, const Delete& statement) {
  if (view.has_field_keys()) need_sources(view, statement);
}

}  // namespace isomer::program
