// SPDX-License-Identifier: MIT
// Locks of rows: who waits for whom, and what comes of a request.  Private to the model.
#pragma once

#include "database/postgresql/work.h"

namespace isomer::database::postgresql {

// Whom a request of the kind LockRow waits for.  One who sleeps waits for those whom it saw
// when it fell asleep; behind them it looks again.
std::vector<SessionIndex> row_blockers(const State& state, ActorId top,
                                       SessionIndex session, const Request& request);

// Of those that a sleeper saw, the one that it waits for now; nobody: it stands in a queue.
ActorId awaited_member(const State& state, const Sleeper& sleeper);

// The session takes its place among the sleepers.
void fall_asleep(State& state, const Standing& standing, SessionIndex session,
                 const Request& request);
// A sleeper whose wait for a row is over looks again: true if there is another wait.
bool sleeps_on(State& state, const Standing& standing, SessionIndex session,
               const Request& request);

struct RowAccess {
  enum class End : std::uint8_t {
    Got,        // the version at `place` is locked, or may be changed
    Own,        // the transaction has changed it itself
    Replaced,   // the version at `place` was, by somebody who committed
    Deleted,    // it is no row any more
    WouldWait,  // only with NOWAIT and SKIP LOCKED
  };

  End end = End::Got;
  Place place = nowhere;
};

// What the request comes to, once there is nobody to wait for.
RowAccess access_row(State& state, const Standing& standing, SessionIndex session,
                     const Request& request);

void add_row_lock(State& state, TableId table, Place place, ActorId actor, Lock strength);
// The version is replaced by the one at `next`, or deleted.  Those who share a lock of it
// hold the new version too.
void add_row_change(State& state, TableId table, Place place, Place next, ActorId actor,
                    Lock strength);

}  // namespace isomer::database::postgresql
