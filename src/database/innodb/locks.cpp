// SPDX-License-Identifier: MIT
#include "database/innodb/locks.h"

#include <algorithm>

namespace isomer::database::innodb {
namespace {

bool is_supremum(const RecordId& record) {
  return !record.key;
}

bool is_stronger_or_same(LockMode a, LockMode b) {
  return a == LockMode::Exclusive || b == LockMode::Shared;
}

// Behind the last record there is nothing but the gap.
LockRequest normal(LockRequest request) {
  if (is_supremum(request.record) && request.kind != LockKind::InsertIntention)
    request.kind = LockKind::NextKey;
  return request;
}

LockStruct struct_of(const LockRequest& request) {
  return {.table = request.record.table,
          .index = request.record.index,
          .mode = request.mode,
          .kind = request.kind};
}

bool is_waited_for(const State& state, const RecordId& record) {
  return std::any_of(state.locks.begin(), state.locks.end(), [&](const HeldLock& lock) {
    return lock.is_waiting && lock.record == record;
  });
}

// lock_rec_add_to_queue: a lock like others of the transaction is a bit in one of them,
// unless somebody waits for the record.
void add_granted(State& state, TrxId trx, const LockRequest& request) {
  const bool is_there =
      std::any_of(state.locks.begin(), state.locks.end(), [&](const HeldLock& lock) {
        return lock.trx == trx && !lock.is_waiting && lock.record == request.record &&
               lock.mode == request.mode && lock.kind == request.kind;
      });
  if (is_there) return;
  auto& structs = state.transactions[trx].structs;
  const LockStruct wanted = struct_of(request);
  if (is_waited_for(state, request.record) ||
      std::find(structs.begin(), structs.end(), wanted) == structs.end())
    structs.push_back(wanted);
  state.locks.push_back({request, trx, false});
}

}  // namespace

bool has_to_wait(const LockRequest& wanted, const LockRequest& held) {
  if (wanted.mode == LockMode::Shared && held.mode == LockMode::Shared) return false;
  const bool inserts = wanted.kind == LockKind::InsertIntention;
  const bool wants_gap_only = wanted.kind == LockKind::Gap || is_supremum(wanted.record);
  if (wants_gap_only && !inserts) return false;
  if (!inserts && held.kind == LockKind::Gap) return false;
  if (inserts && held.kind == LockKind::Record) return false;
  return held.kind != LockKind::InsertIntention;
}

std::vector<TrxId> holders(const State& state, TrxId trx, const LockRequest& wanted) {
  std::vector<TrxId> out;
  const auto add = [&](TrxId other) {
    if (std::find(out.begin(), out.end(), other) == out.end()) out.push_back(other);
  };
  LockRequest request = normal(wanted);
  // Who has the record itself as strongly asks for the gap before it alone, and passes
  // those who wait for the record (MDEV-27025).
  LockRequest alone = request;
  alone.kind = LockKind::Record;
  if (request.kind == LockKind::NextKey && !is_supremum(request.record) &&
      has_lock(state, trx, alone))
    request.kind = LockKind::Gap;
  for (const HeldLock& lock : state.locks) {
    if (!(lock.record == request.record)) continue;
    if (lock.trx == trx) {
      if (lock.is_waiting) return out;
    } else if (has_to_wait(request, lock)) {
      add(lock.trx);
    }
  }
  const auto holder = implicit_holder(state, request.record);
  if (holder && *holder != trx &&
      has_to_wait(request, {.record = request.record,
                            .mode = LockMode::Exclusive,
                            .kind = LockKind::Record}))
    add(*holder);
  return out;
}

bool has_lock(const State& state, TrxId trx, const LockRequest& wanted) {
  const LockRequest request = normal(wanted);
  if (request.kind == LockKind::InsertIntention) return false;
  if (request.kind == LockKind::Record && implicit_holder(state, request.record) == trx)
    return true;
  const bool is_behind_all = is_supremum(request.record);
  return std::any_of(state.locks.begin(), state.locks.end(), [&](const HeldLock& lock) {
    return lock.trx == trx && !lock.is_waiting && lock.record == request.record &&
           is_stronger_or_same(lock.mode, request.mode) &&
           lock.kind != LockKind::InsertIntention &&
           (is_behind_all || lock.kind == LockKind::NextKey || lock.kind == request.kind);
  });
}

bool take_lock(State& state, TrxId trx, LockRequest wanted) {
  wanted = normal(std::move(wanted));
  if (wanted.kind == LockKind::InsertIntention || has_lock(state, trx, wanted))
    return false;
  add_granted(state, trx, wanted);
  return true;
}

void wait_for_lock(State& state, TrxId trx, LockRequest wanted) {
  wanted = normal(std::move(wanted));
  make_implicit_lock_explicit(state, wanted.record, trx);
  LockStruct waiting = struct_of(wanted);
  waiting.is_waiting = true;
  state.transactions[trx].structs.push_back(waiting);
  state.locks.push_back({wanted, trx, true});
}

void grant_waiting_lock(State& state, TrxId trx) {
  for (HeldLock& lock : state.locks)
    if (lock.trx == trx) lock.is_waiting = false;
  for (LockStruct& of : state.transactions[trx].structs)
    of.is_waiting = false;
}

void give_up_waiting_lock(State& state, TrxId trx) {
  const auto waiting = std::find_if(
      state.locks.begin(), state.locks.end(),
      [&](const HeldLock& lock) { return lock.trx == trx && lock.is_waiting; });
  if (waiting == state.locks.end()) return;
  auto& structs = state.transactions[trx].structs;
  std::erase_if(structs, [](const LockStruct& of) { return of.is_waiting; });
  state.locks.erase(waiting);
}

void unlock(State& state, TrxId trx, const LockRequest& lock) {
  std::erase_if(state.locks, [&](const HeldLock& held) {
    return held.trx == trx && !held.is_waiting && held.record == lock.record &&
           held.mode == lock.mode && held.kind == lock.kind;
  });
}

void release_locks(State& state, TrxId trx) {
  std::erase_if(state.locks, [&](const HeldLock& lock) { return lock.trx == trx; });
  state.transactions[trx].structs.clear();
  state.transactions[trx].table_locks.clear();
}

// --- implicit locks ---

std::optional<TrxId> implicit_holder(const State& state, const RecordId& record) {
  const auto found = state.find(record);
  if (!found || !state.is_running(found->writer)) return std::nullopt;
  return found->writer;
}

bool make_implicit_lock_explicit(State& state, const RecordId& record, TrxId asks) {
  const auto holder = implicit_holder(state, record);
  if (!holder || *holder == asks) return false;
  const LockRequest lock{
      .record = record, .mode = LockMode::Exclusive, .kind = LockKind::Record};
  const bool is_there =
      std::any_of(state.locks.begin(), state.locks.end(), [&](const HeldLock& held) {
        return held.trx == *holder && !held.is_waiting && held.record == record &&
               held.mode == LockMode::Exclusive &&
               (held.kind == LockKind::Record || held.kind == LockKind::NextKey);
      });
  if (!is_there) add_granted(state, *holder, lock);
  return !is_there;
}

// --- inheritance ---

namespace {

// Who only searched at READ COMMITTED leaves no gap locked; who checked for duplicates
// does.
bool is_inherited(const Transaction& trx, const HeldLock& lock) {
  if (lock.kind == LockKind::InsertIntention) return false;
  const LockMode of_searches =
      trx.updates_duplicates ? LockMode::Shared : LockMode::Exclusive;
  return trx.locks_gaps() || lock.mode != of_searches;
}

std::vector<HeldLock> locks_of(const State& state, const RecordId& record) {
  std::vector<HeldLock> out;
  for (const HeldLock& lock : state.locks)
    if (lock.record == record) out.push_back(lock);
  return out;
}

void add_gap(State& state, const HeldLock& from, const RecordId& heir) {
  LockRequest gap{.record = heir, .mode = from.mode, .kind = LockKind::Gap};
  add_granted(state, from.trx, normal(std::move(gap)));
}

}  // namespace

void inherit_before_removal(State& state, const RecordId& record) {
  const RecordId heir = state.next_of(record);
  for (const HeldLock& lock : locks_of(state, record))
    if (is_inherited(state.transactions[lock.trx], lock)) add_gap(state, lock, heir);
  std::erase_if(state.locks, [&](const HeldLock& lock) { return lock.record == record; });
}

void inherit_after_insert(State& state, const RecordId& record) {
  const RecordId next = state.next_of(record);
  for (const HeldLock& lock : locks_of(state, next))
    if (lock.kind != LockKind::InsertIntention &&
        (is_supremum(next) || lock.kind != LockKind::Record))
      add_gap(state, lock, record);
}

}  // namespace isomer::database::innodb
