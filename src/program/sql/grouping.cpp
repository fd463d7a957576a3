// SPDX-License-Identifier: MIT
// GROUP BY: what stands in the select list, HAVING and ORDER BY of a grouped query must be
// made of grouped expressions, aggregates and what does not vary within a group.
#include <algorithm>

#include <fmt/format.h>

#include "program/sql/analysis.h"

namespace isomer::program {
namespace {

// As PostgreSQL: grouping by a whole primary key groups the table's other columns too.
bool is_key_grouped(const Program& program, const Select& select, SourceId source) {
  const Table& table = table_of(program, select.from[source.index]);
  if (table.primary_key.empty()) return false;
  return std::all_of(table.primary_key.begin(), table.primary_key.end(), [&](ColumnId key) {
    return std::any_of(select.group_by.begin(), select.group_by.end(), [&](const auto& g) {
      return g->kind == Expression::Kind::Column && g->outer == 0 && g->source == source &&
             g->column == key;
    });
  });
}

struct Grouping {
  Analysis& in;
  const Select& select;

  void check(const Expression& e) const {
    if (e.kind == Expression::Kind::Aggregate) return;
    for (const ExpressionPtr& grouped : select.group_by)
      if (is_equal(*grouped, e)) return;
    if (e.kind == Expression::Kind::Column && e.outer == 0) return check_column(e);
    if (e.query) check_query(e);
    for (const ExpressionPtr& argument : e.arguments)
      check(*argument);
  }

  void check_column(const Expression& e) const {
    if (is_key_grouped(in.program, select, e.source)) return;
    const Source& source = select.from[e.source.index];
    const Column& column = table_of(in.program, source).columns[e.column.index];
    in.fail(e.at, fmt::format("column {}.{} must be in GROUP BY or inside an aggregate",
                              source.alias, column.name));
  }

  void check_query(const Expression& e) const {
    if (!select.group_by.empty() && mentions_outer(*e.query, 1))
      in.fail(e.at, "a subquery that names columns of a grouped query is not supported");
  }

  static bool mentions_outer(const Expression& e, std::uint32_t depth) {
    if (e.kind == Expression::Kind::Column && e.outer == depth) return true;
    if (e.query && mentions_outer(*e.query, depth + 1)) return true;
    return std::any_of(e.arguments.begin(), e.arguments.end(),
                       [&](const auto& a) { return mentions_outer(*a, depth); });
  }

  static bool mentions_outer(const Select& query, std::uint32_t depth) {
    const auto mentions = [&](const ExpressionPtr& e) {
      return e && mentions_outer(*e, depth);
    };
    return mentions(query.where) || mentions(query.having) ||
           std::any_of(query.columns.begin(), query.columns.end(), mentions) ||
           std::any_of(query.group_by.begin(), query.group_by.end(), mentions);
  }
};

}  // namespace

bool is_equal(const Expression& a, const Expression& b) {
  return a.kind == b.kind && a.type.kind == b.type.kind &&
         a.type.element == b.type.element && a.value == b.value &&
         a.variable == b.variable && a.field == b.field && a.source == b.source &&
         a.outer == b.outer && a.column == b.column && a.function == b.function &&
         a.aggregator == b.aggregator && a.is_distinct == b.is_distinct &&
         a.order == b.order && a.query == b.query && a.name == b.name &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(),
                    b.arguments.end(),
                    [](const auto& x, const auto& y) { return is_equal(*x, *y); });
}

bool contains_aggregate(const Expression& e) {
  return e.kind == Expression::Kind::Aggregate ||
         std::any_of(e.arguments.begin(), e.arguments.end(),
                     [](const auto& argument) { return contains_aggregate(*argument); });
}

void check_grouping(Analysis& in, const Select& select) {
  const Grouping grouping{.in = in, .select = select};
  for (const ExpressionPtr& column : select.columns)
    grouping.check(*column);
  if (select.having) grouping.check(*select.having);
  for (const OrderKey& key : select.order)
    grouping.check(*key.by);
}

}  // namespace isomer::program
