// SPDX-License-Identifier: MIT
// INSERT.
#include <algorithm>

#include <fmt/format.h>

#include "program/sql/analysis.h"

namespace isomer::program {
namespace {

std::vector<ColumnId> insert_columns(Analysis& in, TableId table, const SqlNode& list,
                                     std::size_t width) {
  std::vector<ColumnId> out;
  for (const SqlNode& target : list.items()) {
    const Span at = in.text.at(target);
    const ColumnId column = column_named(in, table, target["name"].text(), at);
    if (column.is_none()) continue;
    if (std::find(out.begin(), out.end(), column) != out.end())
      in.fail(at, fmt::format("column {} is given twice", target["name"].text()));
    out.push_back(column);
  }
  if (!list.items().empty()) return out;
  const std::size_t count = std::min(width, table_of(in, table).columns.size());
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({static_cast<std::uint32_t>(i)});
  return out;
}

bool check_width(Analysis& in, const Insert& insert, std::size_t width, Span at) {
  if (width == insert.columns.size()) return true;
  in.fail(at, fmt::format("INSERT has {} for {}", counted(width, "value"),
                          counted(insert.columns.size(), "column")));
  return false;
}

void analyze_rows(Analysis& in, const SqlNode& rows, Insert& insert) {
  FromScope nothing;
  nothing.no_aggregates_in = "VALUES";
  for (const SqlNode& row : rows.items()) {
    if (in.reporter.is_full()) return;
    const auto& values = row.items();
    if (!check_width(in, insert, values.size(), in.text.at(values[0]))) return;
    std::vector<ExpressionPtr> out;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const ColumnId column = insert.columns[i];
      const ExpressionPtr value =
          values[i].is("SetToDefault")
              ? default_of(in, insert.table, column, in.text.at(values[i]))
              : analyze_expression(in, nothing, values[i]);
      out.push_back(stored(in, value, insert.table, column));
    }
    insert.rows.push_back(std::move(out));
  }
}

void analyze_insert_query(Analysis& in, const SqlNode& node, Insert& insert) {
  FromScope nothing;
  const std::size_t errors_before = in.reporter.count();
  Select query = *analyze_select(in, node["selectStmt"], &nothing);
  if (in.reporter.count() != errors_before && query.columns.empty()) return;
  insert.columns = insert_columns(in, insert.table, node["cols"], query.columns.size());
  if (!check_width(in, insert, query.columns.size(), query.at)) return;
  for (std::size_t i = 0; i < query.columns.size(); ++i)
    query.columns[i] =
        stored(in, unsettled_null(query.columns[i]), insert.table, insert.columns[i]);
  insert.query = std::make_shared<const Select>(std::move(query));
}

void analyze_on_conflict(Analysis& in, const SqlNode& node, const FromScope& target,
                         Insert& insert) {
  const SqlNode& clause = node["onConflictClause"];
  if (!clause.exists()) return;
  const bool is_update = clause["action"].text() == "ONCONFLICT_UPDATE";
  const Span at = in.text.at(clause);
  insert.on_conflict = is_update ? Insert::OnConflict::Update : Insert::OnConflict::Nothing;
  analyze_conflict_target(
      in, clause["infer"], insert,
      clause["infer"].has("location") ? in.text.at(clause["infer"]) : at);
  if (!is_update) return;
  if (!clause["infer"].exists())
    in.fail(at, "expected the columns of a key behind ON CONFLICT, before DO UPDATE");
  FromScope scope = target;
  scope.sources.push_back({.alias = "excluded", .table = insert.table});
  scope.no_aggregates_in = "ON CONFLICT";
  insert.updates = analyze_assignments(in, scope, insert.table, clause["targetList"]);
  insert.update_where = analyze_condition(in, scope, clause["whereClause"], "ON CONFLICT");
}

}  // namespace

namespace {

void analyze_insert_parts(Analysis& in, const SqlNode& node, AnalyzedChange& out,
                          Insert& insert) {
  if (node["override"].text() != "OVERRIDING_NOT_SET" && node.has("override"))
    in.fail(node["relation"], "OVERRIDING is not supported");
  const SqlNode& source = node["selectStmt"];
  const bool is_list = source.has("valuesLists") && !source.has("sortClause") &&
                       !source.has("limitCount") && !source.has("limitOffset") &&
                       !source.has("withClause");
  if (!source.exists()) {
    insert.rows.emplace_back();  // DEFAULT VALUES
  } else if (is_list) {
    const std::size_t width = source["valuesLists"].item(0).items().size();
    insert.columns = insert_columns(in, insert.table, node["cols"], width);
    analyze_rows(in, source["valuesLists"], insert);
  } else {
    analyze_insert_query(in, node, insert);
  }
  const FromScope target = scope_of(node["relation"], insert.table, "RETURNING");
  analyze_on_conflict(in, node, target, insert);
  out.returning = analyze_outputs(in, target, node["returningList"]);
  insert.returning = out.returning.columns;
}

}  // namespace

AnalyzedChange analyze_insert(Analysis& in, const SqlNode& node) {
  AnalyzedChange out{.statement = change_statement(Statement::Kind::Insert, in),
                     .returning = {}};
  auto insert = std::make_shared<Insert>();
  out.statement.insert = insert;
  insert->table = table_named(in, node["relation"]);
  if (insert->table.is_none()) return out;
  insert->with = with_tables(in, node["withClause"], nullptr,
                             [&] { analyze_insert_parts(in, node, out, *insert); });
  drop_unnamed(*insert);
  return out;
}

}  // namespace isomer::program
