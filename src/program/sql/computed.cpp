// SPDX-License-Identifier: MIT
// Tables that are computed: subqueries and VALUES in FROM, WITH, UNION and its kin.  Each
// is an expression of rows, and has the columns of a table without a name.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/machine/references.h"
#include "program/sql/nodes.h"

namespace isomer::program {
namespace {

using RowsOf = Expression::RowsOf;

// Rows on their way to an expression: their columns may still be cast to other types.
struct Computed {
  RowsOf rows_of = RowsOf::Query;
  bool is_distinct = false;
  Select query{};                                    // Query
  std::vector<std::vector<ExpressionPtr>> values{};  // Values
  std::vector<Computed> parts{};                     // Union and its kin: two
  std::vector<std::string> names{};
  Span at{};

  [[nodiscard]] std::size_t width() const { return names.size(); }

  template <class Act>
  void each_column(std::size_t column, const Act& act) {
    if (rows_of == RowsOf::Query) act(query.columns[column]);
    for (auto& row : values)
      act(row[column]);
    for (Computed& part : parts)
      part.each_column(column, act);
  }
};

Span place_of_rows(const Analysis& in, const SqlNode& select) {
  for (const SqlNode* side = &select; side->exists(); side = &(*side)["larg"]) {
    const SqlNode& row = (*side)["valuesLists"].item(0);
    if (row.exists()) return in.text.at(row.item(0));
    if (!(*side)["targetList"].items().empty())
      return in.text.at((*side)["targetList"].item(0));
  }
  return in.text.whole();
}

// All rows of a column get one type.
void unify_columns(Analysis& in, Computed& computed, std::string_view words) {
  for (std::size_t i = 0; i < computed.width(); ++i) {
    std::vector<ExpressionPtr> all;
    computed.each_column(i,
                         [&](const ExpressionPtr& e) { all.push_back(unsettled_null(e)); });
    if (std::any_of(all.begin(), all.end(), [](const auto& e) { return is_broken(*e); }))
      return;
    unify(in, all, words);
    std::size_t next = 0;
    computed.each_column(i, [&](ExpressionPtr& e) { e = settled(in, all[next++]); });
  }
}

Computed analyze_values(Analysis& in, const SqlNode& select, const FromScope& outside) {
  Computed out{.rows_of = RowsOf::Values, .at = place_of_rows(in, select)};
  FromScope scope = outside;
  scope.no_aggregates_in = "VALUES";
  const NoCalls guard(in, "VALUES");
  const std::size_t width = select["valuesLists"].item(0).items().size();
  for (const SqlNode& row : select["valuesLists"].items()) {
    if (row.items().size() != width) {
      in.fail(in.text.at(row.item(0)), "VALUES lists must all be the same length");
      return out;
    }
    auto& values = out.values.emplace_back();
    for (const SqlNode& value : row.items())
      values.push_back(analyze_expression(in, scope, value));
  }
  for (std::size_t i = 0; i < width; ++i)
    out.names.push_back(fmt::format("column{}", i + 1));
  unify_columns(in, out, "VALUES");
  return out;
}

bool is_set_operation(const SqlNode& select) {
  const std::string& op = select["op"].text();
  return !op.empty() && op != "SETOP_NONE";
}

// Has it clauses of its own, so that it is a query and not only rows?
bool has_tail(const SqlNode& select) {
  return select.has("sortClause") || select.has("limitCount") ||
         select.has("limitOffset") || select.has("lockingClause") ||
         select.has("withClause");
}

Computed analyze_rows(Analysis& in, const SqlNode& select, const FromScope& outside,
                      bool ignores_tail);

Computed analyze_set_operation(Analysis& in, const SqlNode& select,
                               const FromScope& outside) {
  const std::string& op = select["op"].text();
  Computed out{.rows_of = op == "SETOP_UNION"       ? RowsOf::Union
                          : op == "SETOP_INTERSECT" ? RowsOf::Intersect
                                                    : RowsOf::Except,
               .is_distinct = !select["all"].truth(),
               .at = place_of_rows(in, select)};
  const std::string_view words = out.rows_of == RowsOf::Union       ? "UNION"
                                 : out.rows_of == RowsOf::Intersect ? "INTERSECT"
                                                                    : "EXCEPT";
  const std::size_t errors_before = in.reporter.count();
  for (const std::string_view side : {"larg", "rarg"})
    out.parts.push_back(analyze_rows(in, select[side], outside, false));
  if (in.reporter.count() != errors_before) return out;
  if (out.parts[0].width() != out.parts[1].width()) {
    in.fail(out.at,
            fmt::format("each {} query must have the same number of columns", words));
    return out;
  }
  out.names = out.parts[0].names;
  unify_columns(in, out, words);
  return out;
}

// `ignores_tail`: ORDER BY and its kin belong to the query around it.
Computed analyze_rows(Analysis& in, const SqlNode& select, const FromScope& outside,
                      bool ignores_tail) {
  if (ignores_tail || !has_tail(select)) {
    if (select.has("valuesLists")) return analyze_values(in, select, outside);
    if (is_set_operation(select)) return analyze_set_operation(in, select, outside);
  }
  Computed out{.at = place_of_rows(in, select)};
  const std::size_t errors_before = in.reporter.count();
  out.query = *analyze_select(in, select, &outside);
  if (in.reporter.count() == errors_before) out.names = out.query.column_names;
  return out;
}

ExpressionPtr expression_of(Computed computed) {
  Expression out;
  out.kind = Expression::Kind::Rows;
  out.type.kind = TypeKind::Record;
  out.at = computed.at;
  out.rows_of = computed.rows_of;
  out.is_distinct = computed.is_distinct;
  for (auto& row : computed.values)
    out.arguments.push_back(
        make_call(Function::MakeList, std::move(row), TypeKind::Record, computed.at));
  for (Computed& part : computed.parts)
    out.arguments.push_back(expression_of(std::move(part)));
  if (computed.rows_of == RowsOf::Query)
    out.query = std::make_shared<const Select>(std::move(computed.query));
  return make(std::move(out));
}

// The columns, under other names where these are given.
std::shared_ptr<const Table> shape_of(Analysis& in, std::string name,
                                      const std::vector<std::string>& names,
                                      const std::vector<ExpressionPtr>& columns,
                                      const SqlNode& given, Span at) {
  Table out;
  out.name = std::move(name);
  out.at = at;
  if (given.items().size() > names.size())
    in.fail(at, fmt::format("{} has {}, but {} names are given", out.name,
                            counted(names.size(), "column"), given.items().size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    Column column;
    column.name = i < given.items().size() ? given.item(i).name() : names[i];
    column.type = columns[i]->type;
    column.at = columns[i]->at;
    out.columns.push_back(std::move(column));
  }
  return std::make_shared<const Table>(std::move(out));
}

std::vector<ExpressionPtr> columns_of(Computed& computed) {
  std::vector<ExpressionPtr> out(computed.width());
  for (std::size_t i = 0; i < out.size(); ++i)
    computed.each_column(i, [&](const ExpressionPtr& e) {
      if (!out[i]) out[i] = e;
    });
  return out;
}

// --- WITH ---

bool names_rows_around(const Expression& rows) {
  bool out = rows.query && is_correlated(*rows.query);
  visit_columns(rows, 0, [&](const Expression&) { out = true; });
  visit_columns(rows, 1, [&](const Expression&) { out = true; });
  return out ||
         std::any_of(rows.arguments.begin(), rows.arguments.end(), [](const auto& e) {
           return e->kind == Expression::Kind::Rows && names_rows_around(*e);
         });
}

CommonTable common_query(Analysis& in, const SqlNode& node, const FromScope* outer) {
  CommonTable out{.name = node["ctename"].text(), .rows = nullptr, .shape = nullptr};
  const FromScope outside{.outer = outer, .sources = {}, .no_aggregates_in = {}};
  const std::size_t errors_before = in.reporter.count();
  Computed computed = analyze_rows(in, node["ctequery"], outside, false);
  if (in.reporter.count() != errors_before) return out;
  out.shape = shape_of(in, out.name, computed.names, columns_of(computed),
                       node["aliascolnames"], computed.at);
  out.rows = expression_of(std::move(computed));
  if (names_rows_around(*out.rows))
    in.fail(out.rows->at,
            "a WITH that names columns of the query around it is not supported");
  return out;
}

CommonTable common_change(Analysis& in, const SqlNode& node) {
  const SqlNode& query = node["ctequery"];
  CommonTable out{.name = node["ctename"].text(), .rows = nullptr, .shape = nullptr};
  const std::size_t errors_before = in.reporter.count();
  AnalyzedChange change = analyze_change(in, query);
  if (in.reporter.count() != errors_before) return out;
  Expression rows;
  rows.kind = Expression::Kind::Rows;
  rows.type.kind = TypeKind::Record;
  rows.rows_of = RowsOf::Change;
  rows.at = in.text.at(node);
  change.statement.at = rows.at;
  out.shape = shape_of(in, out.name, change.returning.names, change.returning.columns,
                       node["aliascolnames"], rows.at);
  rows.change = std::make_shared<const Statement>(std::move(change.statement));
  out.rows = make(std::move(rows));
  return out;
}

}  // namespace

const Table& table_of(const Analysis& in, const FromSource& source) {
  return source.shape ? *source.shape : in.program.tables[source.table.index];
}

std::vector<CommonTable> with_tables(Analysis& in, const SqlNode& clause,
                                     const FromScope* outer,
                                     const std::function<void()>& act) {
  if (!clause.exists()) {
    act();
    return {};
  }
  WithScope scope{.outer = in.with};
  in.with = &scope;
  const std::size_t errors_before = in.reporter.count();
  for (const SqlNode& node : clause["ctes"].items()) {
    if (clause["recursive"].truth()) in.fail(node, "WITH RECURSIVE is not supported");
    const bool is_known = std::any_of(
        scope.tables.begin(), scope.tables.end(),
        [&](const auto& table) { return table.name == node["ctename"].text(); });
    if (is_known)
      in.fail(node, fmt::format("{} is named twice in this WITH", node["ctename"].text()));
    const bool is_query = node["ctequery"].is("SelectStmt");
    if (!is_query && (outer != nullptr || scope.outer != nullptr))
      in.fail(node, "a change can only stand in the WITH of a whole statement");
    if (in.reporter.count() != errors_before) break;
    scope.tables.push_back(is_query ? common_query(in, node, outer)
                                    : common_change(in, node));
    if (in.reporter.count() != errors_before) break;
  }
  if (in.reporter.count() == errors_before) act();
  in.with = scope.outer;
  return std::move(scope.tables);
}

std::optional<Source> common_source(const Analysis& in, const SqlNode& node) {
  const std::string& name = node["relname"].text();
  if (node.has("schemaname")) return std::nullopt;
  for (const WithScope* scope = in.with; scope != nullptr; scope = scope->outer)
    for (const CommonTable& table : scope->tables)
      if (table.name == name)
        return Source{.table = TableId::none(),
                      .alias = name,
                      .rows = table.rows,
                      .shape = table.shape,
                      .common = name};
  return std::nullopt;
}

Source analyze_computed_source(Analysis& in, const SqlNode& node, const FromScope* outer) {
  const SqlNode& alias = node["alias"];
  Source out{.table = TableId::none(), .alias = alias["aliasname"].text()};
  const FromScope outside{.outer = outer, .sources = {}, .no_aggregates_in = {}};
  if (node["lateral"].truth()) {
    in.fail(place_of_rows(in, node["subquery"]), "LATERAL is not supported");
    return out;
  }
  const std::size_t errors_before = in.reporter.count();
  Computed computed = analyze_rows(in, node["subquery"], outside, false);
  if (in.reporter.count() != errors_before) return out;
  out.shape = shape_of(in, out.alias, computed.names, columns_of(computed),
                       alias["colnames"], computed.at);
  out.rows = expression_of(std::move(computed));
  return out;
}

bool is_combined(const SqlNode& select) {
  return select.has("valuesLists") || is_set_operation(select);
}

Source analyze_combined(Analysis& in, const SqlNode& select, const FromScope* outer) {
  Source out{.table = TableId::none(), .alias = "rows"};
  const FromScope outside{.outer = outer, .sources = {}, .no_aggregates_in = {}};
  const std::size_t errors_before = in.reporter.count();
  Computed computed = analyze_rows(in, select, outside, true);
  if (in.reporter.count() != errors_before) return out;
  out.shape = shape_of(in, out.alias, computed.names, columns_of(computed), SqlNode::none(),
                       computed.at);
  out.rows = expression_of(std::move(computed));
  return out;
}

// PostgreSQL leaves out tables of a WITH and of VALUES, unless they are named.
void lock_computed(Analysis& in, Source& source, const Source& lock) {
  if (!source.common.empty()) return;
  if (!source.rows->query) {
    if (source.rows->rows_of != RowsOf::Values)
      in.fail(lock.lock_at, fmt::format("{} is not allowed with UNION, INTERSECT or EXCEPT",
                                        name(lock.lock)));
    return;
  }
  Select query = *source.rows->query;
  const std::string_view what = is_grouped(query)   ? "GROUP BY or aggregate functions"
                                : query.is_distinct ? "DISTINCT"
                                                    : "";
  if (!what.empty())
    return in.fail(lock.lock_at,
                   fmt::format("{} is not allowed with {}", name(lock.lock), what));
  const bool is_inlined = can_be_inlined(source);
  if (source.left_join_on ||
      std::any_of(query.from.begin(), query.from.end(),
                  [](const Source& inner) { return inner.left_join_on != nullptr; }))
    return in.fail(lock.lock_at,
                   fmt::format("{} is not allowed with LEFT JOIN", name(lock.lock)));
  if (is_inlined) return add_lock(source, lock.lock, lock.lock_wait, lock.lock_at);
  for (Source& inner : query.from) {
    if (inner.rows)
      lock_computed(in, inner, lock);
    else
      add_lock(inner, lock.lock, lock.lock_wait, lock.lock_at);
  }
  Expression rows = *source.rows;
  rows.query = std::make_shared<const Select>(std::move(query));
  source.rows = make(std::move(rows));
}

}  // namespace isomer::program
