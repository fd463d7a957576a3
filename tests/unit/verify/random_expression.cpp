// SPDX-License-Identifier: MIT
#include "random_expression.h"

#include <array>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/calendar.h"

namespace isomer::verify {

using program::Expression;
using program::ExpressionPtr;
using program::Function;
using program::Type;
using program::TypeKind;
using program::Value;
using Kind = Expression::Kind;

namespace {

Type plain(TypeKind kind) {
  return {.kind = kind, .precision = {}, .scale = 0, .length_max = {}, .is_padded = false};
}

Type money() {
  Type out = plain(TypeKind::Numeric);
  out.precision = 6;
  out.scale = 2;
  return out;
}

Type short_text(bool is_padded) {
  Type out = plain(TypeKind::Text);
  out.length_max = 3;
  out.is_padded = is_padded;
  return out;
}

template <class Items>
const auto& one_of(Random& random, const Items& items) {
  return items[random.below(std::size(items))];
}

std::int64_t random_integer(Random& random, TypeKind kind) {
  if (random.chance(0.8)) return static_cast<std::int64_t>(random.below(9)) - 4;
  const std::int64_t last = kind == TypeKind::Int2   ? INT16_MAX
                            : kind == TypeKind::Int4 ? INT32_MAX
                                                     : INT64_MAX;
  const auto away = static_cast<std::int64_t>(random.below(3));
  return random.chance(0.5) ? last - away : -last - 1 + away;
}

constexpr std::array texts = {"",        "a",    "ab",   "B",          "Ab ",
                              "a  ",     "12",   "-3",   "2.5",        "abcde",
                              "a%",      "_b",   "%",    "2024-02-29", "2024-02-30",
                              "x\\",     "true", "no",   "9999999999", "2024-01-31 10:30",
                              "\u00e4b", " 7 ",  "a,b,c"};
constexpr std::array short_texts = {"", "a", "ab", "B", "12", "-3", "2.5", "%", "_b", "no"};
constexpr std::array numbers = {"0",  "1.5",   "1.50",     "-2.5", "0.005", "100.005", "3",
                                "-7", "0.125", "9999.995", "-0.5", "33.33", "1e20"};
constexpr std::array sums = {"0.00",     "1.50",  "-2.50", "9999.99",
                             "-9999.99", "33.33", "0.01"};
constexpr std::array days = {"2024-02-29", "2000-01-01", "1999-12-31",
                             "9999-12-31", "0001-01-01", "2024-01-31"};
constexpr std::array times = {"2024-02-29 00:00", "2000-01-01 12:30:15.5",
                              "1999-12-31 23:59:59.999999", "2024-01-31 00:00"};

}  // namespace

std::vector<Type> all_types() {
  return {plain(TypeKind::Bool), plain(TypeKind::Int2),     plain(TypeKind::Int4),
          plain(TypeKind::Int8), plain(TypeKind::Numeric),  money(),
          plain(TypeKind::Text), short_text(false),         short_text(true),
          plain(TypeKind::Date), plain(TypeKind::Timestamp)};
}

Value random_value(Random& random, const Type& type) {
  if (random.chance(0.15)) return {};
  switch (type.kind) {
    case TypeKind::Bool:
      return Value::boolean(random.chance(0.5));
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
      return Value::integer(random_integer(random, type.kind));
    case TypeKind::Numeric:
      return Value(*program::parse_decimal(type.precision ? one_of(random, sums)
                                                          : one_of(random, numbers)));
    case TypeKind::Text:
      return Value::text(type.length_max ? one_of(random, short_texts)
                                         : one_of(random, texts));
    case TypeKind::Date:
      return Value(*program::parse_date(one_of(random, days)));
    case TypeKind::Timestamp:
      return Value(*program::parse_timestamp(one_of(random, times)));
    case TypeKind::Any:
    case TypeKind::Record:
    case TypeKind::Array:
    case TypeKind::Range:
      break;
  }
  ISOMER_UNREACHABLE();
}

TypeKind ExpressionMaker::any_kind() {
  return one_of(random_, types_).kind;
}

TypeKind ExpressionMaker::integer_up_to(TypeKind kind) {
  const auto count =
      static_cast<std::uint64_t>(kind) - static_cast<std::uint64_t>(TypeKind::Int2) + 1;
  return static_cast<TypeKind>(static_cast<std::uint64_t>(TypeKind::Int2) +
                               random_.below(count));
}

// The number of a type of that kind.
std::uint32_t ExpressionMaker::type_of_kind(TypeKind kind) {
  for (;;) {
    const auto i = static_cast<std::uint32_t>(random_.below(types_.size()));
    if (types_[i].kind == kind) return i;
  }
}

ExpressionPtr ExpressionMaker::finished(Expression expression) {
  ++count_;
  expression.at = {.first = count_, .last = count_ + 1};
  return std::make_shared<const Expression>(std::move(expression));
}

ExpressionPtr ExpressionMaker::leaf(TypeKind kind) {
  const std::uint32_t index = type_of_kind(kind);
  Expression out;
  out.type = types_[index];
  out.name = fmt::format("s{}", index);
  switch (random_.below(6)) {
    case 0:
      out.kind = Kind::Constant;
      out.value = random_value(random_, out.type);
      break;
    case 1:
      out.kind = Kind::Variable;
      out.variable = {shape_.record};
      out.field = index;
      break;
    case 2:
      out.kind = Kind::Symbol;
      break;
    case 3:
      out.kind = Kind::Variable;
      out.variable = {index};
      break;
    default:
      out.kind = Kind::Column;
      out.source = {static_cast<std::uint32_t>(random_.below(shape_.source_count))};
      out.outer = random_.chance(0.3) ? 1 : 0;
      out.column = {index};
  }
  return finished(std::move(out));
}

ExpressionPtr ExpressionMaker::call(Function function, Arguments arguments, TypeKind kind) {
  Expression out;
  out.kind = Kind::Call;
  out.type = plain(kind);
  out.function = function;
  out.arguments = std::move(arguments);
  return finished(std::move(out));
}

ExpressionPtr ExpressionMaker::cast(TypeKind from, TypeKind to, int depth) {
  Expression out;
  out.kind = Kind::Cast;
  out.type = types_[type_of_kind(to)];
  out.arguments = {make(from, depth)};
  return finished(std::move(out));
}

ExpressionPtr ExpressionMaker::aggregate(TypeKind kind, int depth) {
  using Aggregator = Expression::Aggregator;
  Expression out;
  out.kind = Kind::Aggregate;
  out.type = plain(kind);
  out.is_distinct = random_.chance(0.3);
  out.aggregator = random_.chance(0.5) ? Aggregator::Min : Aggregator::Max;
  TypeKind of = kind;
  if (kind == TypeKind::Int8 && random_.chance(0.7)) {
    const bool is_count = random_.chance(0.5);
    out.aggregator = is_count ? Aggregator::Count : Aggregator::Sum;
    of = is_count ? any_kind() : integer_up_to(TypeKind::Int4);
  } else if (kind == TypeKind::Numeric && random_.chance(0.7)) {
    out.aggregator = random_.chance(0.5) ? Aggregator::Sum : Aggregator::Avg;
    of = random_.chance(0.5) ? TypeKind::Numeric : TypeKind::Int8;
  }
  shape_.has_group = false;
  if (out.aggregator != Aggregator::Count || random_.chance(0.7))
    out.arguments = {make(of, depth)};
  shape_.has_group = true;
  return finished(std::move(out));
}

// CASE, COALESCE, NULLIF, GREATEST and LEAST.
ExpressionPtr ExpressionMaker::choice(TypeKind kind, int depth) {
  const auto of = [&] { return make(kind, depth); };
  switch (random_.below(5)) {
    case 0:
      return call(Function::Coalesce, {of(), of(), of()}, kind);
    case 1:
      return call(Function::NullIf, {of(), of()}, kind);
    case 2:
      return call(Function::Greatest, {of(), of(), of()}, kind);
    case 3:
      return call(Function::Least, {of(), of()}, kind);
    default: {
      Expression out;
      out.kind = Kind::Case;
      out.type = plain(kind);
      out.arguments = {truth(depth), of(), truth(depth), of()};
      if (random_.chance(0.7)) out.arguments.push_back(of());
      return finished(std::move(out));
    }
  }
}

ExpressionPtr ExpressionMaker::truth(int depth) {
  const TypeKind kind = any_kind();
  const auto pair = [&] { return Arguments{make(kind, depth - 1), make(kind, depth - 1)}; };
  const auto logic = [&] { return make(TypeKind::Bool, depth - 1); };
  switch (random_.below(10)) {
    case 0:
      return call(Function::And, {logic(), logic(), logic()}, TypeKind::Bool);
    case 1:
      return call(Function::Or, {logic(), logic(), logic()}, TypeKind::Bool);
    case 2:
      return call(Function::Not, {logic()}, TypeKind::Bool);
    case 3:
      return call(Function::IsNull, {make(kind, depth - 1)}, TypeKind::Bool);
    case 4:
      return call(Function::IsDistinct, pair(), TypeKind::Bool);
    case 5: {
      Expression out;
      out.kind = Kind::InList;
      out.type = plain(TypeKind::Bool);
      out.arguments = pair();
      out.arguments.push_back(make(kind, depth - 1));
      return finished(std::move(out));
    }
    case 6:
      return random_.chance(0.5)
                 ? cast(TypeKind::Int4, TypeKind::Bool, depth - 1)
                 : call(random_.chance(0.5) ? Function::Like : Function::StartsWith,
                        {make(TypeKind::Text, depth - 1), make(TypeKind::Text, depth - 1)},
                        TypeKind::Bool);
    default: {
      constexpr std::array comparisons = {Function::Equal,   Function::NotEqual,
                                          Function::Less,    Function::LessEqual,
                                          Function::Greater, Function::GreaterEqual};
      return call(one_of(random_, comparisons), pair(), TypeKind::Bool);
    }
  }
}

ExpressionPtr ExpressionMaker::integer(TypeKind kind, int depth) {
  const auto part = [&] { return make(integer_up_to(kind), depth); };
  switch (random_.below(8)) {
    case 0:
      return call(Function::Negate, {part()}, kind);
    case 1:
      return call(Function::Abs, {part()}, kind);
    case 2: {
      constexpr std::array sources = {TypeKind::Int8, TypeKind::Numeric, TypeKind::Text};
      return cast(one_of(random_, sources), kind, depth);
    }
    case 3:
      if (kind != TypeKind::Int4) return part();
      switch (random_.below(3)) {
        case 0:
          return call(Function::Length, {make(TypeKind::Text, depth)}, kind);
        case 1:
          return cast(TypeKind::Bool, kind, depth);
        default:
          return call(Function::Subtract,
                      {make(TypeKind::Date, depth), make(TypeKind::Date, depth)}, kind);
      }
    default: {
      constexpr std::array operations = {Function::Add, Function::Subtract,
                                         Function::Multiply, Function::Divide,
                                         Function::Modulo};
      return call(one_of(random_, operations), {part(), part()}, kind);
    }
  }
}

ExpressionPtr ExpressionMaker::numeric(int depth) {
  const auto part = [&] { return make(TypeKind::Numeric, depth); };
  const auto whole = [&] {
    Expression out;
    out.type = plain(TypeKind::Int4);
    out.value = Value::integer(static_cast<std::int64_t>(random_.below(6)) - 2);
    return random_.chance(0.8) ? finished(std::move(out)) : make(TypeKind::Int4, depth);
  };
  const auto as_numeric = [&](ExpressionPtr of) {
    Expression out;
    out.kind = Kind::Cast;
    out.type = plain(TypeKind::Numeric);
    out.arguments = {std::move(of)};
    return finished(std::move(out));
  };
  switch (random_.below(10)) {
    case 0:
      return call(random_.chance(0.5) ? Function::Negate : Function::Abs, {part()},
                  TypeKind::Numeric);
    case 1:
      return call(Function::Round, {part(), whole()}, TypeKind::Numeric);
    case 2: {
      constexpr std::array functions = {Function::Round, Function::Ceil, Function::Floor};
      return call(one_of(random_, functions), {part()}, TypeKind::Numeric);
    }
    case 3:
      return call(Function::Power, {part(), as_numeric(whole())}, TypeKind::Numeric);
    case 4:
    case 5: {
      constexpr std::array sources = {TypeKind::Int2, TypeKind::Int8, TypeKind::Numeric,
                                      TypeKind::Numeric, TypeKind::Text};
      return cast(one_of(random_, sources), TypeKind::Numeric, depth);
    }
    default: {
      constexpr std::array operations = {Function::Add, Function::Subtract,
                                         Function::Multiply, Function::Divide,
                                         Function::Modulo};
      return call(one_of(random_, operations), {part(), part()}, TypeKind::Numeric);
    }
  }
}

ExpressionPtr ExpressionMaker::text(int depth) {
  const auto part = [&] { return make(TypeKind::Text, depth); };
  const auto number = [&] { return make(TypeKind::Int4, depth); };
  switch (random_.below(7)) {
    case 0:
      return call(Function::Concat, {part(), part()}, TypeKind::Text);
    case 1:
      return call(random_.chance(0.5) ? Function::Lower : Function::Upper, {part()},
                  TypeKind::Text);
    case 2:
      return call(Function::Substring, {part(), number(), number()}, TypeKind::Text);
    case 3:
      return call(Function::SplitPart, {part(), part(), number()}, TypeKind::Text);
    default:
      return cast(any_kind(), TypeKind::Text, depth);
  }
}

ExpressionPtr ExpressionMaker::date(int depth) {
  const auto days_away = [&] { return make(TypeKind::Int4, depth); };
  switch (random_.below(4)) {
    case 0:
      return call(Function::Add, {days_away(), make(TypeKind::Date, depth)},
                  TypeKind::Date);
    case 1:
      return call(random_.chance(0.5) ? Function::Add : Function::Subtract,
                  {make(TypeKind::Date, depth), days_away()}, TypeKind::Date);
    case 2:
      return cast(TypeKind::Timestamp, TypeKind::Date, depth);
    default:
      return cast(TypeKind::Text, TypeKind::Date, depth);
  }
}

ExpressionPtr ExpressionMaker::make(TypeKind kind, int depth) {
  const bool is_summed = shape_.has_group && kind != TypeKind::Bool;
  if (is_summed && (depth <= 0 || random_.chance(0.3)))
    return aggregate(kind, static_cast<int>(random_.below(2)));
  if (depth <= 0 || random_.chance(0.1)) return leaf(kind);
  if (random_.chance(0.25)) return choice(kind, depth - 1);
  switch (kind) {
    case TypeKind::Bool:
      return truth(depth);
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
      return integer(kind, depth - 1);
    case TypeKind::Numeric:
      return numeric(depth - 1);
    case TypeKind::Text:
      return text(depth - 1);
    case TypeKind::Date:
      return date(depth - 1);
    case TypeKind::Timestamp:
      return cast(random_.chance(0.7) ? TypeKind::Date : TypeKind::Text, kind, depth - 1);
    case TypeKind::Any:
    case TypeKind::Record:
    case TypeKind::Array:
    case TypeKind::Range:
      break;
  }
  ISOMER_UNREACHABLE();
}

}  // namespace isomer::verify
