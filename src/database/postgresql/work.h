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
#include "program/machine/statement_execution.h"

namespace isomer::database::postgresql {

// What a step touched: two steps of different sessions commute unless they conflict.
struct Footprint {
  struct TouchedRow {
    TableId table;
    RowId row;
    Lock strength;
  };

  struct TouchedKey {
    TableId table;
    std::uint32_t index;
    std::vector<Value> key;
    bool is_insert;  // two that only write a row with the key are ordered by its lock
  };

  std::vector<Region> reads{};     // by a snapshot that this step took
  std::vector<TouchedRow> rows{};  // locks that it took, asked for or gave back
  std::vector<TouchedKey> keys{};
  std::vector<RowChange> commits{};  // what it made visible
  std::vector<RowChange> written{};  // by a serializable transaction
  std::vector<Region> tracked{};     // read by a serializable transaction
  std::vector<std::pair<TableId, TableLock>> tables{};
  std::vector<std::pair<std::vector<Value>, bool>> advised{};  // with is_shared
  std::vector<TableId> appended{};                             // whose heaps got longer
  bool ends = false;                                           // and gives back locks
  bool tries = false;  // gives up instead of waiting
  bool is_serializable = false;
};

bool conflict(const Footprint& a, const Footprint& b);

// What a step gave.
struct Outcome {
  enum class Kind : std::uint8_t {
    Done,     // found, locked, entered
    Changed,  // the row was changed by somebody who committed
    Gone,     // it was deleted
    Skipped,  // SKIP LOCKED, or this command has changed the row before
    Taken,    // a row with the key is there
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

  [[nodiscard]] bool is_in_transaction() const { return top != nobody; }

  [[nodiscard]] bool has_one_snapshot() const {
    return level >= IsolationLevel::RepeatableRead;
  }
};

// What a session has been asked to do.
struct Work {
  enum class Kind : std::uint8_t { Ask, Commit, RollBack };

  Kind kind = Kind::Ask;
  program::AsksServer what{};
  std::vector<Value> variables{};
  bool found = false;
  std::int64_t row_count = 0;
  std::vector<std::shared_ptr<const Outcome>> log{};
  std::uint32_t command = 0;   // its first
  bool awaits_safety = false;  // of the transaction's snapshot, which it takes
};

}  // namespace isomer::database::postgresql
