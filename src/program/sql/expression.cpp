// SPDX-License-Identifier: MIT
// Expressions, by the kind of their node.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "program/sql/array.h"
#include "program/sql/nodes.h"

namespace isomer::program {

namespace {

constexpr std::uint32_t depth_max = 1000;

ExpressionPtr analyze_parameter(Analysis& in, const SqlNode& node) {
  const auto number = static_cast<std::uint32_t>(node["number"].number());
  const Span at = in.text.at(node);
  if (in.variables == nullptr || number == 0 || number > in.variables->parameter_count)
    return complaint(in, at, fmt::format("there is no parameter ${}", number));
  return make_variable(*in.variables, {.variable = {number - 1}, .field = {}}, at);
}

ExpressionPtr analyze_value_function(Analysis& in, const SqlNode& node) {
  const Span at = in.text.at(node);
  std::string name = node["op"].text().substr(std::string_view("SVFOP_").size());
  for (char& c : name)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (name.find("time") != std::string::npos || name.find("date") != std::string::npos)
    return complaint(
        in, at, fmt::format("{} is an input of the call: pass it as a parameter", name));
  return complaint(in, at, fmt::format("{} is not supported", name));
}

struct NodeName {
  std::string_view kind;
  std::string_view words;
};

constexpr std::array unsupported = {
    NodeName{"CollateClause", "COLLATE"},
    NodeName{"NamedArgExpr", "a named argument"},
    NodeName{"GroupingFunc", "GROUPING"},
    NodeName{"RowExpr", "a row value"},
    NodeName{"SetToDefault", "DEFAULT in an expression"},
    NodeName{"XmlExpr", "XML"},
    NodeName{"XmlSerialize", "XML"},
    NodeName{"CurrentOfExpr", "CURRENT OF"},
};

ExpressionPtr analyze_other(Analysis& in, const SqlNode& node) {
  std::string_view words = node.kind();
  for (const NodeName& name : unsupported)
    if (name.kind == node.kind()) words = name.words;
  return complaint(in, in.text.at(node), fmt::format("{} is not supported", words));
}

ExpressionPtr analyze_node(Analysis& in, const FromScope& scope, const SqlNode& node) {
  if (node.is("A_Const")) return analyze_constant(in, node);
  if (node.is("ColumnRef")) return analyze_column(in, scope, node);
  if (node.is("A_Expr")) return analyze_operator(in, scope, node);
  if (node.is("BoolExpr")) return analyze_logic(in, scope, node);
  if (node.is("FuncCall")) return analyze_function(in, scope, node);
  if (node.is("TypeCast")) return analyze_cast(in, scope, node);
  if (node.is("NullTest")) return analyze_null_test(in, scope, node);
  if (node.is("BooleanTest")) return analyze_boolean_test(in, scope, node);
  if (node.is("CaseExpr")) return analyze_case(in, scope, node);
  if (node.is("CoalesceExpr") || node.is("MinMaxExpr"))
    return analyze_choice(in, scope, node);
  if (node.is("SubLink")) return analyze_subquery(in, scope, node);
  if (node.is("A_ArrayExpr")) return analyze_array(in, scope, node, nullptr);
  if (node.is("A_Indirection")) return analyze_subscript(in, scope, node);
  if (node.is("ParamRef")) return analyze_parameter(in, node);
  if (node.is("SQLValueFunction")) return analyze_value_function(in, node);
  return analyze_other(in, node);
}

}  // namespace

ExpressionPtr complaint(Analysis& in, Span at, std::string message) {
  in.fail(at, std::move(message));
  return broken(at);
}

ExpressionPtr negated_if(bool is_negated, ExpressionPtr expression) {
  if (!is_negated) return expression;
  const Span at = expression->at;
  return make_call(Function::Not, {std::move(expression)}, TypeKind::Bool, at);
}

bool contains_query(const Expression& e) {
  return e.query != nullptr || std::any_of(e.arguments.begin(), e.arguments.end(),
                                           [](const ExpressionPtr& argument) {
                                             return contains_query(*argument);
                                           });
}

ExpressionPtr analyze_expression(Analysis& in, const FromScope& scope,
                                 const SqlNode& node) {
  if (in.depth >= depth_max)
    return complaint(in, in.text.at(node), "this expression is nested too deeply");
  ++in.depth;
  ExpressionPtr out = analyze_node(in, scope, node);
  --in.depth;
  if (out->size > tree_size_max)
    return complaint(in, out->at, "this expression is too large");
  return out;
}

ExpressionPtr analyze_condition(Analysis& in, const FromScope& scope, const SqlNode& node,
                                std::string_view clause) {
  if (!node.exists()) return nullptr;
  FromScope inside = scope;
  inside.no_aggregates_in = clause;
  return coerced(in, analyze_expression(in, inside, node), type(TypeKind::Bool),
                 Willing::Implicit);
}

}  // namespace isomer::program
