// SPDX-License-Identifier: MIT
#include "verify/symbols.h"

#include <algorithm>

#include "program/machine/references.h"

namespace isomer::verify {
namespace {

using program::Expression;
using program::ExpressionPtr;
using program::Program;
using program::Select;
using program::SelectPtr;

ExpressionPtr with_symbol_values(const Program& program, const ExpressionPtr& expression) {
  if (!expression) return nullptr;
  auto out = std::make_shared<Expression>(*expression);
  if (out->kind == Expression::Kind::Symbol)
    for (const program::Symbol& symbol : program.symbols)
      if (symbol.name == out->name) out->value = symbol.value.value_or(program::Value());
  for (ExpressionPtr& argument : out->arguments)
    argument = with_symbol_values(program, argument);
  if (out->query) out->query = with_values(program, out->query);
  return out;
}

}  // namespace

bool mentions(const Select& query, const IsSymbol& is_one) {
  bool out = false;
  program::visit_parts(
      query, [&](const Expression& part) { out = out || mentions(part, is_one); });
  return out;
}

bool mentions(const Expression& expression, const IsSymbol& is_one) {
  if (expression.kind == Expression::Kind::Symbol && is_one(expression.name)) return true;
  if (expression.query && mentions(*expression.query, is_one)) return true;
  return std::ranges::any_of(expression.arguments, [&](const ExpressionPtr& argument) {
    return mentions(*argument, is_one);
  });
}

SelectPtr with_values(const Program& program, const SelectPtr& query) {
  if (!query || !mentions(*query, [](const std::string&) { return true; })) return query;
  const auto give = [&](ExpressionPtr& part) { part = with_symbol_values(program, part); };
  auto out = std::make_shared<Select>(*query);
  for (program::Source& source : out->from)
    give(source.left_join_on);
  give(out->where);
  std::ranges::for_each(out->columns, give);
  std::ranges::for_each(out->group_by, give);
  give(out->having);
  for (program::OrderKey& key : out->order)
    give(key.by);
  give(out->limit);
  give(out->offset);
  return out;
}

}  // namespace isomer::verify
