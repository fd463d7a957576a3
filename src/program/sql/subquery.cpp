// SPDX-License-Identifier: MIT
// EXISTS, IN, ANY, ALL and ARRAY of a subquery, and subqueries as values.
#include "program/sql/array.h"
#include "program/sql/nodes.h"

namespace isomer::program {
namespace {

// SELECT unnest(v), and nothing else: the elements of an array.
const SqlNode* unnested(const SqlNode& select) {
  const SqlNode& call = select["targetList"].item(0)["val"];
  const bool is_bare = !select.has("fromClause") && !select.has("whereClause") &&
                       !select.has("groupClause") && !select.has("havingClause") &&
                       !select.has("limitCount") && !select.has("limitOffset") &&
                       select["targetList"].items().size() == 1 &&
                       select["op"].text() == "SETOP_NONE";
  const bool is_unnest = call.is("FuncCall") &&
                         call["funcname"].items().back().name() == "unnest" &&
                         call["args"].items().size() == 1;
  return is_bare && is_unnest ? &call["args"].item(0) : nullptr;
}

// x IN (SELECT unnest(v)): of a null array there are no rows.
ExpressionPtr in_unnested(Analysis& in, ExpressionPtr left, ExpressionPtr array, Span at) {
  if (array->type.kind == TypeKind::Array) {
    const Type of = array->type;
    array = make_call(Function::Coalesce, {array, make_constant(Value::list({}), of, at)},
                      of, at);
  }
  return make_quantified(in, {"=", false}, std::move(left), std::move(array), at);
}

// x IN (SELECT ..)
ExpressionPtr in_query(Analysis& in, const ExpressionPtr& left, const SelectPtr& query,
                       Span at) {
  const ExpressionPtr equality = make_operator(in, "=", left, query->columns[0], at);
  if (is_broken(*equality)) return broken(at);
  Select typed = *query;
  typed.columns[0] = equality->arguments[1];
  Expression out;
  out.kind = Expression::Kind::InQuery;
  out.type = type(TypeKind::Bool);
  out.query = std::make_shared<const Select>(std::move(typed));
  out.arguments = {equality->arguments[0]};
  out.at = join(at, out.arguments[0]->at);
  return make(std::move(out));
}

// x = ANY (SELECT ..), x <> ALL (SELECT ..) and the like.
ExpressionPtr quantified(Analysis& in, const FromScope& scope, const SqlNode& node,
                         const SelectPtr& query, Span at) {
  const bool is_all = node["subLinkType"].text() == "ALL_SUBLINK";
  const std::string sign =
      node.has("operName") ? node["operName"].items().back().name() : "=";
  const ExpressionPtr left = analyze_expression(in, scope, node["testexpr"]);
  if (sign == (is_all ? "<>" : "="))
    return negated_if(is_all, in_query(in, left, query, at));
  const ExpressionPtr array = make_array_query(in, query, at);
  return make_quantified(in, {sign, is_all}, left, array, at);
}

}  // namespace

ExpressionPtr analyze_subquery(Analysis& in, const FromScope& scope, const SqlNode& node) {
  const std::string& kind = node["subLinkType"].text();
  Span at = in.text.at(node);
  const bool is_exists = kind == "EXISTS_SUBLINK";
  const bool is_any = kind == "ANY_SUBLINK" || kind == "ALL_SUBLINK";
  if (!is_exists && !is_any && kind != "EXPR_SUBLINK" && kind != "ARRAY_SUBLINK")
    return complaint(in, at, "this subquery is not supported");
  if (node["testexpr"].is("RowExpr"))
    return complaint(in, at, "a row IN a subquery is not supported; use EXISTS");
  if (const SqlNode* array = unnested(node["subselect"]);
      array != nullptr && kind == "ANY_SUBLINK" && !node.has("operName"))
    return in_unnested(in, analyze_expression(in, scope, node["testexpr"]),
                       analyze_expression(in, scope, *array), at);
  const std::size_t errors_before = in.reporter.count();
  const SelectPtr query = analyze_select(in, node["subselect"], &scope);
  if (in.reporter.count() != errors_before || !query) return broken(at);
  at = join(at, query->at);
  if (!is_exists && query->columns.size() != 1)
    return complaint(in, at, "a subquery must have one column here");
  if (is_any) return quantified(in, scope, node, query, at);
  if (kind == "ARRAY_SUBLINK") return make_array_query(in, query, at);
  Expression out;
  out.kind = is_exists ? Expression::Kind::Exists : Expression::Kind::Scalar;
  out.type = is_exists ? type(TypeKind::Bool) : query->columns[0]->type;
  out.at = at;
  out.query = query;
  return make(std::move(out));
}

}  // namespace isomer::program
