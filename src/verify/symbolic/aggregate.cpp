// SPDX-License-Identifier: MIT
// Aggregates over the members of a group, each of which is in it under a condition.  NULLs
// do not count.  Over no values, count is 0 and the others are NULL.
//
// An average has a divisor that is a small number but not known: it is a choice of
// quotients by constants, which solvers take better than a division.
#include <algorithm>

#include "base/assert.h"
#include "verify/symbolic/functions.h"
#include "verify/symbolic/query_order.h"

namespace isomer::verify {
namespace {

using Aggregator = Expression::Aggregator;

struct Counted {
  Term counts;  // it is in the group, and not null
  Cell value;
};

// The argument for each member, in their order, since it may fail.
std::vector<Counted> values_of(const Expression& expression, const RowScope& scope,
                               Term when, Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  std::vector<Counted> out;
  for (const RowScope::Member& member : scope.group) {
    const Term is_met = terms.both(when, member.is_in);
    if (terms.is_false(is_met)) continue;
    const RowScope inner{.current = member.rows, .around = scope.around, .group = {}};
    Cell value = evaluate(*expression.arguments[0], &inner, is_met, evaluation);
    const Term counts = terms.both(member.is_in, terms.negation(value.is_null));
    if (!terms.is_false(counts)) out.push_back({counts, std::move(value)});
  }
  return out;
}

// Of equal values only the first one counts.
void keep_distinct(Terms& terms, std::vector<Counted>& values) {
  for (std::size_t i = values.size(); i-- > 0;)
    for (std::size_t j = 0; j < i; ++j) {
      const Term equal = equal_data(terms, values[i].value, values[j].value);
      const Term is_again = terms.both(values[j].counts, equal);
      values[i].counts = terms.both(values[i].counts, terms.negation(is_again));
    }
  std::erase_if(values, [&](const Counted& v) { return terms.is_false(v.counts); });
}

Term some_count(Terms& terms, std::span<const Counted> values) {
  std::vector<Term> out;
  for (const Counted& value : values)
    out.push_back(value.counts);
  return terms.any(out);
}

Term count_of(Terms& terms, std::span<const Term> conditions) {
  Term out = terms.integer(0);
  for (const Term condition : conditions)
    out = terms.sum(out, terms.choose(condition, terms.integer(1), terms.integer(0)));
  return out;
}

Term count_of(Terms& terms, std::span<const Counted> values) {
  std::vector<Term> conditions;
  for (const Counted& value : values)
    conditions.push_back(value.counts);
  return count_of(terms, conditions);
}

// The sum has the scale of the longest one that counts.
std::optional<Scale> sum_scale(std::span<const Counted> values) {
  std::optional<Scale> out = scale_of(values[0].value);
  for (const Counted& value : values) {
    const auto next = scale_of(value.value);
    if (!out || !next) return std::nullopt;
    out = Scale{.least = std::min(out->least, next->least),
                .most = std::max(out->most, next->most)};
  }
  return out;
}

Cell total(const Expression& expression, std::span<const Counted> values, const Type& type,
           Term when, Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const Term zero = terms.number("0", sort_of(type));
  Term sum = zero;
  for (const Counted& value : values) {
    const Term data =
        type.kind == TypeKind::Numeric ? as_real(terms, value.value) : value.value.data;
    sum = terms.sum(sum, terms.choose(value.counts, data, zero));
    check_range(value_cell(terms, type, sum), terms.both(when, value.counts), expression.at,
                evaluation);
  }
  return {type, terms.negation(some_count(terms, values)), sum, {}, sum_scale(values)};
}

Cell average(const Expression& expression, std::span<const Counted> values, Term when,
             Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const Cell sum = total(expression, values, expression.type, when, evaluation);
  const Term count = count_of(terms, values);
  Term out = sum.data;
  for (std::size_t i = 2; i <= values.size(); ++i) {
    const Term number = terms.integer(static_cast<std::int64_t>(i));
    out = terms.choose(terms.same(count, number),
                       terms.quotient(sum.data, terms.as_real(number)), out);
  }
  const Term is_divided = terms.less(terms.integer(1), count);
  approximate(Approximation::Kind::Arithmetic, terms.both(when, is_divided), "avg()",
              expression.at, evaluation);
  return {expression.type, sum.is_null, out, {}};
}

Cell extreme(const Expression& expression, std::span<const Counted> values, Terms& terms) {
  Cell best = null_cell(terms, expression.type);
  for (const Counted& value : values) {
    const bool wants_max = expression.aggregator == Aggregator::Max;
    const Cell& less = wants_max ? best : value.value;
    const Cell& more = wants_max ? value.value : best;
    const Term is_better = terms.is_true(best.is_null)
                               ? best.is_null
                               : terms.either(best.is_null, less_data(terms, less, more));
    Cell candidate = value.value;
    candidate.is_null = terms.truth(false);
    best = choose(terms, terms.both(value.counts, is_better), candidate, best);
  }
  return best;
}

// The values that count, if each one is known to count and to be what it is.
std::optional<std::vector<Value>> known_values(const Terms& terms,
                                               std::span<const Counted> values) {
  std::vector<Value> out;
  for (const Counted& value : values) {
    auto known = known_value(terms, value.value);
    if (!known || !terms.is_true(value.counts)) return std::nullopt;
    out.push_back(std::move(*known));
  }
  return out;
}

// By the interpreter's evaluator, over rows of one column.
Value aggregate_of_values(const Expression& expression, std::span<const Value> values,
                          program::Context& context) {
  Expression column;
  column.kind = Expression::Kind::Column;
  column.type = expression.arguments[0]->type;
  column.source = {0};
  column.column = {0};
  Expression concrete = expression;
  concrete.arguments = {std::make_shared<const Expression>(std::move(column))};
  std::vector<std::vector<Value>> group;
  for (const Value& value : values)
    group.push_back({Value::list({value})});
  const program::Rows rows{.current = {}, .around = nullptr, .group = group};
  return program::evaluate(concrete, &rows, context);
}

// array_agg: nulls are elements, too; of no rows it is null.  The members come in the order
// of their primary keys.
Cell array_of_members(const Expression& expression, const RowScope& scope, Term when,
                      Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  std::vector<ResultRow> rows;
  for (const RowScope::Member& member : scope.group) {
    const Term is_met = terms.both(when, member.is_in);
    if (terms.is_false(is_met)) continue;
    const RowScope inner{.current = member.rows, .around = scope.around, .group = {}};
    ResultRow row{.is_in = member.is_in, .tuple = {}};
    for (const auto& argument : expression.arguments)
      row.order.push_back(evaluate(*argument, &inner, is_met, evaluation));
    row.columns.push_back(row.order[0]);
    row.order.erase(row.order.begin());
    for (const ResultRow& other : rows)
      if (expression.is_distinct)
        row.is_in = terms.both(
            row.is_in,
            terms.negation(terms.both(other.is_in,
                                      identical(terms, other.columns[0], row.columns[0]))));
    rows.push_back(std::move(row));
  }
  Cell out = null_cell(terms, expression.type);
  for (ResultRow& row : sorted_by(terms, expression.order, std::move(rows))) {
    out.is_null = terms.both(out.is_null, terms.negation(row.is_in));
    out.fields.push_back(std::move(row.columns[0]));
    out.present.push_back(row.is_in);
  }
  return out;
}

}  // namespace

Cell aggregate(const Expression& expression, const RowScope& scope, Term when,
               Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  if (expression.arguments.empty()) {
    std::vector<Term> conditions;
    for (const RowScope::Member& member : scope.group)
      conditions.push_back(member.is_in);
    return value_cell(terms, expression.type, count_of(terms, conditions));
  }
  if (expression.aggregator == Aggregator::ArrayAgg)
    return array_of_members(expression, scope, when, evaluation);
  std::vector<Counted> values = values_of(expression, scope, when, evaluation);
  if (expression.is_distinct) keep_distinct(terms, values);
  if (const auto all = known_values(terms, values))
    return computed(expression.type, expression.at, when, evaluation,
                    [&](program::Context& context) {
                      return aggregate_of_values(expression, *all, context);
                    });
  switch (expression.aggregator) {
    case Aggregator::Count:
      return value_cell(terms, expression.type, count_of(terms, values));
    case Aggregator::Sum:
      return total(expression, values, expression.type, when, evaluation);
    case Aggregator::Avg:
      return average(expression, values, when, evaluation);
    case Aggregator::Min:
    case Aggregator::Max:
      return extreme(expression, values, terms);
    case Aggregator::ArrayAgg:
      break;
  }
  ISOMER_UNREACHABLE();
}

}  // namespace isomer::verify
