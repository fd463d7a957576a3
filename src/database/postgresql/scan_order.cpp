// SPDX-License-Identifier: MIT
#include "database/postgresql/fingerprint.h"

#include <algorithm>

#include "database/postgresql/indexes.h"
#include "program/machine/columns.h"
#include "program/machine/key_conditions.h"
#include "program/machine/references.h"

namespace isomer::database::postgresql {
namespace {

using program::Expression;
using program::ExpressionPtr;
using program::Select;
using program::Source;
using program::TableId;

struct ScanSearch {
  const program::Program& program;
  std::vector<bool> has_order{};
  std::vector<bool> loses_keys{};  // tables whose rows are deleted, or get other keys

  explicit ScanSearch(const program::Program& of)
      : program(of), has_order(of.tables.size()), loses_keys(of.tables.size()) {}

  // --- sources ---

  void add_sources(std::span<const Source> from, const Expression* where) {
    std::vector<program::Conjunct> conjuncts =
        program::conjuncts_over(program, from, where);
    for (std::uint32_t i = 0; i < from.size(); ++i) {
      if (from[i].rows) {
        if (from[i].common.empty()) add(from[i].rows);
        continue;
      }
      const program::Table& table = program.tables[from[i].table.index];
      const bool is_looked_up =
          !from[i].left_join_on && program::key_conditions(table, conjuncts, i).pins_all;
      if (!is_looked_up) has_order[from[i].table.index] = true;
    }
  }

  // Of EXISTS and IN only the truth counts; of count(*) and its kin only the value.
  void add_query(const Select& query, bool only_truth_counts) {
    const bool locks = std::any_of(
        query.from.begin(), query.from.end(),
        [](const Source& source) { return source.lock != program::Lock::None; });
    const bool is_one_value = program::is_grouped(query) && query.group_by.empty();
    const bool is_cut = query.limit || query.offset;
    if (locks || !(is_one_value || (only_truth_counts && !is_cut)))
      add_sources(query.from, query.where.get());
    program::visit_parts(query, [&](const Expression& part) { add(part); });
  }

  // --- expressions ---

  void add(const Expression& expression) {
    if (expression.change) add(*expression.change);
    if (expression.query)
      add_query(*expression.query, expression.kind == Expression::Kind::Exists ||
                                       expression.kind == Expression::Kind::InQuery);
    for (const ExpressionPtr& part : expression.arguments)
      add(part);
  }

  void add(const ExpressionPtr& expression) {
    if (expression) add(*expression);
  }

  void add(const std::vector<ExpressionPtr>& expressions) {
    for (const ExpressionPtr& expression : expressions)
      add(expression);
  }

  void add(const std::vector<program::Assignment>& assignments) {
    for (const auto& assignment : assignments)
      add(assignment.value);
  }

  // --- statements ---

  template <class Change>
  void add_change(const Change& change) {
    add_sources(program::sources_of(change), change.where.get());
    add(change.where);
    add(change.returning);
  }

  void add_key_change(TableId table, const std::vector<program::Assignment>& assignments) {
    const auto columns = program::changed_columns(assignments);
    for (const program::Table& child : program.tables)
      for (const auto& key : child.foreign_keys)
        for (const auto column : key.referenced)
          if (key.table == table &&
              std::find(columns.begin(), columns.end(), column) != columns.end())
            loses_keys[table.index] = true;
  }

  void add_insert(const program::Insert& insert) {
    for (const auto& row : insert.rows)
      add(row);
    if (insert.query) add_query(*insert.query, false);
    add(insert.updates);
    add(insert.update_where);
    add(insert.returning);
    add_key_change(insert.table, insert.updates);
  }

  void add_merge(const program::Merge& merge) {
    add_sources(program::sources_of(merge), merge.where.get());
    add(merge.where);
    has_order[merge.table.table.index] = true;
    for (const program::Merge::When& when : merge.whens) {
      add(when.condition);
      add(when.assignments);
      add(when.values);
      add_key_change(merge.table.table, when.assignments);
      if (when.act == program::Merge::When::Act::Delete)
        loses_keys[merge.table.table.index] = true;
    }
  }

  void add(const program::Statement& statement) {
    if (!statement.query)
      for (const program::CommonTable& common : program::with_of(statement))
        add(common.rows);
    if (statement.merge) add_merge(*statement.merge);
    for (const auto* expression :
         {&statement.key, &statement.value, &statement.limit, &statement.step})
      add(*expression);
    if (statement.query) add_query(*statement.query, false);
    if (statement.insert) add_insert(*statement.insert);
    if (statement.update) {
      add_change(*statement.update);
      add(statement.update->assignments);
      add_key_change(statement.update->table.table, statement.update->assignments);
    }
    if (statement.erase) {
      add_change(*statement.erase);
      loses_keys[statement.erase->table.table.index] = true;
    }
    if (statement.advisory) add(statement.advisory->key);
    add(statement.body);
    add(statement.otherwise);
    for (const program::Handler& handler : statement.handlers)
      add(handler.body);
  }

  void add(const program::Block& block) {
    for (const program::Statement& statement : block)
      add(statement);
  }

  // A parent that goes looks for its children, and what becomes of these may concern
  // theirs.
  void follow_references() {
    for (std::size_t round = 0; round <= program.tables.size(); ++round)
      for (std::size_t child = 0; child < program.tables.size(); ++child)
        for (const auto& key : program.tables[child].foreign_keys)
          if (loses_keys[key.table.index]) {
            has_order[child] = true;
            loses_keys[child] = true;
          }
  }
};

}  // namespace

std::vector<bool> tables_with_order(const program::Program& program) {
  ScanSearch search(program);
  for (const program::TransactionType& type : program.types) {
    for (const program::Variable& variable : type.variables)
      search.add(variable.initial);
    search.add(type.body);
  }
  search.follow_references();
  // Of several rows with a key, the first one decides.
  for (std::size_t i = 0; i < program.tables.size(); ++i)
    for (const Index& index : indexes_of(program.tables[i]))
      if (!index.enters_unseen()) search.has_order[i] = true;
  return std::move(search.has_order);
}

}  // namespace isomer::database::postgresql
