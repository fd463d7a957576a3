// SPDX-License-Identifier: MIT
#include "program/machine/key_conditions.h"

#include <algorithm>

#include "program/machine/references.h"

namespace isomer::program {
namespace {

// column = value, where the value depends on earlier sources only.
struct Pin {
  ColumnId column;
  const Expression* value = nullptr;
};

std::optional<std::uint32_t> last_source(const Expression& expression) {
  std::optional<std::uint32_t> out;
  visit_columns(expression, 0, [&](const Expression& column) {
    out = std::max(out.value_or(0), column.source.index);
  });
  return out;
}

bool is_key_column(const Table& table, ColumnId column) {
  const auto& key = table.primary_key;
  return std::find(key.begin(), key.end(), column) != key.end();
}

// A column that a comparison widens, from int to bigint or numeric, or from date to
// timestamp, is still equated: the value is converted back.
const Expression& without_widening(const Expression& expression) {
  if (expression.kind != Expression::Kind::Cast || expression.type.precision)
    return expression;
  const TypeKind from = expression.arguments[0]->type.kind;
  const TypeKind to = expression.type.kind;
  const auto is_number_type = [](TypeKind kind) {
    return kind == TypeKind::Int2 || kind == TypeKind::Int4 || kind == TypeKind::Int8 ||
           kind == TypeKind::Numeric;
  };
  const bool is_number = is_number_type(from) && is_number_type(to) && from < to;
  const bool is_time = from == TypeKind::Date && to == TypeKind::Timestamp;
  return is_number || is_time ? *expression.arguments[0] : expression;
}

std::optional<Pin> pin_of(const Expression& condition, std::uint32_t source) {
  if (condition.kind != Expression::Kind::Call || condition.function != Function::Equal)
    return std::nullopt;
  for (std::size_t side = 0; side < 2; ++side) {
    const Expression& column = without_widening(*condition.arguments[side]);
    const Expression& value = *condition.arguments[1 - side];
    if (column.kind != Expression::Kind::Column || column.outer != 0 ||
        column.source.index != source)
      continue;
    const auto last = last_source(value);
    if (!last || *last < source) return Pin{.column = column.column, .value = &value};
  }
  return std::nullopt;
}

}  // namespace

std::vector<Conjunct> conjuncts_over(const Program& program, std::span<const Source> from,
                                     const Expression* condition) {
  std::vector<Conjunct> out;
  for (const Expression* part : conjuncts_of(condition)) {
    Conjunct conjunct{.condition = part, .last = last_source(*part)};
    visit_columns(*part, 0, [&](const Expression& column) {
      if (column.source.index != conjunct.last) return;
      const Table& table = table_of(program, from[*conjunct.last]);
      conjunct.uses_key_only &= is_key_column(table, column.column);
    });
    out.push_back(conjunct);
  }
  return out;
}

KeyConditions key_conditions(const Table& table, const std::vector<Conjunct>& conjuncts,
                             std::uint32_t source) {
  const auto& key = table.primary_key;
  KeyConditions out;
  out.pins.resize(key.size());
  for (const Conjunct& conjunct : conjuncts) {
    if (conjunct.last != source || !conjunct.uses_key_only) continue;
    if (const auto pin = pin_of(*conjunct.condition, source)) {
      const auto at = std::find(key.begin(), key.end(), pin->column) - key.begin();
      auto& known = out.pins[static_cast<std::size_t>(at)];
      if (known == nullptr) {
        known = pin->value;
        continue;
      }
    }
    out.others.push_back(conjunct.condition);
  }
  out.pins_all = std::none_of(out.pins.begin(), out.pins.end(),
                              [](const Expression* pin) { return pin == nullptr; });
  return out;
}

}  // namespace isomer::program
