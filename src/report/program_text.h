// SPDX-License-Identifier: MIT
// What became of a program, in words: values, rows, the fate of transactions, invariants.
// `isomer run` and `isomer explore` say it alike.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "program/machine.h"
#include "report/ink.h"
#include "store/store.h"

namespace isomer::report {

// A value as a cell of a table: 60, NULL, [1, 2].
std::string cell_text(const program::Value& value);

using TextTable = std::vector<std::vector<std::string>>;  // rows of cells

// In columns, indented.
std::string aligned(const TextTable& rows);

// "apps/bank.sql:12"; empty if the span says nothing.
std::string place_text(const program::Program& program, const program::Span& at);
// "bank.sql:12".
std::string short_place_text(const program::Program& program, const program::Span& at);

// "committed, returned 3", "rolled back: duplicate key (23505)  bank.sql:12".
std::string fate_text(const program::Program& program,
                      const store::TransactionOutcome& outcome, const Ink& ink);

enum class EmptyTables : std::uint8_t { Show, Hide };

// Tables with their rows, or keys where a row is not one key.
std::string state_text(const program::Program& program, const store::FinalState& state,
                       program::Granularity granularity, EmptyTables empty_tables,
                       const Ink& ink);

// Of a run that may have ended in several states.
std::string invariants_text(std::span<const store::InvariantOutcome> invariants,
                            std::size_t state_count, const Ink& ink);

}  // namespace isomer::report
