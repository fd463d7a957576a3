// SPDX-License-Identifier: MIT
// What is written with an operator sign, IN, BETWEEN, LIKE or NULLIF.
#include <algorithm>

#include <fmt/format.h>

#include "program/sql/array.h"
#include "program/sql/nodes.h"

namespace isomer::program {

namespace {

// (a, b) = (c, d), and <> likewise.
ExpressionPtr compare_rows(Analysis& in, const FromScope& scope, const SqlNode& node,
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

ExpressionPtr analyze_unary(Analysis& in, const FromScope& scope, const SqlNode& node,
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

// The first IN the others, brought to one type.
ExpressionPtr in_list(Analysis& in, std::vector<ExpressionPtr> all, Span at) {
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
  return make(std::move(out));
}

bool mixes_padding(const std::vector<ExpressionPtr>& all) {
  const auto is_text = [](const ExpressionPtr& e) {
    return e->type.kind == TypeKind::Text;
  };
  const auto first = std::find_if(all.begin(), all.end(), is_text);
  return std::any_of(first, all.end(), [&](const ExpressionPtr& e) {
    return is_text(e) && e->type.is_padded != (*first)->type.is_padded;
  });
}

bool has_own_column(const Expression& e) {
  if (e.kind == Expression::Kind::Column) return e.outer == 0;
  return std::any_of(e.arguments.begin(), e.arguments.end(),
                     [](const ExpressionPtr& part) { return has_own_column(*part); });
}

// Whether blanks at the end count depends on who is compared with whom.  PostgreSQL brings
// items without columns to one type if there are several, and compares the others one by
// one.
ExpressionPtr in_mixed_list(Analysis& in, const std::vector<ExpressionPtr>& all, Span at) {
  std::vector<ExpressionPtr> together{all[0]};
  std::vector<ExpressionPtr> alone;
  for (std::size_t i = 1; i < all.size(); ++i)
    (has_own_column(*all[i]) ? alone : together).push_back(all[i]);
  if (together.size() <= 2) alone.assign(all.begin() + 1, all.end());
  std::vector<ExpressionPtr> tests;
  if (together.size() > 2) tests.push_back(in_list(in, together, at));
  for (const ExpressionPtr& item : alone)
    tests.push_back(make_operator(in, "=", all[0], item, at));
  if (tests.size() == 1) return tests[0];
  return make_call(Function::Or, std::move(tests), TypeKind::Bool, at);
}

ExpressionPtr analyze_in_list(Analysis& in, const FromScope& scope, const SqlNode& node,
                              const SqlNode& list, bool is_negated) {
  const Span at = in.text.at(node);
  std::vector<ExpressionPtr> all{analyze_expression(in, scope, node["lexpr"])};
  for (const SqlNode& item : list.items())
    all.push_back(analyze_expression(in, scope, item));
  return negated_if(is_negated, mixes_padding(all) ? in_mixed_list(in, all, at)
                                                   : in_list(in, std::move(all), at));
}

ExpressionPtr analyze_between(Analysis& in, const FromScope& scope, const SqlNode& node,
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
  // Compared as text, a char(n) becomes one.
  Type result = equality->arguments[0]->type;
  if (result.is_padded && !equality->arguments[1]->type.is_padded)
    result = type(TypeKind::Text);
  const ExpressionPtr value = make_call(Function::NullIf, equality->arguments, result, at);
  // A date is compared with a timestamp as it is.
  const bool is_date = left->type.kind == TypeKind::Date;
  return is_date ? coerced(in, value, left->type, Willing::Explicit) : value;
}

// x = ANY (ARRAY[a, b]) is x IN (a, b), and x <> ALL (ARRAY[a, b]) is NOT IN.
ExpressionPtr analyze_quantified(Analysis& in, const FromScope& scope, const SqlNode& node,
                                 const Quantifier& quantifier) {
  const SqlNode& array = node["rexpr"];
  const bool is_list = array.is("A_ArrayExpr") && !array["elements"].items().empty() &&
                       quantifier.sign == (quantifier.is_all ? "<>" : "=");
  if (is_list)
    return analyze_in_list(in, scope, node, array["elements"], quantifier.is_all);
  return make_quantified(in, quantifier, analyze_expression(in, scope, node["lexpr"]),
                         analyze_expression(in, scope, array), in.text.at(node));
}

}  // namespace

ExpressionPtr analyze_operator(Analysis& in, const FromScope& scope, const SqlNode& node) {
  const std::string& kind = node["kind"].text();
  const std::string& sign = node["name"].items().back().name();
  const Span at = in.text.at(node);
  if (kind == "AEXPR_IN")
    return analyze_in_list(in, scope, node, node["rexpr"], sign == "<>");
  if (kind == "AEXPR_BETWEEN" || kind == "AEXPR_NOT_BETWEEN")
    return analyze_between(in, scope, node, kind == "AEXPR_NOT_BETWEEN");
  if (kind == "AEXPR_OP_ANY" || kind == "AEXPR_OP_ALL")
    return analyze_quantified(in, scope, node, {sign, kind == "AEXPR_OP_ALL"});
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
                                                            : "BETWEEN SYMMETRIC"));
  const ExpressionPtr left = analyze_expression(in, scope, node["lexpr"]);
  const ExpressionPtr right = analyze_expression(in, scope, node["rexpr"]);
  if (kind == "AEXPR_NULLIF") return analyze_nullif(in, left, right, at);
  if (is_like) return negated_if(sign == "!~~", make_operator(in, "~~", left, right, at));
  if (is_distinct)
    return negated_if(kind == "AEXPR_NOT_DISTINCT",
                      make_operator(in, "is", left, right, at));
  return make_operator(in, sign, left, right, at);
}

}  // namespace isomer::program
