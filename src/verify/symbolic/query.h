// SPDX-License-Identifier: MIT
// SELECT, as program/machine/select.cpp has it.
#pragma once

#include "verify/symbolic/statement_run.h"

namespace isomer::verify {

// --- FROM and WHERE (query_join.cpp) ---

// As program/machine/join.cpp has them: the same conjuncts pin the same keys, the same rows
// are read and the same conditions evaluated in the same order, each under the condition
// that the interpreter would come to it.

// One row for each source of a FROM.
struct Tuple {
  Term is_in;
  std::vector<Row> rows;
};

// In no order.
std::vector<Tuple> joined(StatementRun& run, std::span<const Source> from,
                          const Expression* where, const RowScope* around, Term when);

// --- the whole query ---

// In no order, and without the writes of FOR UPDATE.
std::vector<ResultRow> selected(StatementRun& run, const Select& query,
                                const RowScope* around, Term when);
// Stages the writes of FOR UPDATE.
void lock_selected(StatementRun& run, const Select& query, std::span<const ResultRow> rows,
                   Term when);

// Exists, InQuery, Scalar and ArrayQuery.
Cell query_value(StatementRun& run, const Expression& expression, const RowScope* scope,
                 Term when);

}  // namespace isomer::verify
