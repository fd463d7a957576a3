// SPDX-License-Identifier: MIT
// Who waits for whom.  Tables and advisory locks have queues: a session waits for those
// before it whose wish conflicts with its own, and for those who hold the lock.  A unique
// key has no queue: all wait for the end of the transaction that has it.  Rows have queues
// that only those enter who cannot go on at once (row_locks.h).
#include <algorithm>

#include "database/postgresql/row_locks.h"
#include "database/postgresql/statement.h"

namespace isomer::database::postgresql {
namespace {

struct Asking {
  const State& state;
  const Standing& standing;
  SessionIndex session;
  const Request& request;
  std::vector<SessionIndex> out{};

  void add(SessionIndex other) {
    if (std::find(out.begin(), out.end(), other) == out.end()) out.push_back(other);
  }

  [[nodiscard]] bool is_asleep() const {
    return std::any_of(state.sleepers.begin(), state.sleepers.end(),
                       [&](const Sleeper& sleeper) { return sleeper.session == session; });
  }

  // Those who were asleep before, and whose wish conflicts.
  template <class Conflicts>
  void add_queue(Conflicts conflicts) {
    for (const Sleeper& sleeper : state.sleepers) {
      if (sleeper.session == session) return;
      if (sleeper.request.kind == request.kind && conflicts(sleeper.request))
        add(sleeper.session);
    }
  }

  // --- unique keys ---

  // A row that is there for good decides without those behind it.
  [[nodiscard]] ActorId key_holder() const {
    return first_in_index(state, standing.top, request.table, request.indexes.front(),
                          request.keys.front(), request.place)
        .awaited;
  }

  void ask_for_key() {
    for (const Sleeper& sleeper : state.sleepers)
      if (sleeper.session == session && state.is_running(sleeper.whole))
        return add(state.actors[sleeper.whole].session);
    const ActorId holder = key_holder();
    if (holder != nobody) add(state.actors[holder].session);
  }

  // --- tables ---

  [[nodiscard]] bool holds_table(const auto& matches) const {
    return std::any_of(state.table_locks.begin(), state.table_locks.end(),
                       [&](const HeldTableLock& held) {
                         return held.table == request.table &&
                                state.is_own(held.actor, standing.top) && matches(held);
                       });
  }

  void ask_for_table() {
    if (holds_table([&](const HeldTableLock& held) { return held.mode == request.mode; }))
      return;
    for (const HeldTableLock& held : state.table_locks)
      if (held.table == request.table && state.is_others(held.actor, standing.top) &&
          conflict(held.mode, request.mode))
        add(state.actors[held.actor].session);
    // A sleeper that waits for a lock of mine is overtaken.
    const bool sleeps = is_asleep();
    add_queue([&](const Request& other) {
      const bool is_behind = !sleeps && holds_table([&](const HeldTableLock& held) {
        return conflict(held.mode, other.mode);
      });
      return !is_behind && other.table == request.table &&
             conflict(other.mode, request.mode);
    });
  }

  // --- advisory locks ---

  void ask_for_advice() {
    const auto is_mine = [&](const HeldAdvisoryLock& held) {
      return held.key == request.keys[0] && held.session == session &&
             held.is_shared == request.is_shared;
    };
    if (std::any_of(state.advisory_locks.begin(), state.advisory_locks.end(), is_mine))
      return;
    for (const HeldAdvisoryLock& held : state.advisory_locks)
      if (held.key == request.keys[0] && held.session != session &&
          !(held.is_shared && request.is_shared))
        add(held.session);
    add_queue([&](const Request& other) {
      return other.keys == request.keys && !(other.is_shared && request.is_shared);
    });
  }
};

}  // namespace

std::vector<SessionIndex> blockers(const State& state, const Standing& standing,
                                   SessionIndex session, const Request& request) {
  if (request.kind == Request::Kind::LockRow)
    return row_blockers(state, standing.top, session, request);
  if (request.wait != LockWait::Wait) return {};
  Asking asking{
      .state = state, .standing = standing, .session = session, .request = request};
  switch (request.kind) {
    case Request::Kind::EnterIndex:
    case Request::Kind::FindKey:
      asking.ask_for_key();
      break;
    case Request::Kind::LockTable:
      asking.ask_for_table();
      break;
    case Request::Kind::Advise:
      asking.ask_for_advice();
      break;
    case Request::Kind::AwaitSafety:
      if (!is_unsafe(state, standing))
        for (const ActorId writer : standing.writers)
          if (state.is_running(writer)) asking.add(state.actors[writer].session);
      break;
    case Request::Kind::LockRow:
    case Request::Kind::Read:
    case Request::Kind::RollBackTo:
    case Request::Kind::Commit:
    case Request::Kind::RollBack:
      break;
  }
  return asking.out;
}

void wait_for_whole(State& state, const Standing& standing, Sleeper& sleeper) {
  ActorId met = nobody;
  const Request::Kind kind = sleeper.request.kind;
  if (kind == Request::Kind::LockRow) met = awaited_member(state, sleeper);
  if (kind == Request::Kind::EnterIndex || kind == Request::Kind::FindKey)
    met = Asking{.state = state,
                 .standing = standing,
                 .session = sleeper.session,
                 .request = sleeper.request}
              .key_holder();
  if (met != nobody && state.actors[met].is_released) sleeper.whole = state.actors[met].top;
}

std::optional<std::vector<Sleeper>> with_turn_before(std::vector<Sleeper> sleepers,
                                                     SessionIndex behind,
                                                     SessionIndex before) {
  const auto place_of = [&](SessionIndex session) {
    return std::find_if(sleepers.begin(), sleepers.end(),
                        [&](const Sleeper& sleeper) { return sleeper.session == session; });
  };
  const auto first = place_of(before);
  const auto second = place_of(behind);
  if (first == sleepers.end() || second == sleepers.end() || second < first)
    return std::nullopt;
  const Request& one = first->request;
  const Request& other = second->request;
  const bool is_one_queue =
      one.kind == other.kind &&
      (one.kind == Request::Kind::LockTable
           ? one.table == other.table
           : one.kind == Request::Kind::Advise && one.keys == other.keys);
  if (!is_one_queue) return std::nullopt;
  std::rotate(first, second, second + 1);
  return sleepers;
}

}  // namespace isomer::database::postgresql
