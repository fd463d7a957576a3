// SPDX-License-Identifier: MIT
// Operators and functions of ranges: int4range and its kin.
#include <array>

#include <fmt/format.h>

#include "program/sql/nodes.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

struct Sign {
  std::string_view sign;
  Function function;
};

constexpr std::array signs_of_two = {
    Sign{"=", Function::Equal},          Sign{"<>", Function::NotEqual},
    Sign{"is", Function::IsDistinct},    Sign{"&&", Function::RangeOverlaps},
    Sign{"@>", Function::RangeContains},
};

ExpressionPtr no_range_operator(Analysis& in, std::string_view sign, const Expression& left,
                                const Expression& right, Span at) {
  return complaint(in, at,
                   fmt::format("operator {} of {} and {} is not supported", sign,
                               to_text(left.type), to_text(right.type)));
}

// range @> 5
ExpressionPtr contains_element(Analysis& in, std::string_view sign,
                               const ExpressionPtr& range, ExpressionPtr element, Span at) {
  const Type of = type(range->type.element);
  if (!is_castable(element->type, of, Willing::Implicit))
    return no_range_operator(in, sign, *range, *element, at);
  element = coerced(in, element, of, Willing::Implicit);
  if (is_broken(*element)) return element;
  return make_call(Function::RangeContainsElement, {range, element}, TypeKind::Bool, at);
}

}  // namespace

bool is_range(const Expression& expression) {
  return expression.type.kind == TypeKind::Range;
}

ExpressionPtr make_range_operator(Analysis& in, std::string_view sign, ExpressionPtr left,
                                  ExpressionPtr right, Span at) {
  if (is_broken(*left)) return left;
  if (is_broken(*right)) return right;
  if (sign == "<@") {
    std::swap(left, right);
    sign = "@>";
  }
  if (is_untyped(*left)) left = coerced(in, left, right->type, Willing::Implicit);
  if (is_untyped(*right)) right = coerced(in, right, left->type, Willing::Implicit);
  if (is_broken(*left)) return left;
  if (is_broken(*right)) return right;
  if (sign == "@>" && is_range(*left) && !is_range(*right))
    return contains_element(in, sign, left, right, at);
  for (const Sign& known : signs_of_two)
    if (known.sign == sign && is_same(left->type, right->type))
      return make_call(known.function, {left, right}, TypeKind::Bool, at);
  return no_range_operator(in, sign, *left, *right, at);
}

bool is_range_function(std::string_view name, const std::vector<ExpressionPtr>& arguments) {
  if (range_named(name)) return true;
  const bool is_of_range = name == "lower" || name == "upper" || name == "isempty";
  return is_of_range && arguments.size() == 1 && is_range(*arguments[0]);
}

ExpressionPtr call_range_function(Analysis& in, const std::string& name,
                                  std::vector<ExpressionPtr> arguments, Span at) {
  const auto made = range_named(name);
  if (!made) {
    const TypeKind element = arguments[0]->type.element;
    if (name == "isempty")
      return make_call(Function::RangeIsEmpty, std::move(arguments), TypeKind::Bool, at);
    return make_call(name == "lower" ? Function::RangeLower : Function::RangeUpper,
                     std::move(arguments), element, at);
  }
  if (arguments.size() != 2 && arguments.size() != 3)
    return complaint(
        in, at, fmt::format("{} takes two bounds, and perhaps '[)' or the like", name));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Type wanted = type(i < 2 ? made->element : TypeKind::Text);
    arguments[i] = coerced(in, arguments[i], wanted, Willing::Implicit);
    if (is_broken(*arguments[i])) return arguments[i];
  }
  return make_call(Function::MakeRange, std::move(arguments), *made, at);
}

}  // namespace isomer::program
