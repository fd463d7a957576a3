// SPDX-License-Identifier: MIT
// Arrays: ARRAY[..], v[i], = ANY (v), the operators and functions on them, and array_agg.
//
// As in PostgreSQL, an array has a type with the type of its elements, and an operator or
// function takes arrays and elements of one type, to which numbers are widened.  Arrays
// have one dimension here, and start at 1.
#include "program/sql/array.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/sql/nodes.h"

namespace isomer::program {
namespace {

bool is_array(const ExpressionPtr& e) {
  return e->type.kind == TypeKind::Array;
}

ExpressionPtr no_function(Analysis& in, std::string_view name,
                          const std::vector<ExpressionPtr>& arguments, Span at) {
  std::vector<std::string> types;
  for (const ExpressionPtr& argument : arguments)
    types.push_back(to_text(argument->type));
  return complaint(
      in, at, fmt::format("function does not exist: {}({})", name, fmt::join(types, ", ")));
}

ExpressionPtr no_array_operator(Analysis& in, std::string_view sign, const Expression& left,
                                const Expression& right, Span at) {
  return complaint(in, at,
                   fmt::format("operator does not exist: {} {} {}", to_text(left.type),
                               sign, to_text(right.type)));
}

// The type that can be an element: of char(n), blanks would count here and not there.
bool is_element(Analysis& in, const Expression& e, std::string_view where) {
  if (is_broken(e)) return false;
  const TypeKind kind = e.type.kind;
  if (kind == TypeKind::Array)
    in.fail(e.at,
            fmt::format("{} of arrays is not supported: arrays have one dimension", where));
  else if (kind == TypeKind::Record)
    in.fail(e.at, fmt::format("{} of records is not supported", where));
  else if (e.type.is_padded)
    in.fail(e.at, fmt::format("{} of char(n) is not supported; cast it to text", where));
  else
    return true;
  return false;
}

// An array and an element of one type.  False if there is none.
bool widen(Analysis& in, ExpressionPtr& array, ExpressionPtr& element) {
  if (is_untyped(*element))
    element = coerced(in, element, element_of(array->type), Willing::Implicit);
  if (is_broken(*element)) return true;
  if (is_array(element)) return false;
  const auto common = common_kind(array->type.element, element->type.kind);
  if (!common) return false;
  array = coerced(in, array, array_of(*common), Willing::Implicit);
  element = coerced(in, element, type(*common), Willing::Implicit);
  return true;
}

// Two arrays of one type; a literal becomes one.  False if there is none.
bool widen_arrays(Analysis& in, ExpressionPtr& left, ExpressionPtr& right) {
  if (is_untyped(*left)) left = coerced(in, left, right->type, Willing::Implicit);
  if (is_untyped(*right)) right = coerced(in, right, left->type, Willing::Implicit);
  if (is_broken(*left) || is_broken(*right)) return true;
  if (!is_array(left) || !is_array(right)) return false;
  const auto common = common_kind(left->type.element, right->type.element);
  if (!common) return false;
  left = coerced(in, left, array_of(*common), Willing::Implicit);
  right = coerced(in, right, array_of(*common), Willing::Implicit);
  return true;
}

ExpressionPtr concatenation(Analysis& in, ExpressionPtr left, ExpressionPtr right,
                            Span at) {
  const ExpressionPtr first = left;
  const ExpressionPtr second = right;
  const bool are_arrays =
      (is_array(left) || is_untyped(*left)) && (is_array(right) || is_untyped(*right));
  const Function function = are_arrays       ? Function::ArrayConcat
                            : is_array(left) ? Function::ArrayAppend
                                             : Function::ArrayPrepend;
  const bool fits = are_arrays       ? widen_arrays(in, left, right)
                    : is_array(left) ? widen(in, left, right)
                                     : widen(in, right, left);
  if (!fits) return no_array_operator(in, "||", *first, *second, at);
  if (is_broken(*left)) return left;
  const Type of = is_array(left) ? left->type : right->type;
  return make_call(function, {left, right}, of, at);
}

ExpressionPtr containment(Analysis& in, std::string_view sign, ExpressionPtr left,
                          ExpressionPtr right, Span at) {
  if (is_untyped(*left)) left = coerced(in, left, right->type, Willing::Implicit);
  if (is_untyped(*right)) right = coerced(in, right, left->type, Willing::Implicit);
  if (is_broken(*left)) return left;
  if (is_broken(*right)) return right;
  if (!is_same(left->type, right->type))
    return no_array_operator(in, sign, *left, *right, at);
  if (sign == "<@") std::swap(left, right);
  const Function function =
      sign == "&&" ? Function::ArrayOverlaps : Function::ArrayContains;
  return make_call(function, {left, right}, TypeKind::Bool, at);
}

struct Comparison {
  std::string_view sign;
  Function function;
};

constexpr std::array comparisons = {
    Comparison{"=", Function::Equal},       Comparison{"<>", Function::NotEqual},
    Comparison{"<", Function::Less},        Comparison{"<=", Function::LessEqual},
    Comparison{">", Function::Greater},     Comparison{">=", Function::GreaterEqual},
    Comparison{"is", Function::IsDistinct},
};

const Comparison* comparison_of(std::string_view sign) {
  const auto* found = std::find_if(comparisons.begin(), comparisons.end(),
                                   [&](const Comparison& c) { return c.sign == sign; });
  return found == comparisons.end() ? nullptr : found;
}

// Arrays are equal if they have as many elements, each equal or NULL in both.
ExpressionPtr comparison(Analysis& in, const Comparison& entry, ExpressionPtr left,
                         ExpressionPtr right, Span at) {
  if (entry.function != Function::Equal && entry.function != Function::NotEqual &&
      entry.function != Function::IsDistinct)
    return complaint(in, at,
                     "the order of arrays is not supported, only whether they are "
                     "equal");
  if (is_untyped(*left)) left = coerced(in, left, right->type, Willing::Implicit);
  if (is_untyped(*right)) right = coerced(in, right, left->type, Willing::Implicit);
  if (is_broken(*left)) return left;
  if (is_broken(*right)) return right;
  if (!is_same(left->type, right->type))
    return no_array_operator(in, entry.sign, *left, *right, at);
  return make_call(entry.function, {left, right}, TypeKind::Bool, at);
}

bool is_constant(const ExpressionPtr& e) {
  return e->kind == Expression::Kind::Constant;
}

// The value that array_lower gives: 1, or null if there is no element.
ExpressionPtr lower_bound(std::vector<ExpressionPtr> arguments, Span at) {
  const Type integer = type(TypeKind::Int4);
  const ExpressionPtr length =
      make_call(Function::ArrayLength, std::move(arguments), integer, at);
  const ExpressionPtr is_none = make_call(Function::IsNull, {length}, TypeKind::Bool, at);
  Expression out;
  out.kind = Expression::Kind::Case;
  out.type = integer;
  out.at = at;
  out.arguments = {make_call(Function::Not, {is_none}, TypeKind::Bool, at),
                   make_constant(Value::integer(1), integer, at)};
  return make(std::move(out));
}

struct ArrayFunction {
  std::string_view name;
  std::size_t arguments;
};

constexpr std::array array_functions = {
    ArrayFunction{"array_length", 2},   ArrayFunction{"array_lower", 2},
    ArrayFunction{"array_upper", 2},    ArrayFunction{"cardinality", 1},
    ArrayFunction{"array_append", 2},   ArrayFunction{"array_prepend", 2},
    ArrayFunction{"array_cat", 2},      ArrayFunction{"array_remove", 2},
    ArrayFunction{"array_position", 2},
};

// array_append(v, x) and the like: which of the two is the array says the name.
ExpressionPtr call_with_element(Analysis& in, std::string_view name,
                                std::vector<ExpressionPtr> arguments, Span at) {
  const bool is_prepend = name == "array_prepend";
  ExpressionPtr& array = arguments[is_prepend ? 1 : 0];
  ExpressionPtr& element = arguments[is_prepend ? 0 : 1];
  if (is_untyped(*array) && !is_untyped(*element) && is_element(in, *element, name))
    array = coerced(in, array, array_of(element->type.kind), Willing::Implicit);
  if (is_broken(*array)) return array;
  if (!is_array(array) || !widen(in, array, element))
    return no_function(in, name, arguments, at);
  if (name == "array_position")
    return make_call(Function::ArrayPosition, std::move(arguments), TypeKind::Int4, at);
  const Type of = array->type;
  const Function function = is_prepend               ? Function::ArrayPrepend
                            : name == "array_remove" ? Function::ArrayRemove
                                                     : Function::ArrayAppend;
  return make_call(function, std::move(arguments), of, at);
}

}  // namespace

ExpressionPtr analyze_array(Analysis& in, const FromScope& scope, const SqlNode& node,
                            const Type* target) {
  const Span at = in.text.at(node);
  std::vector<ExpressionPtr> elements;
  for (const SqlNode& element : node["elements"].items()) {
    if (element.is("A_ArrayExpr"))
      return complaint(in, in.text.at(element),
                       "arrays of more than one dimension are not supported");
    elements.push_back(analyze_expression(in, scope, element));
    if (target != nullptr)
      elements.back() =
          coerced(in, elements.back(), element_of(*target), Willing::Explicit);
    if (!is_element(in, *elements.back(), "an array")) return broken(at);
  }
  if (elements.empty() && target == nullptr)
    return complaint(in, at, "an empty array needs a type, as in ARRAY[]::int[] or '{}'");
  const Type of = target != nullptr ? element_of(*target) : unify(in, elements, "ARRAY");
  for (const ExpressionPtr& element : elements)
    if (is_broken(*element)) return element;
  const Type result = array_of(of.kind);
  if (!std::all_of(elements.begin(), elements.end(), is_constant))
    return make_call(Function::MakeList, std::move(elements), result, at);
  std::vector<Value> values;
  Span whole = at;
  for (const ExpressionPtr& element : elements) {
    values.push_back(element->value);
    whole = join(whole, element->at);
  }
  return make_constant(Value::list(std::move(values)), result, whole);
}

ExpressionPtr analyze_subscript(Analysis& in, const FromScope& scope, const SqlNode& node) {
  const Span at = in.text.at(node["arg"]);
  const SqlNode& index = node["indirection"].item(0);
  if (!index.is("A_Indices"))
    return complaint(in, at, "a field of an expression is not supported");
  if (node["indirection"].items().size() != 1 || index["is_slice"].truth())
    return complaint(in, at,
                     "only one subscript is supported: no slice, and no second dimension");
  ExpressionPtr array = analyze_expression(in, scope, node["arg"]);
  if (is_broken(*array)) return array;
  if (!is_array(array))
    return complaint(in, at,
                     fmt::format("{} has no subscripts: it is no array",
                                 is_untyped(*array) ? "a literal" : to_text(array->type)));
  ExpressionPtr place = coerced(in, analyze_expression(in, scope, index["uidx"]),
                                type(TypeKind::Int4), Willing::Assignment);
  const Type of = element_of(array->type);
  return make_call(Function::Element, {std::move(array), std::move(place)}, of, at);
}

ExpressionPtr make_quantified(Analysis& in, const Quantifier& quantifier,
                              ExpressionPtr left, ExpressionPtr right, Span at) {
  const std::string_view word = quantifier.is_all ? "ALL" : "ANY";
  if (is_broken(*left)) return left;
  if (is_broken(*right)) return right;
  const Comparison* entry = comparison_of(quantifier.sign);
  if (entry == nullptr)
    return complaint(in, at,
                     fmt::format("{} {} is not supported, only comparisons with it",
                                 quantifier.sign, word));
  if (!is_element(in, *left, word)) return broken(at);
  const TypeKind literal = is_untyped(*left) ? TypeKind::Text : left->type.kind;
  if (is_untyped(*right)) right = coerced(in, right, array_of(literal), Willing::Implicit);
  if (is_broken(*right)) return right;
  if (!is_array(right))
    return complaint(in, at,
                     fmt::format("{} needs an array, not {}", word, to_text(right->type)));
  const ExpressionPtr before = left;
  if (!widen(in, right, left))
    return no_array_operator(in, quantifier.sign, *before, *right, at);
  if (is_broken(*left)) return left;
  Expression out;
  out.kind =
      quantifier.is_all ? Expression::Kind::AllElements : Expression::Kind::AnyElement;
  out.type = type(TypeKind::Bool);
  out.at = join(join(at, left->at), right->at);
  out.function = entry->function;
  out.arguments = {std::move(left), std::move(right)};
  return make(std::move(out));
}

ExpressionPtr make_array_query(Analysis& in, SelectPtr query, Span at) {
  const ExpressionPtr& column = query->columns[0];
  if (!is_element(in, *column, "ARRAY")) return broken(at);
  Expression out;
  out.kind = Expression::Kind::ArrayQuery;
  out.type = array_of(column->type.kind);
  out.at = at;
  out.query = std::move(query);
  return make(std::move(out));
}

bool is_array_operator(std::string_view sign, const Expression& left,
                       const Expression& right) {
  const bool has_array =
      left.type.kind == TypeKind::Array || right.type.kind == TypeKind::Array;
  return has_array && (sign == "||" || sign == "@>" || sign == "<@" || sign == "&&" ||
                       comparison_of(sign) != nullptr);
}

ExpressionPtr make_array_operator(Analysis& in, std::string_view sign, ExpressionPtr left,
                                  ExpressionPtr right, Span at) {
  if (sign == "||") return concatenation(in, std::move(left), std::move(right), at);
  if (const Comparison* entry = comparison_of(sign))
    return comparison(in, *entry, std::move(left), std::move(right), at);
  return containment(in, sign, std::move(left), std::move(right), at);
}

bool is_array_function(std::string_view name) {
  return name == "array_agg" ||
         std::any_of(array_functions.begin(), array_functions.end(),
                     [&](const ArrayFunction& f) { return f.name == name; });
}

ExpressionPtr call_array_function(Analysis& in, const std::string& name,
                                  std::vector<ExpressionPtr> arguments, Span at) {
  const auto* known = std::find_if(array_functions.begin(), array_functions.end(),
                                   [&](const ArrayFunction& f) { return f.name == name; });
  if (arguments.size() != known->arguments) return no_function(in, name, arguments, at);
  if (name == "array_cat") {
    if ((!is_array(arguments[0]) && !is_array(arguments[1])) ||
        !widen_arrays(in, arguments[0], arguments[1]))
      return no_function(in, name, arguments, at);
    const Type of = arguments[0]->type;
    return make_call(Function::ArrayConcat, std::move(arguments), of, at);
  }
  const bool is_measure = name == "array_length" || name == "array_lower" ||
                          name == "array_upper" || name == "cardinality";
  if (!is_measure) return call_with_element(in, name, std::move(arguments), at);
  if (!is_array(arguments[0])) return no_function(in, name, arguments, at);
  if (name == "cardinality")
    return make_call(Function::Cardinality, std::move(arguments), TypeKind::Int4, at);
  if (!is_untyped(*arguments[1]) &&
      !is_castable(arguments[1]->type.kind, TypeKind::Int4, Willing::Implicit))
    return no_function(in, name, arguments, at);
  arguments[1] = coerced(in, arguments[1], type(TypeKind::Int4), Willing::Implicit);
  if (name == "array_lower") return lower_bound(std::move(arguments), at);
  return make_call(Function::ArrayLength, std::move(arguments), TypeKind::Int4, at);
}

ExpressionPtr make_array_agg(Analysis& in, std::vector<ExpressionPtr> arguments,
                             std::vector<Expression::Direction> order, bool is_distinct,
                             Span at) {
  for (const ExpressionPtr& argument : arguments)
    if (is_broken(*argument)) return argument;
  if (!is_element(in, *arguments[0], "array_agg")) return broken(at);
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (is_array(arguments[i]))
      return complaint(in, arguments[i]->at, "the order of arrays is not supported");
    if (is_distinct && !is_equal(*arguments[i], *arguments[0]))
      return complaint(in, arguments[i]->at,
                       "with DISTINCT, ORDER BY can only name what array_agg collects");
  }
  if (is_distinct && order.empty()) {  // sorting finds what is there twice
    arguments.push_back(arguments[0]);
    order.emplace_back();
  }
  Expression out;
  out.kind = Expression::Kind::Aggregate;
  out.type = array_of(arguments[0]->type.kind);
  out.at = at;
  out.aggregator = Expression::Aggregator::ArrayAgg;
  out.is_distinct = is_distinct;
  out.arguments = std::move(arguments);
  out.order = std::move(order);
  return make(std::move(out));
}

}  // namespace isomer::program
