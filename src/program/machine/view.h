// SPDX-License-Identifier: MIT
// What one statement sees of the database: what it has been told so far, over it the own
// writes of the transaction, and over these what the statement itself is about to write.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "program/machine/evaluate.h"
#include "program/machine/keys.h"

namespace isomer::program {

using TableKeys = std::shared_ptr<const std::vector<PrimaryKey>>;  // sorted

// The answers that the statement got.
struct Answers {
  std::unordered_map<KeyName, Value> values;
  std::map<KeyName, TableKeys> universes;  // by the prefix of their keys
};

// The rows of the table among the keys.
TableKeys universe_among(const Table& table, std::string_view prefix,
                         const std::vector<KeyName>& keys);

// A row that the statement writes; Null: deletes.
struct RowChange {
  TableId table;
  PrimaryKey key;
  Value row;
  // With Granularity::Field: what of it is written.
  bool writes_existence = false;
  std::vector<ColumnId> columns;
};

using OwnWrites = std::map<KeyName, Value>;

class View {
 public:
  View(const Program& program, Granularity granularity, const OwnWrites& own,
       const Answers& answers);

  // Null if it is absent, or not known yet: then the context waits.
  Value value(const KeyName& key, Context& context);
  Value row(TableId table, const PrimaryKey& key, Context& context);

  // Asks for all these rows at once.
  void prefetch(TableId table, const std::vector<PrimaryKey>& keys, Context& context);

  // The rows that a scan reads whose primary key starts with these values, sorted: the
  // universe and the own writes; if Staged, also what this statement writes.
  enum class Scan : std::uint8_t { Committed, Staged };
  TableKeys scanned(TableId table, const PrimaryKey& start, Scan scan, Context& context);

  // Seen by row() and by staged scans from now on.
  void stage(RowChange change);
  [[nodiscard]] bool is_staged(TableId table, const PrimaryKey& key) const;
  // Stages a row that is there as it is.
  void lock(TableId table, const Value& row);

  // The keys that the staged changes write.
  std::vector<std::pair<KeyName, Value>> writes(Context& context);

  [[nodiscard]] bool has_field_keys() const { return granularity_ == Granularity::Field; }

  // With Granularity::Field, the columns of a table that the statement needs.
  void need(TableId table, ColumnId column);

  [[nodiscard]] const Table& table(TableId id) const { return program_.tables[id.index]; }

  [[nodiscard]] const Program& program() const { return program_; }

  // What was not known.
  std::vector<KeyName> missing_keys;
  std::vector<std::pair<TableId, KeyName>> missing_universes;  // with the prefix

 private:
  TableKeys stored_universe(TableId table, const KeyName& prefix, Context& context);
  Value stored_row(TableId table, const PrimaryKey& key, Context& context);
  Value row_of_fields(TableId table, const PrimaryKey& key, Context& context);
  std::vector<std::pair<KeyName, Value>> row_writes() const;
  std::vector<std::pair<KeyName, Value>> table_writes(Context& context);
  std::vector<std::pair<KeyName, Value>> field_writes() const;

  const Program& program_;
  Granularity granularity_;
  const OwnWrites& own_;
  const Answers& answers_;
  std::set<KeyName> asked_;
  std::map<KeyName, TableKeys> universes_;  // with the own writes
  std::vector<RowChange> changes_;
  std::map<KeyName, std::size_t> staged_;  // by row key: the last change
  std::map<TableId, std::set<ColumnId>> needed_;
};

// Runs `act(i)` for each i below count.  An act that waits does not keep the others from
// asking for what they need; a fault ends it all, unless an earlier act still waits.
template <class Act>
void for_each_waiting(std::size_t count, Context& context, Act act) {
  bool waits = context.is_waiting;
  for (std::size_t i = 0; i < count && !context.fault; ++i) {
    act(i);
    waits |= context.is_waiting;
    context.is_waiting = false;
  }
  if (waits) context.fault.reset();
  context.is_waiting = waits;
}

}  // namespace isomer::program
