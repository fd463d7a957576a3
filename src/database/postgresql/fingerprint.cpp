// SPDX-License-Identifier: MIT
#include "database/postgresql/fingerprint.h"

#include <algorithm>
#include <tuple>

#include "database/postgresql/statement.h"

namespace isomer::database::postgresql {
namespace {

void add_optional_fault(Digest& digest, const std::optional<program::Fault>& fault) {
  digest.add(static_cast<std::uint64_t>(fault.has_value()));
  if (fault) add_fault(digest, *fault);
}

// The columns of a row, without its place behind them.
std::span<const Value> columns(const program::Program& program, TableId table,
                               const Value& row) {
  return row.items().first(
      std::min(row.items().size(), program.tables[table.index].columns.size()));
}

}  // namespace

// --- a moment ---

namespace {

struct MomentDigest {
  Digest& digest;
  const Backends& backends;
  std::size_t sessions;
  const std::vector<bool>& has_order;  // by table
  const State& state;
  std::vector<std::uint32_t> names;  // by actor: which one of its session
  std::vector<Snapshot> snapshots{};
  std::vector<Place> places{};  // that statements on their way speak of

  MomentDigest(Digest& into, const Backends& of, std::size_t session_count,
               const std::vector<bool>& tables_with_order)
      : digest(into),
        backends(of),
        sessions(session_count),
        has_order(tables_with_order),
        state(of.state()) {
    std::vector<std::uint32_t> count(sessions);
    for (const Actor& actor : state.actors)
      names.push_back(actor.session < sessions ? count[actor.session]++ : 0);
    for (SessionIndex session = 0; session < sessions; ++session)
      collect(backends.session(session));
  }

  void collect(const Backend& backend) {
    if (backend.standing.snapshot)
      snapshots.push_back(
          {.commits = *backend.standing.snapshot, .top = backend.standing.top});
    for (const LateCheck& check : backend.standing.late_checks)
      if (check.place != nowhere) places.push_back(check.place);
    if (!backend.work) return;
    for (const auto& outcome : backend.work->log) {
      if (outcome->snapshot.top != nobody) snapshots.push_back(outcome->snapshot);
      if (outcome->place != nowhere) places.push_back(outcome->place);
    }
    if (backend.wanted && backend.wanted->place != nowhere)
      places.push_back(backend.wanted->place);
  }

  void add_actor(ActorId actor) { add_actor(digest, actor); }

  void add_actor(Digest& into, ActorId actor) const {
    into.add(actor == nobody
                 ? ~0ULL
                 : (std::uint64_t{state.actors[actor].session} << 32U) | names[actor]);
  }

  void add_version_actor(Digest& into, ActorId actor) const {
    add_actor(into, actor);
    if (actor == nobody) return;
    into.add(static_cast<std::uint64_t>(state.status(actor)));
    if (!state.is_committed(actor)) return;
    for (const Snapshot& snapshot : snapshots)
      into.add(static_cast<std::uint64_t>(
          state.actors[state.actors[actor].top].commit_number <= snapshot.commits));
  }

  // --- rows ---

  // Neither seen by a snapshot, nor the newest one of its row, nor spoken of.
  [[nodiscard]] bool is_forgotten(const Version& version, Place place) const {
    const bool is_dead = state.status(version.creator) == Actor::Status::RolledBack ||
                         state.is_replaced(version);
    return is_dead && std::find(places.begin(), places.end(), place) == places.end() &&
           std::none_of(snapshots.begin(), snapshots.end(), [&](const Snapshot& snapshot) {
             return state.is_visible(version, snapshot);
           });
  }

  void add_version(Digest& into, TableId table, Place place) {
    const Version& version = state.heap(table)[place];
    into.add(version.row.session).add(version.row.number);
    for (const Value& value : columns(*state.program, table, version.values))
      add_value(into, value);
    into.add(version.entered)
        .add(static_cast<std::uint64_t>(version.eraser_lock))
        .add(static_cast<std::uint64_t>(version.loses_key));
    add_version_actor(into, version.creator);
    add_version_actor(into, version.eraser);
    into.add(version.creator_command).add(version.eraser_command);
    const Place newest = state.newest(table, place);
    for (const Place spoken_of : {place, newest})
      if (std::find(places.begin(), places.end(), spoken_of) != places.end())
        into.add(spoken_of);
  }

  // Where nobody can tell the order of rows, they are summed up.
  void add_heap(TableId table) {
    const Heap& heap = state.heap(table);
    std::uint64_t rank = 0;
    Fingerprint sum;
    digest.add(table.index);
    for (Place place = 0; place < heap.size(); ++place) {
      const Version& version = heap[place];
      const bool is_first = state.actors[version.creator].session == initial_session;
      if (is_forgotten(version, place)) {
        if (is_first) digest.add(~std::uint64_t{place});
        continue;
      }
      ++rank;
      const bool is_as_at_first = is_first && version.eraser == nobody;
      if (is_as_at_first) continue;
      Digest of;
      if (has_order[table.index]) of.add(rank);
      add_version(of, table, place);
      sum.high += of.fingerprint().high;
      sum.low += of.fingerprint().low;
    }
    digest.add(sum);
  }

  // --- locks and queues ---

  // Which version of its row it is, counted from the newest.
  [[nodiscard]] std::uint64_t versions_behind(TableId table, Place place) const {
    const Heap& heap = state.heap(table);
    std::uint64_t out = 0;
    while (place != nowhere && heap[place].next != nowhere &&
           state.status(heap[place].eraser) != Actor::Status::RolledBack) {
      place = heap[place].next;
      ++out;
    }
    return out;
  }

  void add_locks() {
    auto rows = state.row_locks;
    std::sort(rows.begin(), rows.end(), [&](const RowLock& a, const RowLock& b) {
      return std::tuple(a.table, a.row, a.place, state.actors[a.actor].xid, a.strength) <
             std::tuple(b.table, b.row, b.place, state.actors[b.actor].xid, b.strength);
    });
    digest.add(rows.size());
    for (const RowLock& lock : rows) {
      digest.add(lock.table.index).add(lock.row.session).add(lock.row.number);
      digest.add(static_cast<std::uint64_t>(lock.strength));
      digest.add(versions_behind(lock.table, lock.place));
      add_actor(lock.actor);
    }
    digest.add(state.table_locks.size());
    for (const HeldTableLock& lock : state.table_locks) {
      digest.add(lock.table.index).add(static_cast<std::uint64_t>(lock.mode));
      add_actor(lock.actor);
    }
    digest.add(state.advisory_locks.size());
    for (const HeldAdvisoryLock& lock : state.advisory_locks) {
      add_values(digest, lock.key);
      digest.add(lock.session).add(static_cast<std::uint64_t>(lock.is_shared));
      add_actor(lock.actor);
    }
    digest.add(state.sleepers.size());
    for (const Sleeper& sleeper : state.sleepers) {
      digest.add(sleeper.session);
      digest.add(state.is_running(sleeper.whole) ? 1U : 0U);
      if (sleeper.request.kind != Request::Kind::LockRow) continue;
      digest.add(versions_behind(sleeper.request.table, sleeper.row.place))
          .add((sleeper.row.has_turn ? 1U : 0U) | (sleeper.row.is_updated ? 2U : 0U) |
               (sleeper.row.is_chasing ? 4U : 0U));
      for (const ActorId actor : sleeper.row.awaited)
        if (state.is_running(actor)) add_actor(actor);
    }
  }

  // --- statements on their way ---

  void add_outcome(const Outcome& outcome) {
    digest.add(static_cast<std::uint64_t>(outcome.kind)).add(outcome.place);
    add_optional_fault(digest, outcome.fault);
    add_optional_fault(digest, outcome.late_fault);
    digest.add(outcome.tuples.size());
    for (const auto& tuple : outcome.tuples)
      add_values(digest, tuple);
    add_values(digest, outcome.values);
    add_reply(digest, outcome.reply);
  }

  void add_constraint(const program::ConstraintId& id) {
    digest.add(id.table.index).add(static_cast<std::uint64_t>(id.kind)).add(id.number);
  }

  void add_late_checks(const Standing& standing) {
    digest.add(standing.late_checks.size());
    for (const LateCheck& check : standing.late_checks) {
      add_constraint(check.constraint);
      digest.add(static_cast<std::uint64_t>(check.kind)).add(check.place);
      add_values(digest, columns(*state.program, check.change.table, check.change.before));
      add_values(digest, columns(*state.program, check.change.table, check.change.after));
      add_version_actor(digest, check.actor);
    }
    digest.add(standing.constraint_modes.size());
    for (const ConstraintMode& mode : standing.constraint_modes) {
      digest.add(mode.constraints.size()).add(static_cast<std::uint64_t>(mode.is_deferred));
      for (const program::ConstraintId& id : mode.constraints)
        add_constraint(id);
      add_version_actor(digest, mode.actor);
    }
  }

  void add_backend(const Backend& backend) {
    digest.add(static_cast<std::uint64_t>(backend.standing.snapshot.has_value()));
    add_actors(backend.standing.writers);
    add_late_checks(backend.standing);
    digest.add(backend.work ? 1 + backend.work->log.size() : 0);
    if (!backend.work) return;
    const LockOrder& order = backend.work->lock_order;
    digest.add(order.source)
        .add(static_cast<std::uint64_t>(order.by))
        .add(order.index)
        .add(static_cast<std::uint64_t>(backend.work->is_checked));
    for (const auto& outcome : backend.work->log)
      add_outcome(*outcome);
  }

  // --- SERIALIZABLE ---

  // The order of commits among those that still count.
  [[nodiscard]] std::uint64_t commits_counted(std::uint32_t number) const {
    return static_cast<std::uint64_t>(std::count_if(
        state.serializable.begin(), state.serializable.end(), [&](const auto& of) {
          return state.is_committed(of.top) && state.actors[of.top].commit_number <= number;
        }));
  }

  void add_actors(std::vector<ActorId> actors) {
    std::sort(actors.begin(), actors.end(), [&](ActorId a, ActorId b) {
      return std::pair(state.actors[a].session, names[a]) <
             std::pair(state.actors[b].session, names[b]);
    });
    digest.add(actors.size());
    for (const ActorId actor : actors)
      add_actor(actor);
  }

  void add_serializable(const SerializableTransaction& of) {
    add_actor(of.top);
    digest.add(static_cast<std::uint64_t>(state.status(of.top)))
        .add(state.is_committed(of.top)
                 ? commits_counted(state.actors[of.top].commit_number)
                 : 0)
        .add(commits_counted(of.snapshot));
    digest.add((of.is_doomed ? 1U : 0U) | (of.has_written ? 2U : 0U) |
               (of.writes_unnoticed ? 4U : 0U));
    digest.add(of.reads.size());
    for (const auto& read : of.reads) {
      digest.add(read->task.what.at.first).add(read->task.what.at.last);
      add_values(digest, read->task.variables);
    }
    digest.add(of.regions.size());
    for (const Region& region : of.regions) {
      digest.add(region.table.index).add(region.equal.size());
      for (const auto& [column, value] : region.equal) {
        digest.add(column.index);
        add_value(digest, value);
      }
    }
    add_actors(of.in);
    add_actors(of.out);
  }

  void add_all_serializable() {
    std::vector<const SerializableTransaction*> all;
    for (const auto& of : state.serializable)
      all.push_back(&of);
    std::sort(all.begin(), all.end(), [&](const auto* a, const auto* b) {
      return std::pair(state.actors[a->top].session, names[a->top]) <
             std::pair(state.actors[b->top].session, names[b->top]);
    });
    digest.add(all.size());
    for (const auto* of : all)
      add_serializable(*of);
  }

  void add_everything() {
    for (std::uint32_t table = 0; table < state.heaps.size(); ++table)
      add_heap({table});
    add_locks();
    for (SessionIndex session = 0; session < sessions; ++session)
      add_backend(backends.session(session));
    add_all_serializable();
  }
};

}  // namespace

void add(Digest& digest, const Backends& backends, std::size_t sessions,
         const std::vector<bool>& has_order) {
  MomentDigest(digest, backends, sessions, has_order).add_everything();
}

Footprint footprint_of_sleep(const State& state, const Request& request) {
  Footprint out;
  switch (request.kind) {
    case Request::Kind::LockRow:
      out.rows.push_back({.table = request.table,
                          .row = state.heap(request.table)[request.place].row,
                          .strength = request.strength});
      break;
    case Request::Kind::EnterIndex:
    case Request::Kind::FindKey:
      for (std::size_t i = 0; i < request.indexes.size(); ++i)
        out.keys.push_back(
            touched_key(state, request.table, request.indexes[i], request.keys[i], true));
      break;
    case Request::Kind::LockTable:
      out.tables.emplace_back(request.table, request.mode);
      break;
    case Request::Kind::Advise:
      out.advised.emplace_back(request.keys[0], request.is_shared);
      break;
    case Request::Kind::AwaitSafety:
      out.is_serializable = true;
      break;
    case Request::Kind::Read:
    case Request::Kind::RollBackTo:
    case Request::Kind::Commit:
    case Request::Kind::RollBack:
      break;
  }
  return out;
}

}  // namespace isomer::database::postgresql
