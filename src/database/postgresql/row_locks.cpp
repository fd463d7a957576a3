// SPDX-License-Identifier: MIT
// How rows are locked and changed, as PostgreSQL's heap does it.  A version names in its
// xmax all those who have locked it, or replaced or deleted it (several: a multixact).  Who
// wants more than goes together with them takes its turn in the queue of the version
// (LockTuple), waits for those in its way that it saw, in the order of their transaction
// ids, and looks again.  Then the version is as it was, and is locked or changed; or it is
// replaced: then the newest version is looked for, and it all begins again with that.
#include "database/postgresql/row_locks.h"

#include <algorithm>

namespace isomer::database::postgresql {
namespace {

// The version, in the eyes of who wants something from it.
struct Look {
  const State& state;
  ActorId top;
  TableId table;
  Place place;

  [[nodiscard]] const Version& version() const { return state.heap(table)[place]; }

  // It was replaced or deleted, by one who committed.
  [[nodiscard]] bool is_over() const { return state.is_replaced(version()); }

  // The same, or perhaps soon.
  [[nodiscard]] bool is_updated() const {
    return version().eraser != nobody &&
           state.status(version().eraser) != Actor::Status::RolledBack;
  }

  template <class Visit>
  void visit_members(Visit visit) const {
    for (const RowLock& held : state.row_locks)
      if (held.place == place && held.table == table && state.is_running(held.actor))
        visit(held);
  }

  [[nodiscard]] bool has_members() const {
    bool out = false;
    visit_members([&](const RowLock&) { out = true; });
    return out;
  }

  // None: no lock at all.
  [[nodiscard]] Lock own_strength() const {
    Lock out = Lock::None;
    visit_members([&](const RowLock& held) {
      if (state.actors[held.actor].top == top) out = std::max(out, held.strength);
    });
    return out;
  }

  [[nodiscard]] Lock others_strength() const {
    Lock out = Lock::None;
    visit_members([&](const RowLock& held) {
      if (state.actors[held.actor].top != top) out = std::max(out, held.strength);
    });
    return out;
  }

  // Others that are in the way of such a lock, in the order of their ids.
  [[nodiscard]] std::vector<ActorId> in_the_way(Lock strength) const {
    std::vector<ActorId> out;
    visit_members([&](const RowLock& held) {
      if (state.actors[held.actor].top != top && conflict(held.strength, strength))
        out.push_back(held.actor);
    });
    std::sort(out.begin(), out.end(), [&](ActorId a, ActorId b) {
      return state.actors[a].xid < state.actors[b].xid;
    });
    return out;
  }

  // Does it take more than a look to get this?  Not if the others leave room for it.
  [[nodiscard]] bool takes_turn(const Request& request) const {
    if (!has_members()) return false;
    const Lock own = own_strength();
    if (!request.is_change && own >= request.strength) return false;
    const bool over = is_over();
    if (request.strength == Lock::KeyShare)
      return others_strength() == Lock::Update || (over && version().loses_key);
    if (over) return true;
    return !in_the_way(request.strength).empty();
  }
};

// The next of the versions behind one that was replaced, if there is one.
Place next_of(const Look& look) {
  return look.is_updated() ? look.version().next : nowhere;
}

// --- versions that are newer ---

// Locking a version locks those that others have made of it, whether or not they have
// committed (heap_lock_updated_tuple).
struct Chain {
  enum class End : std::uint8_t { Locked, Waits, Replaced, Deleted };

  End end = End::Locked;
  ActorId awaited = nobody;
  std::vector<Place> to_lock{};
};

Chain chain_behind(const Look& first, Lock strength) {
  Chain out;
  for (Place place = next_of(first); place != nowhere;) {
    const Look look{
        .state = first.state, .top = first.top, .table = first.table, .place = place};
    const Version& version = look.version();
    if (look.state.status(version.creator) == Actor::Status::RolledBack) break;
    if (look.own_strength() == Lock::None) {
      // Its members are looked at in the order of their ids: those who have changed it,
      // too.
      const auto others = look.in_the_way(strength);
      const bool is_lost = look.is_over() && conflict(version.eraser_lock, strength);
      const auto id = [&](ActorId actor) { return look.state.actors[actor].xid; };
      if (!others.empty() && !(is_lost && id(version.eraser) < id(others.front()))) {
        out.end = Chain::End::Waits;
        out.awaited = others.front();
        return out;
      }
      if (is_lost) {
        out.end = version.next == nowhere ? Chain::End::Deleted : Chain::End::Replaced;
        return out;
      }
      out.to_lock.push_back(place);
    }
    place = next_of(look);
  }
  return out;
}

}  // namespace

// --- where a request stands ---

namespace {

// The version that a request has come to, and what it finds there.
struct Stand {
  enum class Kind : std::uint8_t {
    Free,       // to be had at once
    TakesTurn,  // there are others
    Chases,     // the newest version is being changed: wait for that
    Follows,    // a version that is newer has to be locked first, and others hold it
    Own,        // the transaction has changed it itself
    Replaced,   // somebody else has, and committed
    Deleted,
  };

  Kind kind = Kind::Free;
  Place place = nowhere;
  Chain chain{};
  ActorId awaited = nobody;  // Chases, Follows
};

// From here to the newest version that is there for good.  Whoever changes that is waited
// for, however weak the lock that is wanted.
Stand chase(const Look& from) {
  const State& state = from.state;
  for (Place place = from.place; place != nowhere;) {
    const Version& version = state.heap(from.table)[place];
    if (state.is_others(version.eraser, from.top))
      return {.kind = Stand::Kind::Chases, .place = place, .awaited = version.eraser};
    if (!state.is_committed(version.eraser)) return {.place = place};
    place = version.next;
  }
  return {.kind = Stand::Kind::Deleted};
}

// Behind a version whose newer ones have to be locked first.
Stand stand_behind(const Look& look, Lock strength) {
  Stand out{.place = look.place, .chain = chain_behind(look, strength)};
  out.awaited = out.chain.awaited;
  if (out.chain.end == Chain::End::Waits) out.kind = Stand::Kind::Follows;
  if (out.chain.end == Chain::End::Replaced) out.kind = Stand::Kind::Replaced;
  if (out.chain.end == Chain::End::Deleted) out.kind = Stand::Kind::Deleted;
  return out;
}

// `seen`: what it has waited for here.
Stand stand_at(const Look& look, const Request& request, const RowWait* seen) {
  using Kind = Stand::Kind;
  const auto stand = [&](Kind kind) { return Stand{.kind = kind, .place = look.place}; };
  const Version& version = look.version();
  if (look.state.is_own(version.eraser, look.top)) return stand(Kind::Own);
  Stand out = stand(Kind::Free);
  // Who has waited for a change looks at what came of it before anything else.
  if (request.locks_newer && seen != nullptr && seen->is_updated)
    out = stand_behind(look, request.strength);
  if (out.kind != Kind::Free) return out;
  const bool takes_turn = look.takes_turn(request);
  if (takes_turn && (seen == nullptr || !look.in_the_way(request.strength).empty()))
    return stand(Kind::TakesTurn);
  if (!request.is_change && look.own_strength() >= request.strength)
    return stand(Kind::Free);
  const bool is_key_kept = request.strength == Lock::KeyShare && !takes_turn &&
                           !(look.is_over() && version.loses_key);
  if (request.locks_newer && is_key_kept) out = stand_behind(look, request.strength);
  if (out.kind == Kind::Free && look.is_over() && !is_key_kept)
    out.kind = version.next == nowhere ? Kind::Deleted : Kind::Replaced;
  return out;
}

Stand stand_of(const State& state, ActorId top, const Request& request,
               const RowWait* seen) {
  Look look{.state = state,
            .top = top,
            .table = request.table,
            .place = seen != nullptr ? seen->place : request.place};
  bool is_chasing = seen != nullptr && seen->is_chasing;
  while (true) {
    if (is_chasing) {
      Stand newest = chase(look);
      if (newest.kind != Stand::Kind::Free) return newest;
      look.place = newest.place;
    }
    Stand out = stand_at(look, request, is_chasing ? nullptr : seen);
    if (out.kind != Stand::Kind::Replaced || !request.finds_newest) return out;
    look.place = look.version().next;
    is_chasing = true;
    seen = nullptr;
  }
}

// --- whom it waits for ---

struct Found {
  Stand stand{};
  RowWait wait{};
  std::vector<SessionIndex> for_whom{};
};

const Sleeper* sleeper_of(const State& state, SessionIndex session) {
  for (const Sleeper& sleeper : state.sleepers)
    if (sleeper.session == session) return &sleeper;
  return nullptr;
}

// Those before it in the queue of the version.
std::vector<SessionIndex> queue_before(const State& state, SessionIndex session,
                                       const Request& request, Place place) {
  std::vector<SessionIndex> out;
  for (const Sleeper& other : state.sleepers) {
    if (other.session == session) break;
    if (other.request.kind == Request::Kind::LockRow && other.row.has_turn &&
        other.request.table == request.table && other.row.place == place &&
        conflict(other.request.strength, request.strength))
      out.push_back(other.session);
  }
  return out;
}

Found look(const State& state, ActorId top, SessionIndex session, const Request& request) {
  const Sleeper* const asleep = sleeper_of(state, session);
  Found out;
  const RowWait* seen = asleep != nullptr ? &asleep->row : nullptr;
  out.stand = stand_of(state, top, request, seen);
  const auto keeps_turn = [&](Place place) {
    return seen != nullptr && seen->has_turn && seen->place == place;
  };
  const auto wait_for = [&](ActorId actor) {
    out.for_whom = {state.actors[actor].session};
  };
  out.wait.place = out.stand.place;
  // Behind a version that was replaced there may be a newer one with others again.
  for (Place last = nowhere;
       out.stand.kind == Stand::Kind::TakesTurn && out.stand.place != last;) {
    last = out.stand.place;
    const Look at{.state = state, .top = top, .table = request.table, .place = last};
    out.wait = {.place = last,
                .has_turn = at.own_strength() == Lock::None,
                .awaited = at.in_the_way(request.strength),
                .is_updated = at.is_updated()};
    if (out.wait.has_turn && !keeps_turn(last)) {
      out.for_whom = queue_before(state, initial_session, request, last);
      std::erase(out.for_whom, session);
    }
    if (!out.for_whom.empty()) return out;
    if (!out.wait.awaited.empty()) {
      wait_for(out.wait.awaited.front());
      return out;
    }
    out.stand = stand_of(state, top, request, &out.wait);
  }
  if (out.stand.kind == Stand::Kind::Chases || out.stand.kind == Stand::Kind::Follows) {
    out.wait = {.place = out.stand.place,
                .has_turn = keeps_turn(out.stand.place),
                .awaited = {out.stand.awaited},
                .is_updated = seen != nullptr && seen->is_updated,
                .is_chasing = out.stand.kind == Stand::Kind::Chases};
    wait_for(out.stand.awaited);
  }
  return out;
}

// What has to be waited for though the statement says NOWAIT.
bool waits_anyway(const Found& found, const Request& request) {
  return request.wait == LockWait::Wait || found.stand.kind == Stand::Kind::Follows;
}

}  // namespace

std::vector<SessionIndex> row_blockers(const State& state, ActorId top,
                                       SessionIndex session, const Request& request) {
  const Sleeper* const asleep = sleeper_of(state, session);
  if (asleep == nullptr) {
    Found found = look(state, top, session, request);
    return waits_anyway(found, request) ? found.for_whom : std::vector<SessionIndex>();
  }
  if (state.is_running(asleep->whole)) return {state.actors[asleep->whole].session};
  if (asleep->row.has_turn) {
    auto before = queue_before(state, session, request, asleep->row.place);
    if (!before.empty()) return before;
  }
  const ActorId member = awaited_member(state, *asleep);
  if (member == nobody) return {};
  return {state.actors[member].session};
}

ActorId awaited_member(const State& state, const Sleeper& sleeper) {
  if (sleeper.row.has_turn &&
      !queue_before(state, sleeper.session, sleeper.request, sleeper.row.place).empty())
    return nobody;
  for (const ActorId actor : sleeper.row.awaited)
    if (state.is_running(actor)) return actor;
  return nobody;
}

void fall_asleep(State& state, const Standing& standing, SessionIndex session,
                 const Request& request) {
  Sleeper sleeper{.session = session, .request = request};
  if (request.kind == Request::Kind::LockRow) {
    Found found = look(state, standing.top, session, request);
    if (found.stand.kind == Stand::Kind::Follows) state.give_xid(standing.actor);
    sleeper.row = std::move(found.wait);
  }
  state.sleepers.push_back(std::move(sleeper));
}

bool sleeps_on(State& state, const Standing& standing, SessionIndex session,
               const Request& request) {
  const Sleeper* const asleep = sleeper_of(state, session);
  if (asleep == nullptr) return false;
  Found found = look(state, standing.top, session, request);
  if (found.for_whom.empty() || !waits_anyway(found, request)) return false;
  if (found.stand.kind == Stand::Kind::Follows) state.give_xid(standing.actor);
  const bool keeps_place =
      asleep->row.has_turn && asleep->row.place == found.wait.place && found.wait.has_turn;
  Sleeper now{.session = session, .request = request, .row = std::move(found.wait)};
  if (keeps_place) {
    state.sleepers[static_cast<std::size_t>(asleep - state.sleepers.data())] =
        std::move(now);
    return true;
  }
  std::erase_if(state.sleepers,
                [&](const Sleeper& sleeper) { return sleeper.session == session; });
  state.sleepers.push_back(std::move(now));
  return true;
}

// --- what comes of it ---

RowAccess access_row(State& state, const Standing& standing, SessionIndex session,
                     const Request& request) {
  using Kind = Stand::Kind;
  using End = RowAccess::End;
  const Found found = look(state, standing.top, session, request);
  if (!found.for_whom.empty()) return {.end = End::WouldWait};
  for (const Place place : found.stand.chain.to_lock)
    add_row_lock(state, request.table, place, standing.actor, request.strength);
  switch (found.stand.kind) {
    case Kind::Own:
      return {.end = End::Own};
    case Kind::Replaced:
      return {.end = End::Replaced, .place = found.stand.place};
    case Kind::Deleted:
      return {.end = End::Deleted};
    case Kind::Free:
    case Kind::TakesTurn:
    case Kind::Chases:
    case Kind::Follows:
      break;
  }
  if (!request.is_change)
    add_row_lock(state, request.table, found.stand.place, standing.actor, request.strength);
  return {.place = found.stand.place};
}

namespace {

// Those that the xmax names, by their places among the locks.
std::vector<std::size_t> members_of(const State& state, TableId table, Place place) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < state.row_locks.size(); ++i) {
    const RowLock& held = state.row_locks[i];
    if (held.place == place && held.table == table && state.is_running(held.actor))
      out.push_back(i);
  }
  return out;
}

// A lone member that asks for more is still alone, with the stronger of both.
Lock add_member(State& state, TableId table, Place place, ActorId actor, Lock strength) {
  const auto members = members_of(state, table, place);
  state.give_xid(actor);
  const bool is_alone =
      members.size() == 1 && state.row_locks[members.front()].actor == actor;
  if (is_alone) {
    Lock& held = state.row_locks[members.front()].strength;
    held = std::max(held, strength);
    return held;
  }
  state.row_locks.push_back({.table = table,
                             .row = state.heap(table)[place].row,
                             .place = place,
                             .actor = actor,
                             .strength = strength});
  return strength;
}

}  // namespace

void add_row_lock(State& state, TableId table, Place place, ActorId actor, Lock strength) {
  const Look at{
      .state = state, .top = state.actors[actor].top, .table = table, .place = place};
  if (at.own_strength() < strength) add_member(state, table, place, actor, strength);
}

void add_row_change(State& state, TableId table, Place place, Place next, ActorId actor,
                    Lock strength) {
  std::vector<RowLock> kept;
  for (const std::size_t member : members_of(state, table, place))
    kept.push_back(state.row_locks[member]);
  const Lock change = add_member(state, table, place, actor, strength);
  Version& replaced = state.own_heap(table)[place];
  replaced.eraser = actor;
  replaced.eraser_lock = change;
  replaced.loses_key = change == Lock::Update ||
                       std::any_of(kept.begin(), kept.end(), [](const RowLock& held) {
                         return held.strength == Lock::Update;
                       });
  replaced.next = next;
  if (next == nowhere) return;
  // What a lone locker had is written down as the weakest lock.
  if (kept.size() == 1) kept.front().strength = Lock::KeyShare;
  for (RowLock& held : kept) {
    held.place = next;
    state.row_locks.push_back(held);
  }
}

}  // namespace isomer::database::postgresql
