// SPDX-License-Identifier: MIT
// Expressions of litmus programs.
#pragma once

#include <functional>

#include "program/litmus/tokens.h"

namespace isomer::program {

// What a name stands for depends on where the expression is: a local of a transaction, or
// label.local in a final assert, or nothing in init.
struct LitmusNames {
  // The expression for a name; null after a complaint.
  std::function<ExpressionPtr(const LitmusToken& name)> local;
  std::function<ExpressionPtr(const LitmusToken& label, const LitmusToken& name)> final;
};

// Null after a complaint.
ExpressionPtr parse_litmus_expression(LitmusTokens& tokens, const LitmusNames& names);

// Words that cannot be names.
bool is_litmus_keyword(std::string_view word);

}  // namespace isomer::program
