// SPDX-License-Identifier: MIT
// Expressions on ranges: private to the files that analyze_expression goes to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/sql/analysis.h"

namespace isomer::program {

bool is_range(const Expression& expression);
// One of the operands is a range.
ExpressionPtr make_range_operator(Analysis& in, std::string_view sign, ExpressionPtr left,
                                  ExpressionPtr right, Span at);

// int4range(..) and its kin; lower, upper and isempty of a range.
bool is_range_function(std::string_view name, const std::vector<ExpressionPtr>& arguments);
ExpressionPtr call_range_function(Analysis& in, const std::string& name,
                                  std::vector<ExpressionPtr> arguments, Span at);

}  // namespace isomer::program
