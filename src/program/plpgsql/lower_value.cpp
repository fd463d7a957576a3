// SPDX-License-Identifier: MIT
// The expressions inside PL/pgSQL, each parsed as "SELECT expression".
#include <fmt/format.h>

#include "program/plpgsql/lowering.h"

namespace isomer::program {

SqlText sql_at(const Program& program, Span at, Span into) {
  std::string text = program.source.substr(at.first, at.last - at.first);
  for (std::size_t i = into.first; i < into.last; ++i)
    text[i - at.first] = ' ';
  return {std::move(text), 0, at.first};
}

SqlText expression_at(const Program& program, Span at) {
  constexpr std::string_view prefix = "SELECT ";
  return {std::string(prefix) + program.source.substr(at.first, at.last - at.first),
          prefix.size(), at.first};
}

ExpressionPtr Lowering::expression(Span at, const Type& target, TypeKind by_default) {
  SqlText text = expression_at(routine.program, at);
  const auto statements = text.parse(routine.reporter);
  if (!statements) return nullptr;
  const SqlNode& select = statements->front()["stmt"];
  const SqlNode& targets = select["targetList"];
  if (statements->size() != 1 || targets.items().size() != 1 || !select.is("SelectStmt")) {
    fail(at, "expected one expression");
    return nullptr;
  }
  Analysis in = analysis(text);
  const std::size_t before = statements_at_site();
  const FromScope nothing{
      .outer = nullptr, .sources = {}, .no_aggregates_in = "an expression"};
  ExpressionPtr value;
  if (select.has("fromClause")) {
    value = scalar(in, select, at);  // x := count(*) FROM t
  } else {
    refuse_clauses(select, at);
    value = analyze_expression(in, nothing, targets.item(0)["val"]);
  }
  if (statements_at_site() != before) refuse_query_beside_call(*value);
  if (target.kind == TypeKind::Any)
    return is_untyped(*value) ? coerced(in, value, type(by_default), Willing::Implicit)
                              : value;
  return coerced(in, value, target, Willing::Assignment);
}

// Which of them would come first?
void Lowering::refuse_query_beside_call(const Expression& value) {
  if (contains_query(value))
    fail(value.at,
         "a call beside a subquery is not supported; assign one to a variable first");
}

void Lowering::refuse_clauses(const SqlNode& select, Span at) {
  for (const std::string_view field : {"whereClause", "groupClause", "sortClause",
                                       "limitCount", "havingClause", "distinctClause"})
    if (select.has(field)) return fail(at, "expected an expression, not a query");
}

ExpressionPtr Lowering::scalar(Analysis& in, const SqlNode& select, Span at) {
  Expression out;
  out.kind = Expression::Kind::Scalar;
  out.at = at;
  const std::size_t errors_before = routine.reporter.count();
  out.query = analyze_select(in, select, nullptr);
  if (routine.reporter.count() != errors_before || out.query->columns.size() != 1)
    return broken(at);
  out.type = out.query->columns[0]->type;
  return make(std::move(out));
}

ExpressionPtr Lowering::condition(Span at) {
  ExpressionPtr out = expression(at, {}, TypeKind::Bool);
  if (out && !is_broken(*out) && out->type.kind != TypeKind::Bool) {
    fail(at, fmt::format("a condition must be boolean, not {}", to_text(out->type)));
    return nullptr;
  }
  return out;
}

ExpressionPtr Lowering::comparable(Span at, const Type& with) {
  SqlText text = expression_at(routine.program, at);
  const auto statements = text.parse(routine.reporter);
  if (!statements) return nullptr;
  Analysis in = analysis(text);
  const FromScope nothing{
      .outer = nullptr, .sources = {}, .no_aggregates_in = "an expression"};
  const ExpressionPtr value = analyze_expression(
      in, nothing, statements->front()["stmt"]["targetList"].item(0)["val"]);
  return is_untyped(*value) ? coerced(in, value, unlimited(with), Willing::Implicit)
                            : value;
}

}  // namespace isomer::program
