// SPDX-License-Identifier: MIT
// Rows that come, change or go in one statement: what INSERT, UPDATE and DELETE share.
#pragma once

#include "verify/symbolic/statement_run.h"

namespace isomer::verify {

// What INSERT, UPDATE and DELETE did: the changes are staged.
struct Affected {
  std::vector<Term> rows;           // one for each row that may have been changed
  std::vector<ResultRow> returned;  // RETURNING
};

Affected insert(StatementRun& run, const program::Insert& statement, Term when);
Affected update(StatementRun& run, const program::Update& statement, Term when);
Affected erase(StatementRun& run, const program::Delete& statement, Term when);

struct RowWriter {
  // A row before and after; absent: it is not there.
  struct Transition {
    Term when;
    Row before;
    Row after;
  };

  StatementRun& run;
  TableId id;
  std::vector<Transition> transitions{};
  Affected affected{};

  [[nodiscard]] const Table& table() const { return run.table(id); }

  void stage(const Row& before, const Row& after, Term when);
  // Stages an update, once it is checked.
  void replace(const Row& before, const Row& after,
               const std::vector<program::Assignment>& assignments, Term when);
  void returned(const std::vector<program::ExpressionPtr>& returning,
                const std::vector<Row>& rows, Term when);
  // Checks the foreign keys.
  Affected finish();

  // --- unique constraints ---

  // The row that has the same values in these columns as the new one, other than the one
  // before it: at most one exists.
  std::vector<Row> others_with(std::span<const ColumnId> columns, const Row& after,
                               const Row& before, Term when);
  void check_unique(const Row& before, const Row& after, Term when);
  void fail_unique(std::span<const ColumnId> columns, Term when);

  // --- values ---

  Row assigned(const Row& row, const std::vector<program::Assignment>& assignments,
               const RowScope& scope, Term when);
  // No expression: the column's default.
  Cell column_value(ColumnId column, const Expression* value, const RowScope* scope,
                    Term when);
};

}  // namespace isomer::verify
