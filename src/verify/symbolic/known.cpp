// SPDX-License-Identifier: MIT
// What is concrete stays concrete: a function whose arguments are constants is computed by
// the interpreter's own evaluator, with its faults, its rounding and its scales.
//
// A numeric counts as known only with its scale, since the quotient and the text of a
// numeric depend on it.
#include <algorithm>

#include "base/assert.h"
#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

// Combinations of constants that are worth trying one by one.
constexpr std::size_t cases_max = 32;

std::optional<Value> known_integer(const Terms& terms, const Cell& cell) {
  const auto number = terms.integer_value(cell.data);
  if (!number) return std::nullopt;
  switch (cell.type.kind) {
    case TypeKind::Date:
      if (*number != static_cast<std::int32_t>(*number)) return std::nullopt;
      return Value(Value::Data(program::Date{static_cast<std::int32_t>(*number)}));
    case TypeKind::Timestamp:
      return Value(Value::Data(program::Timestamp{*number}));
    default:
      return Value::integer(*number);
  }
}

std::optional<Value> known_decimal(const Terms& terms, const Cell& cell) {
  const auto scale = scale_of(cell);
  if (!scale || scale->least != scale->most) return std::nullopt;
  const auto number = program::parse_decimal(terms.text_value(cell.data));
  if (!number) return std::nullopt;
  const auto shown = program::rounded(*number, scale->least);
  if (!shown || *shown != *number) return std::nullopt;
  return Value(Value::Data(*shown));
}

// Counts the constants that the term chooses from; false if it is anything else, or they
// are too many.
bool count_constants(const Terms& terms, Term term, std::size_t& count) {
  if (terms.is_constant(term)) return ++count <= cases_max;
  if (terms.kind(term) != logic::TermKind::Choose) return false;
  const auto parts = terms.arguments(term);
  return count_constants(terms, parts[1], count) && count_constants(terms, parts[2], count);
}

bool is_worth_trying(const Terms& terms, std::span<const Cell> arguments) {
  std::size_t cases = 1;
  for (const Cell& argument : arguments) {
    std::size_t count = 0;
    if (!count_constants(terms, argument.data, count)) return false;
    cases *= count;
    if (cases > cases_max) return false;
  }
  return cases > 1;
}

Cell applied_to_values(const Operation& operation, std::vector<Cell> arguments, Term runs,
                       Evaluation& evaluation);

// f(c ? 'a' : x) as c ? f('a') : f(x), for the first argument that is such a choice.
Cell applied_by_cases(const Operation& operation, std::vector<Cell> arguments, Term runs,
                      Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const auto choice =
      std::find_if(arguments.begin(), arguments.end(), [&](const Cell& argument) {
        return terms.kind(argument.data) == logic::TermKind::Choose;
      });
  ISOMER_ASSERT(choice != arguments.end());
  const auto parts = terms.arguments(choice->data);
  const Term condition = parts[0];
  const Term then_data = parts[1];
  const Term other_data = parts[2];
  choice->data = then_data;
  const Cell then =
      applied_to_values(operation, arguments, terms.both(runs, condition), evaluation);
  choice->data = other_data;
  const Cell otherwise =
      applied_to_values(operation, std::move(arguments),
                        terms.both(runs, terms.negation(condition)), evaluation);
  return choose(terms, condition, then, otherwise);
}

Cell applied_to_values(const Operation& operation, std::vector<Cell> arguments, Term runs,
                       Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  if (terms.is_false(runs)) return null_cell(terms, operation.type);
  std::vector<Value> values;
  for (const Cell& argument : arguments)
    if (auto value = known_value(terms, argument)) values.push_back(std::move(*value));
  if (values.size() == arguments.size())
    return computed(
        operation.type, operation.at, runs, evaluation,
        [&](program::Context& context) { return operation.on_values(values, context); });
  if (operation.is_open && is_worth_trying(terms, arguments))
    return applied_by_cases(operation, std::move(arguments), runs, evaluation);
  return operation.on_cells(arguments, runs);
}

}  // namespace

Cell value_cell(Terms& terms, const Type& type, Term data, std::optional<Scale> scale) {
  return {type, terms.truth(false), data, {}, scale};
}

std::optional<Value> known_value(const Terms& terms, const Cell& cell) {
  if (cell.type.kind == TypeKind::Record || cell.type.kind == TypeKind::Array ||
      !terms.is_constant(cell.data))
    return std::nullopt;
  switch (terms.sort(cell.data)) {
    case TermSort::Bool:
      return Value::boolean(terms.is_true(cell.data));
    case TermSort::Int:
      return known_integer(terms, cell);
    case TermSort::Real:
      return known_decimal(terms, cell);
    case TermSort::Text:
      return Value::text(terms.text_value(cell.data));
  }
  ISOMER_UNREACHABLE();
}

std::optional<Value> known(const Terms& terms, const Cell& cell) {
  if (cell.type.kind == TypeKind::Record || cell.type.kind == TypeKind::Array)
    return std::nullopt;
  if (terms.is_true(cell.is_null)) return Value();
  if (!terms.is_false(cell.is_null)) return std::nullopt;
  return known_value(terms, cell);
}

Cell computed(const Type& type, Span at, Term runs, Evaluation& evaluation,
              const std::function<Value(program::Context&)>& function) {
  program::Context context;
  const Value value = function(context);
  if (!context.fault) return constant_cell(evaluation.terms, value, type);
  if (context.fault->is_limit)
    return beyond(type, runs, context.fault->sqlstate, context.fault->reason, at,
                  evaluation);
  evaluation.fail(runs, context.fault->sqlstate, context.fault->reason, at);
  return null_cell(evaluation.terms, type);
}

Cell applied(const Operation& operation, std::vector<Cell> arguments, Term when,
             Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  Term is_null = terms.truth(false);
  for (const Cell& argument : arguments)
    is_null = terms.either(is_null, argument.is_null);
  if (terms.is_true(is_null)) return null_cell(terms, operation.type);
  const Term runs = terms.both(when, terms.negation(is_null));
  Cell out = applied_to_values(operation, std::move(arguments), runs, evaluation);
  out.is_null = is_null;
  return out;
}

}  // namespace isomer::verify
