// SPDX-License-Identifier: MIT
#include "audit/statements/changes.h"

#include <algorithm>

namespace isomer::audit {
namespace {

using program::Assignment;
using program::Block;
using program::Statement;

void visit(const Block& block, const std::function<void(const Statement&)>& act) {
  for (const Statement& statement : block) {
    act(statement);
    for (const Block* inner : blocks_of(statement))
      visit(*inner, act);
  }
}

Changes no_changes(const Program& program) {
  Changes out(program.tables.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i].updated.resize(program.tables[i].columns.size());
  return out;
}

void add_updates(const Program& program, TableId id, const std::vector<Assignment>& updates,
                 Changes& out) {
  const auto& key = program.tables[id.index].primary_key;
  for (const Assignment& assignment : updates) {
    out[id.index].updated[assignment.column.index] = true;
    if (std::find(key.begin(), key.end(), assignment.column) != key.end())
      out[id.index].moves = true;
  }
}

void add_statement(const Program& program, const Statement& statement, Changes& out) {
  if (statement.insert) {
    out[statement.insert->table.index].inserts = true;
    add_updates(program, statement.insert->table, statement.insert->updates, out);
  }
  if (statement.update)
    add_updates(program, statement.update->table.table, statement.update->assignments, out);
  if (statement.erase) out[statement.erase->table.table.index].deletes = true;
}

// Goes through what a statement consists of.
class Parts {
 public:
  explicit Parts(const ExpressionVisit& act) : act_(act) {}

  void visit(const program::ExpressionPtr& expression) {
    if (!expression) return;
    act_(*expression);
    visit(expression->arguments);
    if (expression->query) visit(*expression->query);
  }

  void visit(const std::vector<program::ExpressionPtr>& expressions) {
    for (const program::ExpressionPtr& expression : expressions)
      visit(expression);
  }

  void visit(const std::vector<Assignment>& assignments) {
    for (const Assignment& assignment : assignments)
      visit(assignment.value);
  }

  void visit(const program::Select& query) {
    visit(query.where);
    visit(query.columns);
    visit(query.group_by);
    visit(query.having);
    visit(query.limit);
    visit(query.offset);
    for (const program::OrderKey& key : query.order)
      visit(key.by);
    visit(query.from);
  }

  void visit(const std::vector<program::Source>& from) {
    for (const program::Source& source : from)
      visit(source.left_join_on);
  }

  void visit(const program::Insert& insert) {
    for (const auto& row : insert.rows)
      visit(row);
    if (insert.query) visit(*insert.query);
    visit(insert.updates);
    visit(insert.update_where);
    visit(insert.returning);
  }

  // UPDATE and DELETE have these in common.
  template <class Change>
  void visit_change(const Change& change) {
    visit(change.where);
    visit(change.returning);
    visit(change.from);
  }

  void visit(const Statement& statement) {
    for (const auto& part :
         {statement.key, statement.value, statement.limit, statement.step})
      visit(part);
    if (statement.query) visit(*statement.query);
    if (statement.insert) visit(*statement.insert);
    if (statement.update) visit_change(*statement.update);
    if (statement.update) visit(statement.update->assignments);
    if (statement.erase) visit_change(*statement.erase);
  }

 private:
  const ExpressionVisit& act_;
};

}  // namespace

void for_each_part(const program::Expression& expression, const ExpressionVisit& act) {
  Parts parts(act);
  act(expression);
  parts.visit(expression.arguments);
  if (expression.query) parts.visit(*expression.query);
}

void for_each_expression(const Statement& statement, const ExpressionVisit& act) {
  Parts(act).visit(statement);
}

void for_each_expression(const Block& block, const ExpressionVisit& act) {
  visit(block, [&](const Statement& statement) { Parts(act).visit(statement); });
}

Changes changes_of(const Program& program, const program::TransactionType& type) {
  Changes out = no_changes(program);
  visit(type.body, [&](const Statement& s) { add_statement(program, s, out); });
  return out;
}

Changes changes_of(const Program& program) {
  Changes out = no_changes(program);
  for (const auto& type : program.types)
    visit(type.body, [&](const Statement& s) { add_statement(program, s, out); });
  return out;
}

std::vector<bool> assigned_in(const Block& block, std::size_t variable_count) {
  std::vector<bool> out(variable_count);
  const auto add = [&](const program::Targets& targets) {
    for (const auto variable : targets.variables)
      out[variable.index] = true;
  };
  visit(block, [&](const Statement& statement) {
    if (!statement.variable.is_none()) out[statement.variable.index] = true;
    add(statement.targets);
    if (statement.insert) add(statement.insert->into);
    if (statement.update) add(statement.update->into);
    if (statement.erase) add(statement.erase->into);
  });
  return out;
}

}  // namespace isomer::audit
