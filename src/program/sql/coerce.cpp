// SPDX-License-Identifier: MIT
// Types meet: literals take the type of what stands around them, and casts are put in where
// PostgreSQL casts without being told.  int to bigint needs none, since both are integers
// of 64 bits in our values and a node's own type says when it overflows.
#include "program/sql/coerce.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/machine/evaluate.h"
#include "program/machine/references.h"
#include "program/sql/analysis.h"

namespace isomer::program {

ExpressionPtr make(Expression expression) {
  const auto grow = [&](const Expression& part) {
    expression.size = std::min(expression.size + part.size, tree_size_max + 1);
  };
  expression.size = 1;
  for (const ExpressionPtr& argument : expression.arguments)
    if (argument) grow(*argument);
  if (expression.query) visit_parts(*expression.query, grow);
  return std::make_shared<const Expression>(std::move(expression));
}

ExpressionPtr broken(Span at) {
  Expression out;
  out.kind = Expression::Kind::Found;
  out.at = at;
  return make(std::move(out));
}

bool is_broken(const Expression& e) {
  return e.type.kind == TypeKind::Any && e.kind == Expression::Kind::Found;
}

bool is_untyped(const Expression& e) {
  return e.type.kind == TypeKind::Any && !is_broken(e);
}

ExpressionPtr make_constant(Value value, const Type& type, Span at) {
  Expression out;
  out.kind = Expression::Kind::Constant;
  out.type = type;
  out.at = at;
  out.value = std::move(value);
  return make(std::move(out));
}

ExpressionPtr make_call(Function function, std::vector<ExpressionPtr> arguments,
                        TypeKind result, Span at) {
  return make_call(function, std::move(arguments), type(result), at);
}

ExpressionPtr make_call(Function function, std::vector<ExpressionPtr> arguments,
                        const Type& result, Span at) {
  for (const ExpressionPtr& argument : arguments)
    if (is_broken(*argument)) return argument;
  Expression out;
  out.kind = Expression::Kind::Call;
  out.type = result;
  out.at = at;
  for (const ExpressionPtr& argument : arguments)
    out.at = join(out.at, argument->at);
  out.function = function;
  out.arguments = std::move(arguments);
  return make(std::move(out));
}

namespace {

ExpressionPtr typed_literal(Analysis& in, const Expression& literal, const Type& target,
                            Willing willing) {
  const bool is_explicit = willing == Willing::Explicit;
  Context context;
  Value value = converted(literal.value, is_explicit ? target : unlimited(target),
                          Conversion::Cast, context);
  if (!context.fault) return make_constant(std::move(value), target, literal.at);
  in.fail(literal.at, context.fault->reason);
  return broken(literal.at);
}

ExpressionPtr typed_symbol(Analysis& in, const Expression& symbol, const Type& target) {
  if (target.kind == TypeKind::Range) {
    in.fail(symbol.at, fmt::format("?{} would be a range, which is not supported; make it "
                                   "of its bounds",
                                   symbol.name));
    return broken(symbol.at);
  }
  if (target.kind == TypeKind::Array) {
    in.fail(symbol.at, fmt::format("?{} would be an array, which is not supported; give "
                                   "the array, which may have ?x in it",
                                   symbol.name));
    return broken(symbol.at);
  }
  for (OpenSymbol& open : *in.symbols) {
    if (open.symbol.name != symbol.name) continue;
    Expression out = symbol;
    out.type = open.symbol.type = target;
    if (open.given) {
      const ExpressionPtr value = coerced(in, open.given, target, Willing::Assignment);
      open.symbol.value = value->value;
      out.value = value->value;
    }
    return make(std::move(out));
  }
  return broken(symbol.at);
}

// A constant of another type, if that is known before the program runs.
std::optional<Value> converted_constant(const Value& value, const Type& target) {
  Context context;
  Value out = converted(value, target, Conversion::Cast, context);
  if (context.fault) return std::nullopt;
  return out;
}

ExpressionPtr cast_to(const ExpressionPtr& expression, const Type& target) {
  Expression out;
  out.kind = Expression::Kind::Cast;
  out.type = target;
  out.at = expression->at;
  out.arguments = {expression};
  return make(std::move(out));
}

}  // namespace

ExpressionPtr coerced(Analysis& in, ExpressionPtr expression, const Type& target,
                      Willing willing) {
  const Expression& e = *expression;
  const bool is_explicit = willing == Willing::Explicit;
  if (is_broken(e) || target.kind == TypeKind::Any) return expression;
  if (is_untyped(e) && e.kind == Expression::Kind::Symbol)
    return typed_symbol(in, e, target);
  if (is_untyped(e)) return typed_literal(in, e, target, willing);
  if (!is_castable(e.type, target, willing)) {
    const bool helps = is_castable(e.type, target, Willing::Explicit);
    in.fail(e.at, fmt::format("{} cannot be used as {}{}", to_text(e.type), to_text(target),
                              helps ? " without a cast" : ""));
    return broken(e.at);
  }
  // Whoever stores a value makes it fit: char(n), varchar(n), numeric(p,s).
  Type wanted = is_explicit ? target : unlimited(target);
  if (!is_explicit) wanted.is_varying = false;
  const bool is_same_kind = e.type.kind == target.kind && e.type.element == target.element;
  if (e.kind == Expression::Kind::Constant && !is_same_kind)
    if (auto value = converted_constant(e.value, wanted))
      return make_constant(std::move(*value), wanted, e.at);
  const bool is_widened =
      is_integer(e.type.kind) && is_integer(target.kind) && e.type.kind < target.kind;
  const bool is_stripped =
      willing == Willing::Implicit && target.is_padded && !e.type.is_padded;
  const bool stays =
      is_explicit ? is_same(e.type, target) : (is_same_kind && !is_stripped) || is_widened;
  return stays ? expression : cast_to(expression, wanted);
}

ExpressionPtr unsettled_null(const ExpressionPtr& expression) {
  const bool is_null = expression->kind == Expression::Kind::Constant &&
                       expression->value.is_null() &&
                       expression->type.kind == TypeKind::Text;
  return is_null ? make_constant({}, type(TypeKind::Any), expression->at) : expression;
}

ExpressionPtr settled(Analysis& in, ExpressionPtr expression) {
  if (!is_untyped(*expression)) return expression;
  return coerced(in, expression, type(TypeKind::Text), Willing::Implicit);
}

namespace {

// What the text types come to: the first decides.  Its length is known only if all have it.
Type common_text(const std::vector<ExpressionPtr>& expressions, std::size_t leader) {
  const Type* first = nullptr;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    const Expression& e = *expressions[i == 0 ? leader : i <= leader ? i - 1 : i];
    if (!is_untyped(e) && first == nullptr) first = &e.type;
  }
  if (first == nullptr) return type(TypeKind::Text);
  const bool is_one_type =
      std::all_of(expressions.begin(), expressions.end(),
                  [&](const ExpressionPtr& e) { return is_same(e->type, *first); });
  return is_one_type ? *first : unlimited(*first);
}

}  // namespace

namespace {

// Arrays must have elements of one type; literals become such arrays.
Type unify_arrays(Analysis& in, std::vector<ExpressionPtr>& expressions, const Type& array,
                  std::string_view where) {
  for (ExpressionPtr& e : expressions) {
    if (!is_untyped(*e) && !is_broken(*e) && !is_same(e->type, array)) {
      in.fail(e->at, fmt::format("{} types {} and {} cannot be matched", where,
                                 to_text(array), to_text(e->type)));
      e = broken(e->at);
    }
    e = coerced(in, e, array, Willing::Implicit);
    if (is_broken(*e)) return {};
  }
  return array;
}

}  // namespace

Type unify(Analysis& in, std::vector<ExpressionPtr>& expressions, std::string_view where,
           std::size_t leader) {
  const auto array =
      std::find_if(expressions.begin(), expressions.end(),
                   [](const ExpressionPtr& e) { return e->type.kind == TypeKind::Array; });
  if (array != expressions.end()) {
    const Type of = (*array)->type;
    return unify_arrays(in, expressions, of, where);
  }
  for (ExpressionPtr& e : expressions)
    if (e->type.kind == TypeKind::Range) {
      in.fail(e->at, fmt::format("{} of ranges is not supported", where));
      e = broken(e->at);
      return {};
    }
  std::optional<TypeKind> common;
  for (ExpressionPtr& e : expressions) {
    if (is_broken(*e)) return {};
    if (is_untyped(*e)) continue;
    const auto next = common ? common_kind(*common, e->type.kind) : e->type.kind;
    if (!next) {
      in.fail(e->at, fmt::format("{} types {} and {} cannot be matched", where,
                                 to_text(type(*common)), to_text(type(e->type.kind))));
      e = broken(e->at);
      return {};
    }
    common = next;
  }
  const bool is_text = common.value_or(TypeKind::Text) == TypeKind::Text;
  const Type result = is_text ? common_text(expressions, leader) : type(*common);
  for (ExpressionPtr& e : expressions)
    e = coerced(in, e, result, Willing::Implicit);
  return result;
}

ExpressionPtr with_padding(Analysis& in, ExpressionPtr expression, std::string_view where) {
  constexpr std::uint32_t blanks_max = 10'000;
  const Type& of = expression->type;
  if (!of.is_padded || is_broken(*expression)) return expression;
  const Span at = expression->at;
  if (!of.length_max || *of.length_max > blanks_max) {
    in.fail(at, fmt::format("{} of a char whose length is not known here is not supported; "
                            "cast it to text or to char(n)",
                            where));
    return broken(at);
  }
  const Type text = type(TypeKind::Text);
  const Type integer = type(TypeKind::Int4);
  const ExpressionPtr blanks =
      make_constant(Value::text(std::string(*of.length_max, ' ')), text, at);
  const ExpressionPtr one = make_constant(Value::integer(1), integer, at);
  const ExpressionPtr length = make_call(Function::Length, {expression}, integer, at);
  const ExpressionPtr first = make_call(Function::Add, {length, one}, integer, at);
  const ExpressionPtr rest = make_call(Function::Substring, {blanks, first}, text, at);
  return make_call(Function::Concat, {expression, rest}, text, at);
}

}  // namespace isomer::program
