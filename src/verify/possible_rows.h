// SPDX-License-Identifier: MIT
// The rows of each table that may exist, and what they hold before the first transaction.
//
// A table is *closed* if the scenario gives its rows.  If the initial state is open, there
// may be others beside them: any number, as functions of the primary key, if the table is
// only accessed by key; at most `rows_max` if some statement scans it, for a scan must look
// at each.
//
// Rows that transactions insert get a slot each.  Their keys need not be known when a scan
// looks at them, so a slot's key is a constant where it is one, and else an unknown that
// the insert later settles.  Which tables are scanned and written, their text says
// (table_accesses.h).  How many slots there are is found out by executing the transactions
// again until no new row is found: each pass executes all of their paths.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "verify/symbolic/database.h"
#include "verify/symbolic/symbolic.h"
#include "verify/table_accesses.h"

namespace isomer::verify {

// The new keys that a transaction writes to a table, in order: constants, or open.
using NewKeys = std::map<std::pair<std::uint32_t, TableId>,
                         std::vector<std::optional<std::vector<Term>>>>;

// A row of the initial state, as far as the question looks at it.
struct InitialRow {
  TableId table;
  Key key;
  Row row;
};

class PossibleRows {
 public:
  PossibleRows(Terms& terms, const Program& program, bool is_open, std::uint32_t rows_max,
               const SymbolicOptions& options, const TableAccesses& accesses,
               NewKeys known);

  // The row before the first transaction.
  Row initial(TableId table, const Key& key);
  // Of a table that the program scans.
  std::span<const Slot> slots(TableId table);

  // The key under which a transaction writes a new row: the slot's, if it has one.
  Key settle_new_key(std::uint32_t transaction, TableId table, const Key& key, Term when);
  // All transactions have been executed: slots that nobody settled stand for nothing.
  void close();

  [[nodiscard]] bool is_scanned(TableId id) const { return accesses_.scanned.contains(id); }

  [[nodiscard]] bool is_written(TableId table) const {
    return accesses_.written.contains(table);
  }

  // All that transactions have settled, to begin the next pass with.
  [[nodiscard]] const NewKeys& found() const { return found_; }

  // What is true of the initial state and of the slots.
  [[nodiscard]] const std::vector<Term>& facts() const { return facts_; }

  // Rows that the initial state may have, beside those that the scenario gives.
  [[nodiscard]] const std::vector<InitialRow>& open_rows() const { return open_rows_; }

  // Numbers that a model should keep small.
  [[nodiscard]] const std::vector<Term>& inputs() const { return inputs_; }

  // Tables whose open rows are at most rows_max.
  [[nodiscard]] std::vector<TableId> bounded() const;

  // Problems with constraints that cannot be expressed.
  [[nodiscard]] const Diagnostics& diagnostics() const { return diagnostics_; }

  // A new unknown that fits the type, with the facts that say so under a condition.
  Cell unknown(const program::Type& type, const std::string& name, bool may_be_null,
               Term when);

 private:
  struct NewKey {
    Slot slot;
    Term is_active;
    bool is_settled = false;
  };

  struct TableState {
    std::vector<InitialRow> given;  // of the scenario
    std::vector<InitialRow> open;   // bounded
    std::vector<Slot> slots;
    std::map<std::vector<Term>, Row> looked_at;  // unbounded: by key
  };

  [[nodiscard]] const program::Table& table(TableId id) const {
    return program_.tables[id.index];
  }

  void add_given_rows();
  void add_open_rows(TableId id);
  void add_slots(TableId id);
  void add_new_key(std::uint32_t transaction, TableId id, std::size_t index,
                   const std::optional<std::vector<Term>>& constant);
  void add_slot(TableState& state, Term is_active, Key key);
  Row row_by_function(TableId id, const Key& key);
  Row row_looked_up(TableId id, const Key& key);
  Cell cell_by_function(TableId id, std::uint32_t column, const Key& key);
  void constrain(const InitialRow& row);
  void constrain_unique(const InitialRow& row);
  void constrain_references(const InitialRow& row);
  Term has_row_with(TableId id, std::span<const ColumnId> columns,
                    std::span<const Cell> values);
  void fit(const Cell& cell, Term when);

  Terms& terms_;
  const Program& program_;
  bool is_open_;
  std::uint32_t rows_max_;
  const SymbolicOptions options_;  // outlives those that it was made with
  const TableAccesses& accesses_;
  NewKeys known_;
  NewKeys found_;
  std::vector<TableState> tables_;
  std::map<std::pair<std::uint32_t, TableId>, std::vector<NewKey>> new_keys_;
  std::map<std::pair<std::uint32_t, std::uint32_t>,
           std::pair<logic::TermFunction, logic::TermFunction>>
      functions_;  // by table and column: NULL, and the data
  std::map<std::uint32_t, logic::TermFunction> existence_;
  std::vector<InitialRow> open_rows_;
  std::vector<Term> facts_;
  std::vector<Term> inputs_;
  Diagnostics diagnostics_;
  unsigned reference_depth_ = 0;
};

// The cells of the primary key.
Key key_of(const program::Table& table, const Row& row);

}  // namespace isomer::verify
