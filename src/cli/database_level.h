// SPDX-License-Identifier: MIT
// What the commands say of the levels of databases, as long as no engine takes them; and
// that SQL which locks means more in a database than at an abstract level.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "program/ir.h"

namespace isomer::cli {

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
