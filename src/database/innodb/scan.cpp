// SPDX-License-Identifier: MIT
// The heart of InnoDB's reads (row_search_mvcc): record by record through a part of an
// index.  A current read locks each record before it looks at it, and at REPEATABLE READ
// and above the gap before it, and what comes behind the last one.
#include <algorithm>

#include "database/innodb/locks.h"
#include "database/innodb/statement.h"

namespace isomer::database::innodb {

using program::LockWait;
using Touch = TouchedRange::Access;

namespace {

// The first columns of an entry against a bound.
std::strong_ordering compare_prefix(const Key& key, const Key& bound) {
  for (std::size_t i = 0; i < bound.size(); ++i)
    if (const auto order = key[i] <=> bound[i]; order != 0) return order;
  return std::strong_ordering::equal;
}

bool is_behind(const Key& key, const Key& bound, bool has_bound) {
  const auto order = compare_prefix(key, bound);
  return order > 0 || (order == 0 && !has_bound);
}

bool is_ahead_of(const Key& key, const Key& bound, bool has_bound) {
  const auto order = compare_prefix(key, bound);
  return order < 0 || (order == 0 && !has_bound);
}

LockMode mode_of(Sight sight) {
  return sight == Sight::Exclusive ? LockMode::Exclusive : LockMode::Shared;
}

}  // namespace

// --- where it goes next ---

namespace {

std::optional<Found> start_of(const State& state, TableId table, IndexNumber index,
                              const Key& from, bool has_from) {
  auto found = state.first_at(table, index, from);
  while (found && is_ahead_of(found->key, from, has_from))
    found = state.first_behind(table, index, found->key);
  return found;
}

// The first record behind the end.
std::optional<Found> end_of(const State& state, TableId table, IndexNumber index,
                            const Key& to, bool has_to) {
  auto found = state.first_at(table, index, to);
  while (found && !is_behind(found->key, to, has_to))
    found = state.first_behind(table, index, found->key);
  return found;
}

std::optional<Key> key_of(const std::optional<Found>& found) {
  return found ? std::optional(found->key) : std::nullopt;
}

}  // namespace

// Who waited for a record goes on from there, whatever came to stand before it.
std::optional<RecordId> Statement::scan_target(const Scan& scan) const {
  RecordId out{.table = scan.table, .index = scan.index};
  const Interval& part = scan.intervals[scan.interval];
  if (work_.waited_for && work_.waited_for->key && work_.waited_for->table == scan.table &&
      work_.waited_for->index == scan.index) {
    out.key = key_of(state_.first_at(scan.table, scan.index, *work_.waited_for->key));
    return out;
  }
  if (scan.is_backward) {
    const auto bound =
        scan.position
            ? scan.position
            : key_of(end_of(state_, scan.table, scan.index, part.to, part.has_to));
    out.key = key_of(state_.last_before(scan.table, scan.index, bound));
    return out.key ? std::optional(out) : std::nullopt;
  }
  if (scan.waits_next)
    out.key = key_of(state_.first_at(scan.table, scan.index, *scan.position));
  else if (scan.position)
    out.key = key_of(state_.first_behind(scan.table, scan.index, *scan.position));
  else
    out.key = key_of(start_of(state_, scan.table, scan.index, part.from, part.has_from));
  return out;
}

// --- which lock ---

// Between records of an exact search, and where it finds what is unique, no gap is locked.
Request Statement::scan_request(const Scan& scan) const {
  Request out{.kind = Request::Kind::Lock, .wait = scan.wait};
  const auto target = scan_target(scan);
  if (!target) return out;
  const Interval& part = scan.intervals[scan.interval];
  LockRequest lock{.record = *target, .mode = mode_of(scan.sight)};
  const bool locks_gaps = transaction().locks_gaps();
  const bool is_outside = !target->key || (part.is_exact && !scan.is_backward &&
                                           !begins_with(*target->key, part.from));
  if (is_outside) {
    lock.kind = target->key ? LockKind::Gap : LockKind::NextKey;
    if (locks_gaps) out.lock = std::move(lock);
    return out;
  }
  const bool is_found_by_key =
      scan.index == clustered && part.is_lookup && !state_.find(*target)->is_deleted;
  const bool starts_at_key = scan.index == clustered && !scan.position &&
                             !scan.is_backward && part.has_from &&
                             *target->key == part.from;
  lock.kind = !locks_gaps || is_found_by_key || starts_at_key ? LockKind::Record
                                                              : LockKind::NextKey;
  out.lock = std::move(lock);
  out.is_semi_consistent =
      scan.is_semi_consistent && !part.is_lookup && !scan.waits_next && !work_.waited_for;
  return out;
}

// --- one record ---

Outcome Statement::refused_wait(const Scan& scan, const Request& request) const {
  const Key& key = *request.lock->record.key;
  if (request.wait == LockWait::NoWait)
    return failed(lock_wait_timeout, "Lock wait timeout exceeded");
  if (request.wait == LockWait::SkipLocked)
    return {.kind = Outcome::Kind::PassedOver, .key = key};
  const auto committed = state_.last_committed(*state_.versions(scan.table, key), trx_);
  if (!committed || committed->is_null())
    return {.kind = Outcome::Kind::PassedOver, .key = key};
  return {.kind = Outcome::Kind::Committed, .key = key, .row = *committed};
}

Outcome Statement::act_scan(const Scan& scan, const Request& request) {
  const auto target = scan_target(scan);
  if (!target || !request.lock) {
    touch_gap(state_,
              target.value_or(
                  RecordId{.table = scan.table, .index = scan.index, .key = scan.position}),
              Touch::Read, touched);
    return {.kind = Outcome::Kind::End};
  }
  const auto taken = take(request);
  if (!taken) return refused_wait(scan, request);
  const Interval& part = scan.intervals[scan.interval];
  if (!target->key || request.lock->kind == LockKind::Gap)
    return {.kind = Outcome::Kind::End};
  if (auto refusal = refused_change(*target)) return std::move(*refusal);
  const Found found = *state_.find(*target);
  if (found.is_deleted) {
    if (*taken && !transaction().locks_gaps()) unlock(state_, trx_, *request.lock);
    const bool is_over = scan.index == clustered && part.is_lookup;
    return {.kind = is_over ? Outcome::Kind::End : Outcome::Kind::PassedOver,
            .key = found.key};
  }
  Outcome out{.key = found.key, .is_new = *taken};
  if (scan.index == clustered) out.row = state_.versions(scan.table, found.key)->back().row;
  return out;
}

// ORDER BY .. DESC begins with the gap behind the last row.
bool Statement::lock_behind_start(Scan& scan) {
  const Interval& part = scan.intervals[scan.interval];
  const auto request = [&]() -> Request {
    const RecordId behind{
        .table = scan.table,
        .index = scan.index,
        .key = key_of(end_of(state_, scan.table, scan.index, part.to, part.has_to))};
    return {.kind = Request::Kind::Lock,
            .lock = LockRequest{
                .record = behind, .mode = mode_of(scan.sight), .kind = LockKind::Gap}};
  };
  return took(step(request, [&](const Request& lock) -> Outcome {
    take(lock);
    return {};
  }));
}

// --- rows ---

void Statement::next_interval(Scan& scan) {
  ++scan.interval;
  scan.position.reset();
  scan.is_begun = false;
  scan.is_at_end = scan.interval >= scan.intervals.size();
}

std::optional<Statement::Fetched> Statement::fetch(Scan& scan) {
  scan.is_at_end |= scan.intervals.empty();
  return scan.sight == Sight::Dirty ? fetch_dirty(scan) : fetch_locked(scan);
}

std::optional<Statement::Fetched> Statement::fetch_locked(Scan& scan) {
  while (!scan.is_at_end && !is_stopped()) {
    const bool begins_behind = scan.is_backward && !scan.is_begun &&
                               !scan.intervals[scan.interval].is_lookup &&
                               transaction().locks_gaps();
    if (begins_behind && !lock_behind_start(scan)) return std::nullopt;
    scan.is_begun = true;
    const auto outcome =
        step([&] { return scan_request(scan); },
             [&](const Request& request) { return act_scan(scan, request); });
    if (!took(outcome)) return std::nullopt;
    scan.waits_next = false;
    if (outcome->kind == Outcome::Kind::End) {
      next_interval(scan);
      continue;
    }
    scan.position = outcome->key;
    if (outcome->kind == Outcome::Kind::PassedOver) continue;
    if (auto out = fetched(scan, *outcome)) return out;
  }
  return std::nullopt;
}

// What is locked is a result only within the bounds: the first record behind them is locked
// before that is noticed.
std::optional<Statement::Fetched> Statement::fetched(Scan& scan, const Outcome& outcome) {
  const Interval part = scan.intervals[scan.interval];
  const Key& entry = *outcome.key;
  const bool is_outside = scan.is_backward ? is_ahead_of(entry, part.from, part.has_from)
                                           : is_behind(entry, part.to, part.has_to);
  Fetched out{.key = state_.row_key(scan.table, scan.index, entry), .row = outcome.row};
  bool is_result = true;
  if (scan.index == clustered) {
    out.is_committed_version = outcome.kind == Outcome::Kind::Committed;
    if (outcome.is_new)
      out.fresh = LockRequest{.record = {.table = scan.table, .key = entry},
                              .mode = mode_of(scan.sight),
                              .kind = LockKind::Record};
    if (is_outside) give_back(out);
  } else if (scan.pushed && !scan.pushed(entry)) {
    is_result = false;
  } else if (scan.is_covering) {
    // The row is not looked at: all that is asked for is in the index.
    out.row = row_of_entry(state_.table(scan.table), state_.indexes(scan.table), scan.index,
                           entry);
  } else {
    const auto row = fetch_row(scan, entry);
    if (!took(row)) return std::nullopt;
    is_result = row->kind == Outcome::Kind::Done;
    out.row = row->row;
  }
  if (is_outside || part.is_lookup) next_interval(scan);
  if (is_stopped() || is_outside || !is_result) return std::nullopt;
  return out;
}

// The row of an entry of a secondary index.
Statement::OutcomePtr Statement::fetch_row(const Scan& scan, const Key& entry) {
  const RecordId record{.table = scan.table,
                        .key = state_.row_key(scan.table, scan.index, entry)};
  const auto newest = [&]() -> Outcome {
    const Versions* versions = state_.versions(scan.table, *record.key);
    if (versions == nullptr || versions->back().row.is_null())
      return {.kind = Outcome::Kind::PassedOver};
    return {.row = versions->back().row};
  };
  const auto request = [&]() -> Request {
    return {.kind = Request::Kind::Lock,
            .lock = LockRequest{.record = record,
                                .mode = mode_of(scan.sight),
                                .kind = LockKind::Record},
            .wait = scan.wait};
  };
  return step(request, [&](const Request& lock) -> Outcome {
    if (!take(lock)) return refused_wait(scan, lock);
    if (auto refusal = refused_change(record)) return std::move(*refusal);
    return newest();
  });
}

// Null: it is deleted, or no longer what the index says.
Value Statement::dirty_row(const Scan& scan, const RecordId& record) const {
  if (scan.index == clustered) return state_.versions(scan.table, *record.key)->back().row;
  if (state_.find(record)->is_deleted) return {};
  const auto& table = state_.table(scan.table);
  const Indexes& indexes = state_.indexes(scan.table);
  if (scan.is_covering) return row_of_entry(table, indexes, scan.index, *record.key);
  const Versions* versions =
      state_.versions(scan.table, state_.row_key(scan.table, scan.index, *record.key));
  if (versions == nullptr || versions->back().row.is_null()) return {};
  const Value& row = versions->back().row;
  return entry_of(table, indexes, scan.index, row) == *record.key ? row : Value();
}

std::optional<Statement::Fetched> Statement::fetch_dirty(Scan& scan) {
  while (!scan.is_at_end && !is_stopped()) {
    const Interval part = scan.intervals[scan.interval];
    const auto outcome =
        step([] { return Request{.kind = Request::Kind::Read}; },
             [&](const Request&) -> Outcome {
               const auto target = scan_target(scan);
               const RecordId record =
                   target.value_or(RecordId{.table = scan.table, .key = scan.position});
               touch_gap(state_, record, Touch::Read, touched);
               if (target) touch_record(*target, Touch::Read, touched);
               if (!target || !target->key) return {.kind = Outcome::Kind::End};
               const bool is_outside =
                   scan.is_backward ? is_ahead_of(*target->key, part.from, part.has_from)
                                    : is_behind(*target->key, part.to, part.has_to);
               if (is_outside) return {.kind = Outcome::Kind::End};
               return {.key = target->key, .row = dirty_row(scan, *target)};
             });
    if (!took(outcome)) return std::nullopt;
    if (outcome->kind == Outcome::Kind::End) {
      next_interval(scan);
      continue;
    }
    scan.position = outcome->key;
    if (part.is_lookup) next_interval(scan);
    if (outcome->row.is_null()) continue;
    return Fetched{.key = *outcome->key, .row = outcome->row};
  }
  return std::nullopt;
}

// Rows that nobody has changed for a while, and transactions that have only share-locked,
// have the same number: none.  So the row is taken for one's own, and kept.
bool Statement::keeps_all() {
  const auto outcome = once([&]() -> Outcome {
    const auto& tables = transaction().table_locks;
    const bool has_number = !transaction().undo.empty() ||
                            std::any_of(tables.begin(), tables.end(), [](const auto& lock) {
                              return lock.second == LockMode::Exclusive;
                            });
    return {.choice = has_number ? 1U : 0U};
  });
  return outcome && outcome->choice == 0 && choose(nullptr, 0, 2) == 0;
}

// READ COMMITTED: a row that is no result is given back, if it was locked without a wait.
void Statement::give_back(const Fetched& fetched) {
  if (transaction().locks_gaps() || !fetched.fresh || keeps_all()) return;
  once([&]() -> Outcome {
    const Versions* versions =
        state_.versions(fetched.fresh->record.table, *fetched.fresh->record.key);
    if (versions != nullptr && versions->back().writer == trx_) return {};
    unlock(state_, trx_, *fetched.fresh);
    touch_record(fetched.fresh->record, Touch::Write, touched);
    return {};
  });
}

}  // namespace isomer::database::innodb
