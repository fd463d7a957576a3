// SPDX-License-Identifier: MIT
// How SQLite is told what our interpreter means, where that is not PostgreSQL's text.
// Booleans are 0 and 1, dates and timestamps are text; all numbers are integers, since
// SQLite has no exact decimals.
#pragma once

#include <optional>
#include <string>

#include "program/print/scope.h"

namespace isomer::program {

// Absent: as for PostgreSQL.
std::optional<std::string> sqlite_text(const PrintScope& scope, const Expression& e);
std::string sqlite_constant(const Value& value);
// ORDER BY, LIMIT and OFFSET.  Rows come in the order of their primary keys where their
// order can be seen.
std::string sqlite_tail(const PrintScope& scope, const Select& select);
// Numbers that are integers whatever the rows are, although their type has decimals.
bool is_integral(const Expression& e);
// A column, all of whose values SQLite can keep exactly.
bool is_kept_by_sqlite(const Type& type);
// CREATE TABLE, with its foreign keys.
std::string sqlite_definition(const PrintNames& names, TableId id);

}  // namespace isomer::program
