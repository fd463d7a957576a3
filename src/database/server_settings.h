// SPDX-License-Identifier: MIT
// How a server is set up, as far as that changes what transactions see: [database] of a
// scenario, --set on the command line.
//
//   journal             rollback (as usual) or wal: SQLite's write-ahead log
//   busy_timeout        true (as usual): who finds SQLite's file locked waits; false: fails
//   snapshot_isolation  false (as usual), or true: MariaDB's innodb_snapshot_isolation
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "base/diagnostic.h"
#include "database/server.h"
#include "program/ir.h"

namespace isomer::database {

// What is wrong with a setting for that database; empty: nothing.
std::string mistake_in_setting(Database database, std::string_view name,
                               std::string_view value);

// Of [database] in a scenario: settings and values that no database has, and those of
// another database than that of [levels].
Diagnostics mistakes_in_settings(const program::Program& program);

// Those of the program that are for this database; the last one of a name counts.
ServerKind server_kind(const program::Program& program, Database database);

// Those that are not as usual: {"journal", "wal"}.
std::vector<std::pair<std::string, std::string>> unusual_settings(const ServerKind& kind);

}  // namespace isomer::database
