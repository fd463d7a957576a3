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

}  // namespace isomer::verify
