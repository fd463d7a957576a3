// SPDX-License-Identifier: MIT
// SELECT: its clauses one after another, in the order in which PostgreSQL understands them.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/machine/references.h"
#include "program/sql/analysis.h"

namespace isomer::program {
namespace {

// --- what the query gives ---

// The name that PostgreSQL gives a column without an alias.
std::string output_name(const SqlNode& value) {
  if (value.is("ColumnRef")) return value["fields"].items().back().name();
  if (value.is("FuncCall")) return value["funcname"].items().back().name();
  if (value.is("TypeCast")) {
    const std::string inner = output_name(value["arg"]);
    return inner != "?column?" ? inner : value["typeName"]["names"].items().back().name();
  }
  if (value.is("CaseExpr")) return "case";
  if (value.is("A_ArrayExpr")) return "array";
  if (value.is("A_Indirection")) return output_name(value["arg"]);
  if (value.is("A_Expr") && value["kind"].text() == "AEXPR_NULLIF") return "nullif";
  if (value.is("CoalesceExpr")) return "coalesce";
  if (value.is("MinMaxExpr"))
    return value["op"].text() == "IS_LEAST" ? "least" : "greatest";
  if (value.is("SubLink")) {
    const std::string& kind = value["subLinkType"].text();
    return kind == "EXISTS_SUBLINK"  ? "exists"
           : kind == "ARRAY_SUBLINK" ? "array"
                                     : "?column?";
  }
  return "?column?";
}

bool is_star(const SqlNode& value) {
  return value.is("ColumnRef") && value["fields"].items().back().is("A_Star");
}

void add_star(Analysis& in, const FromScope& scope, const SqlNode& value,
              OutputColumns& out) {
  const auto& fields = value["fields"].items();
  const std::string alias = fields.size() > 1 ? fields[0].name() : "";
  const Span at = in.text.at(value);
  if (alias.empty() && scope.has_right_join)
    in.fail(at, "* of a RIGHT JOIN is not supported; name the columns");
  const std::size_t before = out.columns.size();
  for (std::size_t i = 0; i < scope.sources.size(); ++i) {
    const FromSource& source = scope.sources[i];
    if (!alias.empty() && source.alias != alias) continue;
    const Table& table = table_of(in, source);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const Column& column = table.columns[c];
      const bool is_merged = std::find(source.merged.begin(), source.merged.end(),
                                       column.name) != source.merged.end();
      if (alias.empty() && is_merged) continue;
      Expression e;
      e.kind = Expression::Kind::Column;
      e.type = column.type;
      e.at = at;
      e.source = {static_cast<std::uint32_t>(i)};
      e.column = {static_cast<std::uint32_t>(c)};
      out.columns.push_back(make(std::move(e)));
      out.names.push_back(column.name);
    }
  }
  if (out.columns.size() == before)
    in.fail(at, alias.empty() ? "* needs a table in FROM"
                              : fmt::format("there is no table {} here", alias));
}

// --- ORDER BY ---

// A bare name is first an output column, a number is its place.
ExpressionPtr named_output(Analysis& in, const Select& select, const SqlNode& node) {
  if (node.is("ColumnRef") && node["fields"].items().size() == 1) {
    const std::string name = node["fields"].item(0).name();
    ExpressionPtr found;
    for (std::size_t i = 0; i < select.columns.size(); ++i) {
      if (select.column_names[i] != name) continue;
      if (found && !is_equal(*found, *select.columns[i]))
        in.fail(node,
                fmt::format("{} names more than one column of the select list", name));
      if (!found) found = select.columns[i];
    }
    return found;
  }
  if (!node.is("A_Const") || !node.has("ival")) return nullptr;
  const std::int64_t place = node["ival"]["ival"].number();
  if (place >= 1 && place <= static_cast<std::int64_t>(select.columns.size()))
    return select.columns[static_cast<std::size_t>(place - 1)];
  in.fail(node, fmt::format("there is no column number {} in the select list", place));
  return broken(in.text.at(node));
}

OrderKey analyze_order(Analysis& in, const FromScope& scope, const Select& select,
                       const SqlNode& node) {
  OrderKey key = analyze_order_key(in, node);
  key.by = named_output(in, select, node["node"]);
  if (!key.by) key.by = settled(in, analyze_expression(in, scope, node["node"]));
  if (key.by->type.kind == TypeKind::Array)
    in.fail(node["node"], "the order of arrays is not supported");
  if (key.by->type.kind == TypeKind::Range)
    in.fail(node["node"], "the order of ranges is not supported");
  const bool is_listed =
      std::any_of(select.columns.begin(), select.columns.end(),
                  [&](const ExpressionPtr& column) { return is_equal(*column, *key.by); });
  if (select.is_distinct && !is_listed)
    in.fail(node["node"],
            "with DISTINCT, ORDER BY can only name columns of the select list");
  return key;
}

// --- the whole ---

struct Clause {
  std::string_view field;
  std::string_view words;
};

constexpr std::array unsupported_clauses = {
    Clause{"windowClause", "WINDOW"},
    Clause{"intoClause", "SELECT INTO a new table"},
};

Span place_of_select(const Analysis& in, const SqlNode& node) {
  if (node["targetList"].items().empty()) return in.text.whole();
  return in.text.at(node["targetList"].item(0));
}

bool has_unsupported(Analysis& in, const SqlNode& node) {
  const Span at = place_of_select(in, node);
  for (const Clause& clause : unsupported_clauses) {
    if (!node.has(clause.field)) continue;
    in.fail(at, fmt::format("{} is not supported", clause.words));
    return true;
  }
  if (node["limitOption"].text() == "LIMIT_OPTION_WITH_TIES") {
    in.fail(at, "WITH TIES is not supported");
    return true;
  }
  return false;
}

void analyze_distinct(Analysis& in, const SqlNode& node, Select& select) {
  select.is_distinct = node.has("distinctClause");
  for (const SqlNode& item : node["distinctClause"].items())
    if (!item.kind().empty()) in.fail(item, "DISTINCT ON is not supported");
}

bool names_column(const Analysis& in, const Select& select, const SqlNode& node) {
  if (!node.is("ColumnRef") || node["fields"].items().size() != 1) return false;
  const std::string name = node["fields"].item(0).name();
  return std::any_of(select.from.begin(), select.from.end(), [&](const Source& source) {
    const auto& columns = table_of(in.program, source).columns;
    return std::any_of(columns.begin(), columns.end(),
                       [&](const Column& column) { return column.name == name; });
  });
}

void analyze_groups(Analysis& in, FromScope scope, const SqlNode& node, Select& select) {
  scope.no_aggregates_in = "GROUP BY";
  for (const SqlNode& item : node["groupClause"].items()) {
    if (item.is("GroupingSet")) {
      in.fail(item, "GROUPING SETS, ROLLUP and CUBE are not supported");
      continue;
    }
    // Unlike in ORDER BY, a column of a table comes before one of the select list.
    ExpressionPtr by =
        names_column(in, select, item) ? nullptr : named_output(in, select, item);
    if (!by) by = settled(in, analyze_expression(in, scope, item));
    select.group_by.push_back(by);
  }
}

ExpressionPtr analyze_limit(Analysis& in, const SqlNode& node, std::string_view words) {
  if (!node.exists() || node["isnull"].truth()) return nullptr;
  FromScope nothing;
  nothing.no_aggregates_in = words;
  return coerced(in, analyze_expression(in, nothing, node), type(TypeKind::Int8),
                 Willing::Assignment);
}

}  // namespace

OrderKey analyze_order_key(Analysis& in, const SqlNode& node) {
  const std::string& direction = node["sortby_dir"].text();
  const std::string& nulls = node["sortby_nulls"].text();
  if (direction == "SORTBY_USING")
    in.fail(node["node"], "ORDER BY .. USING is not supported");
  OrderKey key;
  key.is_descending = direction == "SORTBY_DESC";
  key.nulls_first =
      nulls == "SORTBY_NULLS_DEFAULT" ? key.is_descending : nulls == "SORTBY_NULLS_FIRST";
  return key;
}

OutputColumns analyze_outputs(Analysis& in, const FromScope& scope, const SqlNode& list) {
  OutputColumns out;
  for (const SqlNode& target : list.items()) {
    const SqlNode& value = target["val"];
    if (is_star(value)) {
      add_star(in, scope, value, out);
      continue;
    }
    out.columns.push_back(settled(in, analyze_expression(in, scope, value)));
    out.names.push_back(target.has("name") ? target["name"].text() : output_name(value));
  }
  return out;
}

namespace {

// UNION and its kin, and VALUES: all columns of the rows that they compute.
void analyze_combined_rows(Analysis& in, const SqlNode& node, FromScope& scope,
                           Select& select) {
  Source source = analyze_combined(in, node, scope.outer);
  if (!source.rows) return;
  scope.sources.push_back({.alias = source.alias, .table = {}, .shape = source.shape});
  for (std::uint32_t i = 0; i < source.shape->columns.size(); ++i) {
    Expression column;
    column.kind = Expression::Kind::Column;
    column.type = source.shape->columns[i].type;
    column.at = source.shape->columns[i].at;
    column.source = {0};
    column.column = {i};
    select.columns.push_back(make(std::move(column)));
    select.column_names.push_back(source.shape->columns[i].name);
  }
  select.from.push_back(std::move(source));
  if (node.has("lockingClause"))
    in.fail(select.at, "locks are not allowed with UNION, INTERSECT, EXCEPT or VALUES");
}

void analyze_from_and_columns(Analysis& in, const SqlNode& node, FromScope& scope,
                              Select& select) {
  std::vector<ExpressionPtr> where;
  const std::size_t errors_before = in.reporter.count();
  select.from = analyze_from(in, node["fromClause"], scope, where);
  if (in.reporter.count() != errors_before) return;
  if (const ExpressionPtr condition =
          analyze_condition(in, scope, node["whereClause"], "WHERE"))
    where.push_back(condition);
  select.where = conjunction(std::move(where));
  analyze_distinct(in, node, select);
  OutputColumns outputs = analyze_outputs(in, scope, node["targetList"]);
  select.columns = std::move(outputs.columns);
  select.column_names = std::move(outputs.names);
  analyze_groups(in, scope, node, select);
  select.having = analyze_condition(in, scope, node["havingClause"], "");
}

void analyze_all(Analysis& in, const SqlNode& node, const FromScope* outer,
                 Select& select) {
  FromScope scope{.outer = outer, .sources = {}, .no_aggregates_in = {}};
  const std::size_t errors_before = in.reporter.count();
  if (is_combined(node))
    analyze_combined_rows(in, node, scope, select);
  else
    analyze_from_and_columns(in, node, scope, select);
  // Columns of a FROM that was not understood would be complained of, too.
  if (in.reporter.count() != errors_before && select.columns.empty()) return;
  for (const SqlNode& item : node["sortClause"].items())
    select.order.push_back(analyze_order(in, scope, select, item));
  select.limit = analyze_limit(in, node["limitCount"], "LIMIT");
  select.offset = analyze_limit(in, node["limitOffset"], "OFFSET");
  const auto aggregates = [](const auto& e) { return contains_aggregate(*e); };
  const bool is_grouped =
      !select.group_by.empty() || select.having ||
      std::any_of(select.columns.begin(), select.columns.end(), aggregates) ||
      std::any_of(select.order.begin(), select.order.end(),
                  [&](const OrderKey& key) { return aggregates(key.by); });
  if (is_grouped) check_grouping(in, select);
  analyze_locks(in, node, select, is_grouped);
}

bool locks_inside(const Source& source) {
  return source.rows && source.rows->query && locks_rows(*source.rows->query);
}

// Which rows are locked would be the plan's choice.
void check_cut(Analysis& in, const Select& select, const FromScope* outer) {
  const bool is_simple = outer == nullptr && select.from.size() == 1;
  const bool takes_all = !select.order.empty() || is_grouped(select);
  if (!select.limit || is_simple || takes_all) return;
  for (const Source& source : select.from)
    if (locks_inside(source))
      in.fail(
          source.rows->at,
          "LIMIT around a query that locks rows is not supported here; put it inside, or "
          "an ORDER BY beside it");
}

}  // namespace

SelectPtr analyze_select(Analysis& in, const SqlNode& node, const FromScope* outer) {
  auto select = std::make_shared<Select>();
  select->at = place_of_select(in, node);
  if (has_unsupported(in, node)) return select;
  const std::size_t errors_before = in.reporter.count();
  select->with = with_tables(in, node["withClause"], outer,
                             [&] { analyze_all(in, node, outer, *select); });
  if (in.reporter.count() == errors_before) inline_simple_sources(*select);
  if (in.reporter.count() == errors_before) check_cut(in, *select, outer);
  for (const ExpressionPtr& column : select->columns)
    select->at = join(select->at, column->at);
  return select;
}

}  // namespace isomer::program
