// SPDX-License-Identifier: MIT
// The FROM of a query.  Sources stand in a row from left to right; conditions of inner
// joins go to the WHERE, which gives the same rows, and a LEFT JOIN keeps its own.  So a
// left join's right side must be one table.
#include <algorithm>

#include <fmt/format.h>

#include "program/sql/analysis.h"

namespace isomer::program {
namespace {

struct From {
  Analysis& in;
  FromScope& scope;
  std::vector<Source> sources;
  std::vector<ExpressionPtr>& where;
};

void add(From& from, const SqlNode& item);

void add_source(From& from, Source source, Span at) {
  for (const FromSource& other : from.scope.sources)
    if (other.alias == source.alias)
      return from.in.fail(
          at, fmt::format("table name {} is used twice; give one an alias", source.alias));
  from.scope.sources.push_back(
      {.alias = source.alias, .table = source.table, .shape = source.shape});
  from.sources.push_back(std::move(source));
}

void add_table(From& from, const SqlNode& node) {
  Analysis& in = from.in;
  const SqlNode& alias = node["alias"];
  if (alias.has("colnames")) in.fail(node, "aliases of columns are not supported");
  const std::string name =
      alias.exists() ? alias["aliasname"].text() : node["relname"].text();
  if (auto common = common_source(in, node)) {
    if (common->shape->columns.empty())
      return in.fail(node, fmt::format("{} of the WITH has no RETURNING", common->alias));
    common->alias = name;
    return add_source(from, std::move(*common), in.text.at(node));
  }
  const TableId table = table_named(in, node);
  if (table.is_none()) return;
  add_source(from, {.table = table, .alias = name, .left_join_on = nullptr},
             in.text.at(node));
}

void add_subquery(From& from, const SqlNode& node) {
  const std::size_t errors_before = from.in.reporter.count();
  Source source = analyze_computed_source(from.in, node, from.scope.outer);
  if (from.in.reporter.count() != errors_before) return;
  const Span at = source.rows->at;
  add_source(from, std::move(source), at);
}

ExpressionPtr column_of(From& from, std::size_t source, ColumnId column, Span at) {
  const Table& table = table_of(from.in, from.scope.sources[source]);
  Expression out;
  out.kind = Expression::Kind::Column;
  out.type = table.columns[column.index].type;
  out.at = at;
  out.source = {static_cast<std::uint32_t>(source)};
  out.column = column;
  return make(std::move(out));
}

// The source to the left of `right` that shows this column, for USING.
std::optional<std::pair<std::size_t, ColumnId>> left_column(From& from, std::size_t right,
                                                            const std::string& name) {
  for (std::size_t i = 0; i < right; ++i) {
    const FromSource& source = from.scope.sources[i];
    const bool is_merged =
        std::find(source.merged.begin(), source.merged.end(), name) != source.merged.end();
    const auto column = find_column(table_of(from.in, source), name);
    if (column && !is_merged) return std::pair{i, *column};
  }
  return std::nullopt;
}

ExpressionPtr using_condition(From& from, const std::vector<std::string>& names, Span at) {
  const std::size_t right = from.scope.sources.size() - 1;
  std::vector<ExpressionPtr> conditions;
  for (const std::string& name : names) {
    const auto left = left_column(from, right, name);
    const auto column = find_column(table_of(from.in, from.scope.sources[right]), name);
    if (!left || !column) {
      from.in.fail(at, fmt::format("column {} of USING is not in both tables", name));
      continue;
    }
    conditions.push_back(make_operator(from.in, "=",
                                       column_of(from, left->first, left->second, at),
                                       column_of(from, right, *column, at), at));
    from.scope.sources[right].merged.push_back(name);
  }
  return conjunction(std::move(conditions));
}

std::vector<std::string> using_names(From& from, const SqlNode& join) {
  std::vector<std::string> names;
  for (const SqlNode& name : join["usingClause"].items())
    names.push_back(name.name());
  if (!join["isNatural"].truth()) return names;
  const std::size_t right = from.scope.sources.size() - 1;
  for (const Column& column : table_of(from.in, from.scope.sources[right]).columns)
    if (left_column(from, right, column.name)) names.push_back(column.name);
  return names;
}

// a RIGHT JOIN b is b LEFT JOIN a, but for the order of the columns in *.
void add_right_join(From& from, const SqlNode& join) {
  Analysis& in = from.in;
  const Span at = in.text.at(join["rarg"]);
  if (!join["larg"].is("RangeVar") && !join["larg"].is("RangeSubselect"))
    return in.fail(at, "only a table can stand on the left of a RIGHT JOIN");
  if (join.has("usingClause") || join["isNatural"].truth())
    return in.fail(at, "a RIGHT JOIN needs ON here");
  from.scope.has_right_join = true;
  add(from, join["rarg"]);
  const std::size_t before = from.sources.size();
  add(from, join["larg"]);
  if (from.sources.size() == before) return;
  from.sources.back().left_join_on =
      analyze_condition(in, from.scope, join["quals"], "JOIN conditions");
}

void add_join(From& from, const SqlNode& join) {
  Analysis& in = from.in;
  const std::string& kind = join["jointype"].text();
  if (kind == "JOIN_RIGHT") return add_right_join(from, join);
  add(from, join["larg"]);
  const Span at = in.text.at(join["rarg"]);
  if (kind != "JOIN_INNER" && kind != "JOIN_LEFT")
    return in.fail(at, "FULL JOIN is not supported");
  const bool is_left = kind == "JOIN_LEFT";
  const bool is_table = join["rarg"].is("RangeVar") || join["rarg"].is("RangeSubselect");
  if (!is_table && (is_left || !join["rarg"].is("JoinExpr")))
    return in.fail(at, "only a table can stand on the right of this JOIN");
  const std::size_t before = from.sources.size();
  add(from, join["rarg"]);
  if (from.sources.size() == before) return;
  ExpressionPtr condition;
  const std::vector<std::string> names = using_names(from, join);
  if (!names.empty())
    condition = using_condition(from, names, at);
  else if (join.has("quals"))
    condition = analyze_condition(in, from.scope, join["quals"], "JOIN conditions");
  if (is_left)
    from.sources.back().left_join_on =
        condition ? condition
                  : make_constant(Value::boolean(true), type(TypeKind::Bool), at);
  else if (condition)
    from.where.push_back(condition);
}

void add(From& from, const SqlNode& item) {
  if (item.is("RangeVar")) return add_table(from, item);
  if (item.is("RangeSubselect")) return add_subquery(from, item);
  if (item.is("JoinExpr")) return add_join(from, item);
  if (item.is("RangeFunction") && from.in.series_are_variables) return;
  const std::string_view words =
      item.is("RangeFunction") ? "a function in FROM" : "this item of FROM";
  Span at = from.in.text.at(item);
  if (item.is("RangeFunction")) at = from.in.text.at(item["functions"].item(0).item(0));
  from.in.fail(at, fmt::format("{} is not supported", words));
}

}  // namespace

ExpressionPtr conjunction(std::vector<ExpressionPtr> conditions) {
  if (conditions.empty()) return nullptr;
  if (conditions.size() == 1) return conditions[0];
  std::vector<ExpressionPtr> flat;
  for (const ExpressionPtr& condition : conditions) {
    const bool is_and =
        condition->kind == Expression::Kind::Call && condition->function == Function::And;
    if (is_and)
      flat.insert(flat.end(), condition->arguments.begin(), condition->arguments.end());
    else
      flat.push_back(condition);
  }
  return make_call(Function::And, std::move(flat), TypeKind::Bool, {});
}

std::vector<Source> analyze_from(Analysis& in, const SqlNode& list, FromScope& scope,
                                 std::vector<ExpressionPtr>& where) {
  From from{.in = in, .scope = scope, .sources = {}, .where = where};
  for (const SqlNode& item : list.items())
    add(from, item);
  return std::move(from.sources);
}

std::vector<Source> analyze_one_source(Analysis& in, const SqlNode& item,
                                       FromScope& scope) {
  std::vector<ExpressionPtr> where;
  From from{.in = in, .scope = scope, .sources = {}, .where = where};
  if (item.is("JoinExpr"))
    in.fail(item["larg"], "a join is not supported here; put it into a subquery");
  else
    add(from, item);
  return std::move(from.sources);
}

TableId table_named(Analysis& in, const SqlNode& node) {
  const std::string& name = node["relname"].text();
  const std::string& schema = node["schemaname"].text();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < in.program.tables.size(); ++i) {
    if (in.program.tables[i].name == name && (schema.empty() || schema == "public"))
      return {static_cast<std::uint32_t>(i)};
    names.push_back(in.program.tables[i].name);
  }
  in.fail(node,
          fmt::format("there is no table {}{}{}", name,
                      schema.empty() ? "" : " in schema " + schema, hint(name, names)));
  return TableId::none();
}

ColumnId column_named(Analysis& in, TableId table, const std::string& name, Span at) {
  const Table& in_table = in.program.tables[table.index];
  if (const auto column = find_column(in_table, name)) return *column;
  std::vector<std::string> names;
  for (const Column& column : in_table.columns)
    names.push_back(column.name);
  in.fail(at, fmt::format("table {} has no column {}{}", in_table.name, name,
                          hint(name, names)));
  return ColumnId::none();
}

}  // namespace isomer::program
