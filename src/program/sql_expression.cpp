// SPDX-License-Identifier: MIT
// Expressions, by the kind of their node.
#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "program/evaluate.h"
#include "program/sql_analysis.h"

namespace isomer::program {
namespace {

constexpr std::uint32_t depth_max = 1000;

ExpressionPtr complaint(Analysis& in, Span at, std::string message) {
  in.fail(at, std::move(message));
  return broken(at);
}

ExpressionPtr negated_if(bool is_negated, ExpressionPtr expression) {
  if (!is_negated) return expression;
  const Span at = expression->at;
  return make_call(Function::Not, {std::move(expression)}, TypeKind::Bool, at);
}

// --- constants ---

std::optional<Value> number_of(std::string_view digits, TypeKind kind) {
  Context context;
  Value value =
      converted(Value::text(std::string(digits)), type(kind), Conversion::Cast, context);
  if (context.fault) return std::nullopt;
  return value;
}

// 42, or -42, whose value the tree does not have: see sql_parse.cpp.
ExpressionPtr integer_constant(const Analysis& in, const SqlNode& node, Span at) {
  const SqlToken* token =
      in.text.token_at(static_cast<std::size_t>(node["location"].number()));
  std::int64_t number = node["ival"]["ival"].number();
  if (token != nullptr && in.text.text_of(*token) == "-") {
    const SqlToken* digits = token + 1;
    at = join(at, in.text.at(*digits));
    if (const auto value = number_of(in.text.text_of(*digits), TypeKind::Int8))
      number = -*value->get_if<std::int64_t>();
  }
  return make_constant(Value::integer(number), type(TypeKind::Int4), at);
}

ExpressionPtr decimal_constant(Analysis& in, const SqlNode& node, Span at) {
  const std::string& digits = node["fval"]["fval"].text();
  if (const auto small = number_of(digits, TypeKind::Int4))
    return make_constant(*small, type(TypeKind::Int4), at);
  if (const auto whole = number_of(digits, TypeKind::Int8))
    return make_constant(*whole, type(TypeKind::Int8), at);
  const auto number = number_of(digits, TypeKind::Numeric);
  if (number) return make_constant(*number, type(TypeKind::Numeric), at);
  return complaint(in, at, "this number has more than 38 digits");
}

ExpressionPtr analyze_constant(Analysis& in, const SqlNode& node) {
  const Span at = in.text.at(node);
  if (node["isnull"].truth()) return make_constant({}, {}, at);
  if (node.has("ival")) return integer_constant(in, node, at);
  if (node.has("fval")) return decimal_constant(in, node, at);
  if (node.has("boolval"))
    return make_constant(Value::boolean(node["boolval"]["boolval"].truth()),
                         type(TypeKind::Bool), at);
  if (node.has("sval"))
    return make_constant(Value::text(node["sval"]["sval"].text()), {}, at);
  return complaint(in, at, "bit strings are not supported");
}

// --- logic ---

ExpressionPtr as_boolean(Analysis& in, const Scope& scope, const SqlNode& node) {
  return coerced(in, analyze_expression(in, scope, node), type(TypeKind::Bool),
                 Willing::Implicit);
}

ExpressionPtr analyze_logic(Analysis& in, const Scope& scope, const SqlNode& node) {
  std::vector<ExpressionPtr> arguments;
  for (const SqlNode& argument : node["args"].items())
    arguments.push_back(as_boolean(in, scope, argument));
  const std::string& operation = node["boolop"].text();
  const Function function = operation == "AND_EXPR"  ? Function::And
                            : operation == "OR_EXPR" ? Function::Or
                                                     : Function::Not;
  return make_call(function, std::move(arguments), TypeKind::Bool, in.text.at(node));
}

ExpressionPtr analyze_null_test(Analysis& in, const Scope& scope, const SqlNode& node) {
  const ExpressionPtr argument = settled(in, analyze_expression(in, scope, node["arg"]));
  if (argument->type.kind == TypeKind::Record)
    return complaint(in, argument->at, "IS NULL of a record is not supported");
  const ExpressionPtr test =
      make_call(Function::IsNull, {argument}, TypeKind::Bool, in.text.at(node));
  return negated_if(node["nulltesttype"].text() == "IS_NOT_NULL", test);
}

ExpressionPtr analyze_boolean_test(Analysis& in, const Scope& scope, const SqlNode& node) {
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

// --- operators ---

// (a, b) = (c, d), and <> likewise.
ExpressionPtr compare_rows(Analysis& in, const Scope& scope, const SqlNode& node,
                           const std::string& sign) {
  const Span at = in.text.at(node);
  const auto& left = node["lexpr"]["args"].items();
  const auto& right = node["rexpr"]["args"].items();
  if (!node["rexpr"].is("RowExpr") || !node["lexpr"].is("RowExpr") ||
      left.size() != right.size())
    return complaint(in, at, "rows of different sizes cannot be compared");
  if (sign != "=" && sign != "<>")
    return complaint(in, at, fmt::format("{} of rows is not supported", sign));
  std::vector<ExpressionPtr> parts;
  for (std::size_t i = 0; i < left.size(); ++i)
    parts.push_back(make_operator(in, sign, analyze_expression(in, scope, left[i]),
                                  analyze_expression(in, scope, right[i]), at));
  if (parts.size() == 1) return parts[0];
  return make_call(sign == "=" ? Function::And : Function::Or, std::move(parts),
                   TypeKind::Bool, at);
}

ExpressionPtr analyze_unary(Analysis& in, const Scope& scope, const SqlNode& node,
                            const std::string& sign, Span at) {
  const ExpressionPtr argument = analyze_expression(in, scope, node["rexpr"]);
  if (is_broken(*argument)) return argument;
  if (!is_number(argument->type.kind) || (sign != "-" && sign != "+"))
    return complaint(
        in, at,
        fmt::format("operator does not exist: {} {}", sign, to_text(argument->type)));
  if (sign == "+") return argument;
  return make_call(Function::Negate, {argument}, argument->type.kind, at);
}

ExpressionPtr analyze_in_list(Analysis& in, const Scope& scope, const SqlNode& node,
                              const SqlNode& list, bool is_negated) {
  const Span at = in.text.at(node);
  std::vector<ExpressionPtr> all{analyze_expression(in, scope, node["lexpr"])};
  for (const SqlNode& item : list.items())
    all.push_back(analyze_expression(in, scope, item));
  unify(in, all, "IN");
  Expression out;
  out.kind = Expression::Kind::InList;
  out.type = type(TypeKind::Bool);
  out.at = at;
  for (const ExpressionPtr& e : all) {
    if (is_broken(*e)) return e;
    out.at = join(out.at, e->at);
  }
  out.arguments = std::move(all);
  return negated_if(is_negated, make(std::move(out)));
}

ExpressionPtr analyze_between(Analysis& in, const Scope& scope, const SqlNode& node,
                              bool is_negated) {
  const Span at = in.text.at(node);
  const ExpressionPtr value = analyze_expression(in, scope, node["lexpr"]);
  const ExpressionPtr low = analyze_expression(in, scope, node["rexpr"].item(0));
  const ExpressionPtr high = analyze_expression(in, scope, node["rexpr"].item(1));
  const ExpressionPtr from = make_operator(in, ">=", value, low, at);
  const ExpressionPtr to = make_operator(in, "<=", value, high, at);
  return negated_if(is_negated, make_call(Function::And, {from, to}, TypeKind::Bool, at));
}

ExpressionPtr analyze_nullif(Analysis& in, ExpressionPtr left, ExpressionPtr right,
                             Span at) {
  const ExpressionPtr equality = make_operator(in, "=", left, right, at);
  if (is_broken(*equality)) return equality;
  const TypeKind result = is_untyped(*left) ? TypeKind::Text : left->type.kind;
  return make_call(Function::NullIf, equality->arguments, result, at);
}

ExpressionPtr analyze_operator(Analysis& in, const Scope& scope, const SqlNode& node) {
  const std::string& kind = node["kind"].text();
  const std::string& sign = node["name"].items().back().name();
  const Span at = in.text.at(node);
  if (kind == "AEXPR_IN")
    return analyze_in_list(in, scope, node, node["rexpr"], sign == "<>");
  if (kind == "AEXPR_BETWEEN" || kind == "AEXPR_NOT_BETWEEN")
    return analyze_between(in, scope, node, kind == "AEXPR_NOT_BETWEEN");
  if (kind == "AEXPR_OP_ANY" && sign == "=" && node["rexpr"].is("A_ArrayExpr"))
    return analyze_in_list(in, scope, node, node["rexpr"]["elements"], false);
  if (node["lexpr"].is("RowExpr")) return compare_rows(in, scope, node, sign);
  const bool is_plain = kind == "AEXPR_OP";
  if (is_plain && !node.has("lexpr")) return analyze_unary(in, scope, node, sign, at);
  const bool is_distinct = kind == "AEXPR_DISTINCT" || kind == "AEXPR_NOT_DISTINCT";
  const bool is_like = kind == "AEXPR_LIKE";
  if (!is_plain && !is_distinct && !is_like && kind != "AEXPR_NULLIF")
    return complaint(in, at,
                     fmt::format("{} is not supported", kind == "AEXPR_ILIKE" ? "ILIKE"
                                                        : kind == "AEXPR_SIMILAR"
                                                            ? "SIMILAR TO"
                                                            : "ANY or ALL of an array"));
  const ExpressionPtr left = analyze_expression(in, scope, node["lexpr"]);
  const ExpressionPtr right = analyze_expression(in, scope, node["rexpr"]);
  if (kind == "AEXPR_NULLIF") return analyze_nullif(in, left, right, at);
  if (is_like) return negated_if(sign == "!~~", make_operator(in, "~~", left, right, at));
  if (is_distinct)
    return negated_if(kind == "AEXPR_NOT_DISTINCT",
                      make_operator(in, "is", left, right, at));
  return make_operator(in, sign, left, right, at);
}

// --- choice ---

ExpressionPtr analyze_case(Analysis& in, const Scope& scope, const SqlNode& node) {
  ExpressionPtr operand;
  if (node.has("arg")) operand = analyze_expression(in, scope, node["arg"]);
  if (operand && contains_query(*operand))
    return complaint(in, operand->at,
                     "CASE of a subquery is not supported; assign it to a variable first");
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
  if (node.has("defresult"))
    results.push_back(analyze_expression(in, scope, node["defresult"]));
  const Type result = unify(in, results, "CASE");
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

ExpressionPtr analyze_choice(Analysis& in, const Scope& scope, const SqlNode& node) {
  std::vector<ExpressionPtr> arguments;
  for (const SqlNode& argument : node["args"].items())
    arguments.push_back(analyze_expression(in, scope, argument));
  const bool is_coalesce = node.is("CoalesceExpr");
  const bool is_greatest = node["op"].text() != "IS_LEAST";
  const Type result = unify(in, arguments,
                            is_coalesce   ? "COALESCE"
                            : is_greatest ? "GREATEST"
                                          : "LEAST");
  const Function function = is_coalesce   ? Function::Coalesce
                            : is_greatest ? Function::Greatest
                                          : Function::Least;
  return make_call(function, std::move(arguments), result.kind, in.text.at(node));
}

ExpressionPtr analyze_cast(Analysis& in, const Scope& scope, const SqlNode& node) {
  const ExpressionPtr argument = analyze_expression(in, scope, node["arg"]);
  const auto target = type_of(node["typeName"]);
  if (!target) return complaint(in, in.text.at(node["typeName"]), target.error());
  return coerced(in, argument, *target, Willing::Explicit);
}

// --- subqueries ---

ExpressionPtr analyze_subquery(Analysis& in, const Scope& scope, const SqlNode& node) {
  const std::string& kind = node["subLinkType"].text();
  Expression out;
  out.at = in.text.at(node);
  const bool is_exists = kind == "EXISTS_SUBLINK";
  const bool is_in = kind == "ANY_SUBLINK";
  const bool is_plain_in =
      is_in && (!node.has("operName") || node["operName"].items().back().name() == "=");
  if (!is_exists && !is_plain_in && kind != "EXPR_SUBLINK")
    return complaint(in, out.at, "ANY, ALL and ARRAY of a subquery are not supported");
  if (node["testexpr"].is("RowExpr"))
    return complaint(in, out.at, "a row IN a subquery is not supported; use EXISTS");
  const std::size_t errors_before = in.reporter.count();
  out.query = analyze_select(in, node["subselect"], &scope);
  if (in.reporter.count() != errors_before || !out.query) return broken(out.at);
  out.at = join(out.at, out.query->at);
  if (!is_exists && out.query->columns.size() != 1)
    return complaint(in, out.at, "a subquery must have one column here");
  out.kind = is_exists ? Expression::Kind::Exists
             : is_in   ? Expression::Kind::InQuery
                       : Expression::Kind::Scalar;
  out.type = kind == "EXPR_SUBLINK" ? out.query->columns[0]->type : type(TypeKind::Bool);
  if (is_in) {
    std::vector<ExpressionPtr> both{analyze_expression(in, scope, node["testexpr"]),
                                    out.query->columns[0]};
    unify(in, both, "IN");
    if (is_broken(*both[0]) || is_broken(*both[1])) return broken(out.at);
    Select query = *out.query;
    query.columns[0] = both[1];
    out.query = std::make_shared<const Select>(std::move(query));
    out.arguments = {both[0]};
    out.at = join(out.at, both[0]->at);
  }
  return make(std::move(out));
}

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
    NodeName{"A_ArrayExpr", "ARRAY[..]"},
    NodeName{"A_Indirection", "a subscript or field of an expression"},
    NodeName{"CollateClause", "COLLATE"},
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

ExpressionPtr analyze_node(Analysis& in, const Scope& scope, const SqlNode& node) {
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
  if (node.is("ParamRef")) return analyze_parameter(in, node);
  if (node.is("SQLValueFunction")) return analyze_value_function(in, node);
  return analyze_other(in, node);
}

}  // namespace

bool contains_query(const Expression& e) {
  return e.query != nullptr || std::any_of(e.arguments.begin(), e.arguments.end(),
                                           [](const ExpressionPtr& argument) {
                                             return contains_query(*argument);
                                           });
}

ExpressionPtr analyze_expression(Analysis& in, const Scope& scope, const SqlNode& node) {
  if (in.depth >= depth_max)
    return complaint(in, in.text.at(node), "this expression is nested too deeply");
  ++in.depth;
  ExpressionPtr out = analyze_node(in, scope, node);
  --in.depth;
  return out;
}

ExpressionPtr analyze_condition(Analysis& in, const Scope& scope, const SqlNode& node,
                                std::string_view clause) {
  if (!node.exists()) return nullptr;
  Scope inside = scope;
  inside.no_aggregates_in = clause;
  return coerced(in, analyze_expression(in, inside, node), type(TypeKind::Bool),
                 Willing::Implicit);
}

}  // namespace isomer::program
