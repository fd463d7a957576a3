// SPDX-License-Identifier: MIT
#include "program/machine/references.h"

#include <algorithm>

namespace isomer::program {
namespace {

// Does anything in the query reach out of it, beyond `depth` statements?
bool reaches_out(const Select& query, std::uint32_t depth);

bool reaches_out(const Expression& expression, std::uint32_t depth) {
  if (expression.kind == Expression::Kind::Column && expression.outer > depth) return true;
  if (expression.query && reaches_out(*expression.query, depth + 1)) return true;
  return std::any_of(
      expression.arguments.begin(), expression.arguments.end(),
      [&](const ExpressionPtr& argument) { return reaches_out(*argument, depth); });
}

bool reaches_out(const Select& query, std::uint32_t depth) {
  bool out = false;
  visit_parts(query,
              [&](const Expression& part) { out = out || reaches_out(part, depth); });
  return out;
}

}  // namespace

void visit_columns(const Expression& expression, std::uint32_t depth,
                   const std::function<void(const Expression&)>& visit) {
  if (expression.kind == Expression::Kind::Column && expression.outer == depth)
    visit(expression);
  for (const ExpressionPtr& argument : expression.arguments)
    visit_columns(*argument, depth, visit);
  if (expression.query) visit_columns(*expression.query, depth + 1, visit);
}

void visit_columns(const Select& query, std::uint32_t depth,
                   const std::function<void(const Expression&)>& visit) {
  visit_parts(query, [&](const Expression& part) { visit_columns(part, depth, visit); });
}

void visit_parts(const Select& query, const std::function<void(const Expression&)>& visit) {
  const auto visit_if = [&](const ExpressionPtr& part) {
    if (part) visit(*part);
  };
  for (const CommonTable& common : query.with)
    visit_if(common.rows);
  for (const Source& source : query.from) {
    if (source.common.empty()) visit_if(source.rows);
    visit_if(source.left_join_on);
  }
  visit_if(query.where);
  std::for_each(query.columns.begin(), query.columns.end(), visit_if);
  std::for_each(query.group_by.begin(), query.group_by.end(), visit_if);
  visit_if(query.having);
  for (const OrderKey& key : query.order)
    visit_if(key.by);
  visit_if(query.limit);
  visit_if(query.offset);
}

const std::vector<CommonTable>& with_of(const Statement& statement) {
  static const std::vector<CommonTable> nothing;
  if (statement.query) return statement.query->with;
  if (statement.insert) return statement.insert->with;
  if (statement.update) return statement.update->with;
  if (statement.erase) return statement.erase->with;
  return statement.merge ? statement.merge->with : nothing;
}

bool is_correlated(const Select& query) {
  return reaches_out(query, 0);
}

bool has_aggregate(const Expression& expression) {
  if (expression.kind == Expression::Kind::Aggregate) return true;
  return std::any_of(
      expression.arguments.begin(), expression.arguments.end(),
      [](const ExpressionPtr& argument) { return has_aggregate(*argument); });
}

bool has_array_agg(const Expression& expression) {
  if (expression.kind == Expression::Kind::Aggregate)
    return expression.aggregator == Expression::Aggregator::ArrayAgg;
  return std::any_of(
      expression.arguments.begin(), expression.arguments.end(),
      [](const ExpressionPtr& argument) { return has_array_agg(*argument); });
}

bool is_grouped(const Select& query) {
  const auto aggregates = [](const ExpressionPtr& part) { return has_aggregate(*part); };
  return !query.group_by.empty() || query.having != nullptr ||
         std::any_of(query.columns.begin(), query.columns.end(), aggregates) ||
         std::any_of(query.order.begin(), query.order.end(),
                     [](const OrderKey& key) { return has_aggregate(*key.by); });
}

std::vector<const Expression*> conjuncts_of(const Expression* condition) {
  std::vector<const Expression*> out;
  std::vector<const Expression*> open;
  if (condition != nullptr) open.push_back(condition);
  while (!open.empty()) {
    const Expression* next = open.back();
    open.pop_back();
    if (next->kind == Expression::Kind::Call && next->function == Function::And) {
      for (auto argument = next->arguments.rbegin(); argument != next->arguments.rend();
           ++argument)
        open.push_back(argument->get());
    } else {
      out.push_back(next);
    }
  }
  return out;
}

}  // namespace isomer::program
