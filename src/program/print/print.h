// SPDX-License-Identifier: MIT
// The representation as text, close to the SQL it came from; what `isomer show` prints.
#pragma once

#include <string>
#include <string_view>

#include "program/ir.h"

namespace isomer::program {

// Tables, transaction types with their statements, sessions, invariants.
std::string to_text(const Program& program);

// A SQL constant: 'it''s', 42, DATE '2024-01-31', true, NULL; lists as [1, 2].
std::string to_literal(const Value& value);

// A name as SQL writes it, in quotes if it needs them: t, "goHome", "a ""b""".  Names that
// no program can write stay as they are: .case 1
std::string shown_name(std::string_view name);

// The names that expressions and statements refer to.
struct PrintNames {
  const Program& program;
  const std::vector<Variable>* variables = nullptr;  // of the transaction type
};

std::string to_text(const PrintNames& names, const Expression& expression);
std::string to_text(const PrintNames& names, const Select& select);
// Lines, each ending in '\n', indented by this many spaces.
std::string to_text(const PrintNames& names, const Block& block, std::size_t indent);

}  // namespace isomer::program
