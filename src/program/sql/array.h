// SPDX-License-Identifier: MIT
// Expressions on arrays: private to the files that analyze_expression goes to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/sql/analysis.h"

namespace isomer::program {

// ARRAY[..]; with a cast around it, `target` is the array that it is cast to.
ExpressionPtr analyze_array(Analysis& in, const FromScope& scope, const SqlNode& node,
                            const Type* target);

// v[i]
ExpressionPtr analyze_subscript(Analysis& in, const FromScope& scope, const SqlNode& node);

// = ANY, <> ALL and the like.
struct Quantifier {
  std::string_view sign;
  bool is_all = false;
};

// left = ANY (right), where the right is an array or a literal that becomes one.
ExpressionPtr make_quantified(Analysis& in, const Quantifier& quantifier,
                              ExpressionPtr left, ExpressionPtr right, Span at);

// ARRAY(query), of a query with one column.
ExpressionPtr make_array_query(Analysis& in, SelectPtr query, Span at);

// Whether one of the operands is an array, and the sign means something for arrays.
bool is_array_operator(std::string_view sign, const Expression& left,
                       const Expression& right);
ExpressionPtr make_array_operator(Analysis& in, std::string_view sign, ExpressionPtr left,
                                  ExpressionPtr right, Span at);

// array_agg is one, too, but is made by make_array_agg.
bool is_array_function(std::string_view name);
ExpressionPtr call_array_function(Analysis& in, const std::string& name,
                                  std::vector<ExpressionPtr> arguments, Span at);

// array_agg of the first argument, sorted by the others.
ExpressionPtr make_array_agg(Analysis& in, std::vector<ExpressionPtr> arguments,
                             std::vector<Expression::Direction> order, bool is_distinct,
                             Span at);

}  // namespace isomer::program
