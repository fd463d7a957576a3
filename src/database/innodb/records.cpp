// SPDX-License-Identifier: MIT
#include "database/innodb/records.h"

#include <algorithm>

#include "base/assert.h"
#include "database/innodb/locks.h"

namespace isomer::database::innodb {

using Touch = TouchedRange::Access;

// --- footprints ---

void touch_record(const RecordId& record, Touch access, Footprint& touched) {
  if (!record.key) return;
  touched.ranges.push_back({.table = record.table,
                            .index = record.index,
                            .from = record.key,
                            .has_from = true,
                            .to = record.key,
                            .has_to = true,
                            .access = access});
}

// Beside the indexes of the table, so that it meets nothing but itself.
void touch_queue(const RecordId& record, Footprint& touched) {
  constexpr IndexNumber of_queues = 1U << 16U;
  touched.ranges.push_back({.table = record.table,
                            .index = of_queues + record.index,
                            .from = record.key ? record.key : Key{},
                            .has_from = true,
                            .to = record.key ? record.key : Key{},
                            .has_to = true,
                            .access = Touch::Write});
}

void touch_gap(const State& state, const RecordId& record, Touch access,
               Footprint& touched) {
  const auto before = state.last_before(record.table, record.index, record.key);
  touched.ranges.push_back({.table = record.table,
                            .index = record.index,
                            .from = before ? std::optional(before->key) : std::nullopt,
                            .to = record.key,
                            .access = access});
}

namespace {

// The record, and the gaps at both sides of it.
void touch_surroundings(const State& state, const RecordId& record, Footprint& touched) {
  touch_gap(state, record, Touch::Write, touched);
  touch_record(record, Touch::Write, touched);
  touch_gap(state, state.next_of(record), Touch::Write, touched);
}

void remove(State& state, const RecordId& record, Footprint& touched) {
  touch_surroundings(state, record, touched);
  inherit_before_removal(state, record);
  Records& own = state.own_records(record.table);
  if (record.index == clustered)
    own.rows.erase(*record.key);
  else
    own.secondary[record.index].erase(*record.key);
}

}  // namespace

// --- changes ---

void write_row(State& state, TrxId trx, TableId table, const Key& key, const Value& row,
               Footprint& touched) {
  const RecordId record{.table = table, .key = key};
  const bool is_new = state.versions(table, key) == nullptr;
  state.own_records(table).rows[key].push_back({.row = row, .writer = trx});
  state.transactions[trx].undo.push_back({.table = table, .key = key});
  if (is_new) inherit_after_insert(state, record);
  touch_record(record, Touch::Write, touched);
}

void insert_entry(State& state, TrxId trx, const RecordId& entry, Footprint& touched) {
  const bool is_new = !state.find(entry);
  state.own_records(entry.table).secondary[entry.index][*entry.key] = {.is_deleted = false,
                                                                       .writer = trx};
  if (is_new) inherit_after_insert(state, entry);
  touch_record(entry, Touch::Write, touched);
}

void mark_entry(State& state, TrxId trx, const RecordId& entry, Footprint& touched) {
  state.own_records(entry.table).secondary[entry.index][*entry.key] = {.is_deleted = true,
                                                                       .writer = trx};
  touch_record(entry, Touch::Write, touched);
}

// --- undo ---

namespace {

std::optional<Key> entry_in(const State& state, TableId table, IndexNumber index,
                            const Value& row) {
  if (row.is_null()) return std::nullopt;
  return entry_of(state.table(table), state.indexes(table), index, row);
}

// Who made the entry what it is now: the last version that has it unlike the one before.
TrxId writer_of(const State& state, TableId table, IndexNumber index, const Key& entry,
                const Versions& versions) {
  for (std::size_t i = versions.size(); i-- > 0;) {
    const auto has_it = [&](std::size_t at) {
      return entry_in(state, table, index, versions[at].row) == entry;
    };
    if (i == 0 || has_it(i) != has_it(i - 1)) return versions[i].writer;
  }
  return initial_transaction;
}

bool is_entry_of(const State& state, TableId table, IndexNumber index, const Key& entry,
                 const Versions& versions) {
  return std::any_of(versions.begin(), versions.end(), [&](const Version& version) {
    return entry_in(state, table, index, version.row) == entry;
  });
}

void undo_entries(State& state, TableId table, IndexNumber index, const Value& undone,
                  const Versions& left, Footprint& touched) {
  const auto gone = entry_in(state, table, index, undone);
  const auto back =
      left.empty() ? std::nullopt : entry_in(state, table, index, left.back().row);
  if (gone == back) return;
  const auto set = [&](const Key& key, bool is_deleted) {
    state.own_records(table).secondary[index][key] = {
        .is_deleted = is_deleted, .writer = writer_of(state, table, index, key, left)};
    touch_record({.table = table, .index = index, .key = key}, Touch::Write, touched);
  };
  const auto is_there = [&](const Key& key) {
    return state.records(table).secondary[index].contains(key);
  };
  if (gone && is_entry_of(state, table, index, *gone, left))
    set(*gone, true);
  else if (gone && is_there(*gone))
    remove(state, {.table = table, .index = index, .key = gone}, touched);
  if (back && is_there(*back)) set(*back, false);
}

void undo_last(State& state, TrxId trx, Footprint& touched) {
  const UndoRecord last = state.transactions[trx].undo.back();
  state.transactions[trx].undo.pop_back();
  Versions left = *state.versions(last.table, last.key);
  ISOMER_ASSERT(left.back().writer == trx);
  const Value undone = left.back().row;
  left.pop_back();
  for (IndexNumber i = 1; i < state.indexes(last.table).size(); ++i)
    undo_entries(state, last.table, i, undone, left, touched);
  const RecordId record{.table = last.table, .key = last.key};
  touch_record(record, Touch::Write, touched);
  if (left.empty())
    remove(state, record, touched);
  else
    state.own_records(last.table).rows[last.key] = std::move(left);
}

}  // namespace

void undo_to(State& state, TrxId trx, std::size_t changes, Footprint& touched) {
  while (state.transactions[trx].undo.size() > changes)
    undo_last(state, trx, touched);
}

// --- purge ---

namespace {

bool is_waited_for(const State& state, const RecordId& record) {
  return std::any_of(state.locks.begin(), state.locks.end(), [&](const HeldLock& lock) {
    return lock.is_waiting && lock.record == record;
  });
}

// Commits that every read view sees.
std::uint32_t commits_seen_by_all(const State& state) {
  std::uint32_t out = state.commits;
  for (const Transaction& trx : state.transactions)
    if (trx.status == Transaction::Status::Running && trx.view)
      out = std::min(out, *trx.view);
  return out;
}

// How many of the oldest versions are behind one that everybody sees.
std::size_t obsolete_versions(const State& state, const Versions& versions,
                              std::uint32_t seen_by_all) {
  for (std::size_t i = versions.size(); i-- > 0;)
    if (state.is_committed_by(versions[i].writer, seen_by_all)) return i;
  return 0;
}

void forget_versions(State& state, TableId table, std::uint32_t seen_by_all) {
  for (const auto& [key, versions] : state.records(table).rows) {
    const std::size_t obsolete = obsolete_versions(state, versions, seen_by_all);
    if (obsolete == 0) continue;
    Versions left(versions.begin() + static_cast<std::ptrdiff_t>(obsolete), versions.end());
    state.own_records(table).rows[Key(key)] = std::move(left);
    return forget_versions(state, table, seen_by_all);
  }
}

std::vector<RecordId> ghosts(const State& state, TableId table, std::uint32_t seen_by_all) {
  std::vector<RecordId> out;
  for (const auto& [key, versions] : state.records(table).rows)
    if (versions.size() == 1 && versions[0].row.is_null() &&
        state.is_committed_by(versions[0].writer, seen_by_all))
      out.push_back({.table = table, .key = key});
  for (IndexNumber i = 1; i < state.indexes(table).size(); ++i)
    for (const auto& [key, entry] : state.records(table).secondary[i]) {
      if (!entry.is_deleted) continue;
      const Versions* versions = state.versions(table, state.row_key(table, i, key));
      if (versions == nullptr || !is_entry_of(state, table, i, key, *versions))
        out.push_back({.table = table, .index = i, .key = key});
    }
  return out;
}

}  // namespace

void purge(State& state, Footprint& touched) {
  const std::uint32_t seen_by_all = commits_seen_by_all(state);
  for (std::uint32_t table = 0; table < state.tables.size(); ++table) {
    forget_versions(state, {table}, seen_by_all);
    for (const RecordId& ghost : ghosts(state, {table}, seen_by_all))
      if (is_waited_for(state, ghost))
        touch_surroundings(state, ghost, touched);
      else
        remove(state, ghost, touched);
  }
}

}  // namespace isomer::database::innodb
