// SPDX-License-Identifier: MIT
// Functions that are null if an argument is: which of them terms can say, and what stands
// for those that they cannot.
#include <fmt/format.h>

#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

bool is_comparison(Function function) {
  return function >= Function::Equal && function <= Function::GreaterEqual;
}

bool is_arithmetic(Function function) {
  return function >= Function::Add && function <= Function::Power;
}

// Numeric division is exact here, and rounded there.
bool is_open(const Expression& call) {
  if (is_comparison(call.function)) return false;
  return !is_arithmetic(call.function) || call.function == Function::Power ||
         call.function == Function::Round ||
         (call.function == Function::Divide && call.type.kind == TypeKind::Numeric);
}

Term compared(Function function, const Cell& a, const Cell& b, Terms& terms) {
  switch (function) {
    case Function::Equal:
      return equal_data(terms, a, b);
    case Function::NotEqual:
      return terms.negation(equal_data(terms, a, b));
    case Function::Less:
      return less_data(terms, a, b);
    case Function::LessEqual:
      return terms.negation(less_data(terms, b, a));
    case Function::Greater:
      return less_data(terms, b, a);
    default:
      return terms.negation(less_data(terms, a, b));
  }
}

Cell call_on_cells(const Expression& call, std::span<const Cell> arguments, Term runs,
                   Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  if (is_comparison(call.function))
    return value_cell(terms, call.type,
                      compared(call.function, arguments[0], arguments[1], terms));
  switch (call.function) {
    case Function::Round:
    case Function::Ceil:
    case Function::Floor:
      return rounding(call, arguments, runs, evaluation);
    case Function::Power:
      return raised(call, arguments, runs, evaluation);
    default:
      return is_arithmetic(call.function) ? arithmetic(call, arguments, runs, evaluation)
                                          : call_text(call, arguments, runs, evaluation);
  }
}

// The call with these arguments, by the interpreter's evaluator.
Value call_on_values(const Expression& call, std::span<const Value> values,
                     program::Context& context) {
  Expression concrete;
  concrete.kind = Expression::Kind::Call;
  concrete.type = call.type;
  concrete.at = call.at;
  concrete.function = call.function;
  for (std::size_t i = 0; i < values.size(); ++i) {
    Expression argument;
    argument.type = call.arguments[i]->type;
    argument.value = values[i];
    concrete.arguments.push_back(std::make_shared<const Expression>(std::move(argument)));
  }
  return program::evaluate(concrete, nullptr, context);
}

}  // namespace

Cell call_strict(const Expression& call, std::vector<Cell> arguments, Term when,
                 Evaluation& evaluation) {
  const Operation operation{
      .type = call.type,
      .at = call.at,
      .is_open = is_open(call),
      .on_values =
          [&](std::span<const Value> values, program::Context& context) {
            return call_on_values(call, values, context);
          },
      .on_cells = [&](std::span<const Cell> cells,
                      Term runs) { return call_on_cells(call, cells, runs, evaluation); }};
  return applied(operation, std::move(arguments), when, evaluation);
}

Term any_function(const std::string& name, std::span<const Cell> arguments, TermSort result,
                  Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  std::vector<Term> data;
  std::vector<TermSort> sorts;
  for (const Cell& argument : arguments) {
    data.push_back(argument.data);
    sorts.push_back(terms.sort(argument.data));
  }
  return terms.apply(terms.shared_function(name, std::move(sorts), result), data);
}

Cell beyond(const Type& type, Term runs, const std::string& sqlstate,
            const std::string& what, Span at, Evaluation& evaluation) {
  approximate(Approximation::Kind::Limit, runs, what, at, evaluation);
  evaluation.fail(runs, sqlstate, what, at);
  return null_cell(evaluation.terms, type);
}

// One line for each place: a statement is evaluated once for each row.
void approximate(Approximation::Kind kind, Term when, const std::string& what, Span at,
                 Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const Term is_met = terms.both(when, terms.negation(evaluation.has_fault));
  if (terms.is_false(is_met)) return;
  for (Approximation& known : evaluation.approximations) {
    if (known.kind != kind || known.what != what || known.at.first != at.first ||
        known.at.last != at.last)
      continue;
    known.when = terms.either(known.when, is_met);
    return;
  }
  evaluation.approximations.push_back({kind, is_met, what, at});
}

}  // namespace isomer::verify
