// SPDX-License-Identifier: MIT
// CASE, COALESCE, GREATEST, LEAST and casts.
#include "program/sql/array.h"
#include "program/sql/nodes.h"

namespace isomer::program {

ExpressionPtr analyze_case(Analysis& in, const FromScope& scope, const SqlNode& node) {
  ExpressionPtr operand;
  if (node.has("arg")) operand = analyze_expression(in, scope, node["arg"]);
  const NoCalls guard(in, "CASE");
  std::vector<ExpressionPtr> conditions;
  std::vector<ExpressionPtr> results;
  Span at = in.text.at(node);
  for (const SqlNode& when : node["args"].items()) {
    const ExpressionPtr test = analyze_expression(in, scope, when["expr"]);
    conditions.push_back(operand
                             ? make_operator(in, "=", operand, test, in.text.at(when))
                             : coerced(in, test, type(TypeKind::Bool), Willing::Implicit));
    results.push_back(analyze_expression(in, scope, when["result"]));
  }
  const bool has_else = node.has("defresult");
  if (has_else) results.push_back(analyze_expression(in, scope, node["defresult"]));
  const Type result = unify(in, results, "CASE", has_else ? results.size() - 1 : 0);
  Expression out;
  out.kind = Expression::Kind::Case;
  out.type = result;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i < conditions.size()) out.arguments.push_back(conditions[i]);
    out.arguments.push_back(results[i]);
  }
  for (const ExpressionPtr& e : out.arguments) {
    if (is_broken(*e)) return e;
    at = join(at, e->at);
  }
  out.at = at;
  return make(std::move(out));
}

ExpressionPtr analyze_choice(Analysis& in, const FromScope& scope, const SqlNode& node) {
  std::vector<ExpressionPtr> arguments;
  const bool is_coalesce = node.is("CoalesceExpr");
  for (const SqlNode& argument : node["args"].items()) {
    const bool may_be_left_out = is_coalesce && !arguments.empty();
    const NoCalls guard(in, may_be_left_out ? "COALESCE" : in.no_calls_in);
    arguments.push_back(analyze_expression(in, scope, argument));
  }
  const bool is_greatest = node["op"].text() != "IS_LEAST";
  const Type result = unify(in, arguments,
                            is_coalesce   ? "COALESCE"
                            : is_greatest ? "GREATEST"
                                          : "LEAST");
  if (!is_coalesce && result.kind == TypeKind::Array)
    return complaint(in, in.text.at(node), "the order of arrays is not supported");
  const Function function = is_coalesce   ? Function::Coalesce
                            : is_greatest ? Function::Greatest
                                          : Function::Least;
  return make_call(function, std::move(arguments), result, in.text.at(node));
}

ExpressionPtr analyze_cast(Analysis& in, const FromScope& scope, const SqlNode& node) {
  const auto target = type_of(node["typeName"]);
  if (target && target->kind == TypeKind::Array && node["arg"].is("A_ArrayExpr"))
    return analyze_array(in, scope, node["arg"], &*target);
  const ExpressionPtr argument = analyze_expression(in, scope, node["arg"]);
  if (!target) return complaint(in, in.text.at(node["typeName"]), target.error());
  return coerced(in, argument, *target, Willing::Explicit);
}

}  // namespace isomer::program
