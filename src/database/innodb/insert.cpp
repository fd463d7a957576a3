// SPDX-License-Identifier: MIT
// INSERT (row_ins): the row enters one index after the other, the clustered one first.  A
// record with the key is locked before it is looked at, and stays locked.  A ghost, deleted
// but not yet purged, is filled anew.
#include <algorithm>

#include <fmt/format.h>

#include "database/innodb/locks.h"
#include "database/innodb/statement.h"
#include "program/machine/columns.h"
#include "program/machine/constraints.h"
#include "program/machine/keys.h"
#include "program/machine/references.h"

namespace isomer::database::innodb {

using OnConflict = program::Insert::OnConflict;

std::optional<Reply> Statement::insert(const program::Insert& statement) {
  transaction().updates_duplicates = statement.on_conflict == OnConflict::Update;
  if (insert_selected(statement)) {
    if (is_stopped()) return std::nullopt;
    return reply_;
  }
  const program::NewRows fresh = program::new_rows(execution_, statement);
  if (is_stopped()) return std::nullopt;
  for (const Value& row : fresh.rows)
    if (!insert_row(statement, row)) return std::nullopt;
  if (fresh.fault) fault() = fresh.fault;
  if (is_stopped()) return std::nullopt;
  return reply_;
}

// INSERT .. SELECT by locking reads inserts each row before it reads the next one, unless
// it reads the table itself.  False: it is not of that kind.
bool Statement::insert_selected(const program::Insert& statement) {
  if (!statement.query || sight_of_queries() == Sight::Snapshot) return false;
  const program::Select& query = *statement.query;
  if (query.from.empty() || query.is_distinct || program::is_grouped(query) ||
      reads(query, statement.table))
    return false;
  stream(query, sight_of_queries(), [&](const std::vector<Value>& values) {
    const Value row = program::new_row(execution_, statement, values);
    return !is_stopped() && insert_row(statement, row);
  });
  return true;
}

bool Statement::insert_row(const program::Insert& statement, const Value& row) {
  const TableId id = statement.table;
  program::check_row(execution_, id, row.items(), program::all_columns(state_.table(id)));
  const auto start = once([&]() -> Outcome {
    lock_table(id, LockMode::Exclusive);
    return {.choice = transaction().undo.size()};
  });
  if (!start) return false;
  for (IndexNumber i = 0; i < state_.indexes(id).size(); ++i) {
    if (!check_parents(id, i, row)) return false;
    const auto duplicate = enter(id, i, row);
    if (is_stopped()) return false;
    if (!duplicate) continue;
    if (statement.on_conflict == OnConflict::Fail)
      return fail_duplicate(id, i, duplicate->key);
    once([&]() -> Outcome {
      undo_to(state_, trx_, start->choice, touched);
      return {};
    });
    return statement.on_conflict == OnConflict::Nothing ||
           update_duplicate(statement, row, *duplicate);
  }
  append_returned(statement.returning, {row});
  return !is_stopped();
}

// ON DUPLICATE KEY UPDATE reads the row that is in the way, as FOR UPDATE does.
bool Statement::update_duplicate(const program::Insert& statement, const Value& row,
                                 const Duplicate& duplicate) {
  const TableId id = statement.table;
  const Key key = program::picked(row.items(), state_.indexes(id)[duplicate.index].columns);
  Scan scan{.table = id,
            .sight = Sight::Exclusive,
            .index = duplicate.index,
            .intervals = {{.from = key, .to = key, .is_exact = true, .is_lookup = true}}};
  const auto fetched = fetch(scan);
  if (!fetched) return !is_stopped();
  const Value existing = fetched->row;
  const Tuple tuple{existing, row};
  const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
  const Value after = program::assigned(execution_, id, existing, statement.updates, rows);
  if (is_stopped()) return false;
  program::check_row(execution_, id, after.items(),
                     program::changed_columns(statement.updates));
  if (is_stopped()) return false;
  if (after != existing && !replace_row(id, existing, after, false)) return false;
  append_returned(statement.returning, {after});
  return !is_stopped();
}

bool Statement::fail_duplicate(TableId table, IndexNumber index, const Key& entry) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < state_.indexes(table)[index].columns.size(); ++i)
    values.push_back(program::to_text(entry[i]));
  return fail(duplicate_key, fmt::format("Duplicate entry '{}' in table '{}'",
                                         fmt::join(values, "-"), state_.table(table).name));
}

// --- one index ---

std::optional<Statement::Duplicate> Statement::enter(TableId table, IndexNumber index,
                                                     const Value& row) {
  std::vector<std::optional<Key>> checked;
  while (true) {
    const auto outcome =
        step([&] { return entry_request(table, index, row, checked); },
             [&](const Request& request) { return act_enter(table, index, row, request); });
    if (!took(outcome) || outcome->kind == Outcome::Kind::Done) return std::nullopt;
    if (outcome->kind == Outcome::Kind::Taken)
      return Duplicate{.index = index, .key = *outcome->key};
    checked.push_back(outcome->key);
  }
}

namespace {

// The first record that a search for duplicates has to lock and has not yet: those with
// the key, and in a secondary index with any of them also the one behind them.
std::optional<RecordId> unchecked(const State& state, TableId table, IndexNumber index,
                                  const Key& entry,
                                  const std::vector<std::optional<Key>>& checked) {
  RecordId out{.table = table, .index = index, .key = entry};
  const auto is_checked = [&] {
    return std::find(checked.begin(), checked.end(), out.key) != checked.end();
  };
  if (index == clustered)
    return state.find(out) && !is_checked() ? std::optional(out) : std::nullopt;
  const Index& of = state.indexes(table)[index];
  const Key values(entry.begin(),
                   entry.begin() + static_cast<std::ptrdiff_t>(of.columns.size()));
  if (!of.is_unique || has_null(values)) return std::nullopt;
  auto found = state.first_at(table, index, values);
  const bool is_any = found && begins_with(found->key, values);
  if (!is_any) return std::nullopt;
  for (; found && begins_with(found->key, values);
       found = state.first_behind(table, index, found->key)) {
    out.key = found->key;
    if (!is_checked()) return out;
  }
  out.key = found ? std::optional(found->key) : std::nullopt;
  return is_checked() ? std::nullopt : std::optional(out);
}

}  // namespace

Request Statement::entry_request(TableId table, IndexNumber index, const Value& row,
                                 const std::vector<std::optional<Key>>& checked) const {
  const RecordId entry{
      .table = table,
      .index = index,
      .key = entry_of(state_.table(table), state_.indexes(table), index, row)};
  const auto request = [](RecordId record, LockMode mode, LockKind kind, bool enters) {
    return Request{
        .kind = Request::Kind::Lock,
        .lock = LockRequest{.record = std::move(record), .mode = mode, .kind = kind},
        .enters = enters};
  };
  if (auto next = unchecked(state_, table, index, *entry.key, checked))
    return request(
        std::move(*next),
        transaction().updates_duplicates ? LockMode::Exclusive : LockMode::Shared,
        index == clustered ? LockKind::Record : LockKind::NextKey, false);
  if (state_.find(entry))
    return request(entry, LockMode::Exclusive, LockKind::Record, true);
  return request(state_.next_of(entry), LockMode::Exclusive, LockKind::InsertIntention,
                 true);
}

Outcome Statement::act_enter(TableId table, IndexNumber index, const Value& row,
                             const Request& request) {
  const Key key = entry_of(state_.table(table), state_.indexes(table), index, row);
  const Index& of = state_.indexes(table)[index];
  const Key values(key.begin(),
                   key.begin() + static_cast<std::ptrdiff_t>(of.columns.size()));
  if (!request.enters) {
    take(request);
    const RecordId& record = request.lock->record;
    if (auto refusal = refused_change(record)) return std::move(*refusal);
    const auto found = state_.find(record);
    const bool is_taken = found && !found->is_deleted && begins_with(found->key, values);
    return {.kind = is_taken ? Outcome::Kind::Taken : Outcome::Kind::Again,
            .key = record.key};
  }
  if (of.is_unique) touch_uniqueness(table, index, values, touched);
  if (index == clustered)
    write_row(state_, trx_, table, key, row, touched);
  else
    insert_entry(state_, trx_, {.table = table, .index = index, .key = key}, touched);
  return {};
}

}  // namespace isomer::database::innodb
