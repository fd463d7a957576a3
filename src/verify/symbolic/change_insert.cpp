// SPDX-License-Identifier: MIT
// INSERT, with ON CONFLICT.
#include "program/machine/columns.h"
#include "verify/symbolic/change.h"

namespace isomer::verify {
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
    const Scope scope{.current = tuple, .around = nullptr, .group = {}};
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
