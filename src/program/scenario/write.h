// SPDX-License-Identifier: MIT
// Scenarios as text.  Whatever is written here, scenario.h and the SQL front end read back
// as it was: names that need quotes, texts with quotes, backslashes and line ends.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "program/ir.h"

namespace isomer::program {

// A name as SQL reads it back: withdraw, "goHome", "a ""b""", "select".
std::string sql_name(std::string_view name);

// A constant as SQL reads it back: 42, 'ann', E'o\x27neil', DATE '2024-01-31', '{1,2}',
// NULL.
std::string sql_constant(const Value& value);

// "withdraw(1, 100)".
std::string call_text(const TransactionType& type, std::span<const Value> arguments);

// The name in such a text, as it is written there: withdraw, "goHome".
std::string_view called_name(std::string_view call);

// A string of TOML, with escapes where it needs them.
std::string toml_string(std::string_view text);

// A key of TOML: bare, or a string.
std::string toml_key(std::string_view name);

// Rows by table, as in Program::initial_rows.
using TableRows = std::vector<std::pair<TableId, std::vector<Value>>>;

// [init], with the rows in this order; nothing if there are none.
std::string initial_text(const Program& program, const TableRows& rows);

// One [[session]]; without its name if that is empty.
std::string session_text(std::string_view name, const std::vector<std::string>& calls);

// A program whose values are all known, as a scenario (.toml): its initial rows, calls and
// invariants.  `app` is the path of its application, seen from where the scenario will be.
std::string scenario_text(const Program& program, const std::string& app);

}  // namespace isomer::program
