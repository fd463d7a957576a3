// SPDX-License-Identifier: MIT
// EXISTS, IN and = ANY of a subquery, and subqueries as values.
#include "program/sql/nodes.h"

namespace isomer::program {

ExpressionPtr analyze_subquery(Analysis& in, const FromScope& scope, const SqlNode& node) {
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
    const ExpressionPtr equality =
        make_operator(in, "=", analyze_expression(in, scope, node["testexpr"]),
                      out.query->columns[0], out.at);
    if (is_broken(*equality)) return broken(out.at);
    Select query = *out.query;
    query.columns[0] = equality->arguments[1];
    out.query = std::make_shared<const Select>(std::move(query));
    out.arguments = {equality->arguments[0]};
    out.at = join(out.at, out.arguments[0]->at);
  }
  return make(std::move(out));
}

}  // namespace isomer::program
