// SPDX-License-Identifier: MIT
// What INSERT, UPDATE and DELETE share: private to sql_insert.cpp and sql_change.cpp.
#pragma once

#include "program/sql/analysis.h"

namespace isomer::program {

const Table& table_of(const Analysis& in, TableId id);
// Stored in a column: with an assignment cast.
ExpressionPtr stored(Analysis& in, ExpressionPtr value, TableId table, ColumnId column);
ExpressionPtr default_of(const Analysis& in, TableId table, ColumnId column, Span at);
// Complains if the field is there; whether it is.
bool refuse(Analysis& in, const SqlNode& node, std::string_view field,
            std::string_view words);
FromScope scope_of(const SqlNode& relation, TableId table, std::string_view clause);
// SET a = 1, (b, c) = (2, 3).
std::vector<Assignment> analyze_assignments(Analysis& in, const FromScope& scope,
                                            TableId table, const SqlNode& list);
Statement change_statement(Statement::Kind kind, const Analysis& in);

}  // namespace isomer::program
