// SPDX-License-Identifier: MIT
// SQL comparison and arithmetic as PostgreSQL 15 has them: integers of the result's type
// that overflow are an error, integer division cuts off, numerics have its result scales.
#include <fmt/format.h>

#include "base/assert.h"
#include "program/calendar.h"
#include "program/machine/functions.h"

namespace isomer::program {
namespace {

Decimal decimal(const Value& value) {
  if (const auto* number = value.get_if<Decimal>()) return *number;
  const auto* number = value.get_if<std::int64_t>();
  ISOMER_ASSERT(number != nullptr);
  return decimal_of(*number);
}

Value checked_decimal(const std::optional<Decimal>& number, Context& context) {
  if (number) return Value(*number);
  return context.give_up("22003",
                         fmt::format("a numeric has more than {} digits, which is all "
                                     "that Isomer computes with",
                                     Decimal::digits_max));
}

Value out_of_range(const Type& type, Context& context) {
  return context.fail("22003", type.kind == TypeKind::Int2   ? "smallint out of range"
                               : type.kind == TypeKind::Int4 ? "integer out of range"
                                                             : "bigint out of range");
}

Value checked_integer(std::optional<std::int64_t> number, const Type& type,
                      Context& context) {
  return number && fits_into(*number, type.kind) ? Value::integer(*number)
                                                 : out_of_range(type, context);
}

std::optional<std::int64_t> exact(Function function, std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  const bool overflows = function == Function::Add ? __builtin_add_overflow(a, b, &out)
                         : function == Function::Subtract
                             ? __builtin_sub_overflow(a, b, &out)
                             : __builtin_mul_overflow(a, b, &out);
  return overflows ? std::nullopt : std::optional(out);
}

Value integer_arithmetic(Function function, std::int64_t a, std::int64_t b,
                         const Type& type, Context& context) {
  if (function != Function::Divide && function != Function::Modulo)
    return checked_integer(exact(function, a, b), type, context);
  if (b == 0) return context.fail("22012", "division by zero");
  if (b != -1) return Value::integer(function == Function::Divide ? a / b : a % b);
  return function == Function::Modulo
             ? Value::integer(0)
             : checked_integer(exact(Function::Subtract, 0, a), type, context);
}

Value decimal_arithmetic(Function function, const Decimal& a, const Decimal& b,
                         Context& context) {
  switch (function) {
    case Function::Add:
      return checked_decimal(add(a, b), context);
    case Function::Subtract:
      return checked_decimal(subtract(a, b), context);
    case Function::Multiply:
      return checked_decimal(multiply(a, b), context);
    case Function::Divide:
      if (b.digits == 0) return context.fail("22012", "division by zero");
      return checked_decimal(divide(a, b), context);
    case Function::Modulo:
      if (b.digits == 0) return context.fail("22012", "division by zero");
      return checked_decimal(modulo(a, b), context);
    default:
      ISOMER_UNREACHABLE();
  }
}

Value shifted_date(Date date, std::int64_t days, Context& context) {
  std::int64_t sum = 0;
  const bool overflows = __builtin_add_overflow(std::int64_t{date.days}, days, &sum);
  const Date out{static_cast<std::int32_t>(sum)};
  if (overflows || sum != out.days || !is_representable(out))
    return context.fail("22008", "date out of range");
  return Value(Value::Data(out));
}

// date + integer, integer + date, date - integer, date - date.
Value date_arithmetic(Function function, const Value& a, const Value& b, Context& context) {
  const auto* first = a.get_if<Date>();
  const auto* second = b.get_if<Date>();
  const auto* days = first != nullptr ? b.get_if<std::int64_t>() : a.get_if<std::int64_t>();
  if (first != nullptr && second != nullptr && function == Function::Subtract)
    return Value::integer(std::int64_t{first->days} - second->days);
  if (days != nullptr && function == Function::Add)
    return shifted_date(first != nullptr ? *first : *second, *days, context);
  if (days != nullptr && first != nullptr && function == Function::Subtract)
    return shifted_date(*first, -*days, context);
  return context.give_up("0A000",
                         "dates allow only date + integer, date - integer and date - date");
}

Value binary(const Expression& call, const Value& a, const Value& b, Context& context) {
  if (a.get_if<Date>() != nullptr || b.get_if<Date>() != nullptr)
    return date_arithmetic(call.function, a, b, context);
  const auto* first = a.get_if<std::int64_t>();
  const auto* second = b.get_if<std::int64_t>();
  if (first != nullptr && second != nullptr && call.type.kind != TypeKind::Numeric)
    return integer_arithmetic(call.function, *first, *second, call.type, context);
  if (a.get_if<Timestamp>() != nullptr || b.get_if<Timestamp>() != nullptr)
    return context.give_up("0A000", "arithmetic on timestamps is not supported");
  return decimal_arithmetic(call.function, decimal(a), decimal(b), context);
}

Value negation(const Value& value, const Type& type, Context& context) {
  if (const auto* number = value.get_if<std::int64_t>())
    return integer_arithmetic(Function::Subtract, 0, *number, type, context);
  return Value(negated(decimal(value)));
}

Value rounding(const Expression& call, std::span<const Value> arguments, Context& context) {
  const Decimal number = decimal(arguments[0]);
  std::optional<Decimal> out;
  if (call.function == Function::Ceil)
    out = ceiling(number);
  else if (call.function == Function::Floor)
    out = floor(number);
  else if (arguments.size() == 1)
    out = rounded(number, 0);
  else if (const std::int64_t scale = *arguments[1].get_if<std::int64_t>();
           scale >= -1000 && scale <= 1000)
    out = rounded(number, static_cast<int>(scale));
  return converted(checked_decimal(out, context), call.type, Conversion::Cast, context);
}

Value raised(const Expression& call, const Value& base, const Value& exponent,
             Context& context) {
  const Decimal number = decimal(exponent);
  const auto whole = integer_of(number);
  if (!whole || decimal_of(*whole) != number)
    return context.give_up("0A000", "only whole exponents are supported");
  if (*whole < 0 && decimal(base).digits == 0)
    return context.fail("2201F", "zero raised to a negative power is undefined");
  return converted(checked_decimal(power(decimal(base), *whole), context), call.type,
                   Conversion::Cast, context);
}

}  // namespace

Value comparison(Function function, const Value& a, const Value& b) {
  const auto order = compare(a, b);
  switch (function) {
    case Function::Equal:
      return Value::boolean(order == 0);
    case Function::NotEqual:
      return Value::boolean(order != 0);
    case Function::Less:
      return Value::boolean(order < 0);
    case Function::LessEqual:
      return Value::boolean(order <= 0);
    case Function::Greater:
      return Value::boolean(order > 0);
    case Function::GreaterEqual:
      return Value::boolean(order >= 0);
    default:
      ISOMER_UNREACHABLE();
  }
}

Value arithmetic(const Expression& call, std::span<const Value> arguments,
                 Context& context) {
  switch (call.function) {
    case Function::Negate:
      return negation(arguments[0], call.type, context);
    case Function::Abs:
      return decimal(arguments[0]).digits >= 0 ? arguments[0]
                                               : negation(arguments[0], call.type, context);
    case Function::Round:
    case Function::Ceil:
    case Function::Floor:
      return rounding(call, arguments, context);
    case Function::Power:
      return raised(call, arguments[0], arguments[1], context);
    default:
      return binary(call, arguments[0], arguments[1], context);
  }
}

Value sum_of(const Value& a, const Value& b, const Type& type, Context& context) {
  const auto* first = a.get_if<std::int64_t>();
  const auto* second = b.get_if<std::int64_t>();
  if (type.kind != TypeKind::Numeric && first != nullptr && second != nullptr)
    return integer_arithmetic(Function::Add, *first, *second, type, context);
  return checked_decimal(add(decimal(a), decimal(b)), context);
}

Value call_sql(const Expression& call, std::span<const Value> arguments, Context& context) {
  switch (call.function) {
    case Function::Equal:
    case Function::NotEqual:
    case Function::Less:
    case Function::LessEqual:
    case Function::Greater:
    case Function::GreaterEqual:
      return comparison(call.function, arguments[0], arguments[1]);
    case Function::Add:
    case Function::Subtract:
    case Function::Multiply:
    case Function::Divide:
    case Function::Modulo:
    case Function::Negate:
    case Function::Abs:
    case Function::Round:
    case Function::Ceil:
    case Function::Floor:
    case Function::Power:
      return arithmetic(call, arguments, context);
    case Function::Element:
    case Function::ArrayLength:
    case Function::Cardinality:
    case Function::ArrayContains:
    case Function::ArrayOverlaps:
      return call_array(call.function, arguments, context);
    case Function::RangeOverlaps:
    case Function::RangeContains:
    case Function::RangeContainsElement:
    case Function::RangeLower:
    case Function::RangeUpper:
    case Function::RangeIsEmpty:
      return evaluate_range(call.function, call.arguments[0]->type, arguments, context);
    default:
      return call_text(call.function, arguments, context);
  }
}

}  // namespace isomer::program
