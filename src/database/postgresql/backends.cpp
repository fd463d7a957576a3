// SPDX-License-Identifier: MIT
#include "database/postgresql/backends.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "database/postgresql/fingerprint.h"
#include "database/postgresql/row_locks.h"
#include "database/postgresql/statement.h"
#include "database/postgresql/tables_used.h"
#include "program/machine/columns.h"
#include "program/machine/constraints.h"

namespace isomer::database::postgresql {

using program::AsksServer;
using program::Fault;

Backends::Backends(const program::Program& program, std::size_t sessions)
    : state_(initial_state(program, sessions)),
      sessions_(sessions),
      has_order_(std::make_shared<const std::vector<bool>>(tables_with_order(program))) {}

namespace {

Reply failure(std::string sqlstate, std::string reason) {
  return {
      .kind = Reply::Kind::Failed,
      .fault = {.reason = std::move(reason), .sqlstate = std::move(sqlstate), .at = {}}};
}

// What a rollback or commit gives back, and what a commit makes visible.
void note_end(const State& state, ActorId since, Footprint& touched) {
  const ActorId top = state.actors[since].top;
  const auto ends = [&](ActorId actor) {
    return actor != nobody && actor >= since && state.actors[actor].top == top;
  };
  touched.ends = true;
  for (const RowLock& lock : state.row_locks)
    if (ends(lock.actor))
      touched.rows.push_back(
          {.table = lock.table, .row = lock.row, .strength = lock.strength});
  for (const HeldTableLock& lock : state.table_locks)
    if (ends(lock.actor)) touched.tables.emplace_back(lock.table, lock.mode);
  for (const HeldAdvisoryLock& lock : state.advisory_locks)
    if (ends(lock.actor)) touched.advised.emplace_back(lock.key, lock.is_shared);
  for (std::uint32_t table = 0; table < state.heaps.size(); ++table)
    for (const Version& version : state.heap({table})) {
      if (!ends(version.creator) && !ends(version.eraser)) continue;
      touched.commits.push_back(
          {.table = {table},
           .row = version.row,
           .before = ends(version.eraser) ? version.values : Value(),
           .after = ends(version.creator) ? version.values : Value()});
      for (std::uint32_t i = 0; i < state.indexes({table}).size(); ++i)
        if (auto key = state.key_in({table}, i, version.values))
          touched.keys.push_back(touched_key(state, {table}, i, std::move(*key), false));
    }
}

}  // namespace

// --- sessions that have nothing to do ---

std::unique_ptr<SteppedServer> Backends::copy() const {
  return std::make_unique<Backends>(*this);
}

void Backends::begin(SessionIndex session, const BeginOptions& options) {
  Backend& backend = sessions_[session];
  ISOMER_ASSERT(!backend.standing.is_in_transaction());
  const ActorId top = state_.add_actor(session, nobody);
  backend.standing = {.level = options.level,
                      .is_read_only = options.is_read_only,
                      .is_deferrable = options.is_deferrable && options.is_read_only &&
                                       options.level == IsolationLevel::Serializable,
                      .top = top,
                      .actor = top};
}

namespace {

// Statements that take no snapshot.
bool is_before_snapshot(program::Statement::Kind kind) {
  return kind == program::Statement::Kind::LockTable ||
         kind == program::Statement::Kind::SetConstraints;
}

}  // namespace

std::optional<Reply> Backends::start(SessionIndex session, Task task) {
  Work work{std::move(task)};
  Backend& backend = sessions_[session];
  ISOMER_ASSERT(!backend.work);
  ISOMER_ASSERT(backend.standing.is_in_transaction());
  using Kind = AsksServer::Kind;
  const bool is_asked = work.kind == Work::Kind::Ask;
  const Kind kind = work.what.kind;
  if (is_asked && backend.has_failed && kind != Kind::RollbackTo)
    return failure("25P02",
                   "current transaction is aborted, commands ignored until end of "
                   "transaction block");
  if (is_asked && (kind == Kind::Savepoint || kind == Kind::Release))
    return act_between(session, work.what);
  work.command = backend.standing.command;
  work.has_inner_steps = is_asked && has_inner_steps(work.what);
  work.awaits_safety =
      is_asked && kind != Kind::RollbackTo && backend.standing.is_deferrable &&
      !backend.standing.snapshot &&
      !(work.what.statement != nullptr && is_before_snapshot(work.what.statement->kind));
  backend.work = std::move(work);
  if (is_asked && kind != Kind::RollbackTo) {
    Statement ahead(state_, session, backend.standing, *backend.work,
                    Statement::Pace::None);
    if (auto reply = ahead.run()) {
      Footprint touched;
      return finished(session, std::move(*reply), touched);
    }
    backend.wanted = std::move(ahead.wanted);
    return std::nullopt;
  }
  if (backend.work->kind == Work::Kind::Commit && !backend.has_failed)
    return begin_commit(session);
  backend.wanted =
      Request{.kind = is_asked                                   ? Request::Kind::RollBackTo
                      : backend.work->kind == Work::Kind::Commit ? Request::Kind::Commit
                                                                 : Request::Kind::RollBack};
  return std::nullopt;
}

// What was put off is checked first.
std::optional<Reply> Backends::begin_commit(SessionIndex session) {
  Backend& backend = sessions_[session];
  Statement checks(state_, session, backend.standing, *backend.work, Statement::Pace::None);
  const auto reply = checks.run();
  if (reply && reply->kind == Reply::Kind::Failed) {
    Footprint touched;
    return finished(session, *reply, touched);
  }
  backend.work->is_checked = reply.has_value();
  backend.wanted =
      reply ? Request{.kind = Request::Kind::Commit} : std::move(checks.wanted);
  return std::nullopt;
}

// SAVEPOINT and RELEASE are nobody else's business.
std::optional<Reply> Backends::act_between(SessionIndex session, const AsksServer& what) {
  Standing& standing = sessions_[session].standing;
  auto& savepoints = standing.savepoints;
  if (what.kind == AsksServer::Kind::Savepoint) {
    standing.actor = state_.add_actor(session, standing.actor);
    savepoints.emplace_back(what.savepoint, standing.actor);
    return Reply{};
  }
  const auto place = std::find_if(
      savepoints.rbegin(), savepoints.rend(),
      [&](const auto& savepoint) { return savepoint.first == what.savepoint; });
  if (place == savepoints.rend()) {
    Footprint touched;
    return finished(
        session,
        failure("3B001", fmt::format("savepoint \"{}\" does not exist", what.savepoint)),
        touched);
  }
  // What was done since becomes a part of what was done before.
  for (auto part = place.base() - 1; part != savepoints.end(); ++part)
    state_.actors[part->second].is_released = true;
  follow_releases();
  savepoints.erase(place.base() - 1, savepoints.end());
  standing.actor = savepoints.empty() ? standing.top : savepoints.back().second;
  return Reply{};
}

// --- steps ---

const Request* Backends::wanted(SessionIndex session) const {
  const Backend& backend = sessions_[session];
  return backend.wanted ? &*backend.wanted : nullptr;
}

bool Backends::is_working(SessionIndex session) const {
  return sessions_[session].wanted.has_value();
}

std::vector<SessionIndex> Backends::blockers(SessionIndex session) const {
  const Request* request = wanted(session);
  if (request == nullptr) return {};
  return postgresql::blockers(state_, sessions_[session].standing, session, *request);
}

std::size_t Backends::choices(SessionIndex session) const {
  const Backend& backend = sessions_[session];
  if (!backend.work || backend.work->kind != Work::Kind::Ask ||
      backend.work->what.statement == nullptr || !backend.work->log.empty())
    return 1;
  return lock_orders(state_, *backend.work->what.statement).size();
}

void Backends::choose(SessionIndex session, std::size_t choice) {
  Work& work = *sessions_[session].work;
  work.lock_order = lock_orders(state_, *work.what.statement).at(choice);
}

std::optional<Reply> Backends::step(SessionIndex session, Footprint& touched) {
  auto reply = advance(session, touched, false);
  // That heaps get longer is noticed only by those who scan them in order.
  std::erase_if(touched.appended,
                [&](TableId table) { return !(*has_order_)[table.index]; });
  return reply;
}

std::optional<Reply> Backends::run(SessionIndex session) {
  Footprint touched;
  return advance(session, touched, true);
}

std::optional<Reply> Backends::advance(SessionIndex session, Footprint& touched,
                                       bool to_the_end) {
  Backend& backend = sessions_[session];
  ISOMER_ASSERT(backend.work);
  const bool commits = backend.work->kind == Work::Kind::Commit && !backend.has_failed;
  if (backend.work->kind != Work::Kind::Ask && (!commits || backend.work->is_checked))
    return end(session, touched);
  if (backend.work->what.kind == AsksServer::Kind::RollbackTo)
    return roll_back_to(session, touched);
  Statement statement(state_, session, backend.standing, *backend.work,
                      to_the_end ? Statement::Pace::ToTheEnd : Statement::Pace::OneStep);
  auto reply = statement.run();
  touched = std::move(statement.touched);
  backend.wanted = std::move(statement.wanted);
  follow_releases();
  if (!reply) return std::nullopt;
  if (commits && reply->kind == Reply::Kind::Done) {
    backend.work->is_checked = true;
    backend.wanted = Request{.kind = Request::Kind::Commit};
    wake(session);
    return to_the_end ? std::optional(end(session, touched)) : std::nullopt;
  }
  return finished(session, std::move(*reply), touched);
}

// An error undoes what was done since the innermost savepoint, and gives back its locks.
Reply Backends::finished(SessionIndex session, Reply reply, Footprint& touched) {
  Backend& backend = sessions_[session];
  const bool commits = backend.work->kind == Work::Kind::Commit;
  backend.work.reset();
  backend.wanted.reset();
  wake(session);
  if (commits) {  // that failed
    undo(session, backend.standing.top, touched);
    backend = Backend{};
    return reply;
  }
  if (reply.kind == Reply::Kind::Failed) {
    backend.has_failed = true;
    undo(session, backend.standing.actor, touched);
  }
  return reply;
}

Reply Backends::fail_as_victim(SessionIndex session, Footprint& touched) {
  add_footprint(touched, footprint_of_sleep(state_, *sessions_[session].wanted));
  return finished(session, failure("40P01", "deadlock detected"), touched);
}

// --- ends ---

void Backends::undo(SessionIndex session, ActorId since, Footprint& touched) {
  note_end(state_, since, touched);
  touched.commits.clear();
  state_.roll_back_since(since);
  follow_releases();
  if (since == sessions_[session].standing.top) forget_serializable(state_, since);
}

Reply Backends::end(SessionIndex session, Footprint& touched) {
  Backend& backend = sessions_[session];
  const ActorId top = backend.standing.top;
  const bool wants_commit = backend.work->kind == Work::Kind::Commit;
  touched.is_serializable = serializable_transaction(state_, top) != nullptr;
  Reply reply;
  if (wants_commit && backend.has_failed) {
    reply = failure("25P02", "the transaction had failed and is rolled back");
  } else if (wants_commit && !may_commit_serializable(state_, top)) {
    reply = failure("40001",
                    "could not serialize access due to read/write dependencies among "
                    "transactions");
  }
  if (wants_commit && reply.kind == Reply::Kind::Done) {
    note_end(state_, top, touched);
    state_.commit(top);
    follow_releases();
    forget_serializable(state_, top);
  } else {
    undo(session, top, touched);
  }
  backend = Backend{};
  return reply;
}

Reply Backends::roll_back_to(SessionIndex session, Footprint& touched) {
  Backend& backend = sessions_[session];
  auto& savepoints = backend.standing.savepoints;
  const std::string name = backend.work->what.savepoint;
  const auto place =
      std::find_if(savepoints.rbegin(), savepoints.rend(),
                   [&](const auto& savepoint) { return savepoint.first == name; });
  if (place == savepoints.rend())
    return finished(session,
                    failure("3B001", fmt::format("savepoint \"{}\" does not exist", name)),
                    touched);
  undo(session, place->second, touched);
  const ActorId parent = state_.actors[place->second].parent;
  savepoints.erase(place.base(), savepoints.end());
  backend.standing.actor = state_.add_actor(session, parent);
  savepoints.back().second = backend.standing.actor;
  backend.has_failed = false;
  return finished(session, {}, touched);
}

// --- waiting ---

void Backends::sleep(SessionIndex session, Footprint& touched) {
  add_footprint(touched, footprint_of_sleep(state_, *sessions_[session].wanted));
  if (!is_asleep(session))
    fall_asleep(state_, sessions_[session].standing, session, *sessions_[session].wanted);
  ease(session);
  follow_releases();
}

void Backends::follow_releases() {
  for (Sleeper& sleeper : state_.sleepers)
    if (!state_.is_running(sleeper.whole))
      wait_for_whole(state_, sessions_[sleeper.session].standing, sleeper);
}

// A circle of waits in which somebody only waits behind another who has nothing yet is no
// deadlock: the server lets it go ahead (DeadLockCheck).
void Backends::ease(SessionIndex session) {
  const auto circle = circle_of(session);
  for (std::size_t i = 0; i < circle.size(); ++i) {
    const SessionIndex before = circle[(i + 1) % circle.size()];
    auto reordered = with_turn_before(state_.sleepers, circle[i], before);
    if (!reordered) continue;
    std::swap(state_.sleepers, *reordered);
    if (circle_of(session).empty()) return;
    std::swap(state_.sleepers, *reordered);
  }
}

void Backends::wake(SessionIndex session) {
  std::erase_if(state_.sleepers,
                [&](const Sleeper& sleeper) { return sleeper.session == session; });
}

std::vector<SessionIndex> Backends::sleepers() const {
  std::vector<SessionIndex> out;
  for (const Sleeper& sleeper : state_.sleepers)
    out.push_back(sleeper.session);
  return out;
}

std::vector<SessionIndex> Backends::victims_of(std::span<const SessionIndex> circle) const {
  return {circle.begin(), circle.end()};
}

// --- what can be seen from outside ---

std::vector<std::vector<std::vector<Value>>> Backends::committed_rows() const {
  const Snapshot all{.commits = state_.commits};
  std::vector<std::vector<std::vector<Value>>> out;
  for (std::uint32_t table = 0; table < state_.heaps.size(); ++table) {
    auto& rows = out.emplace_back();
    for (const Version& version : state_.heap({table})) {
      if (!state_.is_visible(version, all)) continue;
      const auto columns =
          version.values.items().first(state_.table({table}).columns.size());
      rows.emplace_back(columns.begin(), columns.end());
    }
    std::sort(rows.begin(), rows.end());
  }
  return out;
}

void Backends::add_to(Digest& digest) const {
  add(digest, *this, sessions_.size(), *has_order_);
}

}  // namespace isomer::database::postgresql
