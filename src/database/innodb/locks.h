// SPDX-License-Identifier: MIT
// Record locks, gap locks, next-key locks and insert intention locks (InnoDB's lock0lock).
// A lock of an index record can mean the record, the gap before it, or both.  Each record
// has one queue, in which whoever waits stands behind those who came before.
#pragma once

#include "database/innodb/state.h"

namespace isomer::database::innodb {

// Must a wish wait for a lock of another transaction, or for its wish?  Gaps are shared by
// all but those who insert (lock_rec_has_to_wait).
bool has_to_wait(const LockRequest& wanted, const LockRequest& held);

// Whom a transaction has to wait for, in the order of the queue; who stands in it already
// waits for those before it.
std::vector<TrxId> holders(const State& state, TrxId trx, const LockRequest& wanted);

// Has it a lock that is as strong already (lock_rec_has_expl)?
bool has_lock(const State& state, TrxId trx, const LockRequest& wanted);

// Takes a lock that nobody is in the way of; true if it is new.
bool take_lock(State& state, TrxId trx, LockRequest wanted);
// Takes its place in the queue.
void wait_for_lock(State& state, TrxId trx, LockRequest wanted);
// Its wait is over: the lock is its own.
void grant_waiting_lock(State& state, TrxId trx);
void give_up_waiting_lock(State& state, TrxId trx);
// READ COMMITTED: a row that does not match.
void unlock(State& state, TrxId trx, const LockRequest& lock);
void release_locks(State& state, TrxId trx);

// Whoever has changed a record and still runs holds it, without a lock of its own until
// somebody else asks for one.
std::optional<TrxId> implicit_holder(const State& state, const RecordId& record);
// True if there was one who had none of its own.
bool make_implicit_lock_explicit(State& state, const RecordId& record, TrxId asks);

// A record is about to go: what was locked of it becomes a lock of the gap that it leaves,
// and who waited for it waits no more (lock_rec_inherit_to_gap).
void inherit_before_removal(State& state, const RecordId& record);
// A record has come into a gap: who locked the gap locks both halves.
void inherit_after_insert(State& state, const RecordId& record);

}  // namespace isomer::database::innodb
