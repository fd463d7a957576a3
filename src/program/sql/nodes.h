// SPDX-License-Identifier: MIT
// The kinds of expression nodes: private to the files that analyze_expression goes to.
#pragma once

#include "program/sql/analysis.h"

namespace isomer::program {

ExpressionPtr analyze_constant(Analysis& in, const SqlNode& node);
ExpressionPtr analyze_logic(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr analyze_null_test(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr analyze_boolean_test(Analysis& in, const FromScope& scope,
                                   const SqlNode& node);
ExpressionPtr analyze_operator(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr analyze_case(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr analyze_choice(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr analyze_cast(Analysis& in, const FromScope& scope, const SqlNode& node);
ExpressionPtr analyze_subquery(Analysis& in, const FromScope& scope, const SqlNode& node);

// While it lives, calls of other routines are refused in the construct of this name, which
// may leave out what stands in it.
class NoCalls {
 public:
  NoCalls(Analysis& in, std::string_view construct) : in_(in), before_(in.no_calls_in) {
    in.no_calls_in = construct;
  }

  ~NoCalls() { in_.no_calls_in = before_; }

  NoCalls(const NoCalls&) = delete;
  NoCalls& operator=(const NoCalls&) = delete;

 private:
  Analysis& in_;
  std::string_view before_;
};

// --- ranges (range.cpp) ---

bool is_range(const Expression& expression);
// One of the operands is a range.
ExpressionPtr make_range_operator(Analysis& in, std::string_view sign, ExpressionPtr left,
                                  ExpressionPtr right, Span at);
// int4range(..) and its kin; lower, upper and isempty of a range.
bool is_range_function(std::string_view name, const std::vector<ExpressionPtr>& arguments);
ExpressionPtr call_range_function(Analysis& in, const std::string& name,
                                  std::vector<ExpressionPtr> arguments, Span at);

// Complains; broken.
ExpressionPtr complaint(Analysis& in, Span at, std::string message);
ExpressionPtr negated_if(bool is_negated, ExpressionPtr expression);

}  // namespace isomer::program
