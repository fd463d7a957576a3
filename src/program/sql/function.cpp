// SPDX-License-Identifier: MIT
// Function calls and aggregates.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/sql/array.h"
#include "program/sql/nodes.h"

namespace isomer::program {
namespace {

using Arguments = std::vector<ExpressionPtr>;

constexpr TypeKind none = TypeKind::Any;
constexpr TypeKind text = TypeKind::Text;
constexpr TypeKind int4 = TypeKind::Int4;
constexpr TypeKind numeric = TypeKind::Numeric;

struct KnownFunction {
  std::string_view name;
  Function function;
  std::array<TypeKind, 3> parameters;
  std::size_t required;
  TypeKind result;
};

constexpr std::array known_functions = {
    KnownFunction{"round", Function::Round, {numeric, int4, none}, 1, numeric},
    KnownFunction{"ceil", Function::Ceil, {numeric, none, none}, 1, numeric},
    KnownFunction{"ceiling", Function::Ceil, {numeric, none, none}, 1, numeric},
    KnownFunction{"floor", Function::Floor, {numeric, none, none}, 1, numeric},
    KnownFunction{"power", Function::Power, {numeric, numeric, none}, 2, numeric},
    KnownFunction{"length", Function::Length, {text, none, none}, 1, int4},
    KnownFunction{"char_length", Function::Length, {text, none, none}, 1, int4},
    KnownFunction{"character_length", Function::Length, {text, none, none}, 1, int4},
    KnownFunction{"lower", Function::Lower, {text, none, none}, 1, text},
    KnownFunction{"upper", Function::Upper, {text, none, none}, 1, text},
    KnownFunction{"substring", Function::Substring, {text, int4, int4}, 2, text},
    KnownFunction{"substr", Function::Substring, {text, int4, int4}, 2, text},
    KnownFunction{"position", Function::Position, {text, text, none}, 2, int4},
    KnownFunction{"strpos", Function::Position, {text, text, none}, 2, int4},
    KnownFunction{"split_part", Function::SplitPart, {text, text, int4}, 3, text},
    KnownFunction{
        "starts_with", Function::StartsWith, {text, text, none}, 2, TypeKind::Bool},
};

constexpr std::array<std::string_view, 8> other_functions = {
    "abs",       "mod",          "concat",      "nullif",
    "array_agg", "array_length", "cardinality", "array_append"};

struct KnownAggregate {
  std::string_view name;
  Expression::Aggregator aggregator;
};

constexpr std::array known_aggregates = {
    KnownAggregate{"count", Expression::Aggregator::Count},
    KnownAggregate{"sum", Expression::Aggregator::Sum},
    KnownAggregate{"min", Expression::Aggregator::Min},
    KnownAggregate{"max", Expression::Aggregator::Max},
    KnownAggregate{"avg", Expression::Aggregator::Avg},
};

// What differs from call to call comes in from outside, so that runs can be repeated.
constexpr std::array<std::string_view, 14> call_inputs = {"now",
                                                          "clock_timestamp",
                                                          "statement_timestamp",
                                                          "transaction_timestamp",
                                                          "timeofday",
                                                          "random",
                                                          "gen_random_uuid",
                                                          "nextval",
                                                          "currval",
                                                          "lastval",
                                                          "setval",
                                                          "setseed",
                                                          "txid_current",
                                                          "pg_backend_pid"};

std::string types_of(const Arguments& arguments) {
  std::vector<std::string> out;
  for (const ExpressionPtr& argument : arguments)
    out.push_back(to_text(argument->type));
  return fmt::format("{}", fmt::join(out, ", "));
}

ExpressionPtr call_known(Analysis& in, const KnownFunction& known, Arguments arguments,
                         Span at) {
  const auto accepted = static_cast<std::size_t>(
      std::find(known.parameters.begin(), known.parameters.end(), none) -
      known.parameters.begin());
  const bool is_rounding =
      known.result == numeric && known.required == arguments.size() &&
      std::all_of(arguments.begin(), arguments.end(),
                  [](const auto& a) { return is_integer(a->type.kind); });
  if (is_rounding)
    return complaint(in, at,
                     fmt::format("{} of integers is double precision, which is not "
                                 "supported; cast one to numeric",
                                 known.name));
  bool fits = arguments.size() >= known.required && arguments.size() <= accepted;
  for (std::size_t i = 0; fits && i < arguments.size(); ++i)
    fits = is_untyped(*arguments[i]) ||
           is_castable(arguments[i]->type.kind, known.parameters[i], Willing::Implicit);
  if (!fits)
    return complaint(
        in, at,
        fmt::format("function does not exist: {}({})", known.name, types_of(arguments)));
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i] = coerced(in, arguments[i], type(known.parameters[i]), Willing::Implicit);
  if (known.function == Function::Power && !is_broken(*arguments[1]) &&
      !is_whole_exponent(in, *arguments[1]))
    return broken(at);
  return make_call(known.function, std::move(arguments), known.result, at);
}

// concat() shows a bool as t or f, where a cast says true or false.
ExpressionPtr shown_bool(const ExpressionPtr& of) {
  const auto word = [&](const char* letter) {
    return make_constant(Value::text(letter), type(text), of->at);
  };
  Expression out;
  out.kind = Expression::Kind::Case;
  out.type = type(text);
  out.at = of->at;
  out.arguments = {of, word("t"), make_call(Function::Not, {of}, TypeKind::Bool, of->at),
                   word("f")};
  return make(std::move(out));
}

// concat() takes what is null as ''.
ExpressionPtr call_concat(Analysis& in, Arguments arguments, Span at) {
  if (arguments.empty()) return complaint(in, at, "function does not exist: concat()");
  const Type as_text = type(text);
  for (ExpressionPtr& argument : arguments) {
    if (argument->type.kind == TypeKind::Bool) argument = shown_bool(argument);
    argument =
        with_padding(in, coerced(in, argument, as_text, Willing::Assignment), "concat");
    if (is_broken(*argument)) return argument;
    argument = make_call(Function::Coalesce,
                         {argument, make_constant(Value::text(""), as_text, argument->at)},
                         text, argument->at);
  }
  return make_call(Function::Concat, std::move(arguments), text, at);
}

ExpressionPtr call_abs(Analysis& in, const Arguments& arguments, Span at) {
  if (arguments.size() != 1 || !is_number(arguments[0]->type.kind))
    return complaint(in, at,
                     fmt::format("function does not exist: abs({})", types_of(arguments)));
  return make_call(Function::Abs, arguments, arguments[0]->type.kind, at);
}

std::optional<TypeKind> aggregate_result(Expression::Aggregator aggregator, TypeKind of) {
  using Aggregator = Expression::Aggregator;
  switch (aggregator) {
    case Aggregator::Count:
      return TypeKind::Int8;
    case Aggregator::Sum:
      if (!is_number(of)) return std::nullopt;
      return of == TypeKind::Int2 || of == TypeKind::Int4 ? TypeKind::Int8
                                                          : TypeKind::Numeric;
    case Aggregator::Avg:
      if (!is_number(of)) return std::nullopt;
      return TypeKind::Numeric;
    case Aggregator::Min:
    case Aggregator::Max:
      if (of == TypeKind::Bool || of == TypeKind::Record || of == TypeKind::Range)
        return std::nullopt;
      return of;
    case Aggregator::ArrayAgg:
      if (of == TypeKind::Range) return std::nullopt;
      return TypeKind::Array;
  }
  return std::nullopt;
}

ExpressionPtr make_aggregate(Expression::Aggregator aggregator, Arguments arguments,
                             TypeKind result, Span at) {
  Expression out;
  out.kind = Expression::Kind::Aggregate;
  out.type = type(result);
  out.at = at;
  out.aggregator = aggregator;
  out.arguments = std::move(arguments);
  return make(std::move(out));
}

// bool_and(x) is null without values, else whether none is false; bool_or likewise.
ExpressionPtr call_bool_aggregate(const ExpressionPtr& of, bool is_and, Span at) {
  using Aggregator = Expression::Aggregator;
  const Type int8 = type(TypeKind::Int8);
  const ExpressionPtr zero = make_constant(Value::integer(0), int8, at);
  const ExpressionPtr decisive =
      is_and ? make_call(Function::Not, {of}, TypeKind::Bool, at) : of;
  Expression one;
  one.kind = Expression::Kind::Case;
  one.type = int8;
  one.at = at;
  one.arguments = {decisive, make_constant(Value::integer(1), int8, at)};
  const ExpressionPtr decided =
      make_aggregate(Aggregator::Count, {make(one)}, int8.kind, at);
  const ExpressionPtr known = make_aggregate(Aggregator::Count, {of}, int8.kind, at);
  Expression out;
  out.kind = Expression::Kind::Case;
  out.type = type(TypeKind::Bool);
  out.at = at;
  out.arguments = {make_call(Function::Greater, {known, zero}, TypeKind::Bool, at),
                   make_call(is_and ? Function::Equal : Function::Greater, {decided, zero},
                             TypeKind::Bool, at)};
  return make(std::move(out));
}

bool is_aggregate(std::string_view name) {
  return name == "bool_and" || name == "every" || name == "bool_or" ||
         name == "array_agg" ||
         std::any_of(known_aggregates.begin(), known_aggregates.end(),
                     [&](const KnownAggregate& known) { return known.name == name; });
}

// array_agg(DISTINCT x ORDER BY y DESC)
ExpressionPtr analyze_array_agg(Analysis& in, const FromScope& scope, const SqlNode& node,
                                const ExpressionPtr& of, Span at) {
  Arguments arguments{of};
  std::vector<Expression::Direction> order;
  for (const SqlNode& item : node["agg_order"].items()) {
    const OrderKey key = analyze_order_key(in, item);
    arguments.push_back(settled(in, analyze_expression(in, scope, item["node"])));
    order.push_back({.is_descending = key.is_descending, .nulls_first = key.nulls_first});
  }
  return make_array_agg(in, std::move(arguments), std::move(order),
                        node["agg_distinct"].truth(), at);
}

ExpressionPtr analyze_aggregate(Analysis& in, const FromScope& scope, const SqlNode& node,
                                const std::string& name, Span at) {
  if (!scope.no_aggregates_in.empty())
    return complaint(
        in, at,
        fmt::format("aggregate functions are not allowed in {}", scope.no_aggregates_in));
  FromScope inside = scope;
  inside.no_aggregates_in = "an aggregate function";
  Arguments arguments;
  for (const SqlNode& argument : node["args"].items())
    arguments.push_back(settled(in, analyze_expression(in, inside, argument)));
  if (name == "array_agg" && arguments.size() == 1)
    return analyze_array_agg(in, inside, node, arguments[0], at);
  const bool is_star = node["agg_star"].truth();
  if (arguments.size() != (is_star ? 0U : 1U) || (is_star && name != "count"))
    return complaint(in, at,
                     fmt::format("function does not exist: {}({})", name,
                                 is_star ? "*" : types_of(arguments)));
  if (!arguments.empty() && is_broken(*arguments[0])) return arguments[0];
  if (name == "bool_and" || name == "every" || name == "bool_or") {
    arguments[0] = coerced(in, arguments[0], type(TypeKind::Bool), Willing::Implicit);
    return call_bool_aggregate(arguments[0], name != "bool_or", at);
  }
  const auto known = std::find_if(known_aggregates.begin(), known_aggregates.end(),
                                  [&](const KnownAggregate& k) { return k.name == name; });
  const auto result =
      aggregate_result(known->aggregator, is_star ? none : arguments[0]->type.kind);
  if (!result)
    return complaint(
        in, at, fmt::format("function does not exist: {}({})", name, types_of(arguments)));
  const bool is_picked = known->aggregator == Expression::Aggregator::Min ||
                         known->aggregator == Expression::Aggregator::Max;
  if (is_picked && *result == TypeKind::Array)
    return complaint(in, at, "the order of arrays is not supported");
  const bool is_padded = is_picked && arguments[0]->type.is_padded;
  const Type of = is_padded ? arguments[0]->type : type(*result);
  Expression out = *make_aggregate(known->aggregator, std::move(arguments), *result, at);
  out.type = of;
  out.is_distinct = node["agg_distinct"].truth();
  return make(std::move(out));
}

std::optional<std::string> unsupported_part(const SqlNode& node, const std::string& name) {
  if (node.has("over")) return "window functions (OVER) are not supported";
  if (node.has("agg_filter")) return "FILTER is not supported";
  if (node.has("agg_order") && name != "array_agg")
    return "ORDER BY inside an aggregate is supported in array_agg only";
  if (node["func_variadic"].truth()) return "VARIADIC is not supported";
  if (name == "unnest")
    return "unnest is supported only in IN (SELECT unnest(v)); use FOREACH .. IN ARRAY, or "
           "= ANY (v)";
  if (name == "like_escape" || name == "similar_to_escape")
    return "ESCAPE is not supported";
  if (node["funcname"].items().size() == 2 &&
      node["funcname"].item(0).name() != "pg_catalog")
    return fmt::format("function {} is not supported", name);
  if (std::find(call_inputs.begin(), call_inputs.end(), name) != call_inputs.end())
    return fmt::format("{}() is an input of the call: pass it as a parameter", name);
  return std::nullopt;
}

std::string unknown_function(const std::string& name) {
  std::vector<std::string> names(other_functions.begin(), other_functions.end());
  for (const KnownFunction& known : known_functions)
    names.emplace_back(known.name);
  for (const KnownAggregate& known : known_aggregates)
    names.emplace_back(known.name);
  return fmt::format("function {} is not supported{}", name, hint(name, names));
}

}  // namespace

ExpressionPtr analyze_function(Analysis& in, const FromScope& scope, const SqlNode& node) {
  const std::string name = node["funcname"].items().back().name();
  Span at = in.text.at(node);
  if (const SqlToken* end = in.text.closing(
          in.text.token_at(static_cast<std::size_t>(node["location"].number()))))
    at = join(at, in.text.at(*end));
  if (const auto problem = unsupported_part(node, name)) return complaint(in, at, *problem);
  if (is_aggregate(name)) return analyze_aggregate(in, scope, node, name, at);
  Arguments arguments;
  for (const SqlNode& argument : node["args"].items()) {
    arguments.push_back(analyze_expression(in, scope, argument));
    if (is_broken(*arguments.back())) return arguments.back();
  }
  if (is_array_function(name))
    return call_array_function(in, name, std::move(arguments), at);
  if (is_range_function(name, arguments))
    return call_range_function(in, name, std::move(arguments), at);
  if (name == "abs") return call_abs(in, arguments, at);
  if (name == "concat") return call_concat(in, std::move(arguments), at);
  if (name == "mod" && arguments.size() == 2)
    return make_operator(in, "%", arguments[0], arguments[1], at);
  for (const KnownFunction& known : known_functions)
    if (known.name == name) return call_known(in, known, std::move(arguments), at);
  if (auto lock = analyze_advisory_call(in, scope, node, arguments, at)) return lock;
  const ExpressionPtr value = analyze_call(in, scope, name, std::move(arguments), at);
  return value ? value : complaint(in, at, unknown_function(name));
}

}  // namespace isomer::program
