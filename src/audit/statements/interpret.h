// SPDX-License-Identifier: MIT
// The execution of one transaction on terms, behind run_type().
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "audit/statements/noticed.h"
#include "audit/statements/row_filter.h"
#include "audit/statements/type_run.h"

namespace isomer::audit {

using program::Block;
using program::Statement;

using RowFilterPtr = std::shared_ptr<const RowFilter>;

class Interpreter {
 public:
  Interpreter(Schema& schema, std::uint32_t type, TypeRun& out);

  void run();

 private:
  // What a query gives: a row if there is one.
  struct Answer {
    std::vector<Cell> columns;
    Term found;
  };

  struct State {
    std::vector<Cell> variables;
    Term found;
    Cell row_count;
    Term active;  // the statement that comes next runs
  };

  // --- control flow (interpret.cpp) ---
  void execute(const Block& block);
  void execute(const Statement& statement);
  void branch(const Statement& statement);
  void loop(const Statement& statement);
  Term is_element(const Statement& s, const Situation& start);
  void look_at_condition(const Statement& statement);
  Term begin_round(const Statement& statement, const State& before,
                   const RowFilterPtr& rows);
  void merge(Term condition, const State& then, const State& otherwise,
             const State& before);
  void stop();
  void forget(const std::vector<bool>& variables);
  void assign(const Statement& statement);
  void give(const program::Targets& targets, const Answer& answer);
  void set_outcome(Term found);

  // --- queries (interpret_query.cpp) ---
  RowFilterPtr row_filter(std::vector<Source> from, const Expression* where,
                          std::shared_ptr<const RowTerms> around);
  RowFilterPtr look(Event& event, const Select& query,
                    std::shared_ptr<const RowTerms> around);
  Answer answer(const Select& query, const RowFilterPtr& rows, Event& event);
  Answer found_row(const std::vector<program::ExpressionPtr>& columns,
                   const RowFilterPtr& rows, const program::Update* update,
                   std::size_t target);
  void select(const Statement& statement, Event& event);
  void look_into(const Expression* expression, Event& event);
  void look_into_parts(const Expression& expression, Event& event,
                       const std::shared_ptr<const RowTerms>& around);
  void add_reads(Event& event, const RowFilterPtr& rows,
                 std::vector<std::vector<bool>> fields);
  void restrict_to_first(Touch& read, const Select& query, const Answer& answer);
  void know_elements(const Select& query, const Expression& element,
                     const RowFilterPtr& rows, const Cell& array);
  void know_first(const Select& query, const RowFilterPtr& rows, const Answer& answer);
  void know_absence(const RowFilterPtr& rows, Term found);

  // --- changes (interpret_change.cpp) ---
  void insert(const program::Insert& statement, Event& event);
  void insert_row(const program::Insert& statement, const std::vector<Cell>& row,
                  Event& event);
  [[nodiscard]] bool is_decided_by_key(const program::Insert& statement) const;
  void know_content(const Record& record, const std::vector<Cell>& row, Term inserted);
  void update(const program::Update& statement, Event& event);
  void erase(const program::Delete& statement, Event& event);
  void read_references(const program::Update& s, Touch& read) const;
  void touch_for_assignments(TableId table,
                             const std::vector<program::Assignment>& assignments,
                             Event& event);
  [[nodiscard]] std::vector<bool> assigned_fields(
      TableId table, const std::vector<program::Assignment>& assignments) const;
  template <class Change>
  RowFilterPtr look_at_targets(const Change& change, Event& event,
                               const std::vector<const Expression*>& values);
  void read_parents(TableId table, const std::vector<Cell>& row, Event& event);
  void read_wherever(TableId table, std::vector<bool> fields, Event& event);
  void write_wherever(TableId table, Event& event);
  void read_children(TableId table, Event& event);
  void read_unique(TableId table, const std::vector<Cell>* row, Event& event);
  void write_matches(TableId table, std::vector<bool> fields, const RowFilterPtr& rows,
                     std::size_t target, Event& event, bool is_lock);

  [[nodiscard]] Terms& terms() const { return schema_.terms(); }

  [[nodiscard]] const program::Table& table(TableId id) const {
    return schema_.program().tables[id.index];
  }

  void add(Event event);
  void begin_epoch(TableId table);
  void begin_epochs(const Changes& changes);
  void know_row(const SeenRow& row, Term when);
  [[nodiscard]] std::string fresh(const std::string& what);
  [[nodiscard]] Situation situation() const;

  void fact(Term formula) { out_.facts.push_back(formula); }

  Schema& schema_;
  const program::TransactionType& type_;
  TypeRun& out_;
  State state_;
  std::optional<Copy> copy_;
  std::uint32_t place_ = 0;
  std::uint32_t name_count_ = 0;
  std::vector<std::uint32_t> epochs_;  // by table
  std::uint32_t epoch_count_ = 0;
  Changes changes_;
  std::size_t own_touch_ = 0;  // in its event, the first of the query looked at last
  std::map<const Expression*, Cell> queries_;
  std::set<const Statement*> unnoticed_;  // whose events are left out
};

TypeRun run_type(Schema& schema, std::uint32_t type, const std::string& name);

}  // namespace isomer::audit
