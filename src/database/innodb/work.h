// SPDX-License-Identifier: MIT
// A statement on its way.  It runs in steps: its read view, each record that it locks, each
// entry that it makes.  Between two steps the others may do anything.  It is executed again
// from its start for each step; what the steps before gave is in its log.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "database/innodb/state.h"
#include "database/stepped_server.h"
#include "program/machine/statement_execution.h"

namespace isomer::database::innodb {

// What a session wants to do next.
struct Request {
  enum class Kind : std::uint8_t {
    Plan,  // the optimizer chooses one of so many
    Read,  // a read view and what is read by it, or one record without a lock
    Lock,  // a record; and what can be done then without another one
    RollBackTo,
    Commit,
    RollBack,
  };

  Kind kind = Kind::Read;
  std::optional<LockRequest> lock{};  // absent: nothing is in its way
  program::LockWait wait = program::LockWait::Wait;
  bool is_semi_consistent = false;  // goes by the last committed version instead of waiting
  bool enters = false;              // a new entry comes into an index
  std::size_t choices = 1;
};

// What a step gave.
struct Outcome {
  enum class Kind : std::uint8_t {
    Done,        // found, locked, entered
    End,         // behind the last record of a scan, or none is there
    PassedOver,  // a ghost, or locked where one does not wait
    Committed,   // semi-consistent: the row as it was committed last
    Taken,       // a record with the key is there
    Again,       // locked, to be looked at once more
    Failed,
  };

  Kind kind = Kind::Done;
  std::optional<Key> key{};
  Value row{};
  bool is_new = false;  // the lock; and there was no wait
  std::optional<program::Fault> fault{};
  std::optional<program::Fault> late_fault{};  // after the rows before it
  std::size_t choice = 0;
  Reply reply{};
  std::vector<Value> values{};
};

// A task on its way.
struct Work : Task {
  std::vector<std::shared_ptr<const Outcome>> log{};
  std::size_t changes = 0;  // of the transaction before it
  std::size_t choice = 0;   // of its next step
  // The record for which it waited, if it was the last thing that it did.
  std::optional<RecordId> waited_for{};
};

}  // namespace isomer::database::innodb
