// SPDX-License-Identifier: MIT
// One statement, from its start to its end.  The whole file is locked while SQLite writes,
// so nothing of others can fall into the midst of it.  Private to the model.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "database/access_log.h"
#include "database/sqlite/result_codes.h"
#include "database/sqlite/tables.h"
#include "database/stepped_server.h"
#include "program/machine/statement_execution.h"

namespace isomer::database::sqlite {

// Does the task change rows, or read some?  What does neither needs no lock.
bool writes(const Task& task);
bool reads(const Task& task);

// What a statement tells of its reads and writes, if somebody asks (access_log.h).
struct Logged {
  AccessLog* log = nullptr;
  SessionIndex session = 0;
  std::uint32_t commits = 0;  // that its transaction sees

  void look(Region region) const {
    if (log != nullptr)
      log->look(session, {.region = std::move(region), .commits = commits});
  }

  void write(TableId table, const Value& before, const Value& after) const {
    if (log != nullptr)
      log->write(session, {.table = table, .before = before, .after = after});
  }
};

class Statement {
 public:
  // On these tables.
  Statement(const program::Program& program, Tables& tables, const Task& task,
            const Logged& logged);

  // If it fails, the tables are as they were before.
  Reply run();

  // Has it changed a page of the file?  A row that gets the values that it has changes
  // none, unless they are in an index; and what is undone stays changed.
  [[nodiscard]] bool has_written() const { return has_written_; }

 private:
  using Tuple = program::Tuple;

  // Rows as they were before the statement, in the order of the primary key.
  class Reader final : public program::TableReader {
   public:
    explicit Reader(const Statement& statement)
        : tables_(statement.tables_), statement_(statement) {}

    std::vector<Value> rows(TableId table,
                            std::span<const std::optional<Value>> pins) override;

   private:
    Tables tables_;
    const Statement& statement_;
  };

  // A row before and after; Null: it is not there.
  struct Change {
    TableId table;
    Value before;
    Value after;
  };

  // What an UPDATE makes of a row.
  struct NewRow {
    TableId table;
    Value before;
    Value after;
    std::vector<ColumnId> columns{};  // that are assigned
  };

  [[nodiscard]] std::optional<program::Fault>& fault() { return execution_.context.fault; }

  [[nodiscard]] bool is_stopped() const { return execution_.context.is_stopped(); }

  bool fail(const ResultCode& code, std::string reason);
  [[nodiscard]] const program::Table& table(TableId id) const;

  // --- statements (statement.cpp) ---

  void dispatch();
  void value(const program::Expression& expression);
  void query(const program::Statement& statement);
  void insert(const program::Insert& statement);
  void insert_row(const program::Insert& statement, const Value& row);
  void update_in_the_way(const program::Insert& statement, const Value& existing,
                         const Value& row);
  void update(const program::Update& statement);
  void erase(const program::Delete& statement);
  [[nodiscard]] bool empties_pages(const program::Delete& statement) const;
  void append_returned(const std::vector<program::ExpressionPtr>& returning,
                       const Tuple& tuple);
  // SQLite's names for what the interpreter found.
  void name_fault();

  // --- rows (rows.cpp): each is false if the statement stopped ---

  bool put(TableId id, const Value& row);
  bool replace(const NewRow& row);
  bool remove(TableId id, const Value& row);
  [[nodiscard]] bool changes_page(const NewRow& row) const;
  // NOT NULL, then CHECK.
  bool check_row(TableId id, const Value& row, std::span<const ColumnId> columns);
  // The row with the same values in these columns, if that is another one; Null: none.
  [[nodiscard]] Value other_with(TableId id, std::span<const ColumnId> columns,
                                 const Value& after, const Value& before) const;
  bool check_unique(TableId id, const Value& after, const Value& before);
  bool fail_unique(TableId id, std::span<const ColumnId> columns);

  // --- foreign keys (foreign_keys.cpp) ---

  [[nodiscard]] std::vector<Value> rows_with(TableId id, std::span<const ColumnId> columns,
                                             const std::vector<Value>& values) const;
  // Have all foreign keys of the row, but for those that are as they were, their parents?
  bool check_parents(TableId id, const Value& after, const Value& before);
  // ON DELETE and ON UPDATE, directly after the change of each row, like triggers.
  bool act_on_children(const Change& change);
  bool act(TableId child, const program::ForeignKey& key, const Change& change);
  // What is left of NO ACTION, at the end of the statement.
  bool check_foreign_keys();

  const program::Program& program_;
  Tables& tables_;
  const Task& task_;
  const Logged logged_;
  program::OwnWrites no_writes_;
  program::Answers no_answers_;
  mutable program::StatementExecution execution_;
  Reader reader_;
  Reply reply_;
  std::vector<Change> changes_;
  bool has_written_ = false;
};

}  // namespace isomer::database::sqlite
