// SPDX-License-Identifier: MIT
// Expressions with other columns and variables in them.
#pragma once

#include <functional>

#include "program/ir.h"

namespace isomer::program {

// What a Column or Variable becomes that stands inside of so many subqueries; null: itself.
using LeafChange =
    std::function<ExpressionPtr(const Expression& leaf, std::uint32_t depth)>;

// What is not changed stays the same object.
ExpressionPtr rewritten(const ExpressionPtr& expression, const LeafChange& change);

// The expression inside of so many more subqueries: columns of its own FROM, and of those
// around that, are further out.
ExpressionPtr deepened(const ExpressionPtr& expression, std::uint32_t depth);

}  // namespace isomer::program
