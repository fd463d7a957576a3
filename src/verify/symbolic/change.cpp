// SPDX-License-Identifier: MIT
// INSERT, UPDATE and DELETE, as program/machine/write.cpp has them.  First everything is
// computed from what the statement sees; then the rows are changed one by one, each checked
// against NOT NULL, CHECK and the unique constraints; foreign keys are checked at the end.
#include "verify/symbolic/change.h"

#include <algorithm>

#include "program/machine/columns.h"
#include "program/machine/constraints.h"
#include "program/machine/references.h"
#include "verify/symbolic/constraints.h"
#include "verify/symbolic/query.h"
#include "verify/symbolic/query_order.h"

namespace isomer::verify {

using program::Assignment;

void RowWriter::stage(const Row& before, const Row& after, Term when) {
  Terms& terms = run.terms;
  const Key old_key = key_of_row(terms, table(), before);
  const Key new_key = key_of_row(terms, table(), after);
  const Term moves = terms.negation(terms.all(
      std::vector{before.exists, after.exists, same_key(terms, old_key, new_key)}));
  run.stage({.table = id,
             .key = old_key,
             .row = absent_row(terms, table()),
             .when = terms.all(std::vector{when, before.exists, moves})});
  const Term is_written = terms.both(when, after.exists);
  run.stage({.table = id,
             .key = new_key,
             .row = after,
             .when = terms.both(is_written, moves),
             .is_new_key = true});
  run.stage({.table = id,
             .key = old_key,
             .row = after,
             .when = terms.both(is_written, terms.negation(moves))});
  transitions.push_back({.when = when, .before = before, .after = after});
  affected.rows.push_back(when);
}

std::vector<Row> RowWriter::others_with(std::span<const ColumnId> columns, const Row& after,
                                        const Row& before, Term when) {
  Terms& terms = run.terms;
  auto rows = rows_with(run, id, columns, picked(after, columns), when);
  const Key own = key_of_row(terms, table(), before);
  for (Row& row : rows) {
    const Term is_itself =
        terms.both(before.exists, same_key(terms, own, key_of_row(terms, table(), row)));
    row.exists = terms.both(row.exists, terms.negation(is_itself));
  }
  // The first by primary key, if the database has several.
  std::vector<Term> exists;
  for (const Row& row : rows)
    exists.push_back(row.exists);
  Order order(terms, exists);
  order.compare([&](std::size_t i, std::size_t j) {
    return key_before(terms, key_of_row(terms, table(), rows[i]),
                      key_of_row(terms, table(), rows[j]));
  });
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].exists = order.is_first(i);
  return rows;
}

void RowWriter::fail_unique(std::span<const ColumnId> columns, Term when) {
  run.fail(when, "23505", program::unique_violation(table(), columns));
}

void RowWriter::check_unique(const Row& before, const Row& after, Term when) {
  Terms& terms = run.terms;
  for (const auto columns : program::unique_constraints(table())) {
    const Term is_same =
        all_identical(terms, picked(before, columns), picked(after, columns));
    const Term asked = run.now(terms.both(when, terms.negation(is_same)));
    if (terms.is_false(asked)) continue;
    for (const Row& other : others_with(columns, after, before, asked))
      fail_unique(columns, terms.both(asked, other.exists));
  }
}

void RowWriter::replace(const Row& before, const Row& after,
                        const std::vector<Assignment>& assignments, Term when) {
  check_row(run, id, after, program::changed_columns(assignments), when);
  check_unique(before, after, when);
  stage(before, after, when);
}

Cell RowWriter::column_value(ColumnId column, const Expression* value,
                             const RowScope* scope, Term when) {
  const program::Column& of = table().columns[column.index];
  if (value == nullptr) value = of.default_value.get();
  if (value == nullptr) return null_cell(run.terms, of.type);
  const Cell cell = evaluate(*value, scope, run.now(when), run.evaluation);
  return converted(cell, of.type, Conversion::Assignment, run.now(when), value->at,
                   run.evaluation);
}

Row RowWriter::assigned(const Row& row, const std::vector<Assignment>& assignments,
                        const RowScope& scope, Term when) {
  Row out = row;
  for (const Assignment& assignment : assignments)
    out.columns[assignment.column.index] =
        column_value(assignment.column, assignment.value.get(), &scope, when);
  return out;
}

void RowWriter::returned(const std::vector<program::ExpressionPtr>& returning,
                         const std::vector<Row>& rows, Term when) {
  if (returning.empty() || run.terms.is_false(when)) return;
  const RowScope scope{.current = rows, .around = nullptr, .group = {}};
  ResultRow out{.is_in = when, .tuple = {}};
  for (const auto& column : returning)
    out.columns.push_back(evaluate(*column, &scope, run.now(when), run.evaluation));
  affected.returned.push_back(std::move(out));
}

Affected RowWriter::finish() {
  for (const Transition& transition : transitions)
    check_references(run, id, transition.before, transition.after, transition.when);
  return std::move(affected);
}

namespace {

// The rows to change, each with the first rows of the other tables that match it.
template <class Change>
std::vector<Tuple> targets(StatementRun& run, const Change& change, Term when) {
  Terms& terms = run.terms;
  const std::vector<Source> sources = program::sources_of(change);
  std::vector<Tuple> tuples = joined(run, sources, change.where.get(), nullptr, when);
  if (change.from.empty()) return tuples;
  const Table& table = run.table(change.table.table);
  std::vector<Term> is_first;
  for (const Tuple& tuple : tuples) {
    const Key key = key_of_row(terms, table, tuple.rows[change.target]);
    Term out = tuple.is_in;
    for (const Tuple& other : tuples) {
      if (&other == &tuple) continue;
      const Key other_key = key_of_row(terms, table, other.rows[change.target]);
      const Term is_same = terms.both(other.is_in, same_key(terms, key, other_key));
      if (terms.is_false(terms.both(is_same, out))) continue;
      const Term is_before = tuple_before(run, sources, other.rows, tuple.rows);
      out = terms.both(out, terms.negation(terms.both(is_same, is_before)));
    }
    is_first.push_back(out);
  }
  for (std::size_t i = 0; i < tuples.size(); ++i)
    tuples[i].is_in = is_first[i];
  return tuples;
}

// May the order in which the rows are changed decide whether one is in the way of another?
bool order_matters(const Table& table, const std::vector<Assignment>& assignments) {
  return std::any_of(assignments.begin(), assignments.end(), [&](const Assignment& a) {
    const auto has_column = [&](const std::vector<ColumnId>& columns) {
      return std::find(columns.begin(), columns.end(), a.column) != columns.end();
    };
    return has_column(table.primary_key) ||
           std::any_of(table.unique.begin(), table.unique.end(), has_column);
  });
}

}  // namespace

// Subqueries do not see what the statement changes, so all rows are computed first.  But
// the checks of a row come before the next one is computed: a fault has to wait for them.
Affected update(StatementRun& run, const program::Update& statement, Term when) {
  Terms& terms = run.terms;
  RowWriter writer{.run = run, .id = statement.table.table};
  std::vector<Tuple> tuples = targets(run, statement, when);
  const std::vector<Source> sources = program::sources_of(statement);
  if (order_matters(writer.table(), statement.assignments))
    tuples = in_order(run, sources, std::move(tuples));
  std::vector<Row> rows;
  std::vector<Term> is_computed;
  std::vector<Evaluation::Fault> late;
  const Term starts = run.now(when);
  run.forgiven([&] {
    for (const Tuple& tuple : tuples) {
      const RowScope current{.current = tuple.rows, .around = nullptr, .group = {}};
      rows.push_back(writer.assigned(tuple.rows[statement.target], statement.assignments,
                                     current, run.now(terms.both(starts, tuple.is_in))));
      is_computed.push_back(terms.both(
          starts, terms.both(tuple.is_in, terms.negation(run.evaluation.has_fault))));
    }
    late = run.evaluation.faults;
  });
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    std::vector<Row>& tuple = tuples[i].rows;
    writer.replace(tuple[statement.target], rows[i], statement.assignments, is_computed[i]);
    tuple[statement.target] = rows[i];
    writer.returned(statement.returning, tuple, is_computed[i]);
  }
  for (Evaluation::Fault& fault : late)
    run.evaluation.fail(fault.when, std::move(fault.sqlstate), std::move(fault.reason),
                        fault.at);
  return writer.finish();
}

Affected erase(StatementRun& run, const program::Delete& statement, Term when) {
  RowWriter writer{.run = run, .id = statement.table.table};
  const Row gone = absent_row(run.terms, writer.table());
  for (const Tuple& tuple : targets(run, statement, when)) {
    const Term deletes = run.terms.both(when, tuple.is_in);
    writer.stage(tuple.rows[statement.target], gone, deletes);
    writer.returned(statement.returning, tuple.rows, deletes);
  }
  return writer.finish();
}

// --- INSERT, with ON CONFLICT ---

namespace {

using program::Insert;

struct RowInserter {
  RowWriter& writer;
  const Insert& statement;

  [[nodiscard]] StatementRun& run() const { return writer.run; }

  [[nodiscard]] Terms& terms() const { return writer.run.terms; }

  // A row to insert.
  struct NewRow {
    Term is_in;
    Row row;
  };

  // The rows to insert, with defaults for the columns that are not named.
  [[nodiscard]] std::vector<NewRow> new_rows(Term when) const {
    std::vector<NewRow> out;
    if (!statement.query) {
      for (const auto& values : statement.rows)
        out.push_back({.is_in = when, .row = row_from(when, [&](std::size_t i) {
                                        return writer.column_value(statement.columns[i],
                                                                   values[i].get(), nullptr,
                                                                   when);
                                      })});
      return out;
    }
    auto found = selected(run(), *statement.query, nullptr, when);
    // Which of two equal rows comes first matters only if the other is then skipped.
    if (statement.on_conflict != Insert::OnConflict::Fail)
      found = in_order(run(), *statement.query, std::move(found));
    for (const ResultRow& result : found) {
      const Term is_in = terms().both(when, result.is_in);
      out.push_back({.is_in = is_in,
                     .row = row_from(is_in, [&](std::size_t i) {
                       const program::Type& type =
                           writer.table().columns[statement.columns[i].index].type;
                       return converted(result.columns[i], type, Conversion::Assignment,
                                        run().now(is_in), run().at, run().evaluation);
                     })});
    }
    return out;
  }

  template <class CellOf>
  [[nodiscard]] Row row_from(Term when, CellOf cell_of) const {
    Row out{.exists = terms().truth(true), .columns = {}};
    for (const ColumnId column : program::all_columns(writer.table())) {
      const std::optional<std::size_t> place = program::value_index(statement, column);
      out.columns.push_back(place ? cell_of(*place)
                                  : writer.column_value(column, nullptr, nullptr, when));
    }
    return out;
  }

  void insert_row(const Row& row, Term when) const {
    const Row none = absent_row(terms(), writer.table());
    check_row(run(), writer.id, row, program::all_columns(writer.table()), when);
    // The arbiters of ON CONFLICT come first: a conflict there is no error.
    for (const bool wants_arbiter : {true, false})
      for (const auto columns : program::unique_constraints(writer.table())) {
        if (program::is_arbiter(statement, columns) != wants_arbiter) continue;
        const Term asked = run().now(when);
        for (const Row& other : writer.others_with(columns, row, none, asked)) {
          const Term conflicts = terms().both(asked, other.exists);
          if (terms().is_false(conflicts)) continue;
          if (!wants_arbiter)
            writer.fail_unique(columns, conflicts);
          else if (statement.on_conflict == Insert::OnConflict::Update)
            update_row(other, row, conflicts);
          when = terms().both(when, terms().negation(other.exists));
        }
      }
    if (terms().is_false(when)) return;
    writer.stage(none, row, when);
    writer.returned(statement.returning, {row}, when);
  }

  void update_row(Row existing, const Row& excluded, Term when) const {
    existing.exists = terms().truth(true);
    const Key key = key_of_row(terms(), writer.table(), existing);
    run().fail(terms().both(when, run().is_staged(writer.id, key)), "21000",
               "ON CONFLICT DO UPDATE command cannot affect row a second time");
    const std::vector<Row> tuple{existing, excluded};
    const RowScope scope{.current = tuple, .around = nullptr, .group = {}};
    if (statement.update_where)
      when = terms().both(
          when, holds(*statement.update_where, &scope, run().now(when), run().evaluation));
    const Row row = writer.assigned(existing, statement.updates, scope, run().now(when));
    when = run().now(when);
    if (terms().is_false(when)) return;
    writer.replace(existing, row, statement.updates, when);
    writer.returned(statement.returning, {row}, when);
  }
};

}  // namespace

Affected insert(StatementRun& run, const Insert& statement, Term when) {
  RowWriter writer{.run = run, .id = statement.table};
  const RowInserter inserter{.writer = writer, .statement = statement};
  const Term starts = run.now(when);
  for (const auto& [is_in, row] : inserter.new_rows(starts))
    inserter.insert_row(row, is_in);
  return writer.finish();
}

}  // namespace isomer::verify
