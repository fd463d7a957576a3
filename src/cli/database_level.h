// SPDX-License-Identifier: MIT
// Levels of databases on the command line: the commands that take them, and what the others
// say of them; and that SQL which locks means more in a database than at an abstract level.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "database/level_name.h"
#include "program/ir.h"

namespace isomer::cli {

// --- run, explore and levels at the level of a database (database_run.cpp,
// database_explore.cpp) ---

// Whether --level names a level of a database; or, without --level and what else only
// abstract levels have, whether the scenario's [levels] are such.
bool asks_for_database(const Arguments& arguments);

// They give the exit status.
int run_at_database(const Arguments& arguments);
int explore_at_database(const Arguments& arguments);
int show_rules(const std::string& word, const Arguments& arguments);

// --- what the others say ---

// Why the command cannot take this level of a database; the word names one
// (database::names_database).
std::string about_database_level(const std::string& command, const std::string& word);

// A program for an engine of abstract levels; one whose [levels] are those of a database is
// refused, unless an option names others.
Expected<program::Program> read_program_at_abstract_level(const Arguments& arguments,
                                                          const std::string& file);

// On stderr, once: where the program locks rows or relies on constraints, and the levels of
// PostgreSQL that the person may have meant by these.
void warn_of_databases(const program::Program& program,
                       const std::vector<std::uint32_t>& types,
                       const std::vector<std::string>& levels, const Arguments& arguments);

}  // namespace isomer::cli
