// SPDX-License-Identifier: MIT
// UPDATE and DELETE, and what INSERT shares with them.
#include "program/sql/analysis.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "program/machine/references.h"

namespace isomer::program {

const Table& table_of(const Analysis& in, TableId id) {
  return in.program.tables[id.index];
}

ExpressionPtr stored(Analysis& in, ExpressionPtr value, TableId table, ColumnId column) {
  return coerced(in, std::move(value), table_of(in, table).columns[column.index].type,
                 Willing::Assignment);
}

ExpressionPtr default_of(const Analysis& in, TableId table, ColumnId column, Span at) {
  const Column& of = table_of(in, table).columns[column.index];
  return of.default_value ? of.default_value : make_constant({}, of.type, at);
}

bool refuse(Analysis& in, const SqlNode& node, std::string_view field,
            std::string_view words) {
  if (!node.has(field)) return false;
  in.fail(node["relation"], fmt::format("{} is not supported", words));
  return true;
}

FromScope scope_of(const SqlNode& relation, TableId table, std::string_view clause) {
  const SqlNode& alias = relation["alias"]["aliasname"];
  return {.outer = nullptr,
          .sources = {{.alias = alias.exists() ? alias.text() : relation["relname"].text(),
                       .table = table}},
          .no_aggregates_in = clause};
}

std::vector<Assignment> analyze_assignments(Analysis& in, const FromScope& scope,
                                            TableId table, const SqlNode& list) {
  std::vector<Assignment> out;
  for (const SqlNode& target : list.items()) {
    const Span at = in.text.at(target);
    if (target.has("indirection"))
      in.fail(at, "assignment to a part of a column is not supported");
    const ColumnId column = column_named(in, table, target["name"].text(), at);
    if (column.is_none()) continue;
    const SqlNode* value = &target["val"];
    if (value->is("MultiAssignRef")) {
      const auto& row = (*value)["source"]["args"].items();
      const auto place = static_cast<std::size_t>((*value)["colno"].number());
      if (!(*value)["source"].is("RowExpr") ||
          row.size() != static_cast<std::size_t>((*value)["ncolumns"].number())) {
        in.fail(at, "only a row of as many values can be assigned to several columns");
        continue;
      }
      value = &row[place - 1];
    }
    const bool is_twice = std::any_of(out.begin(), out.end(), [&](const Assignment& other) {
      return other.column == column;
    });
    if (is_twice) in.fail(at, fmt::format("column {} is set twice", target["name"].text()));
    const ExpressionPtr given = value->is("SetToDefault")
                                    ? default_of(in, table, column, at)
                                    : analyze_expression(in, scope, *value);
    out.push_back({.column = column, .value = stored(in, given, table, column)});
  }
  return out;
}

Statement change_statement(Statement::Kind kind, const Analysis& in) {
  Statement out;
  out.kind = kind;
  out.at = in.text.whole();
  return out;
}

namespace {

bool is_plain_list(const SqlNode& list) {
  return std::all_of(list.items().begin(), list.items().end(),
                     [](const SqlNode& item) { return item.is("RangeVar"); });
}

void refuse_star(Analysis& in, const SqlNode& node, const SqlNode& others) {
  if (!others.exists()) return;
  for (const SqlNode& output : node["returningList"].items()) {
    const auto& fields = output["val"]["fields"].items();
    if (fields.size() == 1 && fields[0].is("A_Star"))
      in.fail(output, "RETURNING * of several tables is not supported; name the columns");
  }
}

// Is the changed table's row known before any other table is read?
template <class Change>
bool is_pinned(const Analysis& in, const Change& change) {
  const auto mentions_source = [](const Expression& e) {
    bool out = false;
    visit_columns(e, 0, [&](const Expression&) { out = true; });
    return out;
  };
  std::set<ColumnId> open(table_of(in, change.table.table).primary_key.begin(),
                          table_of(in, change.table.table).primary_key.end());
  for (const Expression* part : conjuncts_of(change.where.get())) {
    if (part->kind != Expression::Kind::Call || part->function != Function::Equal) continue;
    for (const std::size_t side : {0U, 1U}) {
      const Expression& column = *part->arguments[side];
      if (column.kind == Expression::Kind::Column && column.outer == 0 &&
          column.source.index == change.target &&
          !mentions_source(*part->arguments[1 - side]))
        open.erase(column.column);
    }
  }
  return open.empty();
}

// The tables and the WHERE.  The changed table is joined last, so that the others can say
// which of its rows to read, unless the WHERE pins its row anyway.
template <class Change>
FromScope analyze_sources(Analysis& in, const SqlNode& node, const SqlNode& others,
                          TableId table, std::string_view clause, Change& change) {
  const FromScope alone = scope_of(node["relation"], table, clause);
  change.table = {.table = table, .alias = alone.sources[0].alias, .left_join_on = nullptr};
  refuse_star(in, node, others);
  const auto analyze = [&](bool is_first) {
    FromScope scope;
    std::vector<ExpressionPtr> conditions;
    if (is_first) scope.sources = alone.sources;
    change.from = analyze_from(in, others, scope, conditions);
    if (!is_first) scope.sources.push_back(alone.sources[0]);
    change.target = is_first ? 0 : static_cast<std::uint32_t>(change.from.size());
    if (const auto where = analyze_condition(in, scope, node["whereClause"], "WHERE"))
      conditions.push_back(where);
    change.where = conjunction(std::move(conditions));
    scope.no_aggregates_in = clause;
    return scope;
  };
  const std::size_t errors_before = in.reporter.count();
  FromScope scope = analyze(!others.exists());
  for (std::size_t i = 0; i < change.from.size(); ++i)
    if (change.from[i].alias == change.table.alias)
      in.fail(node["relation"],
              fmt::format("table name {} is used twice; give one an alias",
                          change.table.alias));
  if (in.reporter.count() != errors_before) return scope;
  if (change.target > 0 && is_plain_list(others) && is_pinned(in, change))
    return analyze(true);
  return scope;
}

}  // namespace

AnalyzedChange analyze_update(Analysis& in, const SqlNode& node) {
  AnalyzedChange out{.statement = change_statement(Statement::Kind::Update, in),
                     .returning = {}};
  auto update = std::make_shared<Update>();
  out.statement.update = update;
  const TableId table = table_named(in, node["relation"]);
  if (table.is_none()) return out;
  const std::size_t errors_before = in.reporter.count();
  update->with = with_tables(in, node["withClause"], nullptr, [&] {
    FromScope scope =
        analyze_sources(in, node, node["fromClause"], table, "UPDATE", *update);
    update->assignments = analyze_assignments(in, scope, table, node["targetList"]);
    scope.no_aggregates_in = "RETURNING";
    out.returning = analyze_outputs(in, scope, node["returningList"]);
    update->returning = out.returning.columns;
  });
  if (in.reporter.count() != errors_before) return out;
  inline_simple_sources(*update);
  out.returning.columns = update->returning;
  drop_unnamed(*update);
  return out;
}

AnalyzedChange analyze_delete(Analysis& in, const SqlNode& node) {
  AnalyzedChange out{.statement = change_statement(Statement::Kind::Delete, in),
                     .returning = {}};
  auto erase = std::make_shared<Delete>();
  out.statement.erase = erase;
  const TableId table = table_named(in, node["relation"]);
  if (table.is_none()) return out;
  const std::size_t errors_before = in.reporter.count();
  erase->with = with_tables(in, node["withClause"], nullptr, [&] {
    const FromScope scope =
        analyze_sources(in, node, node["usingClause"], table, "RETURNING", *erase);
    out.returning = analyze_outputs(in, scope, node["returningList"]);
    erase->returning = out.returning.columns;
  });
  if (in.reporter.count() != errors_before) return out;
  inline_simple_sources(*erase);
  out.returning.columns = erase->returning;
  drop_unnamed(*erase);
  return out;
}

// --- MERGE ---

namespace {

Merge::When analyze_when(Analysis& in, const SqlNode& node, const FromScope& scope,
                         const FromScope& both, TableId table) {
  using Act = Merge::When::Act;
  Merge::When out{.is_matched = node["matched"].truth()};
  const FromScope& here = out.is_matched ? both : scope;
  const std::string& command = node["commandType"].text();
  out.condition = analyze_condition(in, here, node["condition"], "WHEN");
  if (command == "CMD_UPDATE") {
    out.act = Act::Update;
    FromScope values = here;
    values.no_aggregates_in = "MERGE";
    out.assignments = analyze_assignments(in, values, table, node["targetList"]);
  }
  if (command == "CMD_DELETE") out.act = Act::Delete;
  if (command != "CMD_INSERT") return out;
  out.act = Act::Insert;
  const auto& values = node["values"].items();
  if (node["targetList"].items().empty())
    for (std::uint32_t i = 0; i < values.size(); ++i)
      out.columns.push_back({i});
  for (const SqlNode& target : node["targetList"].items())
    if (const ColumnId column =
            column_named(in, table, target["name"].text(), in.text.at(target));
        !column.is_none())
      out.columns.push_back(column);
  if (out.columns.size() != values.size() ||
      values.size() > table_of(in, table).columns.size()) {
    in.fail(in.text.whole(),
            fmt::format("INSERT has {} for {}", counted(values.size(), "value"),
                        counted(out.columns.size(), "column")));
    return out;
  }
  FromScope given = here;
  given.no_aggregates_in = "MERGE";
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ColumnId column = out.columns[i];
    const ExpressionPtr value = values[i].is("SetToDefault")
                                    ? default_of(in, table, column, in.text.at(values[i]))
                                    : analyze_expression(in, given, values[i]);
    out.values.push_back(stored(in, value, table, column));
  }
  return out;
}

void analyze_merge_parts(Analysis& in, const SqlNode& node, TableId table, Merge& merge) {
  const FromScope alone = scope_of(node["relation"], table, "MERGE");
  merge.table = {.table = table, .alias = alone.sources[0].alias, .left_join_on = nullptr};
  FromScope scope;
  const std::size_t errors_before = in.reporter.count();
  merge.from = analyze_one_source(in, node["sourceRelation"], scope);
  if (in.reporter.count() != errors_before) return;
  if (scope.sources[0].alias == merge.table.alias)
    return in.fail(
        node["relation"],
        fmt::format("table name {} is used twice; give one an alias", merge.table.alias));
  merge.target = 1;
  FromScope both = scope;
  both.sources.push_back(alone.sources[0]);
  merge.where = analyze_condition(in, both, node["joinCondition"], "JOIN conditions");
  bool is_decided[2] = {false, false};
  for (const SqlNode& when : node["mergeWhenClauses"].items()) {
    merge.whens.push_back(analyze_when(in, when, scope, both, table));
    bool& decided = is_decided[merge.whens.back().is_matched ? 1 : 0];
    if (decided)
      in.fail(in.text.whole(), "this WHEN stands behind another without a condition");
    decided |= merge.whens.back().condition == nullptr;
  }
}

}  // namespace

AnalyzedChange analyze_merge(Analysis& in, const SqlNode& node) {
  AnalyzedChange out{.statement = change_statement(Statement::Kind::Merge, in),
                     .returning = {}};
  auto merge = std::make_shared<Merge>();
  out.statement.merge = merge;
  const TableId table = table_named(in, node["relation"]);
  if (table.is_none()) return out;
  merge->with = with_tables(in, node["withClause"], nullptr,
                            [&] { analyze_merge_parts(in, node, table, *merge); });
  drop_unnamed(*merge);
  return out;
}

bool is_change(const SqlNode& node) {
  return node.is("InsertStmt") || node.is("UpdateStmt") || node.is("DeleteStmt") ||
         node.is("MergeStmt");
}

AnalyzedChange analyze_change(Analysis& in, const SqlNode& node) {
  if (node.is("InsertStmt")) return analyze_insert(in, node);
  if (node.is("UpdateStmt")) return analyze_update(in, node);
  return node.is("DeleteStmt") ? analyze_delete(in, node) : analyze_merge(in, node);
}

}  // namespace isomer::program
