// SPDX-License-Identifier: MIT
// CREATE INDEX, and what names the constraints behind unique indexes: the target of ON
// CONFLICT, and SET CONSTRAINTS.
#include <algorithm>

#include <fmt/format.h>

#include "program/machine/references.h"
#include "program/sql/analysis.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

FromScope row_scope(const Analysis& in, TableId table, std::string_view clause) {
  return {.outer = nullptr,
          .sources = {{.alias = table_of(in, table).name, .table = table}},
          .no_aggregates_in = clause};
}

// What a part of an index is of: a column, or an expression in parentheses.
ExpressionPtr index_part(Analysis& in, const FromScope& scope, const SqlNode& element,
                         TableId table, Span at) {
  if (!element.has("name")) return analyze_expression(in, scope, element["expr"]);
  const ColumnId column = column_named(in, table, element["name"].text(), at);
  if (column.is_none()) return broken(at);
  Expression out;
  out.kind = Expression::Kind::Column;
  out.type = table_of(in, table).columns[column.index].type;
  out.at = at;
  out.source = {0};
  out.column = column;
  return make(std::move(out));
}

std::string part_name(const SqlNode& element) {
  const SqlNode& call = element["expr"]["funcname"];
  return element.has("name") ? element["name"].text()
         : call.exists()     ? call.items().back().name()
                             : "expr";
}

// As PostgreSQL calls an index without a name: by its columns and functions.
std::string index_name(const Table& table, const SqlNode& node) {
  if (node.has("idxname")) return node["idxname"].text();
  std::string out = table.name;
  for (const SqlNode& element : node["indexParams"].items())
    out += '_' + part_name(element);
  return out + "_idx";
}

void add_index_constraint(Analysis& in, const SqlNode& node, TableId id, Table& table) {
  constexpr std::string_view clause = "a UNIQUE INDEX";
  const Span at = in.text.at(node["relation"]);
  const FromScope scope = row_scope(in, id, clause);
  IndexConstraint out{.name = index_name(table, node),
                      .parts = {},
                      .where = nullptr,
                      .unique_before = table.unique.size(),
                      .at = at};
  for (const SqlNode& element : node["indexParams"].items())
    out.parts.push_back({.value = index_part(in, scope, element, id, at)});
  if (node.has("whereClause"))
    out.where = analyze_condition(in, scope, node["whereClause"], clause);
  const auto has_query = [](const ExpressionPtr& e) { return e && contains_query(*e); };
  if (has_query(out.where) || std::ranges::any_of(out.parts, [&](const auto& part) {
        return has_query(part.value);
      }))
    return in.fail(at, "a UNIQUE INDEX cannot have a subquery");
  table.index_constraints.push_back(std::move(out));
}

}  // namespace

void analyze_create_index(Analysis& in, const SqlNode& node, Program& program) {
  const TableId table = table_named(in, node["relation"]);
  if (table.is_none()) return;
  const bool is_unique = node["unique"].truth();
  const Span at = in.text.at(node["relation"]);
  if (node["nulls_not_distinct"].truth())
    return in.fail(at, "NULLS NOT DISTINCT is not supported");
  std::vector<ColumnId> columns;
  bool is_of_columns = !node.has("whereClause");
  for (const SqlNode& element : node["indexParams"].items()) {
    if (!element.has("name")) is_of_columns = false;
    if (!is_of_columns) break;
    const ColumnId column = column_named(in, table, element["name"].text(), at);
    if (column.is_none()) return;
    columns.push_back(column);
  }
  Table& of = program.tables[table.index];
  if (is_of_columns)
    (is_unique ? of.unique : of.indexes).push_back(std::move(columns));
  else if (is_unique)
    add_index_constraint(in, node, table, of);
}

// --- EXCLUDE ---

namespace {

// A value, and the sign with which two of it exclude each other.
std::optional<IndexConstraint::Part> exclusion_part(Analysis& in, const FromScope& scope,
                                                    const SqlNode& item, TableId id,
                                                    Span at) {
  const std::string& sign = item.item(1).items().back().name();
  IndexConstraint::Part out{.value = index_part(in, scope, item.item(0), id, at)};
  if (is_broken(*out.value)) return std::nullopt;
  if (sign == "=") return out;
  if (sign == "&&" && out.value->type.kind == TypeKind::Range) {
    out.operation = Function::RangeOverlaps;
    return out;
  }
  in.fail(at, fmt::format("EXCLUDE of {} WITH {} is not supported",
                          to_text(out.value->type), sign));
  return std::nullopt;
}

}  // namespace

void add_exclusion(Analysis& in, const SqlNode& node, TableId id, Deferral deferral,
                   Table& table) {
  constexpr std::string_view clause = "EXCLUDE";
  const Span at = in.text.at(node);
  const FromScope scope = row_scope(in, id, clause);
  IndexConstraint out{.name = table.name,
                      .parts = {},
                      .where = nullptr,
                      .deferral = deferral,
                      .is_exclusion = true,
                      .is_constraint = true,
                      .unique_before = table.unique.size(),
                      .at = at};
  for (const SqlNode& item : node["exclusions"].items()) {
    auto part = exclusion_part(in, scope, item, id, at);
    if (!part) return;
    out.name += '_' + part_name(item.item(0));
    out.parts.push_back(std::move(*part));
  }
  out.name = node["conname"].text().empty() ? out.name + "_excl" : node["conname"].text();
  if (node.has("where_clause"))
    out.where = analyze_condition(in, scope, node["where_clause"], clause);
  const auto has_query = [](const ExpressionPtr& e) { return e && contains_query(*e); };
  if (has_query(out.where) || std::ranges::any_of(out.parts, [&](const auto& part) {
        return has_query(part.value);
      }))
    return in.fail(at, "EXCLUDE cannot have a subquery");
  table.index_constraints.push_back(std::move(out));
}

// --- ON CONFLICT ---

namespace {

std::vector<ColumnId> sorted(std::vector<ColumnId> columns) {
  std::ranges::sort(columns);
  return columns;
}

bool has_alike(const std::vector<ExpressionPtr>& in, const Expression& one) {
  return std::ranges::any_of(in, [&](const auto& other) { return is_equal(*other, one); });
}

// Does ON CONFLICT speak of this index?  PostgreSQL also takes a WHERE from which that of
// the index follows in other words; we want its words.
bool is_meant(const Insert& insert, const IndexConstraint& index) {
  std::vector<ColumnId> columns;
  std::vector<ExpressionPtr> expressions;
  for (const auto& part : index.parts)
    if (part.value->kind == Expression::Kind::Column)
      columns.push_back(part.value->column);
    else
      expressions.push_back(part.value);
  const auto is_said = [&](const Expression* condition) {
    return std::ranges::any_of(
        conjuncts_of(insert.conflict_where.get()),
        [&](const auto* said) { return is_equal(*said, *condition); });
  };
  return !index.is_exclusion && sorted(columns) == sorted(insert.conflict_columns) &&
         std::ranges::all_of(
             expressions,
             [&](const auto& e) { return has_alike(insert.conflict_expressions, *e); }) &&
         std::ranges::all_of(insert.conflict_expressions,
                             [&](const auto& e) { return has_alike(expressions, *e); }) &&
         std::ranges::all_of(conjuncts_of(index.where.get()), is_said);
}

bool is_of_plain_key(const Table& table, const Insert& insert) {
  const auto columns = sorted(insert.conflict_columns);
  return insert.conflict_expressions.empty() &&
         (sorted(table.primary_key) == columns ||
          std::ranges::any_of(table.unique,
                              [&](const auto& key) { return sorted(key) == columns; }));
}

// Without a target ON CONFLICT DO NOTHING is about all of them.
bool means_deferrable(const Table& table, const Insert& insert) {
  const auto is_deferrable = [&](const IndexConstraint& index) {
    return index.deferral != Deferral::None &&
           (!has_conflict_target(insert) || is_meant(insert, index));
  };
  const bool is_of_primary_key =
      !has_conflict_target(insert) ||
      (insert.conflict_expressions.empty() &&
       sorted(insert.conflict_columns) == sorted(table.primary_key));
  return (table.primary_key_deferral != Deferral::None && is_of_primary_key) ||
         std::ranges::any_of(table.index_constraints, is_deferrable);
}

}  // namespace

void analyze_conflict_target(Analysis& in, const SqlNode& infer, Insert& insert, Span at) {
  if (infer.has("conname")) in.fail(at, "ON CONFLICT ON CONSTRAINT is not supported");
  constexpr std::string_view clause = "ON CONFLICT";
  const FromScope scope = row_scope(in, insert.table, clause);
  const std::size_t errors_before = in.reporter.count();
  for (const SqlNode& element : infer["indexElems"].items()) {
    const std::string& name = element["name"].text();
    if (!name.empty() && in.variables != nullptr && !in.variables->columns_hide_variables &&
        in.variables->find(std::vector{name}))
      in.fail(at, fmt::format("{} is ambiguous: it could be a variable or a column", name));
    const ExpressionPtr part = index_part(in, scope, element, insert.table, at);
    if (part->kind == Expression::Kind::Column)
      insert.conflict_columns.push_back(part->column);
    else
      insert.conflict_expressions.push_back(part);
  }
  if (infer.has("whereClause"))
    insert.conflict_where = analyze_condition(in, scope, infer["whereClause"], clause);
  if (in.reporter.count() != errors_before) return;
  const Table& table = table_of(in, insert.table);
  if (means_deferrable(table, insert))
    return in.fail(at, "ON CONFLICT cannot go by a constraint that is DEFERRABLE");
  if (!has_conflict_target(insert)) return;
  for (std::uint32_t i = 0; i < table.index_constraints.size(); ++i)
    if (is_meant(insert, table.index_constraints[i])) insert.conflict_indexes.push_back(i);
  if (insert.conflict_indexes.empty() && !is_of_plain_key(table, insert))
    in.fail(at, table.index_constraints.empty()
                    ? "there is no primary key or unique constraint on the columns of ON "
                      "CONFLICT"
                    : "there is no primary key or unique index on the columns of ON "
                      "CONFLICT, whose WHERE must be that of the index");
}

// --- SET CONSTRAINTS ---

namespace {

std::vector<ConstraintId> deferrable_ones(const std::vector<Table>& tables,
                                          const std::string& name) {
  std::vector<ConstraintId> out;
  for (std::uint32_t i = 0; i < tables.size(); ++i) {
    const Table& table = tables[i];
    const auto add = [&](ConstraintId::Kind kind, std::size_t number, const std::string& of,
                         Deferral deferral) {
      if (of == name && deferral != Deferral::None)
        out.push_back(
            {.table = {i}, .kind = kind, .number = static_cast<std::uint32_t>(number)});
    };
    using Kind = ConstraintId::Kind;
    add(Kind::PrimaryKey, 0, table.primary_key_name, table.primary_key_deferral);
    for (std::size_t j = 0; j < table.index_constraints.size(); ++j)
      add(Kind::Index, j, table.index_constraints[j].name,
          table.index_constraints[j].deferral);
    for (std::size_t j = 0; j < table.foreign_keys.size(); ++j)
      add(Kind::ForeignKey, j, table.foreign_keys[j].name, table.foreign_keys[j].deferral);
  }
  return out;
}

}  // namespace

Statement analyze_set_constraints(Analysis& in, const SqlNode& node) {
  Statement out;
  out.kind = Statement::Kind::SetConstraints;
  out.at = in.text.whole();
  out.is_deferred = node["deferred"].truth();
  for (const SqlNode& constraint : node["constraints"].items()) {
    const std::string& name = constraint["relname"].text();
    const auto named = deferrable_ones(in.program.tables, name);
    if (named.empty())
      in.fail(out.at, fmt::format("there is no constraint {} that is DEFERRABLE", name));
    out.constraints.insert(out.constraints.end(), named.begin(), named.end());
  }
  return out;
}

}  // namespace isomer::program
