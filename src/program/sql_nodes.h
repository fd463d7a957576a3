// SPDX-License-Identifier: MIT
// The kinds of expression nodes: private to the files that analyze_expression goes to.
#pragma once

#include "program/sql_analysis.h"

namespace isomer::program {

ExpressionPtr analyze_constant(Analysis& in, const SqlNode& node);
ExpressionPtr analyze_logic(Analysis& in, const Scope& scope, const SqlNode& node);
ExpressionPtr analyze_null_test(Analysis& in, const Scope& scope, const SqlNode& node);
ExpressionPtr analyze_boolean_test(Analysis& in, const Scope& scope, const SqlNode& node);
ExpressionPtr analyze_operator(Analysis& in, const Scope& scope, const SqlNode& node);
ExpressionPtr analyze_case(Analysis& in, const Scope& scope, const SqlNode& node);
ExpressionPtr analyze_choice(Analysis& in, const Scope& scope, const SqlNode& node);
ExpressionPtr analyze_cast(Analysis& in, const Scope& scope, const SqlNode& node);
ExpressionPtr analyze_subquery(Analysis& in, const Scope& scope, const SqlNode& node);

// Complains; broken.
ExpressionPtr complaint(Analysis& in, Span at, std::string message);
ExpressionPtr negated_if(bool is_negated, ExpressionPtr expression);

}  // namespace isomer::program
