// SPDX-License-Identifier: MIT
// The sessions of a program on a real PostgreSQL, all at once and as fast as it goes, and
// what each statement of theirs was answered, saw and changed.
//
// Nothing here waits but for the server: each session is a connection that does not block,
// and a machine that says which statement comes next.  The tables stand in a schema of
// their own.  Triggers behind each change tell which version of the row was replaced and
// which one came (the transactions that wrote them, which PostgreSQL keeps with each
// version), as notices beside the results: a notice is not undone by ROLLBACK TO, and is
// there before the statement's result.
//
// A connection that breaks in the middle of a transaction has rolled it back; if COMMIT was
// on its way, the server is asked what became of it before anybody goes on.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "database/schedule.h"
#include "program/machine/keys.h"
#include "record/commit_order.h"

namespace isomer::record {

using database::IsolationLevel;
using program::PrimaryKey;
using program::TableId;
using program::Value;

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

// What a trigger said.  The number of a transaction is its lower half where versions carry
// it; a savepoint has a number of its own.
struct RowChange {
  TableId table;
  std::uint64_t transaction = 0;          // whose change it is
  std::optional<std::uint32_t> replaced;  // who wrote the version that was there
  std::optional<std::uint32_t> written;   // who writes the one that is there now
  PrimaryKey old_key{};                   // if one was there
  Value row{};                            // Null: it was deleted
};

// A row that a locking SELECT got, and who wrote that version.
struct LockedRow {
  TableId table;
  PrimaryKey key;
  std::uint32_t written = 0;
};

struct LiveStatement {
  program::AsksServer what{};
  std::vector<Value> variables{};
  bool found = false;
  std::int64_t row_count = 0;
  // Among the snapshots of the run; absent for what looks at no rows.
  std::optional<std::size_t> snapshot{};
  std::vector<std::vector<Value>> rows{};
  bool is_cut = false;  // the client took not all rows
  std::vector<RowChange> changes{};
  std::vector<LockedRow> locked{};
  bool has_failed = false;
  std::size_t undone_by = never;  // the statement of its transaction that was ROLLBACK TO
};

struct LiveTransaction {
  enum class End : std::uint8_t { Committed, RolledBack, Unknown };

  std::uint32_t session = 0;
  std::uint32_t call = 0;
  std::uint32_t attempt = 0;
  IsolationLevel level = IsolationLevel::ReadCommitted;
  std::uint32_t start = 0;   // of the server, as in Snapshot
  std::uint64_t number = 0;  // in the server; 0: it has changed nothing
  std::uint64_t ended = 0;   // its place among all ends, as the client heard of them
  double began = 0;          // seconds since the run began
  double seconds = 0;        // that it took
  std::vector<LiveStatement> statements{};
  End end = End::RolledBack;
  program::Fault fault{};  // why it was rolled back
};

struct LiveRun {
  std::vector<LiveTransaction> transactions;  // in the order of their ends
  std::vector<Snapshot> snapshots;
  // At the end; by table, sorted.  Absent: the server was not there any more.
  std::optional<std::vector<std::vector<std::vector<Value>>>> final_rows;
  double seconds = 0;
  std::uint32_t losses = 0;  // of connections
  std::string problem;       // not empty: the run could not go on
};

struct LiveOptions {
  std::string address;              // as libpq reads it
  std::optional<double> seconds{};  // absent: until all calls are made
  Budget budget{};
  // Without triggers, snapshots and the rest, to see what recording costs.
  bool only_runs = false;
};

// The program must have a value for each argument.  Otherwise what the server has against
// it.
tl::expected<LiveRun, std::string> run_live(const database::Scenario& scenario,
                                            const LiveOptions& options);

}  // namespace isomer::record
