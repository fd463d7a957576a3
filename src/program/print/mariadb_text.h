// SPDX-License-Identifier: MIT
// How MariaDB is told what our interpreter means, where that is not PostgreSQL's text.  The
// session is set up for it: src/server/mariadb_server.cpp.
#pragma once

#include <optional>
#include <string>

#include "program/print/scope.h"

namespace isomer::program {

// Absent: as for PostgreSQL.
std::optional<std::string> mariadb_text(const PrintScope& scope, const Expression& e);
// ORDER BY, LIMIT, OFFSET and locks.
std::string mariadb_tail(const PrintScope& scope, const Select& select);
// A number alone would be the place of a column.
std::string mariadb_key_text(const PrintScope& scope, const Expression& by);
// INSERT, UPDATE or DELETE.
std::string mariadb_change(const PrintNames& names, const Statement& statement);
// CREATE TABLE, with its indexes and without its foreign keys.
std::string mariadb_definition(const PrintNames& names, TableId id);

// Can it be NULL?  Not if it is a column that cannot, of a table that is no right side of a
// LEFT JOIN, nor if it is a constant.
bool may_be_null(const Program& program, const std::vector<Source>& sources,
                 const Expression& e);

}  // namespace isomer::program
