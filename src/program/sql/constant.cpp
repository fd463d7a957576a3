// SPDX-License-Identifier: MIT
// Literals.
#include <fmt/format.h>

#include "program/machine/evaluate.h"
#include "program/sql/nodes.h"

namespace isomer::program {

namespace {

std::optional<Value> number_of(std::string_view digits, TypeKind kind) {
  Context context;
  Value value =
      converted(Value::text(std::string(digits)), type(kind), Conversion::Cast, context);
  if (context.fault) return std::nullopt;
  return value;
}

// 42, or -42, or -(42).
ExpressionPtr integer_constant(const Analysis& in, const SqlNode& node, Span at) {
  const SqlToken* token =
      in.text.token_at(static_cast<std::size_t>(node["location"].number()));
  if (token != nullptr && token->kind == SqlToken::Kind::Sign) {
    while (token->kind == SqlToken::Kind::Sign)
      ++token;
    at = join(at, in.text.at(*token));
  }
  return make_constant(Value::integer(node["ival"]["ival"].number()), type(TypeKind::Int4),
                       at);
}

ExpressionPtr decimal_constant(Analysis& in, const SqlNode& node, Span at) {
  const std::string& digits = node["fval"]["fval"].text();
  if (const auto small = number_of(digits, TypeKind::Int4))
    return make_constant(*small, type(TypeKind::Int4), at);
  if (const auto whole = number_of(digits, TypeKind::Int8))
    return make_constant(*whole, type(TypeKind::Int8), at);
  const auto number = number_of(digits, TypeKind::Numeric);
  if (number) return make_constant(*number, type(TypeKind::Numeric), at);
  return complaint(in, at, "this number has more than 38 digits");
}

}  // namespace

ExpressionPtr analyze_constant(Analysis& in, const SqlNode& node) {
  const Span at = in.text.at(node);
  if (node["isnull"].truth()) return make_constant({}, {}, at);
  if (node.has("ival")) return integer_constant(in, node, at);
  if (node.has("fval")) return decimal_constant(in, node, at);
  if (node.has("boolval"))
    return make_constant(Value::boolean(node["boolval"]["boolval"].truth()),
                         type(TypeKind::Bool), at);
  if (node.has("sval"))
    return make_constant(Value::text(node["sval"]["sval"].text()), {}, at);
  return complaint(in, at, "bit strings are not supported");
}

}  // namespace isomer::program
