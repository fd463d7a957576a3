// SPDX-License-Identifier: MIT
// The making of expressions, and what brings them to the types that PostgreSQL gives them.
#pragma once

#include <string_view>
#include <vector>

#include "program/ir.h"
#include "program/sql/type.h"

namespace isomer::program {

struct Analysis;

// Parts may be shared, so expressions that are small to write can be huge as trees, which
// is how they are evaluated and shown; larger ones are refused.
constexpr std::uint64_t tree_size_max = 100'000;

ExpressionPtr make(Expression expression);
ExpressionPtr broken(Span at);
bool is_broken(const Expression& expression);
bool is_untyped(const Expression& expression);

ExpressionPtr make_constant(Value value, const Type& type, Span at);
ExpressionPtr make_call(Function function, std::vector<ExpressionPtr> arguments,
                        const Type& result, Span at);
ExpressionPtr make_call(Function function, std::vector<ExpressionPtr> arguments,
                        TypeKind result, Span at);

// As a value of this type: itself, a constant, or a Cast around it.
ExpressionPtr coerced(Analysis& in, ExpressionPtr expression, const Type& target,
                      Willing willing);
// Untyped literals become text.
ExpressionPtr settled(Analysis& in, ExpressionPtr expression);
// A NULL that became text takes any type again: that of its column in UNION, or in INSERT.
ExpressionPtr unsettled_null(const ExpressionPtr& expression);
// Brings all to one type, as CASE, COALESCE, VALUES and IN do; `where` names them in words.
// Of several text types the first counts, where the expression at `leader` comes before all
// others.
Type unify(Analysis& in, std::vector<ExpressionPtr>& expressions, std::string_view where,
           std::size_t leader = 0);
// A char(n) with the blanks that fill it up, as text; anything else is itself.  Complains,
// for the sake of `where`, if nobody can say when the program is read how many they are.
ExpressionPtr with_padding(Analysis& in, ExpressionPtr expression, std::string_view where);

}  // namespace isomer::program
