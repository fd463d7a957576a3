// SPDX-License-Identifier: MIT
// Operators, by the types of their operands.
#include <array>

#include <fmt/format.h>

#include "program/sql/array.h"
#include "program/sql/nodes.h"

namespace isomer::program {
namespace {

struct Operator {
  std::string_view sign;
  Function function;
};

constexpr std::array comparisons = {
    Operator{"=", Function::Equal},       Operator{"<>", Function::NotEqual},
    Operator{"<", Function::Less},        Operator{"<=", Function::LessEqual},
    Operator{">", Function::Greater},     Operator{">=", Function::GreaterEqual},
    Operator{"is", Function::IsDistinct},
};

constexpr std::array arithmetic_operators = {
    Operator{"+", Function::Add},      Operator{"-", Function::Subtract},
    Operator{"*", Function::Multiply}, Operator{"/", Function::Divide},
    Operator{"%", Function::Modulo},   Operator{"^", Function::Power},
};

template <class Table>
const Operator* find(const Table& table, std::string_view sign) {
  for (const Operator& entry : table)
    if (entry.sign == sign) return &entry;
  return nullptr;
}

ExpressionPtr no_operator(Analysis& in, std::string_view sign, const Expression& left,
                          const Expression& right, Span at) {
  in.fail(at, fmt::format("operator does not exist: {} {} {}", to_text(left.type), sign,
                          to_text(right.type)));
  return broken(at);
}

// An untyped operand takes the type of the other.
void settle_pair(Analysis& in, ExpressionPtr& left, ExpressionPtr& right) {
  if (is_untyped(*left) && !is_untyped(*right))
    left = coerced(in, left, unlimited(right->type), Willing::Implicit);
  if (is_untyped(*right) && !is_untyped(*left))
    right = coerced(in, right, unlimited(left->type), Willing::Implicit);
}

// date + int, date - int, date - date.
std::optional<TypeKind> date_result(Function function, TypeKind left, TypeKind right) {
  const bool is_add = function == Function::Add;
  if (!is_add && function != Function::Subtract) return std::nullopt;
  const auto is_days = [](TypeKind kind) {
    return kind == TypeKind::Int2 || kind == TypeKind::Int4;
  };
  if (left == TypeKind::Date && is_days(right)) return TypeKind::Date;
  if (is_add && is_days(left) && right == TypeKind::Date) return TypeKind::Date;
  if (!is_add && left == TypeKind::Date && right == TypeKind::Date) return TypeKind::Int4;
  return std::nullopt;
}

// An integer, or a constant like -2.0, perhaps brought to numeric.
bool is_whole(const Expression& e) {
  if (is_integer(e.type.kind)) return true;
  const bool is_wrapped =
      e.kind == Expression::Kind::Cast ||
      (e.kind == Expression::Kind::Call && e.function == Function::Negate);
  if (is_wrapped && e.type.kind == TypeKind::Numeric)
    return is_number(e.arguments[0]->type.kind) && is_whole(*e.arguments[0]);
  if (e.kind != Expression::Kind::Constant) return false;
  const auto* number = e.value.get_if<Decimal>();
  return e.value.is_null() || e.value.get_if<std::int64_t>() != nullptr ||
         (number != nullptr && normalized(*number).scale == 0);
}

ExpressionPtr make_arithmetic(Analysis& in, const Operator& entry, ExpressionPtr left,
                              ExpressionPtr right, Span at) {
  if (const auto result = date_result(entry.function, left->type.kind, right->type.kind))
    return make_call(entry.function, {left, right}, *result, at);
  if (!is_number(left->type.kind) || !is_number(right->type.kind))
    return no_operator(in, entry.sign, *left, *right, at);
  TypeKind result = std::max(left->type.kind, right->type.kind);
  if (entry.function == Function::Power && is_integer(result)) {
    in.fail(at, "^ of integers is not exact and not supported; cast one to numeric");
    return broken(at);
  }
  if (entry.function == Function::Power && !is_whole_exponent(in, *right))
    return broken(at);
  left = coerced(in, left, type(result), Willing::Implicit);
  right = coerced(in, right, type(result), Willing::Implicit);
  return make_call(entry.function, {left, right}, result, at);
}

// Of char(n) and varchar, the second is compared as if it were char(n), too.
void forget_padding(Analysis& in, ExpressionPtr& left, ExpressionPtr& right) {
  if (left->type.is_padded == right->type.is_padded) return;
  const Type padded = unlimited(left->type.is_padded ? left->type : right->type);
  ExpressionPtr& other = left->type.is_padded ? right : left;
  if (other->type.is_varying) other = coerced(in, other, padded, Willing::Explicit);
}

ExpressionPtr make_comparison(Analysis& in, const Operator& entry, ExpressionPtr left,
                              ExpressionPtr right, Span at) {
  left = settled(in, left);
  right = settled(in, right);
  forget_padding(in, left, right);
  const auto common = common_kind(left->type.kind, right->type.kind);
  const bool is_record = common == TypeKind::Record;
  if (!common || is_record) return no_operator(in, entry.sign, *left, *right, at);
  left = coerced(in, left, type(*common), Willing::Implicit);
  right = coerced(in, right, type(*common), Willing::Implicit);
  return make_call(entry.function, {left, right}, TypeKind::Bool, at);
}

ExpressionPtr make_text_operator(Analysis& in, std::string_view sign, ExpressionPtr left,
                                 ExpressionPtr right, Span at) {
  const Type text = type(TypeKind::Text);
  left = settled(in, left);
  right = settled(in, right);
  const bool is_concat = sign == "||";
  if (!is_concat) left = with_padding(in, left, "LIKE");
  if (is_broken(*left)) return left;
  const bool left_text = left->type.kind == TypeKind::Text;
  const bool right_text = right->type.kind == TypeKind::Text;
  if (is_concat ? !left_text && !right_text : !left_text || !right_text)
    return no_operator(in, sign, *left, *right, at);
  left = coerced(in, left, text, Willing::Assignment);
  right = coerced(in, right, text, Willing::Assignment);
  return make_call(is_concat ? Function::Concat : Function::Like, {left, right},
                   is_concat ? TypeKind::Text : TypeKind::Bool, at);
}

}  // namespace

bool is_whole_exponent(Analysis& in, const Expression& exponent) {
  if (is_whole(exponent)) return true;
  in.fail(exponent.at,
          "only powers with whole exponents are supported; cast the exponent to integer");
  return false;
}

ExpressionPtr make_operator(Analysis& in, std::string_view sign, ExpressionPtr left,
                            ExpressionPtr right, Span at) {
  if (is_broken(*left)) return left;
  if (is_broken(*right)) return right;
  if (is_range(*left) || is_range(*right))
    return make_range_operator(in, sign, left, right, at);
  if (is_array_operator(sign, *left, *right))
    return make_array_operator(in, sign, left, right, at);
  if (sign == "||" || sign == "~~") return make_text_operator(in, sign, left, right, at);
  settle_pair(in, left, right);
  if (is_broken(*left)) return left;
  if (is_broken(*right)) return right;
  if (const Operator* entry = find(comparisons, sign))
    return make_comparison(in, *entry, left, right, at);
  if (const Operator* entry = find(arithmetic_operators, sign))
    return make_arithmetic(in, *entry, settled(in, left), settled(in, right), at);
  in.fail(at, fmt::format("operator {} is not supported", sign));
  return broken(at);
}

}  // namespace isomer::program
