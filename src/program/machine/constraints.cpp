// SPDX-License-Identifier: MIT
// Constraints see what the statement sees and what it is about to write.
#include "program/machine/constraints.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/machine/functions.h"
#include "program/machine/statement_execution.h"

namespace isomer::program {
namespace {

std::string column_names(const Table& table, std::span<const ColumnId> columns) {
  std::string out;
  for (const ColumnId column : columns)
    out += fmt::format("_{}", table.columns[column.index].name);
  return out;
}

bool is_primary_key(const Table& table, std::span<const ColumnId> columns) {
  return std::is_permutation(columns.begin(), columns.end(), table.primary_key.begin(),
                             table.primary_key.end());
}

}  // namespace

std::string null_violation(const Table& table, ColumnId column) {
  return fmt::format(
      "null value in column \"{}\" of relation \"{}\" violates not-null constraint",
      table.columns[column.index].name, table.name);
}

std::string check_violation(const Table& table, const Check& check) {
  return fmt::format("new row for relation \"{}\" violates check constraint \"{}\"",
                     table.name, check.name);
}

std::string unique_violation(const Table& table, std::span<const ColumnId> columns) {
  const std::string name =
      is_primary_key(table, columns)
          ? fmt::format("{}_pkey", table.name)
          : fmt::format("{}{}_key", table.name, column_names(table, columns));
  return fmt::format("duplicate key value violates unique constraint \"{}\"", name);
}

std::string index_violation(const IndexConstraint& index) {
  if (index.is_exclusion)
    return fmt::format("conflicting key value violates exclusion constraint \"{}\"",
                       index.name);
  return fmt::format("duplicate key value violates unique constraint \"{}\"", index.name);
}

std::string_view sqlstate_of_violation(const IndexConstraint& index) {
  return index.is_exclusion ? "23P01" : "23505";
}

std::string missing_reference(const Table& table, const ForeignKey& key) {
  return fmt::format(
      "insert or update on table \"{}\" violates foreign key constraint \"{}\"", table.name,
      key.name);
}

std::string broken_reference(const Table& table, const Table& from, const ForeignKey& key) {
  return fmt::format(
      "update or delete on table \"{}\" violates foreign key constraint \"{}\" on table "
      "\"{}\"",
      table.name, key.name, from.name);
}

namespace {

bool has_null(std::span<const Value> values) {
  return std::any_of(values.begin(), values.end(),
                     [](const Value& value) { return value.is_null(); });
}

bool is_same(std::span<const Value> a, std::span<const Value> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// What the values say of the first columns of the primary key.
PrimaryKey key_start(const Table& table, std::span<const ColumnId> columns,
                     std::span<const Value> values) {
  PrimaryKey out;
  for (const ColumnId column : table.primary_key) {
    const auto at = std::find(columns.begin(), columns.end(), column);
    if (at == columns.end()) break;
    out.push_back(values[static_cast<std::size_t>(at - columns.begin())]);
  }
  return out;
}

bool could_have(const Table& table, const PrimaryKey& key,
                std::span<const ColumnId> columns, std::span<const Value> values) {
  for (std::size_t i = 0; i < key.size(); ++i) {
    const auto at = std::find(columns.begin(), columns.end(), table.primary_key[i]);
    if (at != columns.end() &&
        values[static_cast<std::size_t>(at - columns.begin())] != key[i])
      return false;
  }
  return true;
}

void check_outgoing(StatementExecution& execution, TableId id, const Value& before,
                    const Value& after) {
  const Table& table = execution.view.table(id);
  for (const ForeignKey& key : table.foreign_keys) {
    const auto values = picked(after.items(), key.columns);
    if (has_null(values)) continue;
    if (!before.is_null() && is_same(picked(before.items(), key.columns), values)) continue;
    if (!rows_with(execution, key.table, key.referenced, values).empty()) continue;
    execution.context.fail("23503", missing_reference(table, key));
  }
}

void check_incoming(StatementExecution& execution, TableId id, const Value& before,
                    const Value& after) {
  const auto& tables = execution.view.program().tables;
  for (std::uint32_t i = 0; i < tables.size(); ++i) {
    for (const ForeignKey& key : tables[i].foreign_keys) {
      if (key.table != id) continue;
      const auto values = picked(before.items(), key.referenced);
      if (has_null(values)) continue;
      if (!after.is_null() && is_same(picked(after.items(), key.referenced), values))
        continue;
      if (rows_with(execution, TableId{i}, key.columns, values).empty()) continue;
      if (!rows_with(execution, id, key.referenced, values).empty()) continue;
      execution.context.fail("23503",
                             broken_reference(execution.view.table(id), tables[i], key));
    }
  }
}

}  // namespace

std::vector<Value> picked(std::span<const Value> row, std::span<const ColumnId> columns) {
  std::vector<Value> out;
  for (const ColumnId column : columns)
    out.push_back(row[column.index]);
  return out;
}

void check_row(StatementExecution& execution, TableId id, std::span<const Value> row,
               std::span<const ColumnId> columns) {
  const Table& table = execution.view.table(id);
  const auto& key = table.primary_key;
  for (const ColumnId column : columns) {
    const bool is_key = std::find(key.begin(), key.end(), column) != key.end();
    const Column& of = table.columns[column.index];
    if (row[column.index].is_null() && (is_key || of.is_not_null))
      execution.context.fail("23502", null_violation(table, column));
  }
  const Tuple tuple{Value::list({row.begin(), row.end()})};
  const Rows rows{.current = tuple, .around = nullptr, .group = {}};
  for (const Check& check : table.checks) {
    const Value truth = evaluate(*check.condition, &rows, execution.context);
    const auto* boolean = truth.get_if<bool>();
    if (boolean != nullptr && !*boolean)
      execution.context.fail("23514", check_violation(table, check));
  }
}

std::vector<Value> rows_with(StatementExecution& execution, TableId id,
                             std::span<const ColumnId> columns,
                             std::span<const Value> values) {
  Context& context = execution.context;
  if (context.is_stopped() || has_null(values)) return {};
  const Table& table = execution.view.table(id);
  std::vector<PrimaryKey> keys;
  const PrimaryKey start = key_start(table, columns, values);
  if (start.size() == table.primary_key.size())
    keys.push_back(start);
  else if (const TableKeys universe =
               execution.view.scanned(id, start, View::Scan::Staged, context))
    for (const PrimaryKey& scanned : *universe)
      if (could_have(table, scanned, columns, values)) keys.push_back(scanned);
  execution.view.prefetch(id, keys, context);
  std::vector<Value> out;
  for (const PrimaryKey& key : keys) {
    if (context.is_stopped()) return {};
    Value row = execution.view.row(id, key, context);
    if (!row.is_null() && is_same(picked(row.items(), columns), values))
      out.push_back(std::move(row));
  }
  return out;
}

std::optional<std::vector<Value>> index_key(const IndexConstraint& index, const Value& row,
                                            Context& context) {
  const Tuple tuple{row};
  const Rows rows{.current = tuple, .around = nullptr, .group = {}};
  if (index.where && !holds(*index.where, &rows, context)) return std::nullopt;
  std::vector<Value> out;
  for (const auto& part : index.parts)
    out.push_back(evaluate(*part.value, &rows, context));
  if (context.is_stopped() || has_null(out)) return std::nullopt;
  return out;
}

bool are_in_the_way(const IndexConstraint& index, const std::vector<Value>& a,
                    const std::vector<Value>& b) {
  for (std::size_t i = 0; i < index.parts.size(); ++i) {
    const auto& part = index.parts[i];
    const bool is_met = part.operation == Function::RangeOverlaps
                            ? do_ranges_overlap(a[i], b[i], part.value->type.element)
                            : a[i] == b[i];
    if (!is_met) return false;
  }
  return true;
}

std::vector<Value> rows_in_index(StatementExecution& execution, TableId id,
                                 const IndexConstraint& index,
                                 const std::vector<Value>& key) {
  Context& context = execution.context;
  const TableKeys universe = execution.view.scanned(id, {}, View::Scan::Staged, context);
  if (!universe) return {};
  const std::vector<PrimaryKey> keys(universe->begin(), universe->end());
  execution.view.prefetch(id, keys, context);
  std::vector<Value> out;
  for (const PrimaryKey& scanned : keys) {
    if (context.is_stopped()) return {};
    Value row = execution.view.row(id, scanned, context);
    if (row.is_null()) continue;
    const auto other = index_key(index, row, context);
    if (other && are_in_the_way(index, *other, key)) out.push_back(std::move(row));
  }
  return out;
}

void check_references(StatementExecution& execution, TableId id, const Value& before,
                      const Value& after) {
  if (!after.is_null()) check_outgoing(execution, id, before, after);
  if (!before.is_null() && !execution.context.is_stopped())
    check_incoming(execution, id, before, after);
}

void fail_unique(StatementExecution& execution, TableId id,
                 std::span<const ColumnId> columns) {
  execution.context.fail("23505", unique_violation(execution.view.table(id), columns));
}

}  // namespace isomer::program
