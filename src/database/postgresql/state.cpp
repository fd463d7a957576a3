// SPDX-License-Identifier: MIT
#include "database/postgresql/state.h"

#include <algorithm>

namespace isomer::database::postgresql {

// --- transactions ---

Heap& State::own_heap(TableId table) {
  auto& heap = heaps[table.index];
  if (heap.use_count() > 1) heap = std::make_shared<Heap>(*heap);
  return *heap;
}

Actor::Status State::status(ActorId actor) const {
  const Actor& of = actors[actor];
  return of.status == Actor::Status::RolledBack ? of.status : actors[of.top].status;
}

bool State::is_running(ActorId actor) const {
  return actor != nobody && status(actor) == Actor::Status::Running;
}

bool State::is_committed(ActorId actor) const {
  return actor != nobody && status(actor) == Actor::Status::Committed;
}

bool State::is_own(ActorId actor, ActorId top) const {
  return actor != nobody && actors[actor].top == top &&
         actors[actor].status != Actor::Status::RolledBack;
}

bool State::is_others(ActorId actor, ActorId top) const {
  return is_running(actor) && actors[actor].top != top;
}

// --- versions ---

bool State::is_visible(const Version& version, const Snapshot& snapshot) const {
  const auto is_seen = [&](ActorId actor, std::uint32_t command) {
    if (actor == nobody) return false;
    if (is_own(actor, snapshot.top)) return command < snapshot.command;
    return is_committed(actor) &&
           actors[actors[actor].top].commit_number <= snapshot.commits;
  };
  return is_seen(version.creator, version.creator_command) &&
         !is_seen(version.eraser, version.eraser_command);
}

bool State::is_replaced(const Version& version) const {
  return is_committed(version.eraser);
}

Place State::newest(TableId table, Place place) const {
  const Heap& of = heap(table);
  while (place != nowhere && is_replaced(of[place]))
    place = of[place].next;
  return place;
}

Place State::place_of(TableId id, const Value& row) const {
  return static_cast<Place>(*row.items()[table(id).columns.size()].get_if<std::int64_t>());
}

Place State::append(TableId id, Version version) {
  Heap& of = own_heap(id);
  const auto place = static_cast<Place>(of.size());
  const auto columns = version.values.items().first(table(id).columns.size());
  std::vector<Value> values(columns.begin(), columns.end());
  values.push_back(Value::integer(place));
  version.values = Value::list(std::move(values));
  of.push_back(std::move(version));
  return place;
}

// --- ends ---

ActorId State::add_actor(SessionIndex session, ActorId parent) {
  const auto actor = static_cast<ActorId>(actors.size());
  const ActorId top = parent == nobody ? actor : actors[parent].top;
  actors.push_back({.session = session, .top = top, .parent = parent});
  return actor;
}

void State::give_xid(ActorId actor) {
  if (actors[actor].xid != 0) return;
  if (actors[actor].parent != nobody) give_xid(actors[actor].parent);
  actors[actor].xid = ++xids;
}

void State::commit(ActorId top) {
  actors[top].status = Actor::Status::Committed;
  actors[top].commit_number = ++commits;
  give_back_locks();
}

void State::roll_back_since(ActorId actor) {
  for (ActorId i = actor; i < actors.size(); ++i)
    if (actors[i].top == actors[actor].top) actors[i].status = Actor::Status::RolledBack;
  give_back_locks();
}

void State::give_back_locks() {
  std::erase_if(row_locks, [&](const RowLock& lock) { return !is_running(lock.actor); });
  std::erase_if(table_locks,
                [&](const HeldTableLock& lock) { return !is_running(lock.actor); });
  std::erase_if(advisory_locks, [&](const HeldAdvisoryLock& lock) {
    return lock.actor != nobody && !is_running(lock.actor);
  });
}

// --- the start ---

State initial_state(const program::Program& program, std::size_t sessions) {
  State out;
  out.program = &program;
  std::vector<std::vector<Index>> indexes;
  for (const program::Table& table : program.tables)
    indexes.push_back(indexes_of(table));
  out.all_indexes =
      std::make_shared<const std::vector<std::vector<Index>>>(std::move(indexes));
  out.heaps.resize(program.tables.size());
  for (auto& heap : out.heaps)
    heap = std::make_shared<Heap>();
  const ActorId first = out.add_actor(initial_session, nobody);
  out.actors[first].status = Actor::Status::Committed;
  std::uint32_t number = 0;
  for (const auto& [table, row] : program.initial_rows)
    out.append(table, {.row = {.session = initial_session, .number = number++},
                       .values = Value::list(row),
                       .creator = first,
                       .entered = ~0U});
  out.inserted.resize(sessions);
  out.has_table_locks =
      std::any_of(program.types.begin(), program.types.end(), [](const auto& type) {
        return program::contains(type.body, program::Statement::Kind::LockTable);
      });
  return out;
}

}  // namespace isomer::database::postgresql
