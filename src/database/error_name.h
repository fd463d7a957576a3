// SPDX-License-Identifier: MIT
// What people call the errors of databases: PostgreSQL's by SQLSTATE, MariaDB's by number,
// SQLite's by name.
#pragma once

#include <string>
#include <string_view>

#include "program/machine/evaluate.h"

namespace isomer::database {

// "40001", "1213", "SQLITE_BUSY"; empty if it is no error of a database.
std::string error_name(const program::Fault& fault);

// As clients print it: "40001", "1213 (40001)", "SQLITE_BUSY".
std::string error_title(const program::Fault& fault);

// What such a name says, for people who do not know it by heart: "a deadlock".  Empty: the
// name is seldom.
std::string_view error_words(std::string_view name);

}  // namespace isomer::database
