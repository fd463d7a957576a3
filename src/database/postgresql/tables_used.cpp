// SPDX-License-Identifier: MIT
#include "database/postgresql/tables_used.h"

#include <algorithm>

#include "program/machine/references.h"

namespace isomer::database::postgresql {

using program::AsksServer;
using program::Lock;
using program::TableLock;

namespace {

void add_tables(const program::Select& query, std::vector<TableUse>& out);

void add_statement(const program::Statement& statement, std::vector<TableUse>& out);

void add_tables(const program::Expression& expression, std::vector<TableUse>& out) {
  if (expression.change) add_statement(*expression.change, out);
  if (expression.query) add_tables(*expression.query, out);
  for (const auto& part : expression.arguments)
    if (part) add_tables(*part, out);
}

void add_tables(const program::Select& query, std::vector<TableUse>& out) {
  for (const program::Source& source : query.from)
    if (!source.rows)
      out.push_back({.table = source.table,
                     .mode = source.lock == Lock::None ? TableLock::AccessShare
                                                       : TableLock::RowShare});
  program::visit_parts(query,
                       [&](const program::Expression& part) { add_tables(part, out); });
}

void add_tables(const program::ExpressionPtr& expression, std::vector<TableUse>& out) {
  if (expression) add_tables(*expression, out);
}

void add_tables(const std::vector<program::Assignment>& assignments,
                std::vector<TableUse>& out) {
  for (const auto& assignment : assignments)
    add_tables(assignment.value, out);
}

// The rows of a WITH are found by name, too.
void add_sources(const std::vector<program::Source>& sources, std::size_t target,
                 std::vector<TableUse>& out) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (i == target) continue;
    if (!sources[i].rows)
      out.push_back({.table = sources[i].table, .mode = TableLock::AccessShare});
    else if (sources[i].common.empty())
      add_tables(sources[i].rows, out);
  }
}

template <class ChangeStatement>
void add_change(const ChangeStatement& change, std::vector<TableUse>& out) {
  // The parser opens the table that is changed first, and locks it right away as that.
  out.push_back({.table = change.table.table, .mode = TableLock::RowExclusive});
  add_sources(program::sources_of(change), change.target, out);
  add_tables(change.where, out);
  if constexpr (!std::is_same_v<ChangeStatement, program::Merge>)
    for (const auto& column : change.returning)
      add_tables(column, out);
}

void add_whens(const program::Merge& merge, std::vector<TableUse>& out) {
  for (const program::Merge::When& when : merge.whens) {
    add_tables(when.condition, out);
    add_tables(when.assignments, out);
    for (const auto& value : when.values)
      add_tables(value, out);
  }
}

void add_insert(const program::Insert& insert, std::vector<TableUse>& out) {
  out.push_back({.table = insert.table, .mode = TableLock::RowExclusive});
  if (insert.query) add_tables(*insert.query, out);
  for (const auto& row : insert.rows)
    for (const auto& part : row)
      add_tables(part, out);
  add_tables(insert.updates, out);
  add_tables(insert.update_where, out);
  for (const auto& column : insert.returning)
    add_tables(column, out);
}

void add_statement(const program::Statement& statement, std::vector<TableUse>& out) {
  if (!statement.query)
    for (const program::CommonTable& common : program::with_of(statement))
      add_tables(common.rows, out);
  if (statement.query) add_tables(*statement.query, out);
  if (statement.update) {
    add_change(*statement.update, out);
    add_tables(statement.update->assignments, out);
  }
  if (statement.erase) add_change(*statement.erase, out);
  if (statement.insert) add_insert(*statement.insert, out);
  if (statement.merge) {
    add_change(*statement.merge, out);
    add_whens(*statement.merge, out);
  }
}

bool has_steps(const program::Select& query);

bool has_steps(const program::Expression& expression) {
  return expression.change != nullptr ||
         (expression.query &&
          (program::locks_rows(*expression.query) || has_steps(*expression.query))) ||
         std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [](const auto& part) { return part && has_steps(*part); });
}

bool has_steps(const program::ExpressionPtr& expression) {
  return expression && has_steps(*expression);
}

bool has_steps(const program::Select& query) {
  bool out = false;
  program::visit_parts(
      query, [&](const program::Expression& part) { out = out || has_steps(part); });
  return out;
}

bool has_steps(const std::vector<program::ExpressionPtr>& list) {
  return std::any_of(list.begin(), list.end(),
                     [](const auto& part) { return has_steps(part); });
}

bool has_steps(const std::vector<program::Assignment>& assignments) {
  return std::any_of(assignments.begin(), assignments.end(),
                     [](const auto& assignment) { return has_steps(assignment.value); });
}

template <class Change>
bool has_steps_in(const Change& change) {
  return has_steps(change.where) ||
         std::any_of(change.from.begin(), change.from.end(), [](const auto& source) {
           return has_steps(source.rows) || has_steps(source.left_join_on);
         });
}

bool has_steps(const program::Statement& statement) {
  const auto& with = program::with_of(statement);
  if (std::any_of(with.begin(), with.end(),
                  [](const auto& common) { return has_steps(common.rows); }))
    return true;
  if (statement.query) return has_steps(*statement.query);
  if (statement.update)
    return has_steps_in(*statement.update) || has_steps(statement.update->assignments) ||
           has_steps(statement.update->returning);
  if (statement.erase)
    return has_steps_in(*statement.erase) || has_steps(statement.erase->returning);
  if (statement.merge)
    return has_steps_in(*statement.merge) ||
           std::any_of(statement.merge->whens.begin(), statement.merge->whens.end(),
                       [](const auto& when) {
                         return has_steps(when.condition) || has_steps(when.assignments) ||
                                has_steps(when.values);
                       });
  if (!statement.insert) return false;
  const program::Insert& insert = *statement.insert;
  return (insert.query &&
          (program::locks_rows(*insert.query) || has_steps(*insert.query))) ||
         std::any_of(insert.rows.begin(), insert.rows.end(),
                     [](const auto& row) { return has_steps(row); }) ||
         has_steps(insert.updates) || has_steps(insert.update_where) ||
         has_steps(insert.returning);
}

}  // namespace

std::vector<TableUse> late_tables_of(const AsksServer& what) {
  std::vector<TableUse> out;
  if (what.statement == nullptr) return out;
  const program::Statement& statement = *what.statement;
  const auto add = [&](const auto& changes) {
    add_tables(changes.where, out);
    for (const auto& column : changes.returning)
      add_tables(column, out);
  };
  if (statement.query && locks_rows(*statement.query))
    program::visit_parts(*statement.query,
                         [&](const program::Expression& part) { add_tables(part, out); });
  if (statement.update) {
    add(*statement.update);
    add_tables(statement.update->assignments, out);
  }
  if (statement.erase) add(*statement.erase);
  if (statement.merge) {
    add_tables(statement.merge->where, out);
    add_whens(*statement.merge, out);
  }
  if (statement.insert) {
    add_tables(statement.insert->updates, out);
    add_tables(statement.insert->update_where, out);
    for (const auto& column : statement.insert->returning)
      add_tables(column, out);
  }
  return out;
}

std::vector<TableUse> tables_of(const AsksServer& what) {
  std::vector<TableUse> out;
  if (what.expression != nullptr) add_tables(*what.expression, out);
  if (what.statement != nullptr) add_statement(*what.statement, out);
  return out;
}

std::vector<TableId> tables_read(const AsksServer& what) {
  std::vector<TableId> out;
  for (const TableUse& use : tables_of(what))
    if (std::find(out.begin(), out.end(), use.table) == out.end()) out.push_back(use.table);
  return out;
}

bool has_inner_steps(const AsksServer& what) {
  return (what.expression != nullptr && has_steps(*what.expression)) ||
         (what.statement != nullptr && has_steps(*what.statement));
}

}  // namespace isomer::database::postgresql
