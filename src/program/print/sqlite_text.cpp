// SPDX-License-Identifier: MIT
#include "program/print/sqlite_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/machine/references.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

using Kind = Expression::Kind;

// --- functions ---

std::optional<std::string> call_text(const PrintScope& scope, const Expression& e) {
  switch (e.function) {
    case Function::Greatest:
      return extreme_text(scope, e, "max");
    case Function::Least:
      return extreme_text(scope, e, "min");
    case Function::Coalesce:
      if (e.arguments.size() == 1) return argument_text(scope, e, 0);
      return std::nullopt;
    // Of integers.
    case Function::Round:
    case Function::Ceil:
    case Function::Floor:
      return argument_text(scope, e, 0);
    case Function::Substring:
      return fmt::format("substr({})", list_text(scope, e.arguments));
    case Function::Position:
      return fmt::format("instr({})", list_text(scope, e.arguments));
    case Function::Like:
      return fmt::format("({} LIKE {} ESCAPE '\\')", argument_text(scope, e, 0),
                         argument_text(scope, e, 1));
    case Function::StartsWith:
      return fmt::format("(substr({0}, 1, length({1})) = {1})", argument_text(scope, e, 0),
                         argument_text(scope, e, 1));
    default:
      return std::nullopt;
  }
}

// Between kinds of integers nothing changes; those that do not fit are errors before.
std::string cast_text(const PrintScope& scope, const Expression& e) {
  const TypeKind from = e.arguments[0]->type.kind;
  const std::string inner = argument_text(scope, e, 0);
  if (e.type.kind == TypeKind::Bool && is_integer(from))
    return fmt::format("({} <> 0)", inner);
  if (e.type.kind == TypeKind::Text && is_integer(from))
    return fmt::format("CAST({} AS TEXT)", inner);
  if (e.type.kind == TypeKind::Text && e.type.length_max)
    return fmt::format("substr({}, 1, {})", inner, *e.type.length_max);
  return inner;
}

std::string direction(bool is_descending, bool nulls_first) {
  return fmt::format("{} NULLS {}", is_descending ? " DESC" : "",
                     nulls_first ? "FIRST" : "LAST");
}

// A number alone would be the place of a column.
std::string key_text(const PrintScope& scope, const Expression& by) {
  const bool is_constant = by.kind == Kind::Constant || by.kind == Kind::Variable;
  const std::string text = to_text(scope, by);
  return is_constant ? fmt::format("CASE WHEN 1 THEN {} END", text) : text;
}

}  // namespace

std::string sqlite_constant(const Value& value) {
  if (value.is_null()) return "NULL";
  if (const auto* truth = value.get_if<bool>()) return *truth ? "1" : "0";
  if (value.get_if<Date>() != nullptr || value.get_if<Timestamp>() != nullptr)
    return to_literal(Value::text(to_text(value)));
  const std::string text = to_literal(value);
  return text.starts_with('-') ? fmt::format("({})", text) : text;
}

std::optional<std::string> sqlite_text(const PrintScope& scope, const Expression& e) {
  if (e.kind == Kind::Call) return call_text(scope, e);
  if (e.kind == Kind::Cast) return cast_text(scope, e);
  return std::nullopt;
}

std::string sqlite_tail(const PrintScope& scope, const Select& select) {
  std::vector<std::string> keys;
  for (const OrderKey& key : select.order)
    keys.push_back(key_text(scope, *key.by) +
                   direction(key.is_descending, key.nulls_first));
  const bool is_seen = scope.outer == nullptr || select.limit || select.offset;
  if (is_seen && !is_grouped(select) && !select.is_distinct)
    for (const Source& source : select.from) {
      const Table& table = scope.names.program.tables[source.table.index];
      for (const ColumnId column : table.primary_key)
        keys.push_back(name_text(scope.names, source.alias) + "." +
                       name_text(scope.names, table.columns[column.index].name));
    }
  std::string out;
  if (!keys.empty()) out += fmt::format(" ORDER BY {}", fmt::join(keys, ", "));
  if (select.limit)
    out += fmt::format(" LIMIT coalesce({}, -1)", to_text(scope, *select.limit));
  else if (select.offset)
    out += " LIMIT -1";
  if (select.offset)
    out += fmt::format(" OFFSET coalesce({}, 0)", to_text(scope, *select.offset));
  return out;
}

// --- types ---

bool is_kept_by_sqlite(const Type& type) {
  constexpr std::uint16_t digits_max = 18;
  switch (type.kind) {
    case TypeKind::Bool:
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
    case TypeKind::Date:
    case TypeKind::Timestamp:
      return true;
    case TypeKind::Text:
      return !type.is_padded;
    case TypeKind::Numeric:
      return type.precision && *type.precision <= digits_max && type.scale == 0;
    default:
      return false;
  }
}

bool is_integral(const Expression& e) {
  if (e.type.kind != TypeKind::Numeric) return is_integer(e.type.kind);
  const auto all_are = [&](std::size_t first, std::size_t step) {
    for (std::size_t i = first; i < e.arguments.size(); i += step)
      if (!is_integral(*e.arguments[i])) return false;
    return true;
  };
  switch (e.kind) {
    case Kind::Constant: {
      const auto* number = e.value.get_if<Decimal>();
      return number == nullptr || number->scale == 0;
    }
    case Kind::Column:
      return is_kept_by_sqlite(e.type);
    case Kind::Cast:
      return is_integral(*e.arguments[0]);
    case Kind::Aggregate:
      return e.aggregator != Expression::Aggregator::Avg && all_are(0, 1);
    case Kind::Scalar:
      return is_integral(*e.query->columns[0]);
    case Kind::Case: {
      const bool has_else = e.arguments.size() % 2 != 0;
      return all_are(1, 2) && (!has_else || is_integral(*e.arguments.back()));
    }
    case Kind::Call:
      switch (e.function) {
        case Function::Add:
        case Function::Subtract:
        case Function::Multiply:
        case Function::Modulo:
        case Function::Negate:
        case Function::Abs:
        case Function::Round:
        case Function::Ceil:
        case Function::Floor:
        case Function::Coalesce:
        case Function::NullIf:
        case Function::Greatest:
        case Function::Least:
          return all_are(0, 1);
        default:
          return false;
      }
    default:
      return false;
  }
}

// --- tables ---

namespace {

std::string names_of(const PrintNames& names, const Table& table,
                     const std::vector<ColumnId>& columns) {
  std::vector<std::string> out;
  for (const ColumnId column : columns)
    out.push_back(name_text(names, table.columns[column.index].name));
  return fmt::format("({})", fmt::join(out, ", "));
}

std::string column_definition(const PrintNames& names, const Column& column) {
  const bool is_text = column.type.kind == TypeKind::Text ||
                       column.type.kind == TypeKind::Date ||
                       column.type.kind == TypeKind::Timestamp;
  const std::string name = name_text(names, column.name);
  std::string out = fmt::format("{} {}", name, is_text ? "TEXT" : "INTEGER");
  if (column.is_not_null) out += " NOT NULL";
  if (column.default_value)
    out += fmt::format(" DEFAULT ({})", to_text(names, *column.default_value));
  if (column.type.length_max)
    out += fmt::format(" CHECK (length({}) <= {})", name, *column.type.length_max);
  if (column.type.kind == TypeKind::Bool) out += fmt::format(" CHECK ({} IN (0, 1))", name);
  return out;
}

std::string check_text(const PrintNames& names, TableId id, const Check& check) {
  const std::vector<Source> row = {
      {.table = id, .alias = names.program.tables[id.index].name, .left_join_on = nullptr}};
  const PrintScope scope{.names = names, .sources = &row, .outer = nullptr};
  return fmt::format("CHECK ({})", to_text(scope, *check.condition));
}

}  // namespace

// Rows stand in the order of their primary key, and types are checked.
std::string sqlite_definition(const PrintNames& names, TableId id) {
  const Table& table = names.program.tables[id.index];
  std::vector<std::string> parts;
  for (Column column : table.columns) {
    const ColumnId own{static_cast<std::uint32_t>(parts.size())};
    column.is_not_null |= std::ranges::count(table.primary_key, own) != 0;
    parts.push_back(column_definition(names, column));
  }
  parts.push_back("PRIMARY KEY " + names_of(names, table, table.primary_key));
  for (const auto& unique : table.unique)
    parts.push_back("UNIQUE " + names_of(names, table, unique));
  for (const Check& check : table.checks)
    parts.push_back(check_text(names, id, check));
  for (const ForeignKey& key : table.foreign_keys)
    parts.push_back(foreign_key_text(names, id, key));
  return fmt::format("CREATE TABLE {} ({}) STRICT, WITHOUT ROWID",
                     name_text(names, table.name), fmt::join(parts, ", "));
}

}  // namespace isomer::program
