// SPDX-License-Identifier: MIT
// Aggregates over the rows of a group; NULLs do not count, but for array_agg.  Over no
// values, count is 0 and the others are NULL.
#include <algorithm>
#include <set>

#include "base/assert.h"
#include "program/machine/functions.h"

namespace isomer::program {
namespace {

using Aggregator = Expression::Aggregator;

// The values of the argument that are not null; each once if DISTINCT.
std::vector<Value> values_of(const Expression& expression, const Rows* rows,
                             Context& context) {
  std::vector<Value> out;
  std::set<Value> seen;
  for (const std::vector<Value>& row : rows->group) {
    const Rows inner{.current = row, .around = rows->around, .group = {}};
    Value value = evaluate(*expression.arguments[0], &inner, context);
    if (context.is_stopped()) return {};
    if (value.is_null()) continue;
    if (expression.is_distinct && !seen.insert(value).second) continue;
    out.push_back(std::move(value));
  }
  return out;
}

Value total(std::span<const Value> values, const Type& type, Context& context) {
  Value out = converted(values[0], type, Conversion::Cast, context);
  for (const Value& value : values.subspan(1))
    out = context.is_stopped() ? Value() : sum_of(out, value, type, context);
  return out;
}

Value average(std::span<const Value> values, Context& context) {
  const Type numeric{.kind = TypeKind::Numeric,
                     .precision = {},
                     .scale = 0,
                     .length_max = {},
                     .is_padded = false};
  Expression division;
  division.kind = Expression::Kind::Call;
  division.type = numeric;
  division.function = Function::Divide;
  const Value sum = total(values, numeric, context);
  if (context.is_stopped()) return {};
  const Value count = Value::integer(static_cast<std::int64_t>(values.size()));
  return arithmetic(division, std::vector{sum, count}, context);
}

Value extreme(std::span<const Value> values, bool wants_max) {
  Value out = values[0];
  for (const Value& value : values)
    if (wants_max ? compare(value, out) > 0 : compare(value, out) < 0) out = value;
  return out;
}

// The value of array_agg for a row, and what it is sorted by.
using Keyed = std::vector<Value>;

bool is_sorted_before(const Expression& expression, const Keyed& a, const Keyed& b) {
  for (std::size_t i = 1; i < a.size(); ++i) {
    const Expression::Direction& direction = expression.order[i - 1];
    if (a[i].is_null() && b[i].is_null()) continue;
    if (a[i].is_null() || b[i].is_null()) return a[i].is_null() == direction.nulls_first;
    const auto order = compare(a[i], b[i]);
    if (order != 0) return direction.is_descending ? order > 0 : order < 0;
  }
  return false;
}

// Nulls are elements, too; of no rows it is null.
Value array_of_rows(const Expression& expression, const Rows* rows, Context& context) {
  std::vector<Keyed> all;
  std::set<Value> seen;
  for (const std::vector<Value>& row : rows->group) {
    const Rows inner{.current = row, .around = rows->around, .group = {}};
    Keyed keyed;
    for (const ExpressionPtr& argument : expression.arguments)
      keyed.push_back(evaluate(*argument, &inner, context));
    if (context.is_stopped()) return {};
    if (expression.is_distinct && !seen.insert(keyed[0]).second) continue;
    all.push_back(std::move(keyed));
  }
  if (all.empty()) return {};
  std::stable_sort(all.begin(), all.end(), [&](const Keyed& a, const Keyed& b) {
    return is_sorted_before(expression, a, b);
  });
  std::vector<Value> out;
  for (Keyed& keyed : all)
    out.push_back(std::move(keyed[0]));
  return Value::list(std::move(out));
}

}  // namespace

Value aggregate(const Expression& expression, const Rows* rows, Context& context) {
  ISOMER_ASSERT(rows != nullptr);
  if (expression.aggregator == Aggregator::ArrayAgg)
    return array_of_rows(expression, rows, context);
  if (expression.arguments.empty())
    return Value::integer(static_cast<std::int64_t>(rows->group.size()));
  const std::vector<Value> values = values_of(expression, rows, context);
  if (context.is_stopped()) return {};
  if (expression.aggregator == Aggregator::Count)
    return Value::integer(static_cast<std::int64_t>(values.size()));
  if (values.empty()) return {};
  switch (expression.aggregator) {
    case Aggregator::Sum:
      return total(values, expression.type, context);
    case Aggregator::Avg:
      return average(values, context);
    case Aggregator::Min:
    case Aggregator::Max:
      return extreme(values, expression.aggregator == Aggregator::Max);
    case Aggregator::Count:
    case Aggregator::ArrayAgg:
      break;
  }
  ISOMER_UNREACHABLE();
}

}  // namespace isomer::program
