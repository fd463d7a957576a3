// SPDX-License-Identifier: MIT
#include "program/sql/analysis.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "program/machine/references.h"

namespace isomer::program {
namespace {

// The table is the last of the program while its parts are read, so that CHECK and a
// reference to itself can name its columns.
struct NewTable {
  Analysis& in;
  Program& program;
  TableId id;

  [[nodiscard]] Table& table() const { return program.tables[id.index]; }
};

struct Refusal {
  std::string_view kind;
  std::string_view construct;
};

constexpr std::array refused_constraints = {
    Refusal{"CONSTR_IDENTITY",
            "GENERATED AS IDENTITY (the next number is an input of the call)"},
    Refusal{"CONSTR_GENERATED", "a generated column"},
};

std::vector<ColumnId> columns_of(NewTable& to, const SqlNode& names, TableId table,
                                 Span at) {
  std::vector<ColumnId> out;
  for (const SqlNode& name : names.items()) {
    const ColumnId column = column_named(to.in, table, name.name(), at);
    if (!column.is_none()) out.push_back(column);
  }
  return out;
}

// A constraint as it is written, with what stands behind it: for a column, the parser has
// DEFERRABLE and INITIALLY DEFERRED as constraints of their own.
struct WrittenConstraint {
  const SqlNode& node;
  Deferral deferral = Deferral::None;
  Span at;

  [[nodiscard]] std::string name(const std::string& by_default) const {
    const std::string& given = node["conname"].text();
    return given.empty() ? by_default : given;
  }
};

Deferral deferral_of(bool is_deferrable, bool is_deferred) {
  if (is_deferred) return Deferral::InitiallyDeferred;
  return is_deferrable ? Deferral::InitiallyImmediate : Deferral::None;
}

std::string default_name(const Table& table, const std::vector<ColumnId>& columns,
                         std::string_view ending) {
  std::string out = table.name;
  for (const ColumnId column : columns)
    out += '_' + table.columns[column.index].name;
  return fmt::format("{}_{}", out, ending);
}

void add_primary_key(NewTable& to, const WrittenConstraint& written,
                     std::vector<ColumnId> columns) {
  Table& table = to.table();
  const Span at = written.at;
  if (!table.primary_key.empty())
    return to.in.fail(at, fmt::format("table {} has two primary keys", table.name));
  for (const ColumnId column : columns)
    table.columns[column.index].is_not_null = true;
  table.primary_key = std::move(columns);
  table.primary_key_name = written.name(table.name + "_pkey");
  table.primary_key_deferral = written.deferral;
}

void add_unique(NewTable& to, const WrittenConstraint& written,
                std::vector<ColumnId> columns) {
  Table& table = to.table();
  if (written.deferral == Deferral::None) return table.unique.push_back(std::move(columns));
  IndexConstraint constraint{.name = written.name(default_name(table, columns, "key")),
                             .parts = {},
                             .where = nullptr,
                             .deferral = written.deferral,
                             .is_constraint = true,
                             .unique_before = table.unique.size(),
                             .at = written.at};
  for (const ColumnId column : columns) {
    Expression value;
    value.kind = Expression::Kind::Column;
    value.type = table.columns[column.index].type;
    value.at = written.at;
    value.source = {0};
    value.column = column;
    constraint.parts.push_back({.value = make(std::move(value))});
  }
  table.index_constraints.push_back(std::move(constraint));
}

// PostgreSQL's own name for a constraint without one: table_column_check if the condition
// mentions one column, table_check otherwise; a number makes it unique.
std::string check_name(const Table& table, const Expression& condition) {
  std::set<ColumnId> columns;
  visit_columns(condition, 0,
                [&](const Expression& column) { columns.insert(column.column); });
  std::string base = table.name + '_';
  if (columns.size() == 1) base += table.columns[columns.begin()->index].name + '_';
  base += "check";
  std::string out = base;
  const auto is_taken = [&](const Check& check) { return check.name == out; };
  for (int i = 1; std::any_of(table.checks.begin(), table.checks.end(), is_taken); ++i)
    out = fmt::format("{}{}", base, i);
  return out;
}

void add_check(NewTable& to, const SqlNode& node, Span at) {
  const FromScope scope{.outer = nullptr,
                        .sources = {{.alias = to.table().name, .table = to.id}},
                        .no_aggregates_in = "CHECK"};
  const ExpressionPtr condition =
      analyze_condition(to.in, scope, node["raw_expr"], "CHECK");
  if (contains_query(*condition)) to.in.fail(at, "CHECK cannot have a subquery");
  std::string name = node["conname"].text();
  if (name.empty()) name = check_name(to.table(), *condition);
  to.table().checks.push_back({.name = std::move(name), .condition = condition, .at = at});
}

bool is_same_kinds(const Table& a, const std::vector<ColumnId>& left, const Table& b,
                   const std::vector<ColumnId>& right) {
  for (std::size_t i = 0; i < left.size(); ++i)
    if (!common_kind(a.columns[left[i].index].type.kind,
                     b.columns[right[i].index].type.kind))
      return false;
  return true;
}

// One that references can go by: it is not DEFERRABLE.
bool is_key(const Table& table, std::vector<ColumnId> columns) {
  const auto sorted = [](std::vector<ColumnId> key) {
    std::sort(key.begin(), key.end());
    return key;
  };
  columns = sorted(std::move(columns));
  return (sorted(table.primary_key) == columns &&
          table.primary_key_deferral == Deferral::None) ||
         std::any_of(table.unique.begin(), table.unique.end(),
                     [&](const auto& key) { return sorted(key) == columns; });
}

bool is_deferrable_key(const Table& table, const std::vector<ColumnId>& columns) {
  const auto is_same_set = [&](const std::vector<ColumnId>& key) {
    return std::is_permutation(key.begin(), key.end(), columns.begin(), columns.end());
  };
  return (table.primary_key_deferral != Deferral::None && is_same_set(table.primary_key)) ||
         std::any_of(table.index_constraints.begin(), table.index_constraints.end(),
                     [&](const IndexConstraint& index) {
                       const auto key = index.columns();
                       return key && index.deferral != Deferral::None && is_same_set(*key);
                     });
}

// By its letter in PostgreSQL's catalogue.
ReferenceAction action_of(std::string_view letter) {
  if (letter == "r") return ReferenceAction::Restrict;
  if (letter == "c") return ReferenceAction::Cascade;
  if (letter == "n") return ReferenceAction::SetNull;
  return letter == "d" ? ReferenceAction::SetDefault : ReferenceAction::NoAction;
}

void add_foreign_key(NewTable& to, const WrittenConstraint& written,
                     std::vector<ColumnId> columns) {
  Analysis& in = to.in;
  const SqlNode& node = written.node;
  const Span at = written.at;
  const TableId target = table_named(in, node["pktable"]);
  if (target.is_none()) return;
  if (node.has("fk_del_set_cols"))
    return in.fail(at, "SET NULL or SET DEFAULT of some of the columns is not supported");
  if (node["fk_matchtype"].text() == "f") return in.fail(at, "MATCH FULL is not supported");
  const Table& other = to.program.tables[target.index];
  ForeignKey key{.name = written.name(default_name(to.table(), columns, "fkey")),
                 .columns = std::move(columns),
                 .table = target,
                 .referenced = {},
                 .on_delete = action_of(node["fk_del_action"].text()),
                 .on_update = action_of(node["fk_upd_action"].text()),
                 .deferral = written.deferral,
                 .at = at};
  key.referenced = node.has("pk_attrs") ? columns_of(to, node["pk_attrs"], target, at)
                                        : other.primary_key;
  if (key.referenced.size() != key.columns.size())
    return in.fail(at, fmt::format("the foreign key has {} columns, but refers to {}",
                                   key.columns.size(), key.referenced.size()));
  if (!is_key(other, key.referenced))
    return in.fail(
        at, is_deferrable_key(other, key.referenced)
                ? fmt::format("a foreign key cannot refer to columns of {} whose "
                              "uniqueness is DEFERRABLE",
                              other.name)
                : fmt::format("a foreign key must refer to the primary key or unique "
                              "columns of {}",
                              other.name));
  if (!is_same_kinds(to.table(), key.columns, other, key.referenced))
    return in.fail(
        at, "the columns of the foreign key have other types than those it refers to");
  to.table().foreign_keys.push_back(std::move(key));
}

bool is_attribute(const SqlNode& node) {
  return node["contype"].text().starts_with("CONSTR_ATTR_");
}

// A constraint of one column (`columns` has it), or of the table.
void add_constraint(NewTable& to, const WrittenConstraint& written,
                    std::vector<ColumnId> columns) {
  const SqlNode& node = written.node;
  const std::string& kind = node["contype"].text();
  const Span at = written.at;
  if (columns.empty()) {
    const bool is_foreign = kind == "CONSTR_FOREIGN";
    columns = columns_of(to, node[is_foreign ? "fk_attrs" : "keys"], to.id, at);
  }
  for (const Refusal& refusal : refused_constraints)
    if (kind == refusal.kind)
      return to.in.fail(at, fmt::format("{} is not supported", refusal.construct));
  if (node.has("indexspace") || node.has("including") || node["nulls_not_distinct"].truth())
    return to.in.fail(at, "this option of the constraint is not supported");
  if (kind == "CONSTR_PRIMARY") return add_primary_key(to, written, std::move(columns));
  if (kind == "CONSTR_UNIQUE") return add_unique(to, written, std::move(columns));
  if (kind == "CONSTR_FOREIGN") return add_foreign_key(to, written, std::move(columns));
  if (kind == "CONSTR_EXCLUSION")
    return add_exclusion(to.in, node, to.id, written.deferral, to.table());
  if (written.deferral != Deferral::None)
    return to.in.fail(at,
                      "only UNIQUE, PRIMARY KEY, EXCLUDE and REFERENCES can be DEFERRABLE");
  if (kind == "CONSTR_CHECK") return add_check(to, node, at);
  if (kind == "CONSTR_NOTNULL")
    to.table().columns[columns[0].index].is_not_null = true;
  else if (kind != "CONSTR_NULL" && kind != "CONSTR_DEFAULT")
    to.in.fail(at, "this constraint is not supported");
}

void add_default(NewTable& to, const SqlNode& node, Column& column) {
  const FromScope nothing{.outer = nullptr, .sources = {}, .no_aggregates_in = "DEFAULT"};
  const ExpressionPtr value =
      coerced(to.in, analyze_expression(to.in, nothing, node["raw_expr"]), column.type,
              Willing::Assignment);
  if (!is_broken(*value) && value->kind != Expression::Kind::Constant)
    to.in.fail(value->at, "a DEFAULT that is not a constant is not supported");
  column.default_value = value;
}

void add_column(NewTable& to, const SqlNode& node) {
  Analysis& in = to.in;
  Column column;
  column.name = node["colname"].text();
  column.at = in.text.at(node);
  const auto of = type_of(node["typeName"]);
  if (of)
    column.type = *of;
  else
    in.fail(node["typeName"], of.error());
  if (column.type.kind == TypeKind::Array)
    in.fail(node["typeName"],
            "columns of array types are not supported; make a table with a row for each "
            "element");
  if (node.has("collClause")) in.fail(node["collClause"], "COLLATE is not supported");
  if (find_column(to.table(), column.name))
    return in.fail(column.at, fmt::format("column {} is defined twice", column.name));
  for (const SqlNode& constraint : node["constraints"].items())
    if (constraint["contype"].text() == "CONSTR_DEFAULT")
      add_default(to, constraint, column);
  to.table().columns.push_back(std::move(column));
}

void add_column_constraints(NewTable& to, const SqlNode& node) {
  const auto column = find_column(to.table(), node["colname"].text());
  if (!column) return;
  const auto& written = node["constraints"].items();
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (is_attribute(written[i])) continue;
    bool is_deferrable = false;
    bool is_deferred = false;
    for (std::size_t j = i + 1; j < written.size() && is_attribute(written[j]); ++j) {
      is_deferrable |= written[j]["contype"].text() == "CONSTR_ATTR_DEFERRABLE";
      is_deferred |= written[j]["contype"].text() == "CONSTR_ATTR_DEFERRED";
    }
    add_constraint(to,
                   {.node = written[i],
                    .deferral = deferral_of(is_deferrable, is_deferred),
                    .at = to.in.text.at(written[i])},
                   {*column});
  }
}

void add_table_constraint(NewTable& to, const SqlNode& node) {
  add_constraint(
      to,
      {.node = node,
       .deferral = deferral_of(node["deferrable"].truth(), node["initdeferred"].truth()),
       .at = to.in.text.at(node)},
      {});
}

bool refuse_options(Analysis& in, const SqlNode& node) {
  constexpr std::array options = {
      Refusal{"inhRelations", "INHERITS"},
      Refusal{"partspec", "PARTITION BY"},
      Refusal{"partbound", "PARTITION OF"},
      Refusal{"ofTypename", "OF a type"},
  };
  for (const Refusal& option : options)
    if (node.has(option.kind)) {
      in.fail(node["relation"], fmt::format("{} is not supported", option.construct));
      return true;
    }
  if (node["relation"]["relpersistence"].text() != "t") return false;
  in.fail(node["relation"], "a temporary table is not supported");
  return true;
}

}  // namespace

void analyze_create_table(Analysis& in, const SqlNode& node, Program& program) {
  const std::string& name = node["relation"]["relname"].text();
  const Span at = in.text.at(node["relation"]);
  if (refuse_options(in, node)) return;
  for (const Table& other : program.tables)
    if (other.name == name) {
      if (node["if_not_exists"].truth()) return;
      in.fail(at, fmt::format("table {} is created twice", name));
      return in.reporter.note(other.at.first, "first here");
    }
  NewTable to{.in = in,
              .program = program,
              .id = {static_cast<std::uint32_t>(program.tables.size())}};
  program.tables.emplace_back();
  to.table().name = name;
  to.table().at = at;
  for (const SqlNode& element : node["tableElts"].items())
    if (element.is("ColumnDef"))
      add_column(to, element);
    else if (!element.is("Constraint"))
      in.fail(at, "LIKE another table is not supported");
  for (const SqlNode& element : node["tableElts"].items())
    if (element.is("ColumnDef"))
      add_column_constraints(to, element);
    else if (element.is("Constraint"))
      add_table_constraint(to, element);
  if (to.table().primary_key.empty())
    in.fail(at, fmt::format("table {} has no primary key", name));
}

}  // namespace isomer::program
