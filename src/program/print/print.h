// SPDX-License-Identifier: MIT
// The representation as text, close to the SQL it came from; what `isomer show` prints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir.h"
#include "program/machine/machine.h"

namespace isomer::program {

// Tables, transaction types with their statements, sessions, invariants.
std::string to_text(const Program& program);

// A SQL constant: 'it''s', 42, DATE '2024-01-31', true, NULL; lists as [1, 2].
std::string to_literal(const Value& value);

// A name as SQL writes it, in quotes if it needs them: t, "goHome", "a ""b""".  Names that
// no program can write stay as they are: .case 1
std::string shown_name(std::string_view name);

// Whose SQL a server reads.  Programs are PostgreSQL's; for the others they are printed
// with the meaning that they have there (print/dialect.h: what cannot be said).
enum class Dialect : std::uint8_t { PostgreSql, MariaDb, Sqlite };

// The names that expressions and statements refer to.
struct PrintNames {
  const Program& program;
  const std::vector<Variable>* variables = nullptr;  // of the transaction type
  // For a server to read: variables are these values, names are in quotes, and constants
  // have the types that they have here.
  const Bindings* bindings = nullptr;
  Dialect dialect = Dialect::PostgreSql;  // of that server
};

std::string to_text(const PrintNames& names, const Expression& expression);
std::string to_text(const PrintNames& names, const Select& select);
// Lines, each ending in '\n', indented by this many spaces.
std::string to_text(const PrintNames& names, const Block& block, std::size_t indent);

// --- for a server to read ---

// The one statement that asks this; a Value becomes a SELECT.
std::string server_text(const PrintNames& names, const AsksServer& what);
// CREATE TABLE and ALTER TABLE for all tables of the program, without their rows.
std::vector<std::string> table_definitions(const Program& program,
                                           Dialect dialect = Dialect::PostgreSql);
// All initial rows, those of a table in their order; none if there are none.  Tables come
// in their order: between two statements, foreign keys may not hold.
std::vector<std::string> initial_inserts(const Program& program,
                                         Dialect dialect = Dialect::PostgreSql);
std::string quoted_name(std::string_view name, Dialect dialect = Dialect::PostgreSql);

}  // namespace isomer::program
