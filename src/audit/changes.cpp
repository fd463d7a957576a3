// SPDX-License-Identifier: MIT
#include "audit/changes.h"

#include <algorithm>
#include <functional>

namespace isomer::audit {
namespace {

using program::Assignment;
using program::Block;
using program::Statement;

void visit(const Block& block, const std::function<void(const Statement&)>& act) {
  for (const Statement& statement : block) {
    act(statement);
    visit(statement.body, act);
    visit(statement.otherwise, act);
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

}  // namespace

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

bool contains(const Block& block, Statement::Kind kind) {
  bool out = false;
  visit(block, [&](const Statement& statement) { out = out || statement.kind == kind; });
  return out;
}

}  // namespace isomer::audit
