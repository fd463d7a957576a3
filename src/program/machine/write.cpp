// SPDX-License-Identifier: MIT
// INSERT, UPDATE and DELETE.  First everything is computed from what the statement sees;
// then the rows are changed one by one, each checked against NOT NULL, CHECK and the unique
// constraints; foreign keys are checked at the end, as PostgreSQL does.
#include <algorithm>
#include <set>
#include <utility>

#include "program/machine/columns.h"
#include "program/machine/constraints.h"
#include "program/machine/references.h"
#include "program/machine/statement_execution.h"

namespace isomer::program {
namespace {

// No expression: the column's default.
Value column_value(StatementExecution& execution, TableId table, ColumnId column,
                   const Expression* value, const Rows* rows) {
  const Column& of = execution.view.table(table).columns[column.index];
  if (value == nullptr) value = of.default_value.get();
  if (value == nullptr) return {};
  return converted(evaluate(*value, rows, execution.context), of.type,
                   Conversion::Assignment, execution.context);
}

// The values of new rows.
struct RowMaker {
  StatementExecution& execution;
  const Insert& statement;

  [[nodiscard]] Context& context() const { return execution.context; }

  [[nodiscard]] const Table& table() const { return execution.view.table(statement.table); }

  // One row after the other is computed and inserted, so a fault of a row has to wait.
  NewRows selected_rows() const {
    NewRows out;
    const auto found = selected(execution, *statement.query, nullptr);
    if (context().is_stopped()) return out;
    for (const std::vector<Value>& values : found->rows) {
      Value row = row_of(values);
      out.fault = std::exchange(context().fault, std::nullopt);
      if (out.fault) return out;
      out.rows.push_back(std::move(row));
    }
    return out;
  }

  [[nodiscard]] Value row_of(const std::vector<Value>& values) const {
    return row_from([&](std::size_t i) {
      const ColumnId column = statement.columns[i];
      return converted(values[i], table().columns[column.index].type,
                       Conversion::Assignment, context());
    });
  }

  // Constants are made to fit before the first row is inserted.
  NewRows listed_rows() const {
    NewRows out;
    for_each_waiting(statement.rows.size(), context(), [&](std::size_t at) {
      const auto& values = statement.rows[at];
      out.rows.push_back(row_from([&](std::size_t i) {
        return column_value(execution, statement.table, statement.columns[i],
                            values[i].get(), nullptr);
      }));
    });
    return out;
  }

  template <class ValueOf>
  Value row_from(ValueOf value_of) const {
    std::vector<Value> out(table().columns.size());
    for (const ColumnId column : all_columns(table())) {
      const std::optional<std::size_t> place = value_index(statement, column);
      out[column.index] =
          place ? value_of(*place)
                : column_value(execution, statement.table, column, nullptr, nullptr);
    }
    return Value::list(std::move(out));
  }
};

// A row before and after; Null: it is not there.
struct Transition {
  Value before;
  Value after;
};

struct Writer {
  StatementExecution& execution;
  TableId id;
  std::vector<Transition> transitions{};
  Affected affected{};

  [[nodiscard]] Context& context() const { return execution.context; }

  [[nodiscard]] const Table& table() const { return execution.view.table(id); }

  // --- staging ---

  void stage(const Value& before, const Value& after, std::vector<ColumnId> columns) {
    const PrimaryKey old_key =
        before.is_null() ? PrimaryKey() : primary_key_of(table(), before.items());
    const PrimaryKey new_key =
        after.is_null() ? PrimaryKey() : primary_key_of(table(), after.items());
    const bool moves = old_key != new_key;
    if (!before.is_null() && moves)
      execution.view.stage({.table = id,
                            .key = old_key,
                            .row = {},
                            .writes_existence = true,
                            .columns = {}});
    if (!after.is_null())
      execution.view.stage({.table = id,
                            .key = new_key,
                            .row = after,
                            .writes_existence = moves,
                            .columns = moves ? all_columns(table()) : std::move(columns)});
    transitions.push_back({.before = before, .after = after});
    ++affected.count;
  }

  // The row that has the same values in these columns as the new row; Null if there is
  // none.
  Value other_with(std::span<const ColumnId> columns, const Value& after,
                   const Value& before) const {
    const auto values = picked(after.items(), columns);
    for (const Value& row : rows_with(execution, id, columns, values))
      if (before.is_null() ||
          primary_key_of(table(), row.items()) != primary_key_of(table(), before.items()))
        return row;
    return {};
  }

  // The same for what it has in an index.
  Value other_in(const IndexConstraint& index, const Value& after,
                 const Value& before) const {
    const auto key = index_key(index, after, context());
    if (!key) return {};
    for (const Value& row : rows_in_index(execution, id, index, *key))
      if (before.is_null() ||
          primary_key_of(table(), row.items()) != primary_key_of(table(), before.items()))
        return row;
    return {};
  }

  void fail_index(const IndexConstraint& index) const {
    context().fail(std::string(sqlstate_of_violation(index)), index_violation(index));
  }

  void check_unique(const Value& before, const Value& after) const {
    for (const auto columns : unique_constraints(table())) {
      if (!before.is_null() &&
          picked(before.items(), columns) == picked(after.items(), columns))
        continue;
      const Value other = other_with(columns, after, before);
      if (context().is_stopped()) return;
      if (!other.is_null()) return fail_unique(execution, id, columns);
    }
    for (const IndexConstraint& index : table().index_constraints) {
      const Value other = other_in(index, after, before);
      if (context().is_stopped()) return;
      if (!other.is_null()) return fail_index(index);
    }
  }

  void replace(const Value& before, const Value& after,
               const std::vector<Assignment>& assignments) {
    auto columns = changed_columns(assignments);
    check_row(execution, id, after.items(), columns);
    if (!context().is_stopped()) check_unique(before, after);
    if (!context().is_stopped()) stage(before, after, std::move(columns));
  }

  // --- values ---

  void returned(const std::vector<ExpressionPtr>& returning, const Tuple& tuple) {
    if (returning.empty() || context().is_stopped()) return;
    const Rows rows{.current = tuple, .around = nullptr, .group = {}};
    std::vector<Value> out;
    for (const ExpressionPtr& column : returning)
      out.push_back(evaluate(*column, &rows, context()));
    affected.returned.push_back(std::move(out));
  }

  Affected finish() {
    if (!context().is_stopped())
      for_each_waiting(transitions.size(), context(), [&](std::size_t i) {
        check_references(execution, id, transitions[i].before, transitions[i].after);
      });
    return std::move(affected);
  }
};

struct Inserter {
  Writer& writer;
  const Insert& statement;

  [[nodiscard]] Context& context() const { return writer.context(); }

  void insert_row(const Value& row) {
    check_row(writer.execution, writer.id, row.items(), all_columns(writer.table()));
    if (context().is_stopped()) return;
    // The arbiters of ON CONFLICT come first: a conflict there is no error.
    for (const bool wants_arbiter : {true, false}) {
      for (const auto columns : unique_constraints(writer.table())) {
        if (is_arbiter(statement, columns) != wants_arbiter) continue;
        const Value other = writer.other_with(columns, row, {});
        if (context().is_stopped()) return;
        if (other.is_null()) continue;
        if (!wants_arbiter) return fail_unique(writer.execution, writer.id, columns);
        return resolve(other, row);
      }
      const auto& indexes = writer.table().index_constraints;
      for (std::uint32_t i = 0; i < indexes.size(); ++i) {
        if (is_arbiter_index(statement, i) != wants_arbiter) continue;
        const Value other = writer.other_in(indexes[i], row, {});
        if (context().is_stopped()) return;
        if (other.is_null()) continue;
        if (!wants_arbiter) return writer.fail_index(indexes[i]);
        return resolve(other, row);
      }
    }
    writer.stage({}, row, all_columns(writer.table()));
    writer.returned(statement.returning, {row});
  }

  void resolve(const Value& existing, const Value& excluded) {
    if (statement.on_conflict == Insert::OnConflict::Update) update_row(existing, excluded);
  }

  void update_row(const Value& existing, const Value& excluded) {
    const PrimaryKey key = primary_key_of(writer.table(), existing.items());
    if (writer.execution.view.is_staged(writer.id, key)) {
      context().fail("21000",
                     "ON CONFLICT DO UPDATE command cannot affect row a second time");
      return;
    }
    const Tuple tuple{existing, excluded};
    const Rows rows{.current = tuple, .around = nullptr, .group = {}};
    if (statement.update_where && !holds(*statement.update_where, &rows, context())) return;
    const Value row =
        assigned(writer.execution, writer.id, existing, statement.updates, rows);
    if (context().is_stopped()) return;
    writer.replace(existing, row, statement.updates);
    writer.returned(statement.returning, {row});
  }
};

// The rows to change, each with the first rows of the other tables that match it.
template <class Change>
std::vector<Tuple> targets(StatementExecution& execution, const Change& change) {
  const std::vector<Source> sources = sources_of(change);
  std::vector<Tuple> tuples = joined(execution, sources, change.where.get(), nullptr);
  if (change.from.empty()) return tuples;
  const Table& table = execution.view.table(change.table.table);
  std::set<PrimaryKey> seen;
  std::erase_if(tuples, [&](const Tuple& tuple) {
    return !seen.insert(primary_key_of(table, tuple[change.target].items())).second;
  });
  return tuples;
}

}  // namespace

Value assigned(StatementExecution& execution, TableId table, const Value& row,
               const std::vector<Assignment>& assignments, const Rows& rows) {
  const auto count =
      static_cast<std::ptrdiff_t>(execution.view.table(table).columns.size());
  std::vector<Value> out(row.items().begin(), row.items().begin() + count);
  for (const Assignment& assignment : assignments)
    out[assignment.column.index] =
        column_value(execution, table, assignment.column, assignment.value.get(), &rows);
  return Value::list(std::move(out));
}

Value inserted(StatementExecution& execution, TableId table,
               const std::vector<ColumnId>& columns,
               const std::vector<ExpressionPtr>& values, const Rows& rows) {
  std::vector<Value> out(execution.view.table(table).columns.size());
  for (const ColumnId column : all_columns(execution.view.table(table))) {
    const auto named = std::find(columns.begin(), columns.end(), column);
    const Expression* value =
        named == columns.end()
            ? nullptr
            : values[static_cast<std::size_t>(named - columns.begin())].get();
    out[column.index] = column_value(execution, table, column, value, &rows);
  }
  return Value::list(std::move(out));
}

NewRows new_rows(StatementExecution& execution, const Insert& statement) {
  const RowMaker maker{.execution = execution, .statement = statement};
  return statement.query ? maker.selected_rows() : maker.listed_rows();
}

Value new_row(StatementExecution& execution, const Insert& statement,
              const std::vector<Value>& values) {
  return RowMaker{.execution = execution, .statement = statement}.row_of(values);
}

Affected insert(StatementExecution& execution, const Insert& statement) {
  Writer writer{.execution = execution, .id = statement.table};
  Inserter inserter{.writer = writer, .statement = statement};
  const NewRows fresh = new_rows(execution, statement);
  if (execution.context.is_stopped()) return {};
  for_each_waiting(fresh.rows.size(), execution.context,
                   [&](std::size_t i) { inserter.insert_row(fresh.rows[i]); });
  if (!execution.context.is_stopped()) execution.context.fault = fresh.fault;
  return writer.finish();
}

Affected update(StatementExecution& execution, const Update& statement) {
  Writer writer{.execution = execution, .id = statement.table.table};
  std::vector<Tuple> tuples = targets(execution, statement);
  std::vector<Value> rows(tuples.size());
  // Subqueries do not see what the statement changes, so all rows are computed first.  But
  // the checks of a row come before the next one is computed: a fault has to wait for them.
  std::size_t computed = tuples.size();
  std::optional<Fault> fault;
  for_each_waiting(tuples.size(), execution.context, [&](std::size_t i) {
    if (fault) return;
    const Rows current{.current = tuples[i], .around = nullptr, .group = {}};
    rows[i] = assigned(execution, writer.id, tuples[i][statement.target],
                       statement.assignments, current);
    if (!execution.context.fault) return;
    fault = std::exchange(execution.context.fault, std::nullopt);
    computed = i;
  });
  if (execution.context.is_stopped()) return {};
  for_each_waiting(computed, execution.context, [&](std::size_t i) {
    Value& changed = tuples[i][statement.target];
    writer.replace(changed, rows[i], statement.assignments);
    changed = rows[i];
    writer.returned(statement.returning, tuples[i]);
  });
  if (!execution.context.is_stopped()) execution.context.fault = std::move(fault);
  return writer.finish();
}

Affected erase(StatementExecution& execution, const Delete& statement) {
  Writer writer{.execution = execution, .id = statement.table.table};
  const std::vector<Tuple> tuples = targets(execution, statement);
  if (execution.context.is_stopped()) return {};
  for_each_waiting(tuples.size(), execution.context, [&](std::size_t i) {
    writer.stage(tuples[i][statement.target], {}, {});
    writer.returned(statement.returning, tuples[i]);
  });
  return writer.finish();
}

}  // namespace isomer::program
