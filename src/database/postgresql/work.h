// SPDX-License-Identifier: MIT
// A statement on its way.  It runs in steps: its snapshot, each lock, each key that it
// enters into a unique index, each check of a foreign key.  Between two steps the others
// may do anything.  Like the statements of a machine, it is executed again from its start
// for each step; what the steps before gave is in its log.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "database/postgresql/state.h"
#include "database/stepped_server.h"
#include "program/machine/statement_execution.h"

namespace isomer::database::postgresql {

// What a step gave.
struct Outcome {
  enum class Kind : std::uint8_t {
    Done,     // found, locked, entered
    Changed,  // the row was changed by somebody who committed
    Gone,     // it was deleted
    Skipped,  // SKIP LOCKED, or this command has changed the row before
    Taken,    // a row with the key is there
    InDoubt,  // entered, but such a row may be there
    Failed,
  };

  Kind kind = Kind::Done;
  Place place = nowhere;  // to go on with
  std::optional<program::Fault> fault{};
  std::optional<program::Fault> late_fault{};  // after the rows before it
  Snapshot snapshot{};
  std::vector<program::Tuple> tuples{};
  Reply reply{};
  std::vector<Value> values{};
};

// What is checked of a change later: at COMMIT, or when SET CONSTRAINTS says so.
struct LateCheck {
  enum class Kind : std::uint8_t {
    Key,       // of `place`, in the index
    Parent,    // of the new row
    Children,  // of the old row
  };

  Kind kind = Kind::Key;
  program::ConstraintId constraint{};
  std::uint32_t index = 0;  // Key
  Place place = nowhere;    // of the new row
  RowChange change{};
  ActorId actor = nobody;  // whose part of the transaction asks for it
};

// SET CONSTRAINTS.
struct ConstraintMode {
  std::vector<program::ConstraintId> constraints{};  // none: all
  bool is_deferred = false;
  ActorId actor = nobody;
};

// How a session stands with its transaction.
struct Standing {
  IsolationLevel level = IsolationLevel::ReadCommitted;
  bool is_read_only = false;
  bool is_deferrable = false;  // waits for a safe snapshot
  ActorId top = nobody;
  ActorId actor = nobody;  // since the innermost savepoint
  std::uint32_t command = 0;
  std::optional<std::uint32_t> snapshot{};  // REPEATABLE READ and above, once taken
  std::vector<ActorId> writers{};           // SERIALIZABLE at the snapshot, if deferrable
  std::vector<std::pair<std::string, ActorId>> savepoints{};
  std::vector<LateCheck> late_checks{};
  std::vector<ConstraintMode> constraint_modes{};  // the last one counts

  [[nodiscard]] bool is_in_transaction() const { return top != nobody; }

  [[nodiscard]] bool has_one_snapshot() const {
    return level >= IsolationLevel::RepeatableRead;
  }
};

// In which order rows are locked that a statement finds (lock_order.cpp).
struct LockOrder {
  enum class By : std::uint8_t {
    Scan,   // as they stand in the heap
    Chain,  // as the first of the versions stands that an index has under one entry
    Key,    // of an index
  };

  std::size_t source = 0;  // of a join
  By by = By::Scan;
  std::uint32_t index = 0;  // Key

  friend bool operator==(const LockOrder&, const LockOrder&) = default;
};

// A task on its way.
struct Work : Task {
  std::vector<std::shared_ptr<const Outcome>> log{};
  std::uint32_t command = 0;   // its first
  bool awaits_safety = false;  // of the transaction's snapshot, which it takes
  LockOrder lock_order{};      // of the rows that it finds
  bool is_checked = false;     // COMMIT: what was to be checked late
  // Has it steps before it has found its rows: a query inside of it that locks rows, or a
  // change in a WITH?
  bool has_inner_steps = false;
};

}  // namespace isomer::database::postgresql
