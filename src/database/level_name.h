// SPDX-License-Identifier: MIT
// The names of levels as databases have them: pg:RC, "postgresql:READ COMMITTED",
// mariadb:RR, sqlite:IMMEDIATE.  Case does not matter, nor whether words are parted by a
// blank, '_' or '-'.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "base/diagnostic.h"
#include "database/server.h"
#include "program/ir.h"

namespace isomer::database {

std::string_view name(Database database);  // "PostgreSQL"

struct DatabaseLevel {
  Database database = Database::PostgreSql;
  // SQLite has but one, and two ways to begin a transaction.
  IsolationLevel isolation = IsolationLevel::Serializable;
  bool is_immediate = false;

  friend bool operator==(const DatabaseLevel&, const DatabaseLevel&) = default;
};

// "pg:RC", "postgresql:READ COMMITTED".
std::string short_name(const DatabaseLevel& level);
std::string long_name(const DatabaseLevel& level);

// All of them, by database, weakest first.
std::vector<DatabaseLevel> database_levels();

// Whether a word starts with the name of a database and a colon, so that only a level of
// that can be meant.
bool names_database(std::string_view word);

// The level of such a word, or what is wrong with it.
tl::expected<DatabaseLevel, std::string> parse_level_name(std::string_view word);

// Of [levels] in a scenario: names that no database has, levels of two databases, and
// levels of databases beside others.
Diagnostics mistakes_in_levels(const program::Program& program);

// Whether [levels] names levels of a database; then mistakes_in_levels has nothing to say.
bool has_database_levels(const program::Program& program);

}  // namespace isomer::database
