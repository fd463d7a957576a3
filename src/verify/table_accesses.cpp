// SPDX-License-Identifier: MIT
#include "verify/table_accesses.h"

#include <algorithm>

#include "program/machine/columns.h"
#include "program/machine/key_conditions.h"
#include "program/machine/references.h"

namespace isomer::verify {
namespace {

using program::Assignment;
using program::ColumnId;
using program::Expression;
using program::ExpressionPtr;
using program::ForeignKey;
using program::Program;
using program::Select;
using program::Source;
using program::Statement;
using program::Table;
using program::TableId;

using Columns = std::span<const ColumnId>;

bool has_common(Columns a, Columns b) {
  return std::ranges::find_first_of(a, b) != a.end();
}

class AccessFinder {
 public:
  explicit AccessFinder(const Program& program) : program_(program) {}

  TableAccesses run() {
    std::set<std::uint32_t> called;
    for (const program::Session& session : program_.sessions)
      for (const program::Call& call : session.calls)
        called.insert(call.type);
    for (const std::uint32_t type : called) {
      for (const program::Variable& variable : program_.types[type].variables)
        visit(variable.initial);
      visit(program_.types[type].body);
    }
    for (const program::Invariant& invariant : program_.invariants)
      if (invariant.query) visit(*invariant.query);
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Table& table(TableId id) const { return program_.tables[id.index]; }

  // --- queries ---

  void visit(const ExpressionPtr& expression) {
    if (expression) visit(*expression);
  }

  void visit(const Expression& expression) {
    for (const ExpressionPtr& argument : expression.arguments)
      visit(argument);
    if (expression.query) visit(*expression.query);
  }

  void visit(const Select& query) {
    visit_sources(query.from, query.where.get());
    program::visit_parts(query, [this](const Expression& part) { visit(part); });
    for (const Source& source : query.from)
      if (writes_back(source)) out_.written.insert(source.table);
  }

  // As the join decides what it looks up and what it scans (symbolic/query_join.cpp).
  void visit_sources(std::span<const Source> from, const Expression* where) {
    const auto conjuncts = conjuncts_over(program_, from, where);
    for (std::uint32_t i = 0; i < from.size(); ++i) {
      const TableId id = from[i].table;
      const Expression* on = from[i].left_join_on.get();
      const auto conditions = key_conditions(
          table(id), on != nullptr ? conjuncts_over(program_, from, on) : conjuncts, i);
      out_.accessed.insert(id);
      if (!conditions.pins_all) out_.scanned.insert(id);
    }
  }

  // --- statements ---

  void visit(const program::Block& block) {
    for (const Statement& statement : block)
      visit(statement);
  }

  void visit(const Statement& statement) {
    for (const ExpressionPtr& part :
         {statement.key, statement.value, statement.limit, statement.step})
      visit(part);
    if (statement.query) visit(*statement.query);
    if (statement.insert) visit(*statement.insert);
    if (statement.update) visit(*statement.update);
    if (statement.erase) visit(*statement.erase);
    for (const program::Block* inner : blocks_of(statement))
      visit(*inner);
  }

  void visit(const program::Insert& insert) {
    for (const auto& row : insert.rows)
      for (const ExpressionPtr& value : row)
        visit(value);
    if (insert.query) visit(*insert.query);
    visit_assignments(insert.updates);
    visit(insert.update_where);
    visit_all(insert.returning);
    change(insert.table, program::all_columns(table(insert.table)));
    if (!insert.updates.empty())
      remove_references(insert.table, program::changed_columns(insert.updates));
  }

  void visit(const program::Update& update) {
    visit_targets(update);
    visit_assignments(update.assignments);
    const auto changed = program::changed_columns(update.assignments);
    change(update.table.table, changed);
    remove_references(update.table.table, changed);
  }

  void visit(const program::Delete& erase) {
    visit_targets(erase);
    out_.written.insert(erase.table.table);
    remove_references(erase.table.table, program::all_columns(table(erase.table.table)));
  }

  template <class Change>
  void visit_targets(const Change& change) {
    const std::vector<Source> sources = program::sources_of(change);
    visit_sources(sources, change.where.get());
    for (const Source& source : sources)
      visit(source.left_join_on);
    visit(change.where);
    visit_all(change.returning);
  }

  void visit_assignments(const std::vector<Assignment>& assignments) {
    for (const Assignment& assignment : assignments)
      visit(assignment.value);
  }

  void visit_all(const std::vector<ExpressionPtr>& expressions) {
    for (const ExpressionPtr& expression : expressions)
      visit(expression);
  }

  // --- constraints, as symbolic/constraints.cpp checks them ---

  // Rows get new values in these columns.
  void change(TableId id, Columns columns) {
    out_.accessed.insert(id);
    out_.written.insert(id);
    for (const auto unique : program::unique_constraints(table(id)))
      if (has_common(unique, columns)) look_up(id, unique);
    for (const ForeignKey& key : table(id).foreign_keys)
      if (has_common(key.columns, columns)) look_up(key.table, key.referenced);
  }

  // Values of these columns go, which other rows may refer to.
  void remove_references(TableId id, Columns columns) {
    for (std::uint32_t i = 0; i < program_.tables.size(); ++i)
      for (const ForeignKey& key : program_.tables[i].foreign_keys)
        if (key.table == id && has_common(key.referenced, columns)) {
          look_up({i}, key.columns);
          look_up(id, key.referenced);
        }
  }

  void look_up(TableId id, Columns columns) {
    out_.accessed.insert(id);
    if (!covers_key(table(id), columns)) out_.scanned.insert(id);
  }

  const Program& program_;
  TableAccesses out_;
};

}  // namespace

TableAccesses table_accesses(const Program& program) {
  return AccessFinder(program).run();
}

void add_referenced_tables(const Program& program, TableAccesses& accesses) {
  std::vector<TableId> open(accesses.accessed.begin(), accesses.accessed.end());
  while (!open.empty()) {
    const Table& table = program.tables[open.back().index];
    open.pop_back();
    for (const ForeignKey& key : table.foreign_keys) {
      if (!covers_key(program.tables[key.table.index], key.referenced))
        accesses.scanned.insert(key.table);
      if (accesses.accessed.insert(key.table).second) open.push_back(key.table);
    }
  }
}

bool covers_key(const Table& table, Columns columns) {
  return std::ranges::all_of(table.primary_key, [&](ColumnId column) {
    return std::ranges::find(columns, column) != columns.end();
  });
}

}  // namespace isomer::verify
