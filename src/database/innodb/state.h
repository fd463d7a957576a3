// SPDX-License-Identifier: MIT
// What InnoDB knows: records of indexes with their older versions (undo logs),
// transactions, read views and locks.  A state is a value: copy it to go on in two ways.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "database/innodb/indexes.h"
#include "database/server.h"

namespace isomer::database::innodb {

// --- transactions ---

using TrxId = std::uint32_t;
constexpr TrxId initial_transaction = 0;

// One change of a row, to be undone by taking away its newest version.
struct UndoRecord {
  TableId table;
  Key key;
};

enum class LockMode : std::uint8_t { Shared, Exclusive };

enum class LockKind : std::uint8_t {
  NextKey,          // the record and the gap before it
  Record,           // the record alone
  Gap,              // the gap alone
  InsertIntention,  // somebody wants to insert into the gap
};

// Locks of one kind on one page are one thing in memory; how many a transaction has counts
// when a deadlock asks who is the lighter one.  A table here is a page.
struct LockStruct {
  TableId table;
  IndexNumber index = clustered;
  LockMode mode = LockMode::Shared;
  LockKind kind = LockKind::NextKey;
  bool is_waiting = false;
  friend auto operator<=>(const LockStruct&, const LockStruct&) = default;
};

struct Transaction {
  enum class Status : std::uint8_t { Running, Committed, RolledBack };

  SessionIndex session = 0;
  IsolationLevel level = IsolationLevel::RepeatableRead;
  Status status = Status::Running;
  std::uint32_t commit_number = 0;  // its place in the order of commits
  std::vector<UndoRecord> undo{};
  // The read view sees so many commits: of the transaction, or of the statement at READ
  // COMMITTED.
  std::optional<std::uint32_t> view{};
  // While it runs INSERT .. ON DUPLICATE KEY UPDATE.
  bool updates_duplicates = false;
  std::vector<LockStruct> structs{};
  std::vector<std::pair<TableId, LockMode>> table_locks{};  // IS, IX

  [[nodiscard]] bool locks_gaps() const { return level >= IsolationLevel::RepeatableRead; }

  [[nodiscard]] std::size_t weight() const {
    return undo.size() + structs.size() + table_locks.size();
  }
};

// --- records ---

struct Version {
  Value row;  // Null: delete-marked
  TrxId writer = initial_transaction;
};

// A record of the clustered index, oldest version first.
using Versions = std::vector<Version>;

// Of a secondary index.
struct Entry {
  bool is_deleted = false;             // delete-marked
  TrxId writer = initial_transaction;  // who inserted or delete-marked it last
};

struct Records {
  std::map<Key, Versions> rows;
  std::vector<std::map<Key, Entry>> secondary;  // by index; none for the clustered one
};

// A place in an index; without a key: behind all records (the supremum).
struct RecordId {
  TableId table;
  IndexNumber index = clustered;
  std::optional<Key> key{};
  friend bool operator==(const RecordId&, const RecordId&) = default;
};

// A record as the index has it.
struct Found {
  Key key;
  bool is_deleted = false;
  TrxId writer = initial_transaction;
};

// --- locks ---

struct LockRequest {
  RecordId record;
  LockMode mode = LockMode::Shared;
  LockKind kind = LockKind::NextKey;
};

struct HeldLock : LockRequest {
  TrxId trx = initial_transaction;
  bool is_waiting = false;
};

struct Sleeper {
  SessionIndex session = 0;
  LockRequest request;
};

// --- the state ---

struct State {
  const program::Program* program = nullptr;
  std::shared_ptr<const std::vector<Indexes>> all_indexes;
  std::vector<std::shared_ptr<Records>> tables;
  std::vector<Transaction> transactions;
  std::uint32_t commits = 0;
  std::vector<HeldLock> locks;      // each record's queue, in its order
  std::vector<Sleeper> sleepers{};  // in the order in which they fell asleep

  [[nodiscard]] const program::Table& table(TableId id) const {
    return program->tables[id.index];
  }

  [[nodiscard]] const Indexes& indexes(TableId id) const {
    return (*all_indexes)[id.index];
  }

  [[nodiscard]] const Records& records(TableId id) const { return *tables[id.index]; }

  // For a change; records that copies of the state share are copied first.
  Records& own_records(TableId id);

  // --- transactions ---

  [[nodiscard]] bool is_running(TrxId trx) const {
    return transactions[trx].status == Transaction::Status::Running;
  }

  [[nodiscard]] bool is_committed_by(TrxId trx, std::uint32_t commits_seen) const {
    const Transaction& of = transactions[trx];
    return of.status == Transaction::Status::Committed && of.commit_number <= commits_seen;
  }

  // --- records ---

  [[nodiscard]] std::optional<Found> find(const RecordId& record) const;
  // The first record at or behind a place; behind it only, if it is to be left.
  [[nodiscard]] std::optional<Found> first_at(TableId table, IndexNumber index,
                                              const Key& place) const;
  [[nodiscard]] std::optional<Found> first_behind(TableId table, IndexNumber index,
                                                  const Key& place) const;
  [[nodiscard]] std::optional<Found> last_before(TableId table, IndexNumber index,
                                                 const std::optional<Key>& place) const;
  [[nodiscard]] RecordId next_of(const RecordId& record) const;
  // The primary key of the row whose entry this is.
  [[nodiscard]] Key row_key(TableId table, IndexNumber index, const Key& entry) const;
  [[nodiscard]] const Versions* versions(TableId table, const Key& key) const;
  // The row as a read view has it; Null: it is not there.
  [[nodiscard]] Value seen(const Versions& versions, TrxId by, std::uint32_t commits) const;
  // As it was committed last, whoever changes it now; absent if it never was.
  [[nodiscard]] std::optional<Value> last_committed(const Versions& versions,
                                                    TrxId by) const;
};

// The tables with the rows that the program starts with.
State initial_state(const program::Program& program);

}  // namespace isomer::database::innodb
