// SPDX-License-Identifier: MIT
// SELECT: the rows of FROM and WHERE, grouped if there is a GROUP BY or an aggregate, then
// HAVING, the columns, DISTINCT, ORDER BY, OFFSET and LIMIT.  Rows come in the order of
// their primary keys and sorting is stable, so ties in an ORDER BY go by primary key;
// groups come in the order of their first rows.
#include <algorithm>
#include <map>
#include <set>

#include "base/assert.h"
#include "program/machine/references.h"
#include "program/machine/statement_execution.h"

namespace isomer::program {
namespace {

// A row of the result on its way.
struct Candidate {
  Tuple tuple;               // of a group: its first row
  std::vector<Tuple> group;  // none if the query is not grouped
  std::vector<Value> columns;
  std::vector<Value> order;
};

struct Selection {
  StatementExecution& execution;
  const Select& query;
  const Rows* around;

  [[nodiscard]] Context& context() const { return execution.context; }

  [[nodiscard]] Rows rows_of(const Candidate& candidate) const {
    return {.current = candidate.tuple, .around = around, .group = candidate.group};
  }

  std::vector<Candidate> ungrouped(std::vector<Tuple> tuples) const {
    std::vector<Candidate> out;
    out.reserve(tuples.size());
    for (Tuple& tuple : tuples)
      out.push_back({.tuple = std::move(tuple), .group = {}, .columns = {}, .order = {}});
    return out;
  }

  std::vector<Candidate> grouped(std::vector<Tuple> tuples) const {
    std::vector<Candidate> out;
    std::map<std::vector<Value>, std::size_t> groups;
    for_each_waiting(tuples.size(), context(), [&](std::size_t i) {
      const Rows rows{.current = tuples[i], .around = around, .group = {}};
      std::vector<Value> key;
      for (const ExpressionPtr& part : query.group_by)
        key.push_back(evaluate(*part, &rows, context()));
      if (context().is_stopped()) return;
      const auto [group, is_new] = groups.emplace(std::move(key), out.size());
      if (is_new)
        out.push_back({.tuple = tuples[i], .group = {}, .columns = {}, .order = {}});
      out[group->second].group.push_back(std::move(tuples[i]));
    });
    if (out.empty() && query.group_by.empty())
      out.push_back(
          {.tuple = Tuple(query.from.size()), .group = {}, .columns = {}, .order = {}});
    return out;
  }

  void keep_having(std::vector<Candidate>& candidates) const {
    if (!query.having) return;
    std::vector<Candidate> kept;
    for_each_waiting(candidates.size(), context(), [&](std::size_t i) {
      const Rows rows = rows_of(candidates[i]);
      if (holds(*query.having, &rows, context())) kept.push_back(std::move(candidates[i]));
    });
    candidates = std::move(kept);
  }

  void compute_columns(std::vector<Candidate>& candidates) const {
    for_each_waiting(candidates.size(), context(), [&](std::size_t i) {
      const Rows rows = rows_of(candidates[i]);
      for (const ExpressionPtr& column : query.columns)
        candidates[i].columns.push_back(evaluate(*column, &rows, context()));
      for (const OrderKey& key : query.order)
        candidates[i].order.push_back(evaluate(*key.by, &rows, context()));
    });
  }

  static void keep_distinct(std::vector<Candidate>& candidates) {
    std::set<std::vector<Value>> seen;
    std::erase_if(candidates, [&](const Candidate& candidate) {
      return !seen.insert(candidate.columns).second;
    });
  }

  [[nodiscard]] bool is_before(const Candidate& a, const Candidate& b) const {
    for (std::size_t i = 0; i < query.order.size(); ++i) {
      const Value& left = a.order[i];
      const Value& right = b.order[i];
      if (left.is_null() && right.is_null()) continue;
      if (left.is_null() || right.is_null())
        return left.is_null() == query.order[i].nulls_first;
      const auto order = compare(left, right);
      if (order != 0) return query.order[i].is_descending ? order > 0 : order < 0;
    }
    return false;
  }

  void sort(std::vector<Candidate>& candidates) const {
    std::stable_sort(
        candidates.begin(), candidates.end(),
        [&](const Candidate& a, const Candidate& b) { return is_before(a, b); });
  }

  // LIMIT or OFFSET; absent if there is none.
  std::optional<std::size_t> count(const ExpressionPtr& expression, std::string sqlstate,
                                   std::string_view clause) const {
    if (!expression) return std::nullopt;
    const Type bigint{.kind = TypeKind::Int8,
                      .precision = {},
                      .scale = 0,
                      .length_max = {},
                      .is_padded = false};
    const Value value = converted(evaluate(*expression, around, context()), bigint,
                                  Conversion::Assignment, context());
    if (value.is_null()) return std::nullopt;
    const std::int64_t number = *value.get_if<std::int64_t>();
    if (number >= 0) return static_cast<std::size_t>(number);
    context().fail(std::move(sqlstate), std::string(clause) + " must not be negative");
    return std::nullopt;
  }

  // PostgreSQL computes these before it reads anything.
  [[nodiscard]] Bounds bounds() const {
    const std::size_t skipped = count(query.offset, "2201X", "OFFSET").value_or(0);
    return {.skipped = skipped, .most = count(query.limit, "2201W", "LIMIT")};
  }

  static void cut(std::vector<Candidate>& candidates, const Bounds& bounds) {
    const std::size_t skipped = std::min(bounds.skipped, candidates.size());
    candidates.erase(candidates.begin(),
                     candidates.begin() + static_cast<std::ptrdiff_t>(skipped));
    if (bounds.most && *bounds.most < candidates.size())
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(*bounds.most),
                       candidates.end());
  }

  Selected run() const {
    const Bounds bounds = this->bounds();
    if (context().is_stopped() || bounds.most == 0) return {};
    const bool was_enough = execution.one_is_enough;
    execution.one_is_enough &= !is_grouped(query) && !query.limit && !query.offset;
    auto tuples = joined(execution, query.from, query.where.get(), around);
    execution.one_is_enough = was_enough;
    if (context().is_stopped()) return {};
    if (execution.reader != nullptr && execution.rows_count)
      execution.reader->found(query, tuples);
    auto candidates =
        is_grouped(query) ? grouped(std::move(tuples)) : ungrouped(std::move(tuples));
    if (!context().is_stopped()) keep_having(candidates);
    // Columns of rows that are not asked for may fail; sorting asks for all.
    const bool asks_for_all = query.is_distinct || !query.order.empty();
    if (!context().is_stopped() && !asks_for_all) cut(candidates, bounds);
    if (!context().is_stopped()) compute_columns(candidates);
    if (context().is_stopped()) return {};
    if (query.is_distinct) keep_distinct(candidates);
    sort(candidates);
    if (asks_for_all) cut(candidates, bounds);
    Selected out;
    for (Candidate& candidate : candidates) {
      out.rows.push_back(std::move(candidate.columns));
      if (writes_back(query)) out.tuples.push_back(std::move(candidate.tuple));
    }
    return out;
  }
};

// For EXISTS and IN: no single row counts.
std::shared_ptr<const Selected> truth_selected(StatementExecution& execution,
                                               const Select& query, const Rows* around,
                                               bool one_is_enough) {
  const bool counted = std::exchange(execution.rows_count, false);
  const bool was_enough = std::exchange(execution.one_is_enough, one_is_enough);
  auto out = selected(execution, query, around);
  execution.one_is_enough = was_enough;
  execution.rows_count = counted;
  return out;
}

Value in_query(StatementExecution& execution, const Expression& expression,
               const Rows* rows) {
  const Value wanted = evaluate(*expression.arguments[0], rows, execution.context);
  const auto found = truth_selected(execution, *expression.query, rows, false);
  if (execution.context.is_stopped()) return {};
  bool is_unknown = false;
  for (const std::vector<Value>& row : found->rows) {
    if (wanted.is_null() || row[0].is_null())
      is_unknown = true;
    else if (compare(wanted, row[0]) == 0)
      return Value::boolean(true);
  }
  return is_unknown ? Value() : Value::boolean(false);
}

// --- rows of a FROM that are computed ---

Value as_list(const std::vector<std::vector<Value>>& rows) {
  std::vector<Value> out;
  out.reserve(rows.size());
  for (const std::vector<Value>& row : rows)
    out.push_back(Value::list(row));
  return Value::list(std::move(out));
}

// UNION, INTERSECT and EXCEPT; with ALL they count how often a row is there.
Value combined(const Expression& expression, const Value& left, const Value& right) {
  using RowsOf = Expression::RowsOf;
  const bool is_union = expression.rows_of == RowsOf::Union;
  std::map<Value, std::size_t> others;
  for (const Value& row : right.items())
    ++others[row];
  std::set<Value> seen;
  std::vector<Value> out;
  const auto add = [&](const Value& row) {
    if (!expression.is_distinct || seen.insert(row).second) out.push_back(row);
  };
  for (const Value& row : left.items()) {
    const auto other = others.find(row);
    const bool is_there = other != others.end() && other->second > 0;
    if (!is_union && is_there && !expression.is_distinct) --other->second;
    if (is_union || is_there == (expression.rows_of == RowsOf::Intersect)) add(row);
  }
  if (is_union)
    for (const Value& row : right.items())
      add(row);
  return Value::list(std::move(out));
}

Value computed_rows(StatementExecution& execution, const Expression& expression,
                    const Rows* rows) {
  using RowsOf = Expression::RowsOf;
  Context& context = execution.context;
  switch (expression.rows_of) {
    case RowsOf::Query: {
      const auto found = selected(execution, *expression.query, rows);
      return context.is_stopped() ? Value() : as_list(found->rows);
    }
    case RowsOf::Values: {
      std::vector<Value> out(expression.arguments.size());
      for_each_waiting(out.size(), context, [&](std::size_t i) {
        out[i] = evaluate(*expression.arguments[i], rows, context);
      });
      return Value::list(std::move(out));
    }
    case RowsOf::Change:
      if (execution.reader != nullptr) return execution.reader->changed(expression);
      return context.give_up("0A000", "only a server changes rows in a WITH");
    case RowsOf::Union:
    case RowsOf::Intersect:
    case RowsOf::Except:
      break;
  }
  const Value left = evaluate(*expression.arguments[0], rows, context);
  const Value right = evaluate(*expression.arguments[1], rows, context);
  return context.is_stopped() ? Value() : combined(expression, left, right);
}

Value query_value(StatementExecution& execution, const Expression& expression,
                  const Rows* rows) {
  if (expression.kind == Expression::Kind::Rows)
    return computed_rows(execution, expression, rows);
  if (expression.kind == Expression::Kind::InQuery)
    return in_query(execution, expression, rows);
  if (expression.kind == Expression::Kind::Exists) {
    const auto found = truth_selected(execution, *expression.query, rows, true);
    if (execution.context.is_stopped()) return {};
    return Value::boolean(!found->rows.empty());
  }
  const auto found = selected(execution, *expression.query, rows);
  if (execution.context.is_stopped()) return {};
  if (expression.kind == Expression::Kind::ArrayQuery) {
    std::vector<Value> elements;
    for (const std::vector<Value>& row : found->rows)
      elements.push_back(row[0]);
    return Value::list(std::move(elements));
  }
  ISOMER_ASSERT(expression.kind == Expression::Kind::Scalar);
  if (found->rows.size() > 1)
    return execution.context.fail(
        "21000", "more than one row returned by a subquery used as an expression");
  return found->rows.empty() ? Value() : found->rows[0][0];
}

}  // namespace

void connect_queries(StatementExecution& execution) {
  execution.context.query = [&execution](const Expression& expression, const Rows* rows) {
    return query_value(execution, expression, rows);
  };
}

std::shared_ptr<const Selected> selected(StatementExecution& execution, const Select& query,
                                         const Rows* around) {
  if (const auto known = execution.uncorrelated.find(&query);
      known != execution.uncorrelated.end())
    return known->second;
  const Selection selection{.execution = execution, .query = query, .around = around};
  std::optional<Selected> locked;
  if (execution.reader != nullptr && locks_rows(query))
    locked = execution.reader->locked(query, around);
  auto out =
      std::make_shared<const Selected>(locked ? std::move(*locked) : selection.run());
  if (!execution.context.is_stopped() && !is_correlated(query))
    execution.uncorrelated.emplace(&query, out);
  return out;
}

Bounds bounds_of(StatementExecution& execution, const Select& query, const Rows* around) {
  return Selection{.execution = execution, .query = query, .around = around}.bounds();
}

std::vector<Tuple> ordered_tuples(StatementExecution& execution, const Select& query,
                                  const Rows* around) {
  const Selection selection{.execution = execution, .query = query, .around = around};
  std::vector<Tuple> tuples = joined(execution, query.from, query.where.get(), around);
  if (query.order.empty() || execution.context.is_stopped()) return tuples;
  auto candidates = selection.ungrouped(std::move(tuples));
  selection.compute_columns(candidates);
  selection.sort(candidates);
  std::vector<Tuple> out;
  for (Candidate& candidate : candidates)
    out.push_back(std::move(candidate.tuple));
  return out;
}

std::vector<Value> columns_of(StatementExecution& execution, const Select& query,
                              const Tuple& tuple, const Rows* around) {
  const Selection selection{.execution = execution, .query = query, .around = around};
  auto candidates = selection.ungrouped({tuple});
  selection.compute_columns(candidates);
  return std::move(candidates[0].columns);
}

void lock_selected(StatementExecution& execution, const Select& query,
                   const Selected& selected) {
  for (const Tuple& tuple : selected.tuples)
    for (std::size_t source = 0; source < tuple.size(); ++source)
      if (writes_back(query.from[source]) && !tuple[source].is_null())
        execution.view.lock(query.from[source].table, tuple[source]);
}

std::optional<std::size_t> rows_taken(const Statement& statement) {
  const bool is_into =
      statement.kind == Statement::Kind::Select && !statement.targets.variables.empty();
  if (!is_into) return std::nullopt;
  return statement.targets.is_strict ? 2 : 1;
}

}  // namespace isomer::program
