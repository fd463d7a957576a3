// SPDX-License-Identifier: MIT
// The execution of one statement: a pure function of what is known.  If something is
// missing, the context waits; the statement is executed again once it is known.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "program/machine/evaluate.h"
#include "program/machine/view.h"

namespace isomer::program {

// One row for each source of a FROM.
using Tuple = std::vector<Value>;

struct Selected {
  std::vector<std::vector<Value>> rows;  // the columns
  std::vector<Tuple> tuples;             // where each came from; none if it is a group
};

// Where rows come from on a server, instead of the view: those that its statement sees.
class TableReader {
 public:
  virtual ~TableReader() = default;
  // By position in the primary key: the values that its columns have; absent: any.
  virtual std::vector<Value> rows(TableId table,
                                  std::span<const std::optional<Value>> pins) = 0;

  // All of FROM and WHERE at once; absent: it wants to be asked table by table.
  virtual std::optional<std::vector<Tuple>> joined(std::span<const Source> /*from*/,
                                                   const Expression* /*where*/,
                                                   const Rows* /*around*/) {
    return std::nullopt;
  }

  // What a query inside of the statement gives that locks rows; absent: it is answered as
  // if it did not.
  virtual std::optional<Selected> locked(const Select& /*query*/, const Rows* /*around*/) {
    return std::nullopt;
  }

  // The rows that a change in a WITH returns.
  virtual Value changed(const Expression& /*rows*/) { return Value::list({}); }

  // The rows of FROM and WHERE of a query whose rows count; of EXISTS and IN only the
  // answer does.
  virtual void found(const Select& /*query*/, std::span<const Tuple> /*tuples*/) {}
};

struct StatementExecution {
  View view;
  Context context{};
  std::map<const Select*, std::shared_ptr<const Selected>> uncorrelated{};
  TableReader* reader = nullptr;
  bool rows_count = true;      // not within EXISTS and IN
  bool one_is_enough = false;  // directly within EXISTS
};

// --- queries (select.cpp) ---

// Lets the context of the execution ask subqueries; the execution must stay in its place.
void connect_queries(StatementExecution& execution);

// The rows of FROM and WHERE, in the order of the primary keys (join.cpp).
std::vector<Tuple> joined(StatementExecution& execution, std::span<const Source> from,
                          const Expression* where, const Rows* around);

// The tuple of these rows, if they are a result of FROM and WHERE; a row that no longer has
// its partner in a LEFT JOIN is left without.
std::optional<Tuple> rejoined(StatementExecution& execution, std::span<const Source> from,
                              const Expression* where, const Tuple& rows,
                              const Rows* around = nullptr);

// OFFSET and LIMIT.
struct Bounds {
  std::size_t skipped = 0;
  std::optional<std::size_t> most;  // absent: all
};

// The parts of a SELECT that locks rows: what it is about to lock, in its order and before
// the bounds, and the columns of what it has locked.
Bounds bounds_of(StatementExecution& execution, const Select& query,
                 const Rows* around = nullptr);
std::vector<Tuple> ordered_tuples(StatementExecution& execution, const Select& query,
                                  const Rows* around = nullptr);
std::vector<Value> columns_of(StatementExecution& execution, const Select& query,
                              const Tuple& tuple, const Rows* around = nullptr);

// Without the writes of FOR UPDATE.
std::shared_ptr<const Selected> selected(StatementExecution& execution, const Select& query,
                                         const Rows* around);
// Stages the writes of FOR UPDATE.
void lock_selected(StatementExecution& execution, const Select& query,
                   const Selected& selected);

// --- changes (write.cpp) ---

// What INSERT, UPDATE and DELETE did: the changes are staged.
struct Affected {
  std::size_t count = 0;
  std::vector<std::vector<Value>> returned;  // RETURNING
};

// The row of the table with new values in some columns.
Value assigned(StatementExecution& execution, TableId table, const Value& row,
               const std::vector<Assignment>& assignments, const Rows& rows);

// A new row of the table, with defaults for the columns that are not named.
Value inserted(StatementExecution& execution, TableId table,
               const std::vector<ColumnId>& columns,
               const std::vector<ExpressionPtr>& values, const Rows& rows);

struct NewRows {
  std::vector<Value> rows;
  std::optional<Fault> fault{};  // of the row behind them
};

// The rows to insert, with defaults for the columns that are not named.
NewRows new_rows(StatementExecution& execution, const Insert& statement);
// Of INSERT .. SELECT, the one for a row of the query.
Value new_row(StatementExecution& execution, const Insert& statement,
              const std::vector<Value>& values);

Affected insert(StatementExecution& execution, const Insert& statement);
Affected update(StatementExecution& execution, const Update& statement);
Affected erase(StatementExecution& execution, const Delete& statement);

// How many rows of its result the client takes; nothing: all.  SELECT .. INTO takes one,
// with STRICT a second to see that there is none.
std::optional<std::size_t> rows_taken(const Statement& statement);

}  // namespace isomer::program
