// SPDX-License-Identifier: MIT
// The symbolic execution of one statement: what program/machine/statement_execution.h does,
// with terms for values.  Where that one says "these rows", here are candidates, each with
// the condition that it is among them.
#pragma once

#include <span>
#include <vector>

#include "verify/symbolic/evaluate.h"

namespace isomer::verify {

using program::Select;
using program::Source;
using program::Table;

// One row for each source of a FROM.
struct Tuple {
  Term is_in;
  std::vector<Row> rows;
};

// A row of a query's result, and where it came from.
struct ResultRow {
  Term is_in;
  std::vector<Row> tuple;  // of a group: its first one
  std::vector<Cell> columns{};
  std::vector<Cell> order{};  // the values of ORDER BY
};

// A row that the statement writes; absent: deletes.
struct StagedChange {
  TableId table;
  Key key;
  Row row;
  Term when;
  bool is_new_key = false;
};

struct StatementRun {
  StatementRun(Terms& terms, const Program& program, const SymbolicOptions& options,
               Database& database, Span at);
  StatementRun(const StatementRun&) = delete;  // the evaluation's queries refer to it
  StatementRun& operator=(const StatementRun&) = delete;

  Terms& terms;
  const Program& program;
  Database& database;
  Span at;
  Evaluation evaluation;
  std::vector<StagedChange> staged{};

  // Results of queries that depend on no row around them, with the condition under which
  // they were asked.
  struct Answer {
    const Select* query = nullptr;
    Term when;
    std::vector<ResultRow> rows{};
  };

  std::vector<Answer> uncorrelated{};

  [[nodiscard]] const Table& table(TableId id) const { return program.tables[id.index]; }

  // `when`, unless a fault has ended the statement.
  Term now(Term when);
  void fail(Term when, std::string sqlstate, std::string reason);

  // What the statement sees under that key: what it is about to write, else the database.
  Row read(TableId id, const Key& key, Term when);

  void stage(StagedChange change);
  // It is about to write the key.
  Term is_staged(TableId id, const Key& key);
  // Writes what is staged, the last change of each key, under the condition that the
  // statement succeeds.
  void write_staged(Store& store, Term when);

  // Faults that `act` meets are forgotten; returns whether there was one.
  template <class Act>
  Term forgiven(Act act) {
    auto faults = std::exchange(evaluation.faults, {});
    const Term had_fault = std::exchange(evaluation.has_fault, terms.truth(false));
    act();
    evaluation.faults = std::move(faults);
    return std::exchange(evaluation.has_fault, had_fault);
  }
};

// The primary key of a row that exists.
Key key_of_row(Terms& terms, const Table& table, const Row& row);
std::vector<Cell> picked(const Row& row, std::span<const ColumnId> columns);

// --- queries ---

// FROM and WHERE, in no order.
std::vector<Tuple> joined(StatementRun& run, std::span<const Source> from,
                          const Expression* where, const Scope* around, Term when);

// In no order, and without the writes of FOR UPDATE.
std::vector<ResultRow> selected(StatementRun& run, const Select& query, const Scope* around,
                                Term when);
// Stages the writes of FOR UPDATE.
void lock_selected(StatementRun& run, const Select& query, std::span<const ResultRow> rows,
                   Term when);

// Exists, InQuery and Scalar.
Cell query_value(StatementRun& run, const Expression& expression, const Scope* scope,
                 Term when);

// --- the order of rows ---

// The order of the primary keys of the sources, one after the other.
Term tuple_before(StatementRun& run, std::span<const Source> from,
                  const std::vector<Row>& a, const std::vector<Row>& b);
Term result_before(StatementRun& run, const Select& query, const ResultRow& a,
                   const ResultRow& b);

// Which of several things that may be there comes before which.
class Order {
 public:
  Order(Terms& terms, std::vector<Term> is_in);

  // For each pair, whether or not both can be there: where the order does not depend on
  // values it must be one.
  template <class Before>
  void compare(Before before) {
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = i + 1; j < size(); ++j)
        set_before(i, j, before(i, j));
  }

  [[nodiscard]] std::size_t size() const { return is_in_.size(); }

  // i is there, and no other is there before it.
  Term is_first(std::size_t i);
  // By i and k, for each k below a bound: so many are there before i.
  std::vector<std::vector<Term>> ranks(std::size_t below);
  // If the order does not depend on values: the places in order, else none.
  std::vector<std::size_t> fixed() const;

 private:
  void set_before(std::size_t i, std::size_t j, Term before);

  Terms& terms_;
  std::vector<Term> is_in_;
  std::vector<std::vector<Term>> before_;
};

// The rows as a sequence: those that are there come in their order.
std::vector<ResultRow> in_order(StatementRun& run, const Select& query,
                                std::vector<ResultRow> rows);
std::vector<Tuple> in_order(StatementRun& run, std::span<const Source> from,
                            std::vector<Tuple> tuples);
// Only the first of those that are there is left.
void keep_first(StatementRun& run, const Select& query, std::vector<ResultRow>& rows);

// --- changes ---

// What INSERT, UPDATE and DELETE did: the changes are staged.
struct Affected {
  std::vector<Term> rows;           // one for each row that may have been changed
  std::vector<ResultRow> returned;  // RETURNING
};

Affected insert(StatementRun& run, const program::Insert& statement, Term when);
Affected update(StatementRun& run, const program::Update& statement, Term when);
Affected erase(StatementRun& run, const program::Delete& statement, Term when);

// --- constraints ---

// CHECK, and NOT NULL of the columns that are new.
void check_row(StatementRun& run, TableId id, const Row& row,
               std::span<const ColumnId> columns, Term when);
// The rows of the table in which these columns have these values; what the statement
// writes is seen.
std::vector<Row> rows_with(StatementRun& run, TableId id, std::span<const ColumnId> columns,
                           std::span<const Cell> values, Term when);
// Foreign keys that leave the new row, and that pointed to the old one.  Either may be
// absent.
void check_references(StatementRun& run, TableId id, const Row& before, const Row& after,
                      Term when);

Term has_null(Terms& terms, std::span<const Cell> cells);
Term all_identical(Terms& terms, std::span<const Cell> a, std::span<const Cell> b);

}  // namespace isomer::verify
