// SPDX-License-Identifier: MIT
// Expressions and queries.  Parentheses are put by precedence; casts that the front end put
// in are shown as x::type.
#include <algorithm>

#include <fmt/format.h>

#include "program/print/mariadb_text.h"
#include "program/print/print.h"
#include "program/print/scope.h"
#include "program/print/sqlite_text.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

// Binding strength, as in PostgreSQL: OR, AND, NOT, IS, comparison, other, + -, * / %, ^.
int strength(const Expression& e) {
  if (e.kind == Expression::Kind::InList || e.kind == Expression::Kind::InQuery) return 5;
  if (e.kind == Expression::Kind::AnyElement || e.kind == Expression::Kind::AllElements)
    return 4;
  if (e.kind != Expression::Kind::Call) return 10;
  switch (e.function) {
    case Function::Or:
      return 0;
    case Function::And:
      return 1;
    case Function::Not:
      return 2;
    case Function::IsNull:
    case Function::IsDistinct:
      return 3;
    case Function::Equal:
    case Function::NotEqual:
    case Function::Less:
    case Function::LessEqual:
    case Function::Greater:
    case Function::GreaterEqual:
      return 4;
    case Function::Like:
    case Function::Concat:
    case Function::ArrayConcat:
    case Function::ArrayContains:
    case Function::ArrayOverlaps:
    case Function::RangeContains:
    case Function::RangeContainsElement:
    case Function::RangeOverlaps:
      return 5;
    case Function::Add:
    case Function::Subtract:
      return 6;
    case Function::Multiply:
    case Function::Divide:
    case Function::Modulo:
      return 7;
    case Function::Power:
      return 8;
    case Function::Negate:
      return 9;
    default:
      return 10;
  }
}

std::string_view infix(const Expression& e) {
  switch (e.function) {
    case Function::Or:
      return "OR";
    case Function::And:
      return "AND";
    case Function::IsDistinct:
      return "IS DISTINCT FROM";
    case Function::Like:
      return "LIKE";
    case Function::Concat:
    case Function::ArrayConcat:
      return "||";
    case Function::Power:
      return "^";
    default:
      return name(e.function);
  }
}

std::string aggregate_name(Expression::Aggregator aggregator) {
  switch (aggregator) {
    case Expression::Aggregator::Count:
      return "count";
    case Expression::Aggregator::Sum:
      return "sum";
    case Expression::Aggregator::Min:
      return "min";
    case Expression::Aggregator::Max:
      return "max";
    case Expression::Aggregator::Avg:
      return "avg";
    case Expression::Aggregator::ArrayAgg:
      return "array_agg";
  }
  return {};
}

std::string call_text(const PrintScope& scope, const Expression& e) {
  const int own = strength(e);
  const auto operand = [&](const Expression& argument, bool is_right) {
    const std::string text = to_text(scope, argument);
    const int inner = strength(argument);
    if (scope.names.bindings != nullptr)
      return inner < 10 ? fmt::format("({})", text) : text;
    return inner < own || (is_right && inner == own && own > 1) ? fmt::format("({})", text)
                                                                : text;
  };
  if (e.function == Function::Not) return "NOT " + operand(*e.arguments[0], false);
  if (e.function == Function::Negate)
    return fmt::format("-{}", operand(*e.arguments[0], true));
  if (e.function == Function::IsNull) return operand(*e.arguments[0], true) + " IS NULL";
  if (own < 10) {
    std::string out;
    for (std::size_t i = 0; i < e.arguments.size(); ++i) {
      if (i != 0) out += fmt::format(" {} ", infix(e));
      out += operand(*e.arguments[i], i != 0);
    }
    return out;
  }
  if (e.function == Function::Element) {
    const bool is_name = e.arguments[0]->kind == Expression::Kind::Variable &&
                         scope.names.bindings == nullptr;
    const std::string array = to_text(scope, *e.arguments[0]);
    return fmt::format("{}[{}]", is_name ? array : fmt::format("({})", array),
                       to_text(scope, *e.arguments[1]));
  }
  if (e.function == Function::MakeList && e.type.kind == TypeKind::Array)
    return fmt::format("ARRAY[{}]", list_text(scope, e.arguments));
  // position() as a function of two arguments has another name.
  if (e.function == Function::MakeRange)
    return fmt::format("{}({})", to_text(e.type), list_text(scope, e.arguments));
  const bool is_position =
      e.function == Function::Position && scope.names.bindings != nullptr;
  return fmt::format("{}({})", is_position ? "strpos" : name(e.function),
                     list_text(scope, e.arguments));
}

// x = ANY (v)
std::string quantified_text(const PrintScope& scope, const Expression& e) {
  const bool is_any = e.kind == Expression::Kind::AnyElement;
  const std::string left = to_text(scope, *e.arguments[0]);
  return fmt::format(
      "{} {} {} ({})", strength(*e.arguments[0]) > 4 ? left : fmt::format("({})", left),
      name(e.function), is_any ? "ANY" : "ALL", to_text(scope, *e.arguments[1]));
}

std::string case_text(const PrintScope& scope, const Expression& e) {
  std::string out = "CASE";
  std::size_t i = 0;
  for (; i + 1 < e.arguments.size(); i += 2)
    out += fmt::format(" WHEN {} THEN {}", to_text(scope, *e.arguments[i]),
                       to_text(scope, *e.arguments[i + 1]));
  if (i < e.arguments.size()) out += " ELSE " + to_text(scope, *e.arguments[i]);
  return out + " END";
}

std::string cast_text(const PrintScope& scope, const Expression& e) {
  const std::string inner = to_text(scope, *e.arguments[0]);
  const bool is_atom = strength(*e.arguments[0]) == 10;
  return fmt::format("{}::{}", is_atom ? inner : fmt::format("({})", inner),
                     to_text(e.type));
}

// NULLS FIRST only where it is not what the direction says.
std::string direction_text(bool is_descending, bool nulls_first) {
  return std::string(is_descending ? " DESC" : "") + (nulls_first == is_descending ? ""
                                                      : nulls_first ? " NULLS FIRST"
                                                                    : " NULLS LAST");
}

std::string array_agg_text(const PrintScope& scope, const Expression& e) {
  std::vector<std::string> keys;
  for (std::size_t i = 1; i < e.arguments.size(); ++i)
    keys.push_back(
        to_text(scope, *e.arguments[i]) +
        direction_text(e.order[i - 1].is_descending, e.order[i - 1].nulls_first));
  return fmt::format("array_agg({}{}{}{})", e.is_distinct ? "DISTINCT " : "",
                     to_text(scope, *e.arguments[0]), keys.empty() ? "" : " ORDER BY ",
                     fmt::join(keys, ", "));
}

std::string aggregate_text(const PrintScope& scope, const Expression& e) {
  if (e.aggregator == Expression::Aggregator::ArrayAgg) return array_agg_text(scope, e);
  return fmt::format("{}({}{})", aggregate_name(e.aggregator),
                     e.is_distinct ? "DISTINCT " : "",
                     e.arguments.empty() ? "*" : list_text(scope, e.arguments));
}

std::string array_items(const Value& array) {
  std::vector<std::string> items;
  for (const Value& item : array.items())
    items.push_back(item.is_null() ? "NULL" : to_literal(item));
  return fmt::format("ARRAY[{}]", fmt::join(items, ", "));
}

// ARRAY[1, 2], or '{}'::integer[].
std::string array_literal(const Expression& e) {
  return e.value.items().empty() ? fmt::format("'{{}}'::{}", to_text(e.type))
                                 : array_items(e.value);
}

std::string in_text(const PrintScope& scope, const Expression& e) {
  const Expression& item = *e.arguments[0];
  std::string left = to_text(scope, item);
  if (scope.names.bindings != nullptr && strength(item) < 10)
    left = fmt::format("({})", left);
  if (e.query) return fmt::format("{} IN ({})", left, to_text(scope.within(), *e.query));
  const std::vector<ExpressionPtr> items(e.arguments.begin() + 1, e.arguments.end());
  return fmt::format("{} IN ({})", left, list_text(scope, items));
}

std::string column_names_text(const PrintNames& names, const Table& table) {
  std::vector<std::string> out;
  for (const Column& column : table.columns)
    out.push_back(name_text(names, column.name));
  return fmt::format("{}", fmt::join(out, ", "));
}

// `outside` is what is around the query in whose FROM the rows stand.
std::string rows_text(const PrintScope& outside, const Expression& e) {
  using RowsOf = Expression::RowsOf;
  switch (e.rows_of) {
    case RowsOf::Query:
      return to_text(outside.within(), *e.query);
    case RowsOf::Values: {
      std::vector<std::string> rows;
      for (const ExpressionPtr& row : e.arguments)
        rows.push_back(fmt::format("({})", list_text(outside, row->arguments)));
      return fmt::format("VALUES {}", fmt::join(rows, ", "));
    }
    case RowsOf::Change:
      return change_text(outside.names, *e.change);
    case RowsOf::Union:
    case RowsOf::Intersect:
    case RowsOf::Except:
      break;
  }
  return fmt::format("({}) {}{} ({})", rows_text(outside, *e.arguments[0]),
                     e.rows_of == RowsOf::Union       ? "UNION"
                     : e.rows_of == RowsOf::Intersect ? "INTERSECT"
                                                      : "EXCEPT",
                     e.is_distinct ? "" : " ALL", rows_text(outside, *e.arguments[1]));
}

PrintScope outside_of(const PrintScope& scope) {
  return {.names = scope.names, .sources = nullptr, .outer = scope.outer};
}

// t, t AS x, x of a WITH, (SELECT ..) x (a, b)
std::string source_text(const PrintScope& scope, const Source& source) {
  const PrintNames& names = scope.names;
  if (source.rows && source.common.empty())
    return fmt::format("({}) {} ({})", rows_text(outside_of(scope), *source.rows),
                       name_text(names, source.alias),
                       column_names_text(names, *source.shape));
  const std::string& name =
      source.rows ? source.common : names.program.tables[source.table.index].name;
  std::string out = name_text(names, name);
  if (source.alias != name) out += " " + name_text(names, source.alias);
  return out;
}

}  // namespace

std::string with_text(const PrintScope& scope, const std::vector<CommonTable>& with) {
  if (with.empty()) return {};
  std::vector<std::string> tables;
  for (const CommonTable& common : with) {
    const std::string columns = column_names_text(scope.names, *common.shape);
    tables.push_back(fmt::format("{}{} AS ({})", name_text(scope.names, common.name),
                                 columns.empty() ? "" : fmt::format(" ({})", columns),
                                 rows_text(outside_of(scope), *common.rows)));
  }
  return fmt::format("WITH {} ", fmt::join(tables, ", "));
}

std::string source_names(const PrintScope& scope, const std::vector<Source>& from) {
  std::string out;
  for (const Source& source : from) {
    // A comma would bind less than the LEFT JOIN behind it.
    if (!out.empty())
      out += source.left_join_on               ? " LEFT JOIN "
             : scope.names.bindings != nullptr ? " CROSS JOIN "
                                               : ", ";
    out += source_text(scope, source);
    if (source.left_join_on) out += " ON " + to_text(scope, *source.left_join_on);
  }
  return out;
}

std::string variable_text(const PrintNames& names, VariableId id,
                          std::optional<std::uint32_t> field) {
  if (names.variables == nullptr || id.index >= names.variables->size())
    return fmt::format("variable {}", id.index);
  const Variable& variable = (*names.variables)[id.index];
  // Other variables of that name are told apart by a number.
  const auto same =
      std::count_if(names.variables->begin(), names.variables->begin() + id.index,
                    [&](const Variable& other) { return other.name == variable.name; });
  // A local of a litmus program is no name of SQL.
  const bool is_sql = variable.type.kind != TypeKind::Any;
  std::string out = is_sql ? shown_name(variable.name) : variable.name;
  if (same != 0) out += fmt::format("#{}", same + 1);
  if (field && *field < variable.fields.size())
    out += "." + shown_name(variable.fields[*field]);
  return out;
}

std::string column_text(const PrintScope& scope, SourceId source, ColumnId column,
                        std::uint32_t outer) {
  const PrintScope* at = &scope;
  for (; outer > 0 && at->outer != nullptr; --outer)
    at = at->outer;
  if (at->sources == nullptr || source.index >= at->sources->size())
    return fmt::format("source {} column {}", source.index, column.index);
  const Source& of = (*at->sources)[source.index];
  const Table& table = table_of(scope.names.program, of);
  const bool is_alone = at->sources->size() == 1 && at == &scope &&
                        scope.outer == nullptr && scope.names.bindings == nullptr;
  const std::string name = name_text(scope.names, table.columns[column.index].name);
  // MariaDB: the row that INSERT .. ON DUPLICATE KEY UPDATE was to insert.
  if (of.alias == ".excluded") return fmt::format("VALUES({})", name);
  return is_alone || of.alias.empty() ? name
                                      : name_text(scope.names, of.alias) + "." + name;
}

std::string list_text(const PrintScope& scope, const std::vector<ExpressionPtr>& items) {
  std::vector<std::string> out;
  for (const ExpressionPtr& item : items)
    out.push_back(to_text(scope, *item));
  return fmt::format("{}", fmt::join(out, ", "));
}

// Other dialects know the types of constants by themselves.
std::string constant_text(const Value& value, const Type& type, Dialect dialect) {
  if (dialect == Dialect::Sqlite) return sqlite_constant(value);
  if (type.kind == TypeKind::Array && !value.is_null())
    return fmt::format("{}::{}", array_items(value), to_text(type));
  std::string text = value.is_null() ? "NULL" : to_literal(value);
  if (type.kind == TypeKind::Bool && !value.is_null()) return text;
  if (text.starts_with('-')) text = fmt::format("({})", text);
  return type.kind == TypeKind::Any || dialect != Dialect::PostgreSql
             ? text
             : fmt::format("{}::{}", text, to_text(unlimited(type)));
}

// What has a value before the statement starts, for a server that knows no variables.
static std::string bound_text(const PrintNames& names, const Expression& e) {
  const Bindings& bindings = *names.bindings;
  if (e.kind == Expression::Kind::Found) return bindings.found ? "true" : "false";
  if (e.kind == Expression::Kind::RowCount)
    return constant_text(Value::integer(bindings.row_count), e.type, names.dialect);
  if (e.kind != Expression::Kind::Variable)
    return constant_text(e.value, e.type, names.dialect);
  const Value& value = bindings.variables[e.variable.index];
  if (!e.field) return constant_text(value, e.type, names.dialect);
  const auto fields = value.items();
  return constant_text(*e.field < fields.size() ? fields[*e.field] : Value(), e.type,
                       names.dialect);
}

std::string to_text(const PrintScope& scope, const Expression& e) {
  using Kind = Expression::Kind;
  if (scope.names.bindings != nullptr &&
      (e.kind == Kind::Constant || e.kind == Kind::Variable || e.kind == Kind::Found ||
       e.kind == Kind::RowCount || e.kind == Kind::Symbol))
    return bound_text(scope.names, e);
  if (scope.names.dialect == Dialect::Sqlite)
    if (auto text = sqlite_text(scope, e)) return *std::move(text);
  if (scope.names.dialect == Dialect::MariaDb)
    if (auto text = mariadb_text(scope, e)) return *std::move(text);
  switch (e.kind) {
    case Expression::Kind::Constant:
      return e.type.kind == TypeKind::Array && !e.value.is_null() ? array_literal(e)
                                                                  : to_literal(e.value);
    case Expression::Kind::Variable:
      return variable_text(scope.names, e.variable, e.field);
    case Expression::Kind::Column:
      return column_text(scope, e.source, e.column, e.outer);
    case Expression::Kind::Call:
      return call_text(scope, e);
    case Expression::Kind::Case:
      return case_text(scope, e);
    case Expression::Kind::Cast:
      return cast_text(scope, e);
    case Expression::Kind::Exists:
      return fmt::format("EXISTS ({})", to_text(scope.within(), *e.query));
    case Expression::Kind::InQuery:
    case Expression::Kind::InList:
      return in_text(scope, e);
    case Expression::Kind::AnyElement:
    case Expression::Kind::AllElements:
      return quantified_text(scope, e);
    case Expression::Kind::ArrayQuery:
      return fmt::format("ARRAY({})", to_text(scope.within(), *e.query));
    case Expression::Kind::Scalar:
      return fmt::format("({})", to_text(scope.within(), *e.query));
    case Expression::Kind::RowCount:
      return "ROW_COUNT";
    case Expression::Kind::Found:
      return "FOUND";
    case Expression::Kind::Aggregate:
      return aggregate_text(scope, e);
    case Expression::Kind::FinalLocal:
      return e.label + "." + e.name;
    case Expression::Kind::Symbol:
      return "?" + e.name;
    case Expression::Kind::Rows:
      return fmt::format("({})", rows_text(scope, e));
  }
  return {};
}

namespace {

bool is_locked_alike(const Source& a, const Source& b) {
  return a.lock == b.lock && a.lock_wait == b.lock_wait;
}

// One clause for all tables that are locked alike; OF only if there are others.
std::string locks_text(const PrintNames& names, const Select& select) {
  std::string out;
  for (auto source = select.from.begin(); source != select.from.end(); ++source) {
    const auto is_same = [&](const Source& s) { return is_locked_alike(s, *source); };
    if (source->lock == Lock::None || std::any_of(select.from.begin(), source, is_same))
      continue;
    out += fmt::format(" {}", name(source->lock));
    std::vector<std::string> of;
    for (const Source& other : select.from)
      if (is_same(other)) of.push_back(name_text(names, other.alias));
    if (of.size() != select.from.size()) out += fmt::format(" OF {}", fmt::join(of, ", "));
    if (source->lock_wait == LockWait::NoWait) out += " NOWAIT";
    if (source->lock_wait == LockWait::SkipLocked) out += " SKIP LOCKED";
  }
  return out;
}

}  // namespace

static std::string groups_text(const PrintScope& scope,
                               const std::vector<ExpressionPtr>& groups) {
  if (scope.names.dialect != Dialect::MariaDb) return list_text(scope, groups);
  std::vector<std::string> keys;
  for (const ExpressionPtr& group : groups)
    keys.push_back(mariadb_key_text(scope, *group));
  return fmt::format("{}", fmt::join(keys, ", "));
}

std::string to_text(const PrintScope& around, const Select& select) {
  PrintScope scope = around;
  scope.sources = &select.from;
  std::string out = with_text(scope, select.with);
  out += select.is_distinct ? "SELECT DISTINCT " : "SELECT ";
  out += list_text(scope, select.columns);
  if (!select.from.empty()) out += " FROM " + source_names(scope, select.from);
  if (select.where) out += " WHERE " + to_text(scope, *select.where);
  if (!select.group_by.empty()) out += " GROUP BY " + groups_text(scope, select.group_by);
  if (select.having) out += " HAVING " + to_text(scope, *select.having);
  if (scope.names.dialect == Dialect::Sqlite) return out + sqlite_tail(scope, select);
  if (scope.names.dialect == Dialect::MariaDb) return out + mariadb_tail(scope, select);
  std::vector<std::string> keys;
  for (const OrderKey& key : select.order)
    keys.push_back(to_text(scope, *key.by) +
                   direction_text(key.is_descending, key.nulls_first));
  if (!keys.empty()) out += fmt::format(" ORDER BY {}", fmt::join(keys, ", "));
  if (select.limit) out += " LIMIT " + to_text(scope, *select.limit);
  if (select.offset) out += " OFFSET " + to_text(scope, *select.offset);
  return out + locks_text(scope.names, select);
}

std::string to_text(const PrintNames& names, const Expression& expression) {
  return to_text(PrintScope{.names = names}, expression);
}

std::string to_text(const PrintNames& names, const Select& select) {
  return to_text(PrintScope{.names = names}, select);
}

std::string argument_text(const PrintScope& scope, const Expression& e, std::size_t i) {
  return fmt::format("({})", to_text(scope, *e.arguments[i]));
}

std::string extreme_text(const PrintScope& scope, const Expression& e,
                         std::string_view function) {
  if (e.arguments.size() == 1) return argument_text(scope, e, 0);
  std::vector<std::string> choices;
  for (std::size_t i = 0; i < e.arguments.size(); ++i) {
    std::vector<std::string> order{to_text(scope, *e.arguments[i])};
    for (std::size_t j = 0; j < e.arguments.size(); ++j)
      if (j != i) order.push_back(to_text(scope, *e.arguments[j]));
    choices.push_back(fmt::format("coalesce({})", fmt::join(order, ", ")));
  }
  return fmt::format("{}({})", function, fmt::join(choices, ", "));
}

}  // namespace isomer::program
