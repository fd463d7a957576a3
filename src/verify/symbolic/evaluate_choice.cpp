// SPDX-License-Identifier: MIT
// AND, OR, CASE, COALESCE and IN: what an operand settles, the later ones are not evaluated
// for, and so cannot fail.
#include "verify/symbolic/functions.h"

namespace isomer::verify {

// A conjunction is false if an operand is, else null if one is, else true; a disjunction
// likewise with true and false changed.  The data of an operand that is null does no harm:
// the result is null then, or settled by another operand.
Cell junction(const Expression& call, const RowScope* scope, Term when,
              Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const bool is_and = call.function == Function::And;
  std::vector<Term> data;
  Term some_null = terms.truth(false);
  Term is_settled = terms.truth(false);
  for (const auto& argument : call.arguments) {
    const Term open = terms.both(when, terms.negation(is_settled));
    if (terms.is_false(open)) break;
    const Cell operand = evaluate(*argument, scope, open, evaluation);
    some_null = terms.either(some_null, operand.is_null);
    if (terms.is_true(operand.is_null)) continue;
    data.push_back(operand.data);
    const Term settles = is_and ? terms.negation(operand.data) : operand.data;
    is_settled =
        terms.either(is_settled, terms.both(terms.negation(operand.is_null), settles));
  }
  const Term out = is_and ? terms.all(data) : terms.any(data);
  return {call.type, terms.both(some_null, terms.negation(is_settled)), out, {}};
}

namespace {

// A value that counts where its condition holds and no earlier one's does.
struct Alternative {
  Term condition;
  Cell value;
};

Cell first_of(Terms& terms, const std::vector<Alternative>& alternatives,
              const Type& type) {
  Cell out = null_cell(terms, type);
  for (std::size_t i = alternatives.size(); i-- > 0;)
    out = choose(terms, alternatives[i].condition, alternatives[i].value, out);
  return out;
}

}  // namespace

Cell first_not_null(const Expression& call, const RowScope* scope, Term when,
                    Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  std::vector<Alternative> alternatives;
  Term open = when;
  for (const auto& argument : call.arguments) {
    if (terms.is_false(open)) break;
    const Cell value = evaluate(*argument, scope, open, evaluation);
    const Term is_value = terms.negation(value.is_null);
    if (terms.is_false(is_value)) continue;
    Cell out = converted(value, call.type, Conversion::Cast, terms.both(open, is_value),
                         call.at, evaluation);
    out.is_null = terms.truth(false);
    alternatives.push_back({is_value, std::move(out)});
    open = terms.both(open, value.is_null);
  }
  return first_of(terms, alternatives, call.type);
}

Cell choose_case(const Expression& expression, const RowScope* scope, Term when,
                 Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const auto& arms = expression.arguments;
  std::vector<Alternative> alternatives;
  Term open = when;
  const auto add = [&](Term condition, const Expression& result) {
    const Term chosen = terms.both(open, condition);
    const Cell value = evaluate(result, scope, chosen, evaluation);
    alternatives.push_back({condition, converted(value, expression.type, Conversion::Cast,
                                                 chosen, expression.at, evaluation)});
    open = terms.both(open, terms.negation(condition));
  };
  std::size_t i = 0;
  for (; i + 1 < arms.size() && !terms.is_false(open); i += 2)
    if (const Term condition = holds(*arms[i], scope, open, evaluation);
        !terms.is_false(condition))
      add(condition, *arms[i + 1]);
  if (i + 1 == arms.size() && !terms.is_false(open)) add(terms.truth(true), *arms[i]);
  return first_of(terms, alternatives, expression.type);
}

Cell in_list(const Expression& expression, const RowScope* scope, Term when,
             Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const Cell wanted = evaluate(*expression.arguments[0], scope, when, evaluation);
  Term is_found = terms.truth(false);
  Term some_null = terms.truth(false);
  for (std::size_t i = 1; i < expression.arguments.size(); ++i) {
    const Term open = terms.both(when, terms.negation(is_found));
    if (terms.is_false(open)) break;
    const Cell equal = compare_equal(
        terms, wanted, evaluate(*expression.arguments[i], scope, open, evaluation));
    some_null = terms.either(some_null, equal.is_null);
    is_found =
        terms.either(is_found, terms.both(terms.negation(equal.is_null), equal.data));
  }
  return {expression.type, terms.both(some_null, terms.negation(is_found)), is_found, {}};
}

}  // namespace isomer::verify
