// SPDX-License-Identifier: MIT
// AND, OR, NOT, IS NULL, IS TRUE.
#include "program/sql/nodes.h"

namespace isomer::program {

namespace {

ExpressionPtr as_boolean(Analysis& in, const FromScope& scope, const SqlNode& node) {
  return coerced(in, analyze_expression(in, scope, node), type(TypeKind::Bool),
                 Willing::Implicit);
}

}  // namespace

ExpressionPtr analyze_logic(Analysis& in, const FromScope& scope, const SqlNode& node) {
  const std::string& operation = node["boolop"].text();
  std::vector<ExpressionPtr> arguments;
  for (const SqlNode& argument : node["args"].items()) {
    const NoCalls guard(in, !arguments.empty() ? "AND or OR" : in.no_calls_in);
    arguments.push_back(as_boolean(in, scope, argument));
  }
  const Function function = operation == "AND_EXPR"  ? Function::And
                            : operation == "OR_EXPR" ? Function::Or
                                                     : Function::Not;
  return make_call(function, std::move(arguments), TypeKind::Bool, in.text.at(node));
}

ExpressionPtr analyze_null_test(Analysis& in, const FromScope& scope, const SqlNode& node) {
  const ExpressionPtr argument = settled(in, analyze_expression(in, scope, node["arg"]));
  if (argument->type.kind == TypeKind::Record)
    return complaint(in, argument->at, "IS NULL of a record is not supported");
  const ExpressionPtr test =
      make_call(Function::IsNull, {argument}, TypeKind::Bool, in.text.at(node));
  return negated_if(node["nulltesttype"].text() == "IS_NOT_NULL", test);
}

ExpressionPtr analyze_boolean_test(Analysis& in, const FromScope& scope,
                                   const SqlNode& node) {
  const std::string& kind = node["booltesttype"].text();
  const Span at = in.text.at(node);
  const ExpressionPtr argument = as_boolean(in, scope, node["arg"]);
  const bool is_negated = kind.starts_with("IS_NOT_");
  if (kind.ends_with("UNKNOWN"))
    return negated_if(is_negated,
                      make_call(Function::IsNull, {argument}, TypeKind::Bool, at));
  const ExpressionPtr wanted = negated_if(kind.ends_with("FALSE"), argument);
  const ExpressionPtr otherwise =
      make_constant(Value::boolean(false), type(TypeKind::Bool), at);
  return negated_if(is_negated,
                    make_call(Function::Coalesce, {wanted, otherwise}, TypeKind::Bool, at));
}

}  // namespace isomer::program
