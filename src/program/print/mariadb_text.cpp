// SPDX-License-Identifier: MIT
#include "program/print/mariadb_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/machine/evaluate.h"
#include "program/machine/references.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

using Kind = Expression::Kind;

// As its LIMIT must be, where an OFFSET stands alone.
constexpr std::string_view no_limit = "18446744073709551615";

// --- functions ---

// Days are added to dates, and dates subtracted from each other.
std::optional<std::string> date_text(const PrintScope& scope, const Expression& e) {
  const bool is_sum = e.function == Function::Add;
  const std::string left = argument_text(scope, e, 0);
  const std::string right = argument_text(scope, e, 1);
  const bool has_left = e.arguments[0]->type.kind == TypeKind::Date;
  const bool has_right = e.arguments[1]->type.kind == TypeKind::Date;
  if (has_left && has_right) return fmt::format("datediff({}, {})", left, right);
  if (has_right) return fmt::format("date_add({}, INTERVAL {} DAY)", right, left);
  if (!has_left) return std::nullopt;
  return fmt::format("date_{}({}, INTERVAL {} DAY)", is_sum ? "add" : "sub", left, right);
}

std::optional<std::string> function_text(const PrintScope& scope, const Expression& e) {
  const auto argument = [&](std::size_t i) { return argument_text(scope, e, i); };
  switch (e.function) {
    case Function::IsDistinct:
      return fmt::format("NOT ({} <=> {})", argument(0), argument(1));
    case Function::Add:
    case Function::Subtract:
      return date_text(scope, e);
    case Function::Divide:
      return fmt::format("{} DIV {}", argument(0), argument(1));
    case Function::Greatest:
      return extreme_text(scope, e, "greatest");
    case Function::Least:
      return extreme_text(scope, e, "least");
    case Function::Concat:
      return fmt::format("concat({})", list_text(scope, e.arguments));
    case Function::Length:
      return fmt::format("char_length({})", list_text(scope, e.arguments));
    case Function::Position:
      return fmt::format("instr({})", list_text(scope, e.arguments));
    case Function::Like:
      return fmt::format("{} LIKE {} ESCAPE '\\'", argument(0), argument(1));
    case Function::StartsWith:
      return fmt::format("(left({0}, char_length({1})) = {1})", argument(0), argument(1));
    default:
      return std::nullopt;
  }
}

// Between kinds of integers nothing changes; those that do not fit are errors where they
// are kept.
std::string converted_text(const PrintScope& scope, const Expression& e) {
  const Expression& operand = *e.arguments[0];
  const TypeKind from = operand.type.kind;
  const std::string inner = argument_text(scope, e, 0);
  switch (e.type.kind) {
    case TypeKind::Bool:
      return is_number(from) ? fmt::format("({} <> 0)", inner) : inner;
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
      return from == TypeKind::Numeric ? fmt::format("round({})", inner) : inner;
    case TypeKind::Numeric:
      return e.type.precision ? fmt::format("round({}, {})", inner, e.type.scale) : inner;
    case TypeKind::Date:
      return from == TypeKind::Timestamp ? fmt::format("CAST({} AS DATE)", inner) : inner;
    case TypeKind::Timestamp:
      return from == TypeKind::Date ? fmt::format("CAST({} AS DATETIME(6))", inner) : inner;
    case TypeKind::Text:
      break;
    default:
      return inner;
  }
  std::string text = inner;
  if (from == TypeKind::Bool)
    text = fmt::format("CASE {} WHEN true THEN 'true' WHEN false THEN 'false' END", inner);
  else if (from != TypeKind::Text)
    text = fmt::format("CAST({} AS CHAR)", inner);
  if (e.type.length_max) text = fmt::format("left({}, {})", text, *e.type.length_max);
  return e.type.is_padded ? fmt::format("rtrim({})", text) : text;
}

// --- the end of a query ---

// A number that the statement is sent with; absent: NULL, which is no limit.
std::optional<std::string> bound_of(const PrintScope& scope, const ExpressionPtr& e) {
  if (!e) return std::nullopt;
  const Bindings& bindings = *scope.names.bindings;
  Context context{.variables = bindings.variables,
                  .found = bindings.found,
                  .row_count = bindings.row_count,
                  .query = {},
                  .named = {},
                  .fault = {}};
  const Value value = evaluate(*e, nullptr, context);
  return value.is_null() ? std::nullopt : std::optional(to_text(value));
}

// NULL comes first where MariaDB sorts up, and last where it sorts down.
void add_key(const PrintScope& scope, const OrderKey& key, std::vector<std::string>& out) {
  const std::string text = mariadb_key_text(scope, *key.by);
  if (key.nulls_first == key.is_descending &&
      may_be_null(scope.names.program, *scope.sources, *key.by))
    out.push_back(fmt::format("({}) IS {}NULL", text, key.nulls_first ? "NOT " : ""));
  out.push_back(text + (key.is_descending ? " DESC" : ""));
}

// All tables are locked alike: others are obstacles.
std::string lock_text(const Select& select) {
  for (const Source& source : select.from) {
    if (source.lock == Lock::None) continue;
    std::string out = source.lock == Lock::Update ? " FOR UPDATE" : " LOCK IN SHARE MODE";
    if (source.lock_wait == LockWait::NoWait) out += " NOWAIT";
    if (source.lock_wait == LockWait::SkipLocked) out += " SKIP LOCKED";
    return out;
  }
  return {};
}

}  // namespace

bool may_be_null(const Program& program, const std::vector<Source>& sources,
                 const Expression& e) {
  if (e.kind == Kind::Constant) return e.value.is_null();
  if (e.kind == Kind::Aggregate) return e.aggregator != Expression::Aggregator::Count;
  if (e.kind != Kind::Column || e.outer != 0 || e.source.index >= sources.size())
    return true;
  const Source& source = sources[e.source.index];
  const Table& table = program.tables[source.table.index];
  const bool is_key = std::ranges::count(table.primary_key, e.column) != 0;
  return source.left_join_on || !(is_key || table.columns[e.column.index].is_not_null);
}

std::optional<std::string> mariadb_text(const PrintScope& scope, const Expression& e) {
  if (e.kind == Kind::Call) return function_text(scope, e);
  if (e.kind == Kind::Cast) return converted_text(scope, e);
  return std::nullopt;
}

std::string mariadb_key_text(const PrintScope& scope, const Expression& by) {
  const bool is_constant = by.kind == Kind::Constant || by.kind == Kind::Variable;
  const std::string text = to_text(scope, by);
  return is_constant ? fmt::format("CASE WHEN true THEN {} END", text) : text;
}

std::string mariadb_tail(const PrintScope& scope, const Select& select) {
  std::vector<std::string> keys;
  for (const OrderKey& key : select.order)
    add_key(scope, key, keys);
  std::string out;
  if (!keys.empty()) out += fmt::format(" ORDER BY {}", fmt::join(keys, ", "));
  const auto limit = bound_of(scope, select.limit);
  const auto offset = bound_of(scope, select.offset);
  if (limit || offset)
    out += fmt::format(" LIMIT {}", limit.value_or(std::string(no_limit)));
  if (offset) out += " OFFSET " + *offset;
  return out + lock_text(select);
}

}  // namespace isomer::program
