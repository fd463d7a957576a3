// SPDX-License-Identifier: MIT
#include "database/innodb/engine.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "database/innodb/locks.h"
#include "database/innodb/records.h"

namespace isomer::database::innodb {

using program::AsksServer;
using Touch = TouchedRange::Access;

Engine::Engine(const ServerKind& kind, const program::Program& program,
               std::size_t sessions)
    : kind_(kind), state_(initial_state(program)), sessions_(sessions) {}

std::unique_ptr<SteppedServer> Engine::copy() const {
  return std::make_unique<Engine>(*this);
}

namespace {

Reply failure(const ErrorCode& code, std::string reason) {
  return {.kind = Reply::Kind::Failed, .fault = fault_of(code, std::move(reason))};
}

Reply missing_savepoint(const std::string& name) {
  return failure(no_savepoint, fmt::format("SAVEPOINT {} does not exist", name));
}

}  // namespace

// --- sessions that have nothing to do ---

void Engine::begin(SessionIndex session, const BeginOptions& options) {
  ISOMER_ASSERT(!sessions_[session].trx);
  const auto trx = static_cast<TrxId>(state_.transactions.size());
  state_.transactions.push_back({.session = session, .level = options.level});
  sessions_[session] = {.terms = {.is_read_only = options.is_read_only,
                                  .has_snapshot_isolation = kind_.has_snapshot_isolation},
                        .trx = trx};
}

std::optional<Reply> Engine::start(SessionIndex session, Task task) {
  Session& of = sessions_[session];
  ISOMER_ASSERT(!of.work);
  using Kind = AsksServer::Kind;
  const bool is_asked = task.kind == Task::Kind::Ask;
  const Kind kind = task.what.kind;
  if (is_asked && (kind == Kind::Savepoint || kind == Kind::Release ||
                   (kind == Kind::RollbackTo && !of.trx)))
    return act_between(session, task.what);
  if (!of.trx) {
    // An error has ended the transaction; on the server each statement is one of its own.
    if (!is_asked) return Reply{};
    begin(session, {.level = IsolationLevel::RepeatableRead});
  }
  of.work = Work{std::move(task)};
  of.work->changes = state_.transactions[*of.trx].undo.size();
  if (!is_asked || kind == Kind::RollbackTo) {
    of.wanted =
        Request{.kind = is_asked                              ? Request::Kind::RollBackTo
                        : of.work->kind == Task::Kind::Commit ? Request::Kind::Commit
                                                              : Request::Kind::RollBack};
    return std::nullopt;
  }
  of.wanted = Request{.kind = Request::Kind::Begin};
  return std::nullopt;
}

std::optional<Reply> Engine::act_between(SessionIndex session, const AsksServer& what) {
  Session& of = sessions_[session];
  if (what.kind == AsksServer::Kind::Savepoint) {
    if (!of.trx) return Reply{};
    std::erase_if(of.savepoints,
                  [&](const Savepoint& other) { return other.name == what.savepoint; });
    of.savepoints.push_back({.name = what.savepoint,
                             .changes = state_.transactions[*of.trx].undo.size(),
                             .is_known = of.uses_tables});
    return Reply{};
  }
  const auto place =
      std::find_if(of.savepoints.begin(), of.savepoints.end(),
                   [&](const Savepoint& other) { return other.name == what.savepoint; });
  if (place == of.savepoints.end()) return missing_savepoint(what.savepoint);
  of.savepoints.erase(place, of.savepoints.end());
  return Reply{};
}

// --- steps ---

bool Engine::is_working(SessionIndex session) const {
  return sessions_[session].wanted.has_value();
}

namespace {

bool has_waiting_lock(const State& state, TrxId trx) {
  return std::any_of(state.locks.begin(), state.locks.end(), [&](const HeldLock& lock) {
    return lock.trx == trx && lock.is_waiting;
  });
}

}  // namespace

// A wait is over, too, when the record has gone: it is looked for anew.
std::vector<SessionIndex> Engine::blockers(SessionIndex session) const {
  const Session& of = sessions_[session];
  if (!of.wanted) return {};
  if (is_asleep(session) && !has_waiting_lock(state_, *of.trx)) return {};
  std::vector<SessionIndex> out;
  for (const TrxId trx : holders(state_, *of.trx, *of.wanted))
    out.push_back(state_.transactions[trx].session);
  return out;
}

std::vector<SessionIndex> Engine::circle_steps(SessionIndex session) const {
  const auto all = blockers(session);
  if (all.empty()) return {};
  return {all.front()};
}

std::size_t Engine::choices(SessionIndex session) const {
  const Session& of = sessions_[session];
  return of.wanted ? of.wanted->choices : 1;
}

void Engine::choose(SessionIndex session, std::size_t choice) {
  sessions_[session].work->choice = choice;
}

namespace {

void touch_wait(const State& state, const LockRequest& lock, Footprint& touched) {
  touch_record(lock.record, Touch::Write, touched);
  touch_gap(state, lock.record, Touch::Write, touched);
  touch_queue(lock.record, touched);
}

}  // namespace

void Engine::look_again() {
  for (SessionIndex session = 0; session < sessions_.size(); ++session) {
    Session& of = sessions_[session];
    if (!of.work || !of.work->is_begun || is_asleep(session)) continue;
    Statement ahead(state_, *of.trx, of.terms, *of.work, Statement::Pace::None);
    const auto reply = ahead.run();
    ISOMER_ASSERT(!reply);
    of.wanted = std::move(ahead.wanted);
  }
}

std::optional<Reply> Engine::step(SessionIndex session, Footprint& touched) {
  auto reply = do_step(session, touched);
  look_again();
  return reply;
}

std::optional<Reply> Engine::do_step(SessionIndex session, Footprint& touched) {
  Session& of = sessions_[session];
  ISOMER_ASSERT(of.work);
  if (of.work->kind != Task::Kind::Ask) return end(session, touched);
  if (of.work->what.kind == AsksServer::Kind::RollbackTo)
    return roll_back_to(session, touched);
  wake(session, touched);
  if (!of.work->is_begun) {
    of.work->is_begun = true;
    // If it begins with a choice, somebody has to make it first.
    Statement ahead(state_, *of.trx, of.terms, *of.work, Statement::Pace::None);
    static_cast<void>(ahead.run());
    if (ahead.wanted && ahead.wanted->choices > 1) {
      of.wanted = std::move(ahead.wanted);
      return std::nullopt;
    }
  }
  Statement statement(state_, *of.trx, of.terms, *of.work, Statement::Pace::OneStep);
  auto reply = statement.run();
  add_footprint(touched, std::move(statement.touched));
  of.work->choice = 0;
  of.uses_tables |= statement.wanted || !of.work->log.empty();
  of.wanted = std::move(statement.wanted);
  // It found somebody in its way.
  if (!statement.has_stepped && of.wanted && of.wanted->lock)
    touch_wait(state_, *of.wanted->lock, touched);
  if (!reply) return std::nullopt;
  if (!statement.ends_transaction) return finished(session, std::move(*reply), touched);
  roll_back(session, touched);
  return reply;
}

void Engine::finish_statement(SessionIndex session, Footprint& touched) {
  Session& of = sessions_[session];
  of.work.reset();
  of.wanted.reset();
  Transaction& trx = state_.transactions[*of.trx];
  trx.updates_duplicates = false;
  if (!trx.locks_gaps()) trx.view.reset();
  // What it waited for may have been a ghost.
  purge(state_, touched);
}

// An error undoes the statement alone.
Reply Engine::finished(SessionIndex session, Reply reply, Footprint& touched) {
  const Session& of = sessions_[session];
  if (reply.kind == Reply::Kind::Failed)
    undo_to(state_, *of.trx, of.work->changes, touched);
  finish_statement(session, touched);
  return reply;
}

// --- ends ---

void touch_locks(const State& state, TrxId trx, Footprint& touched) {
  touched.ends = true;
  for (const HeldLock& lock : state.locks) {
    if (lock.trx != trx) continue;
    touch_gap(state, lock.record, Touch::Read, touched);
    const bool is_exclusive = lock.mode == LockMode::Exclusive;
    if (lock.kind != LockKind::Gap)
      touch_record(lock.record, is_exclusive ? Touch::Write : Touch::Read, touched);
  }
  for (const UndoRecord& change : state.transactions[trx].undo)
    touch_record({.table = change.table, .key = change.key}, Touch::Write, touched);
  for (std::uint32_t table = 0; table < state.tables.size(); ++table)
    for (IndexNumber i = 1; i < state.indexes({table}).size(); ++i)
      for (const auto& [key, entry] : state.records({table}).secondary[i])
        if (entry.writer == trx)
          touch_record({.table = {table}, .index = i, .key = key}, Touch::Write, touched);
}

namespace {

// What becomes visible.
void touch_changes(const State& state, TrxId trx, Footprint& touched) {
  for (std::uint32_t table = 0; table < state.tables.size(); ++table)
    for (const auto& [key, versions] : state.records({table}).rows) {
      if (versions.back().writer != trx) continue;
      const Value before = state.seen(versions, initial_transaction, state.commits);
      touched.commits.push_back(
          {.table = {table}, .row = {}, .before = before, .after = versions.back().row});
    }
}

}  // namespace

void Engine::commit(TrxId trx, Footprint& touched) {
  touch_locks(state_, trx, touched);
  touch_changes(state_, trx, touched);
  Transaction& of = state_.transactions[trx];
  of.status = Transaction::Status::Committed;
  of.commit_number = ++state_.commits;
  of.view.reset();
  of.undo.clear();
  release_locks(state_, trx);
  purge(state_, touched);
}

void Engine::roll_back(SessionIndex session, Footprint& touched) {
  Session& of = sessions_[session];
  const TrxId trx = *of.trx;
  touch_locks(state_, trx, touched);
  undo_to(state_, trx, 0, touched);
  state_.transactions[trx].status = Transaction::Status::RolledBack;
  state_.transactions[trx].view.reset();
  release_locks(state_, trx);
  purge(state_, touched);
  of = {};
}

Reply Engine::end(SessionIndex session, Footprint& touched) {
  Session& of = sessions_[session];
  if (of.work->kind == Task::Kind::Commit)
    commit(*of.trx, touched);
  else
    roll_back(session, touched);
  of = {};
  return {};
}

// The locks stay; but a savepoint from before the first use of a table undoes all that
// InnoDB knows.
Reply Engine::roll_back_to(SessionIndex session, Footprint& touched) {
  Session& of = sessions_[session];
  const std::string name = of.work->what.savepoint;
  const auto place =
      std::find_if(of.savepoints.begin(), of.savepoints.end(),
                   [&](const Savepoint& other) { return other.name == name; });
  if (place == of.savepoints.end())
    return finished(session, missing_savepoint(name), touched);
  const TrxId trx = *of.trx;
  if (!place->is_known) touch_locks(state_, trx, touched);
  undo_to(state_, trx, place->changes, touched);
  if (!place->is_known) {
    of.uses_tables = false;
    state_.transactions[trx].view.reset();
    release_locks(state_, trx);
    purge(state_, touched);
  }
  of.savepoints.erase(place + 1, of.savepoints.end());
  finish_statement(session, touched);
  return {};
}

// --- waiting ---

void Engine::sleep(SessionIndex session, Footprint& touched) {
  const LockRequest& lock = *sessions_[session].wanted->lock;
  touch_wait(state_, lock, touched);
  touched.queues = true;
  if (is_asleep(session)) return;
  wait_for_lock(state_, *sessions_[session].trx, lock);
  state_.sleepers.push_back({.session = session, .request = lock});
  look_again();
}

void Engine::wake(SessionIndex session, Footprint& touched) {
  const auto place =
      std::find_if(state_.sleepers.begin(), state_.sleepers.end(),
                   [&](const Sleeper& sleeper) { return sleeper.session == session; });
  if (place == state_.sleepers.end()) return;
  touch_wait(state_, place->request, touched);
  const TrxId trx = *sessions_[session].trx;
  grant_waiting_lock(state_, trx);
  sessions_[session].work->waited_for = place->request.record;
  state_.sleepers.erase(place);
}

std::vector<SessionIndex> Engine::sleepers() const {
  std::vector<SessionIndex> out;
  for (const Sleeper& sleeper : state_.sleepers)
    out.push_back(sleeper.session);
  return out;
}

std::vector<SessionIndex> Engine::victims_of(std::span<const SessionIndex> circle) const {
  const auto weight = [&](SessionIndex session) {
    return state_.transactions[*sessions_[session].trx].weight();
  };
  SessionIndex lightest = circle[0];
  for (const Sleeper& sleeper : state_.sleepers) {
    const bool is_member =
        std::find(circle.begin(), circle.end(), sleeper.session) != circle.end();
    if (is_member && weight(sleeper.session) <= weight(lightest))
      lightest = sleeper.session;
  }
  return {lightest};
}

// The whole transaction is gone.
Reply Engine::fail_as_victim(SessionIndex session, Footprint& touched) {
  std::erase_if(state_.sleepers,
                [&](const Sleeper& sleeper) { return sleeper.session == session; });
  give_up_waiting_lock(state_, *sessions_[session].trx);
  roll_back(session, touched);
  look_again();
  return failure(deadlock, "Deadlock found when trying to get lock");
}

// --- what can be seen from outside ---

std::vector<std::vector<std::vector<Value>>> Engine::committed_rows() const {
  std::vector<std::vector<std::vector<Value>>> out;
  for (std::uint32_t table = 0; table < state_.tables.size(); ++table) {
    auto& rows = out.emplace_back();
    for (const auto& [key, versions] : state_.records({table}).rows) {
      const Value row = state_.seen(versions, initial_transaction, state_.commits);
      if (!row.is_null()) rows.emplace_back(row.items().begin(), row.items().end());
    }
    std::sort(rows.begin(), rows.end());
  }
  return out;
}

void Engine::add_to(Digest& digest) const {
  add(digest, *this, sessions_.size());
}

}  // namespace isomer::database::innodb
