// SPDX-License-Identifier: MIT
// IN and EXISTS that must be true, and subqueries that are constant.  MariaDB makes the
// first kind joins where it can (semi-joins), or reads all their rows once; the second kind
// it may ask before it reads anything else.
#include <algorithm>
#include <set>

#include "database/innodb/join_search.h"
#include "program/machine/references.h"

namespace isomer::database::innodb {

using program::Expression;
using program::ExpressionPtr;
using program::Function;
using program::Rows;

namespace {

// How many FROMs around it does the expression speak of?  0: its own alone.
bool mentions(const Expression& expression, std::uint32_t depth) {
  bool out = false;
  program::visit_columns(expression, depth, [&](const Expression&) { out = true; });
  return out;
}

constexpr std::uint32_t depth_most = 4;

bool mentions_around(const Expression& expression) {
  for (std::uint32_t depth = 1; depth < depth_most; ++depth)
    if (mentions(expression, depth)) return true;
  return false;
}

ExpressionPtr call(Function function, std::vector<ExpressionPtr> arguments) {
  auto out = std::make_shared<Expression>();
  out->kind = Expression::Kind::Call;
  out->function = function;
  out->type.kind = program::TypeKind::Bool;
  out->arguments = std::move(arguments);
  return out;
}

// Of somebody who keeps it.
ExpressionPtr borrowed(const Expression& expression) {
  return {std::shared_ptr<void>(), &expression};
}

ExpressionPtr conjunction(const std::vector<const Expression*>& conditions) {
  ExpressionPtr out;
  for (const Expression* condition : conditions)
    out = out ? call(Function::And, {out, borrowed(*condition)}) : borrowed(*condition);
  return out;
}

ExpressionPtr column_at(const Expression& column, std::uint32_t outer) {
  auto out = std::make_shared<Expression>(column);
  out->outer = outer;
  return out;
}

bool is_column(const Expression& expression, std::uint32_t outer) {
  return expression.kind == Expression::Kind::Column && expression.outer == outer;
}

bool is_plain(const program::Select& query) {
  if (query.from.empty() || program::is_grouped(query) || query.limit || query.offset)
    return false;
  bool reaches_far = false;
  for (std::uint32_t depth = 2; depth < depth_most; ++depth)
    program::visit_columns(query, depth, [&](const Expression&) { reaches_far = true; });
  return !reaches_far &&
         std::none_of(query.from.begin(), query.from.end(), [](const auto& source) {
           return source.left_join_on && mentions_around(*source.left_join_on);
         });
}

}  // namespace

// Absent: it is asked as it stands.
Statement::TruthQuery* Statement::truth_query(const Expression& condition) {
  if (const auto known = truths_.find(&condition); known != truths_.end())
    return known->second.get();
  auto& out = truths_[&condition];
  const bool is_in = condition.kind == Expression::Kind::InQuery;
  if (!is_in && condition.kind != Expression::Kind::Exists) return nullptr;
  const program::Select& query = *condition.query;
  if (!is_plain(query)) return nullptr;
  TruthQuery truth{.query = &query, .is_in = is_in};
  auto conditions = program::conjuncts_of(query.where.get());
  if (is_in) {
    const Expression& member = *condition.arguments[0];
    if (!is_column(member, 0) || mentions_around(*query.columns[0])) return nullptr;
    own_expressions_.push_back(
        call(Function::Equal, {query.columns[0], column_at(member, 1)}));
    conditions.push_back(own_expressions_.back().get());
  }
  std::vector<const Expression*> own;
  for (const Expression* part : conditions)
    (mentions_around(*part) ? truth.links : own).push_back(part);
  if (truth.links.empty()) return nullptr;
  for (const Expression* link : truth.links) {
    if (link->kind != Expression::Kind::Call || link->function != Function::Equal) continue;
    for (std::size_t side = 0; side < 2; ++side) {
      const Expression& around = *link->arguments[side];
      const Expression& inside = *link->arguments[1 - side];
      if (!is_column(around, 1) || mentions_around(inside)) continue;
      truth.column = column_at(around, 0);
      truth.equal = &inside;
    }
  }
  if (!truth.column) return nullptr;
  truth.where = conjunction(conditions);
  truth.own_where = conjunction(own);
  out = std::make_shared<TruthQuery>(std::move(truth));
  return out.get();
}

void Statement::read_whole(TruthQuery& truth) {
  if (truth.is_read) return;
  const bool was_enough = std::exchange(execution_.one_is_enough, false);
  truth.tuples =
      program::joined(execution_, truth.query->from, truth.own_where.get(), nullptr);
  execution_.one_is_enough = was_enough;
  truth.is_read = !is_stopped();
}

bool Statement::is_true(TruthQuery& truth, const Rows& around) {
  if (truth.way == TruthQuery::Way::Each) {
    const bool was_enough = std::exchange(execution_.one_is_enough, true);
    const auto found =
        program::joined(execution_, truth.query->from, truth.where.get(), &around);
    execution_.one_is_enough = was_enough;
    return !is_stopped() && !found.empty();
  }
  read_whole(truth);
  if (is_stopped()) return false;
  return std::any_of(truth.tuples.begin(), truth.tuples.end(), [&](const Tuple& tuple) {
    const Rows rows{.current = tuple, .around = &around, .group = {}};
    return std::all_of(truth.links.begin(), truth.links.end(), [&](const auto* link) {
      return program::holds(*link, &rows, execution_.context);
    });
  });
}

// --- which way ---

bool Statement::JoinSearch::find_truths() {
  const bool locks = std::any_of(join.sights.begin(), join.sights.end(),
                                 [](Sight sight) { return sight >= Sight::Share; });
  if (!locks) return true;
  const std::size_t count = where.size();
  for (std::size_t i = 0; i < count; ++i)
    if (!find_truth(where[i])) return false;
  return true;
}

bool Statement::JoinSearch::find_truth(Conjunct& conjunct) {
  using Way = TruthQuery::Way;
  TruthQuery* const truth = statement.truth_query(*conjunct.condition);
  if (truth == nullptr) return true;
  truth->is_joined =
      join.query != nullptr || join.from.size() > 1 || statement.updates_what_it_queries();
  const auto ways = ways_of(*truth);
  if (ways.empty()) return true;
  const std::size_t choice = ways.size() == 1 ? 0
                                              : statement.choose(truth->query->from.data(),
                                                                 truth_way, ways.size());
  if (statement.is_stopped()) return false;
  truth->way = ways[choice];
  conjunct.truth = truth;
  if (truth->way != Way::First && truth->way != Way::LookUp) return true;
  statement.read_whole(*truth);
  if (statement.is_stopped() || truth->tuples.empty()) return false;
  if (truth->way == Way::LookUp) look_up(*truth);
  return !statement.is_stopped();
}

// By a snapshot, only the moment matters at which it is asked first.
auto Statement::JoinSearch::ways_of(const TruthQuery& truth) const
    -> std::vector<TruthQuery::Way> {
  using Way = TruthQuery::Way;
  const Sight sight = statement.sight_of_queries();
  std::vector<Way> out = {truth.is_in ? Way::Whole : Way::Each,
                          truth.is_in ? Way::Each : Way::Whole};
  if (sight == Sight::Snapshot && !truth.is_joined) return {};
  if (sight == Sight::Snapshot) out = {Way::Whole};
  if (!truth.is_joined) return out;
  out.push_back(Way::First);
  if (can_look_up(truth)) out.push_back(Way::LookUp);
  return out;
}

bool Statement::JoinSearch::can_look_up(const TruthQuery& truth) const {
  const program::Source& source = join.from[truth.column->source.index];
  const Indexes& indexes = statement.state_.indexes(source.table);
  return !source.left_join_on &&
         std::any_of(indexes.begin(), indexes.end(), [&](const Index& index) {
           return index.columns[0] == truth.column->column;
         });
}

void Statement::JoinSearch::look_up(const TruthQuery& truth) {
  std::set<Value> values;
  for (const Tuple& of : truth.tuples) {
    const Rows current{.current = of, .around = nullptr, .group = {}};
    Value value = program::evaluate(*truth.equal, &current, context());
    if (!value.is_null()) values.insert(std::move(value));
  }
  auto list = std::make_shared<Expression>();
  list->kind = Expression::Kind::InList;
  list->arguments = {truth.column};
  for (const Value& value : values) {
    auto constant = std::make_shared<Expression>();
    constant->value = value;
    constant->type = truth.equal->type;
    list->arguments.push_back(std::move(constant));
  }
  statement.own_expressions_.push_back(list);
  where.push_back({.condition = list.get(), .sources = only(truth.column->source.index)});
  is_found[truth.column->source.index] = true;
}

// --- constant subqueries ---

bool Statement::is_known_early(const Expression& expression) const {
  if (expression.query) return execution_.uncorrelated.contains(expression.query.get());
  return std::all_of(expression.arguments.begin(), expression.arguments.end(),
                     [&](const auto& part) { return !part || is_known_early(*part); });
}

// One row by a whole key of constants: it is read while the plan is made.
bool Statement::is_looked_up(const program::Select& query) {
  if (query.from.size() != 1) return false;
  const Join join{.from = query.from,
                  .where = query.where.get(),
                  .sights = {Sight::Share},
                  .query = &query};
  const std::function<bool(const Tuple&)> nothing = [](const Tuple&) { return false; };
  const JoinSearch search(*this, join, nothing);
  return search.candidates(0, 0)[0].is_lookup;
}

void Statement::read_early(const Expression& expression, bool may_choose) {
  if (is_stopped()) return;
  for (const auto& part : expression.arguments)
    if (part) read_early(*part, may_choose);
  const bool is_value = expression.kind == Expression::Kind::Scalar ||
                        expression.kind == Expression::Kind::Exists;
  if (!is_value || is_known_early(expression) ||
      program::is_correlated(*expression.query) || expression.query->from.empty())
    return;
  const bool has_choice = may_choose && sight_of_queries() == Sight::Share;
  const bool is_early =
      is_looked_up(*expression.query) ||
      (has_choice && choose(expression.query->from.data(), early_value, 2) == 1);
  if (is_early && !is_stopped()) program::evaluate(expression, nullptr, execution_.context);
}

bool Statement::JoinSearch::read_early() {
  for (const Conjunct& conjunct : where)
    if (conjunct.truth == nullptr) statement.read_early(*conjunct.condition, true);
  if (join.query != nullptr && join.around == nullptr)
    for (const auto& column : join.query->columns)
      statement.read_early(*column, false);
  return !statement.is_stopped();
}

}  // namespace isomer::database::innodb
