// SPDX-License-Identifier: MIT
// The evaluator of program/machine/evaluate.cpp with terms for values.
//
// Where that one stops at a fault or leaves an operand out, this one goes on under a
// condition: `when` says that the interpreter would come here if nothing had failed before,
// and a fault counts only where no earlier one does (Evaluation::fail).  So conditions stay
// small, and faults come in the interpreter's order because this visits what it visits.
#include "verify/symbolic/evaluate.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

using Kind = Expression::Kind;

// In place of what was refused.
Cell nothing(const Expression& expression, Evaluation& evaluation) {
  const bool has_sort = expression.type.kind != TypeKind::Any;
  return null_cell(evaluation.terms,
                   has_sort ? expression.type : type_of_kind(TypeKind::Bool));
}

Cell refused(const Expression& expression, const std::string& what,
             Evaluation& evaluation) {
  evaluation.refuse(expression.at, what);
  return nothing(expression, evaluation);
}

Cell column(const Expression& expression, const RowScope* scope, Terms& terms) {
  for (std::uint32_t i = 0; i < expression.outer; ++i) {
    ISOMER_ASSERT(scope != nullptr);
    scope = scope->around;
  }
  ISOMER_ASSERT(scope != nullptr);
  ISOMER_ASSERT(expression.source.index < scope->current.size());
  const Row& row = scope->current[expression.source.index];
  if (terms.is_false(row.exists)) return null_cell(terms, expression.type);
  ISOMER_ASSERT(expression.column.index < row.columns.size());
  Cell out = row.columns[expression.column.index];
  out.is_null = terms.either(out.is_null, terms.negation(row.exists));
  return out;
}

Cell variable(const Expression& expression, const Evaluation& evaluation) {
  ISOMER_ASSERT(expression.variable.index < evaluation.variables.size());
  const Cell& cell = evaluation.variables[expression.variable.index];
  if (!expression.field) return cell;
  if (*expression.field < cell.fields.size()) return cell.fields[*expression.field];
  return null_cell(evaluation.terms, expression.type);
}

Cell symbol(const Expression& expression, Evaluation& evaluation) {
  const auto& symbols = evaluation.program.symbols;
  const auto found = std::find_if(symbols.begin(), symbols.end(),
                                  [&](const auto& s) { return s.name == expression.name; });
  const auto index = static_cast<std::size_t>(found - symbols.begin());
  if (expression.type.kind == TypeKind::Array)
    return refused(expression, "calls whose array arguments are not given", evaluation);
  if (index < evaluation.symbols.size()) return evaluation.symbols[index];
  return refused(expression, fmt::format("?{} here", expression.name), evaluation);
}

// Equal, or both null.
Term is_same(Terms& terms, const Cell& a, const Cell& b) {
  if (terms.is_true(a.is_null)) return b.is_null;
  if (terms.is_true(b.is_null)) return a.is_null;
  const Term no_null = terms.negation(terms.either(a.is_null, b.is_null));
  return terms.either(terms.both(a.is_null, b.is_null),
                      terms.both(no_null, equal_data(terms, a, b)));
}

Cell null_if_equal(Terms& terms, const Cell& a, const Cell& b) {
  if (terms.is_true(a.is_null) || terms.is_true(b.is_null)) return a;
  const Term equal = terms.both(terms.negation(b.is_null), equal_data(terms, a, b));
  Cell out = a;
  out.is_null = terms.either(a.is_null, equal);
  return out;
}

Cell greatest_or_least(const Expression& call, std::span<const Cell> values, Term when,
                       Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  Cell best = null_cell(terms, call.type);
  for (const Cell& value : values) {
    if (terms.is_true(value.is_null)) continue;
    const Cell& less = call.function == Function::Greatest ? best : value;
    const Cell& more = call.function == Function::Greatest ? value : best;
    const Term is_first = terms.is_true(best.is_null)
                              ? best.is_null
                              : terms.either(best.is_null, less_data(terms, less, more));
    best = choose(terms, terms.both(terms.negation(value.is_null), is_first), value, best);
  }
  return converted(best, call.type, Conversion::Cast, when, call.at, evaluation);
}

Cell record(const Expression& call, std::vector<Cell> values) {
  return {call.type, {}, {}, std::move(values)};
}

Cell call_function(const Expression& call, const RowScope* scope, Term when,
                   Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const auto truth = [&](Term data) { return value_cell(terms, call.type, data); };
  if (call.function == Function::And || call.function == Function::Or)
    return junction(call, scope, when, evaluation);
  if (call.function == Function::Coalesce)
    return first_not_null(call, scope, when, evaluation);
  std::vector<Cell> values;
  values.reserve(call.arguments.size());
  for (const auto& argument : call.arguments)
    values.push_back(evaluate(*argument, scope, when, evaluation));
  switch (call.function) {
    case Function::Not:
      return {call.type, values[0].is_null, terms.negation(values[0].data), {}};
    case Function::IsNull:
      return truth(values[0].is_null);
    case Function::IsDistinct:
      return truth(terms.negation(is_same(terms, values[0], values[1])));
    case Function::NullIf:
      return null_if_equal(terms, values[0], values[1]);
    case Function::MakeList:
      if (call.type.kind != TypeKind::Array) return record(call, std::move(values));
      return array_cell(terms, call.type, std::move(values),
                        std::vector(call.arguments.size(), terms.truth(true)));
    case Function::Greatest:
    case Function::Least:
      return greatest_or_least(call, values, when, evaluation);
    default:
      return is_about_arrays(call) ? call_array(call, values, evaluation)
                                   : call_strict(call, std::move(values), when, evaluation);
  }
}

Cell dispatch(const Expression& expression, const RowScope* scope, Term when,
              Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  switch (expression.kind) {
    case Kind::Constant:
      // A literal has the type of what it is for, but perhaps not its length or precision.
      return constant_cell(terms, expression.value,
                           expression.type.kind == TypeKind::Array
                               ? expression.type
                               : type_of_kind(expression.type.kind));
    case Kind::Variable:
      return variable(expression, evaluation);
    case Kind::Column:
      return column(expression, scope, terms);
    case Kind::Call:
      return call_function(expression, scope, when, evaluation);
    case Kind::Case:
      return choose_case(expression, scope, when, evaluation);
    case Kind::Cast:
      return converted(evaluate(*expression.arguments[0], scope, when, evaluation),
                       expression.type, Conversion::Cast, when, expression.at, evaluation);
    case Kind::Exists:
    case Kind::InQuery:
    case Kind::Scalar:
    case Kind::ArrayQuery:
      ISOMER_ASSERT(evaluation.query);
      return evaluation.query(expression, scope, when);
    case Kind::InList:
      return in_list(expression, scope, when, evaluation);
    case Kind::AnyElement:
    case Kind::AllElements:
      return over_elements(expression, scope, when, evaluation);
    case Kind::Found:
      return value_cell(terms, expression.type, evaluation.found);
    case Kind::RowCount:
      return value_cell(terms, expression.type, evaluation.row_count);
    case Kind::Aggregate:
      ISOMER_ASSERT(scope != nullptr);
      return aggregate(expression, *scope, when, evaluation);
    case Kind::FinalLocal:
      return refused(expression, "litmus programs", evaluation);
    case Kind::Symbol:
      return symbol(expression, evaluation);
    case Kind::Rows:
      return refused(expression, "rows that are computed", evaluation);
  }
  ISOMER_UNREACHABLE();
}

}  // namespace

Evaluation::Evaluation(Terms& all_terms, const Program& of, const SymbolicOptions& with)
    : terms(all_terms),
      program(of),
      options(with),
      found(all_terms.truth(false)),
      row_count(all_terms.integer(0)),
      has_fault(all_terms.truth(false)) {}

void Evaluation::fail(Term when, std::string sqlstate, std::string reason, Span at) {
  const Term first = terms.both(when, terms.negation(has_fault));
  if (terms.is_false(first)) return;
  faults.push_back({first, std::move(reason), std::move(sqlstate), at});
  has_fault = terms.either(has_fault, when);
}

void Evaluation::refuse(Span at, const std::string& what) {
  unsupported.push_back(
      diagnostic_in(program, at.first, fmt::format("verify cannot do {}", what)));
}

bool Evaluation::is_out_of_time() {
  constexpr std::uint32_t steps_unseen = 64;
  if (++steps_ % steps_unseen == 0 && options.budget.is_exhausted()) is_out_of_time_ = true;
  return is_out_of_time_;
}

Cell evaluate(const Expression& expression, const RowScope* scope, Term when,
              Evaluation& evaluation) {
  if (expression.type.kind == TypeKind::Any)
    return refused(expression, "values without a type, as litmus programs have them",
                   evaluation);
  const Terms& terms = evaluation.terms;
  const bool is_skipped = terms.is_false(when) || terms.is_true(evaluation.has_fault) ||
                          !evaluation.unsupported.empty() || evaluation.is_out_of_time();
  return is_skipped ? nothing(expression, evaluation)
                    : dispatch(expression, scope, when, evaluation);
}

Term holds(const Expression& condition, const RowScope* scope, Term when,
           Evaluation& evaluation) {
  const Cell cell = evaluate(condition, scope, when, evaluation);
  return evaluation.terms.both(evaluation.terms.negation(cell.is_null), cell.data);
}

}  // namespace isomer::verify
