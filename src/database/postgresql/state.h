// SPDX-License-Identifier: MIT
// What a PostgreSQL server knows: versions of rows, transactions, snapshots and locks.  A
// state is a value: copy it to go on in two ways.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "database/access_log.h"
#include "database/footprint.h"
#include "database/postgresql/indexes.h"
#include "database/server.h"
#include "program/ir.h"

namespace isomer::database::postgresql {

using program::ColumnId;
using program::Lock;
using program::LockWait;
using program::TableId;
using program::TableLock;
using program::Value;

// --- transactions ---

// A transaction, or a part of one since a savepoint.
using ActorId = std::uint32_t;
constexpr ActorId nobody = std::numeric_limits<ActorId>::max();

struct Actor {
  enum class Status : std::uint8_t { Running, Committed, RolledBack };

  SessionIndex session = 0;
  ActorId top = nobody;     // of the transaction; its own for the first part
  ActorId parent = nobody;  // the part around this one
  Status status = Status::Running;
  bool is_released = false;  // RELEASE: it belongs to the part around it
  // Its transaction id, by order: given when it first writes or locks a row; 0: not yet.
  std::uint32_t xid = 0;
  std::uint32_t commit_number = 0;  // of the top: its place in the order of commits
};

// What a statement sees: everything committed by then, and what its own transaction did in
// earlier commands.
struct Snapshot {
  std::uint32_t commits = 0;
  ActorId top = nobody;
  std::uint32_t command = 0;
};

// --- rows ---

// A place in the heap of a table; scans go by it.
using Place = std::uint32_t;
constexpr Place nowhere = std::numeric_limits<Place>::max();

struct Version {
  RowId row;
  Value values;  // the columns, and behind them the place
  ActorId creator = nobody;
  std::uint32_t creator_command = 0;
  std::uint32_t entered = 0;  // a bit for each unique index that has it
  // Who replaced or deleted it; that counts only while it is not rolled back.
  ActorId eraser = nobody;
  std::uint32_t eraser_command = 0;
  Lock eraser_lock = Lock::None;
  bool loses_key = false;  // may no longer be locked FOR KEY SHARE (HEAP_KEYS_UPDATED)
  Place next = nowhere;    // the version that replaced it; nowhere: deleted
};

using Heap = std::vector<Version>;

// --- locks ---

// One of those that the xmax of a version names: who locks it, or replaces or deletes it,
// and still runs.
struct RowLock {
  TableId table;
  RowId row;
  Place place = nowhere;
  ActorId actor = nobody;
  Lock strength = Lock::None;
};

struct HeldTableLock {
  TableId table;
  ActorId actor = nobody;
  TableLock mode = TableLock::AccessShare;
};

struct HeldAdvisoryLock {
  std::vector<Value> key;
  SessionIndex session = 0;
  ActorId actor = nobody;  // nobody: held by the session
  bool is_shared = false;
};

// --- who waits ---

// What a session wants to do next.
struct Request {
  enum class Kind : std::uint8_t {
    Read,         // a snapshot, and what is computed from it
    LockRow,      // of `place`, with `strength`
    EnterIndex,   // `keys` into the unique index `indexes`, or looked at there once more
    FindKey,      // the rows that are in the way of an INSERT .. ON CONFLICT
    LockTable,    // in `mode`
    Advise,       // an advisory lock: `key`
    AwaitSafety,  // of the snapshot: SERIALIZABLE READ ONLY DEFERRABLE
    RollBackTo,   // a savepoint
    Commit,
    RollBack,
  };

  Kind kind = Kind::Read;
  TableId table{};
  Place place = nowhere;  // EnterIndex: of the row itself
  Lock strength = Lock::None;
  LockWait wait = LockWait::Wait;
  // LockRow: to replace or delete the version (heap_update), not only to lock it
  // (heap_lock_tuple).
  bool is_change = false;
  // LockRow: versions that are newer are locked too
  // (TUPLE_LOCK_FLAG_LOCK_UPDATE_IN_PROGRESS).
  bool locks_newer = false;
  // LockRow: of a version that was replaced, the newest is locked instead
  // (TUPLE_LOCK_FLAG_FIND_LAST_VERSION).
  bool finds_newest = false;
  // EnterIndex: one; FindKey: those of the arbiters, with their keys.
  std::vector<std::uint32_t> indexes{};
  std::vector<std::vector<Value>> keys{};
  TableLock mode = TableLock::AccessShare;
  bool is_shared = false;
};

// What a session that wanted to lock a row has seen there when it fell asleep.  It waits
// for its turn and for those that it saw, one after the other, and then looks again.
struct RowWait {
  Place place = nowhere;           // of the version
  bool has_turn = false;           // stands in the queue of the version (LockTuple)
  std::vector<ActorId> awaited{};  // members of the xmax, in the order of their ids
  bool is_updated = false;         // one of them, or one before, has replaced it
  bool is_chasing = false;         // waits for who changes the newest version
};

// A session that sleeps.  Heavy locks are queues: who comes later waits behind those whose
// wish conflicts with its own.
struct Sleeper {
  SessionIndex session = 0;
  Request request;
  RowWait row{};  // LockRow
  // The transaction that it waits for as a whole, though it met only a part of it: once a
  // part is released, its waiters cannot tell it from the rest (XactLockTableWait), and
  // sleep on if a savepoint before it is rolled back to.
  ActorId whole = nobody;
};

// --- what serializable transactions read and wrote ---

struct StatementRead;  // statement.h

// A transaction at SERIALIZABLE, for the dangerous structure.
struct SerializableTransaction {
  ActorId top = nobody;
  std::uint32_t snapshot = 0;  // commits
  bool is_read_only = false;
  bool is_doomed = false;
  bool has_written = false;
  // It had a transaction id before its snapshot, which only LOCK TABLE .. IN ACCESS
  // EXCLUSIVE MODE gives.  The server then never hears that what this id wrote is of a
  // serializable transaction (RegisterPredicateLockingXid): who reads around that is not
  // noticed.
  bool writes_unnoticed = false;
  std::vector<Region> regions{};  // read by checks of foreign keys and their kin
  std::vector<std::shared_ptr<const StatementRead>> reads{};
  std::vector<ActorId> in{};   // those that read what this one overwrote
  std::vector<ActorId> out{};  // those that overwrote what this one read
};

// --- the state ---

struct State {
  const program::Program* program = nullptr;
  std::shared_ptr<const std::vector<std::vector<Index>>> all_indexes;  // by table
  std::vector<std::shared_ptr<Heap>> heaps;                            // by table
  std::vector<Actor> actors;
  std::uint32_t commits = 0;
  std::uint32_t xids = 0;
  std::vector<RowLock> row_locks;
  std::vector<HeldTableLock> table_locks;
  std::vector<HeldAdvisoryLock> advisory_locks;
  std::vector<SerializableTransaction> serializable;
  std::vector<Sleeper> sleepers;        // in the order in which they fell asleep
  std::vector<std::uint32_t> inserted;  // by session: rows so far
  bool has_table_locks = false;         // does the program have LOCK TABLE?
  AccessLog* log = nullptr;             // of whoever asks what is read and written

  [[nodiscard]] const Heap& heap(TableId table) const { return *heaps[table.index]; }

  // For a change; a heap that copies of the state share is copied first.
  Heap& own_heap(TableId table);

  [[nodiscard]] const program::Table& table(TableId id) const {
    return program->tables[id.index];
  }

  // The unique ones, in the order in which they are looked at.
  [[nodiscard]] const std::vector<Index>& indexes(TableId id) const {
    return (*all_indexes)[id.index];
  }

  // What the row has in the index; nothing if nobody can be in its way there.
  [[nodiscard]] std::optional<std::vector<Value>> key_in(TableId id, std::uint32_t index,
                                                         const Value& row) const {
    return postgresql::key_in(table(id), indexes(id)[index], row);
  }

  // --- transactions ---

  // Rolled back if it was undone to a savepoint, otherwise what became of its transaction.
  [[nodiscard]] Actor::Status status(ActorId actor) const;
  [[nodiscard]] bool is_running(ActorId actor) const;
  [[nodiscard]] bool is_committed(ActorId actor) const;
  // Is it a part of this transaction that was not undone?
  [[nodiscard]] bool is_own(ActorId actor, ActorId top) const;
  // Runs, and is no part of this transaction.
  [[nodiscard]] bool is_others(ActorId actor, ActorId top) const;

  // --- versions ---

  [[nodiscard]] bool is_visible(const Version& version, const Snapshot& snapshot) const;
  // Did somebody replace or delete it, and commit?
  [[nodiscard]] bool is_replaced(const Version& version) const;
  // The end of the chain of committed changes; nowhere if the row was deleted.
  [[nodiscard]] Place newest(TableId table, Place place) const;
  [[nodiscard]] Place place_of(TableId table, const Value& row) const;
  Place append(TableId table, Version version);

  // --- ends ---

  // A transaction, or a part of it that can be undone.
  ActorId add_actor(SessionIndex session, ActorId parent);
  // Now at the latest it has a transaction id, after those of the parts around it.
  void give_xid(ActorId actor);
  void commit(ActorId top);
  // The transaction, or what it did since this part began.
  void roll_back_since(ActorId actor);
  // The locks of those that no longer run.
  void give_back_locks();
};

// The tables with the rows that the program starts with.
State initial_state(const program::Program& program, std::size_t sessions);

}  // namespace isomer::database::postgresql
