// SPDX-License-Identifier: MIT
// SELECT, as program/machine/select.cpp has it.
#pragma once

#include "verify/symbolic/statement_run.h"

namespace isomer::verify {

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
