// SPDX-License-Identifier: MIT
// Symbols of a scenario (?x) in queries, where invariants may have them.
#pragma once

#include <functional>
#include <string>

#include "program/ir.h"

namespace isomer::verify {

using IsSymbol = std::function<bool(const std::string& name)>;

// Does it mention a symbol of which `is_one` is true?
bool mentions(const program::Expression& expression, const IsSymbol& is_one);
bool mentions(const program::Select& query, const IsSymbol& is_one);

// The query with the values of the program's symbols.
program::SelectPtr with_values(const program::Program& program,
                               const program::SelectPtr& query);

}  // namespace isomer::verify
