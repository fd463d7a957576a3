// SPDX-License-Identifier: MIT
#include "program/machine/evaluate.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/calendar.h"
#include "program/machine/functions.h"

namespace isomer::program {
namespace {

using Kind = Expression::Kind;

bool is_litmus(const Expression& expression) {
  return expression.type.kind == TypeKind::Any;
}

Value truth(bool value, const Expression& expression) {
  return is_litmus(expression) ? Value::integer(value ? 1 : 0) : Value::boolean(value);
}

// The truth of a condition; absent if it is unknown (SQL's NULL) or it stopped.
std::optional<bool> condition(const Expression& expression, const Rows* rows,
                              Context& context) {
  const Value value = evaluate(expression, rows, context);
  if (context.is_stopped()) return std::nullopt;
  if (const auto* boolean = value.get_if<bool>()) return *boolean;
  if (const auto* number = value.get_if<std::int64_t>()) return *number != 0;
  if (!is_litmus(expression)) return std::nullopt;
  if (!value.is_null())
    context.fail("", fmt::format("{} is neither true nor false", to_text(value)));
  return value.is_null() && !context.is_stopped() ? std::optional(false) : std::nullopt;
}

// Both AND and OR: `decisive` is the operand that settles the result.
Value junction(const Expression& call, bool decisive, const Rows* rows, Context& context) {
  bool is_unknown = false;
  for (const ExpressionPtr& argument : call.arguments) {
    const auto operand = condition(*argument, rows, context);
    if (context.is_stopped()) return {};
    if (operand == decisive) return truth(decisive, call);
    is_unknown |= !operand;
  }
  return is_unknown ? Value() : truth(!decisive, call);
}

Value negation(const Expression& call, const Rows* rows, Context& context) {
  const auto operand = condition(*call.arguments[0], rows, context);
  return operand ? truth(!*operand, call) : Value();
}

Value first_not_null(const Expression& call, const Rows* rows, Context& context) {
  for (const ExpressionPtr& argument : call.arguments) {
    Value value = evaluate(*argument, rows, context);
    if (context.is_stopped()) return {};
    if (!value.is_null())
      return converted(std::move(value), call.type, Conversion::Cast, context);
  }
  return {};
}

Value extreme(const Expression& call, std::span<const Value> values, Context& context) {
  Value best;
  for (const Value& value : values) {
    if (value.is_null()) continue;
    const bool is_better =
        best.is_null() || (call.function == Function::Greatest ? compare(value, best) > 0
                                                               : compare(value, best) < 0);
    if (is_better) best = value;
  }
  return converted(best, call.type, Conversion::Cast, context);
}

Value call_strict(const Expression& call, std::span<const Value> values, Context& context) {
  for (const Value& value : values)
    if (value.is_null()) return {};
  return call_sql(call, values, context);
}

Value call(const Expression& expression, const Rows* rows, Context& context) {
  switch (expression.function) {
    case Function::And:
      return junction(expression, false, rows, context);
    case Function::Or:
      return junction(expression, true, rows, context);
    case Function::Not:
      return negation(expression, rows, context);
    case Function::Coalesce:
      return first_not_null(expression, rows, context);
    default:
      break;
  }
  std::vector<Value> values;
  values.reserve(expression.arguments.size());
  for (const ExpressionPtr& argument : expression.arguments) {
    values.push_back(evaluate(*argument, rows, context));
    if (context.is_stopped()) return {};
  }
  if (is_litmus(expression)) return call_litmus(expression.function, values, context);
  switch (expression.function) {
    case Function::IsNull:
      return Value::boolean(values[0].is_null());
    case Function::IsDistinct:
      return Value::boolean(values[0].is_null() || values[1].is_null()
                                ? values[0].is_null() != values[1].is_null()
                                : compare(values[0], values[1]) != 0);
    case Function::NullIf:
      if (values[0].is_null() || values[1].is_null()) return values[0];
      return compare(values[0], values[1]) == 0 ? Value() : values[0];
    case Function::MakeList:  // ARRAY[..], and what several OUT parameters hold
      return Value::list(std::move(values));
    case Function::Greatest:
    case Function::Least:
      return extreme(expression, values, context);
    case Function::MakeRange:
      return evaluate_range(expression.function, expression.type, values, context);
    case Function::ArrayAppend:
    case Function::ArrayPrepend:
    case Function::ArrayConcat:
    case Function::ArrayRemove:
    case Function::ArrayPosition:
      return call_array(expression.function, values, context);
    default:
      return call_strict(expression, values, context);
  }
}

Value column(const Expression& expression, const Rows* rows) {
  for (std::uint32_t i = 0; i < expression.outer; ++i) {
    ISOMER_ASSERT(rows != nullptr);
    rows = rows->around;
  }
  ISOMER_ASSERT(rows != nullptr);
  ISOMER_ASSERT(expression.source.index < rows->current.size());
  const auto items = rows->current[expression.source.index].items();
  if (items.empty()) return {};
  ISOMER_ASSERT(expression.column.index < items.size());
  return items[expression.column.index];
}

Value variable(const Expression& expression, const Context& context) {
  ISOMER_ASSERT(expression.variable.index < context.variables.size());
  const Value& value = context.variables[expression.variable.index];
  if (!expression.field) return value;
  const auto items = value.items();
  return *expression.field < items.size() ? items[*expression.field] : Value();
}

Value choose_case(const Expression& expression, const Rows* rows, Context& context) {
  const auto& arms = expression.arguments;
  std::size_t i = 0;
  for (; i + 1 < arms.size(); i += 2) {
    const bool is_chosen = holds(*arms[i], rows, context);
    if (context.is_stopped()) return {};
    if (is_chosen) break;
  }
  if (i + 1 < arms.size()) ++i;
  if (i >= arms.size()) return {};
  return converted(evaluate(*arms[i], rows, context), expression.type, Conversion::Cast,
                   context);
}

// x IN (a, b): true if one is equal; otherwise unknown if one comparison was unknown.
Value in_list(const Expression& expression, const Rows* rows, Context& context) {
  const Value wanted = evaluate(*expression.arguments[0], rows, context);
  bool is_unknown = false;
  for (std::size_t i = 1; i < expression.arguments.size(); ++i) {
    const Value item = evaluate(*expression.arguments[i], rows, context);
    if (context.is_stopped()) return {};
    if (wanted.is_null() || item.is_null())
      is_unknown = true;
    else if (compare(wanted, item) == 0)
      return Value::boolean(true);
  }
  return is_unknown ? Value() : Value::boolean(false);
}

// x = ANY (v) is x = v[1] OR x = v[2] ..; ALL is AND.  Of a null array it is null.
Value over_elements(const Expression& expression, const Rows* rows, Context& context) {
  const bool decisive = expression.kind == Kind::AnyElement;
  const Value wanted = evaluate(*expression.arguments[0], rows, context);
  const Value array = evaluate(*expression.arguments[1], rows, context);
  if (context.is_stopped() || array.is_null()) return {};
  bool is_unknown = false;
  for (const Value& item : array.items()) {
    if (wanted.is_null() || item.is_null())
      is_unknown = true;
    else if (comparison(expression.function, wanted, item) == Value::boolean(decisive))
      return Value::boolean(decisive);
  }
  context.spend(array.items().size());
  return is_unknown ? Value() : Value::boolean(!decisive);
}

// Values that take long to copy count for more.
std::uint64_t weight(const Value& value) {
  if (const auto* text = value.get_if<std::string>()) return text->size() / 64;
  return value.items().size() / 4;
}

Value dispatch(const Expression& expression, const Rows* rows, Context& context) {
  switch (expression.kind) {
    case Kind::Constant:
      return expression.value;
    case Kind::Variable:
      return variable(expression, context);
    case Kind::Column:
      return column(expression, rows);
    case Kind::Call:
      return call(expression, rows, context);
    case Kind::Case:
      return choose_case(expression, rows, context);
    case Kind::Cast:
      return converted(evaluate(*expression.arguments[0], rows, context), expression.type,
                       Conversion::Cast, context);
    case Kind::Exists:
    case Kind::InQuery:
    case Kind::Scalar:
    case Kind::ArrayQuery:
    case Kind::Rows:
      ISOMER_ASSERT(context.query);
      return context.query(expression, rows);
    case Kind::InList:
      return in_list(expression, rows, context);
    case Kind::AnyElement:
    case Kind::AllElements:
      return over_elements(expression, rows, context);
    case Kind::Found:
      return Value::boolean(context.found);
    case Kind::RowCount:
      return Value::integer(context.row_count);
    case Kind::Aggregate:
      return aggregate(expression, rows, context);
    case Kind::FinalLocal:
    case Kind::Symbol:
      return context.named ? context.named(expression) : expression.value;
  }
  ISOMER_UNREACHABLE();
}

}  // namespace

Value Context::fail(std::string sqlstate, std::string reason) {
  if (!is_stopped())
    fault = Fault{.reason = std::move(reason), .sqlstate = std::move(sqlstate), .at = {}};
  return {};
}

Value Context::give_up(std::string sqlstate, std::string reason) {
  if (is_stopped()) return {};
  fail(std::move(sqlstate), std::move(reason));
  fault->is_limit = true;
  return {};
}

void Context::spend(std::uint64_t effort) {
  work += effort;
  if (work > work_max)
    give_up("54000", fmt::format("this takes more than {} steps of evaluation", work_max));
}

Value evaluate(const Expression& expression, const Rows* rows, Context& context) {
  if (context.is_stopped()) return {};
  Value out = dispatch(expression, rows, context);
  context.spend(1 + weight(out));
  if (!context.is_stopped()) return out;
  if (context.fault && context.fault->at.last == 0) context.fault->at = expression.at;
  return {};
}

bool holds(const Expression& expression, const Rows* rows, Context& context) {
  return condition(expression, rows, context).value_or(false);
}

std::strong_ordering compare(const Value& a, const Value& b) {
  if (const auto* date = a.get_if<Date>())
    if (const auto* time = b.get_if<Timestamp>()) return compare(*date, *time);
  if (const auto* date = b.get_if<Date>())
    if (const auto* time = a.get_if<Timestamp>()) return 0 <=> compare(*date, *time);
  return a <=> b;
}

}  // namespace isomer::program
