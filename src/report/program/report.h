// SPDX-License-Identifier: MIT
// Programs for programs, as `isomer show --json` prints them; and what became of a program,
// in words: values, rows, the fate of transactions, invariants.  `isomer run` and `isomer
// explore` say it alike.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "program/ir.h"
#include "program/machine/machine.h"
#include "report/ink.h"
#include "store/store.h"

namespace isomer::report {

// docs/schema/show.schema.json describes it.  Statements are lines of text.
std::string program_json(const program::Program& program, const Diagnostics& errors);

// A value as a cell of a table: 60, NULL, [1, 2].
std::string cell_text(const program::Value& value);

using TextTable = std::vector<std::vector<std::string>>;  // rows of cells

// In columns, indented.
std::string aligned(const TextTable& rows);

// "apps/bank.sql:12"; empty if the span says nothing.
std::string place_text(const program::Program& program, const program::Span& at);
// "bank.sql:12".
std::string short_place_text(const program::Program& program, const program::Span& at);

// The line of the source with this byte, without what it is indented by, after its number:
// "  12  UPDATE t SET x = 1;".  Empty if the span says nothing.
std::string source_line(const program::Program& program, const program::Span& at);
// The same for a place as place_text writes it; empty if it is none of this program.
std::string source_line(const program::Program& program, std::string_view place);

// Where the line of the source begins that has this byte.
std::size_t line_start(const std::string& source, std::size_t byte);

// "committed, returned 3", "rolled back: duplicate key (23505)  bank.sql:12".
std::string fate_text(const program::Program& program,
                      const store::TransactionOutcome& outcome, const Ink& ink);

enum class EmptyTables : std::uint8_t { Show, Hide };

// Tables with their rows, or keys where a row is not one key.
std::string state_text(const program::Program& program, const store::FinalState& state,
                       program::Granularity granularity, EmptyTables empty_tables,
                       const Ink& ink);

// One table, whose rows come in the order in which they are shown.
std::string rows_text(const program::Table& table,
                      const std::vector<std::vector<program::Value>>& rows,
                      EmptyTables empty_tables, const Ink& ink);

// Of a run with so many final states.
std::string invariants_text(std::span<const store::InvariantOutcome> invariants,
                            std::size_t final_state_count, const Ink& ink);

}  // namespace isomer::report
