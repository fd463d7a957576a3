// SPDX-License-Identifier: MIT
#include "database/sqlite/connections.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "database/sqlite/statement.h"

namespace isomer::database::sqlite {

using program::AsksServer;

namespace {

Reply failure(const ResultCode& code, std::string reason) {
  return {.kind = Reply::Kind::Failed, .fault = fault_of(code, std::move(reason))};
}

// What steps touch of the file, as locks of a table: SHARED conflicts with EXCLUSIVE alone,
// RESERVED also with itself.
void touch(Footprint& touched, FileLock lock) {
  using program::TableLock;
  if (lock == FileLock::Unlocked) return;
  const auto mode = lock == FileLock::Shared     ? TableLock::AccessShare
                    : lock == FileLock::Reserved ? TableLock::Exclusive
                                                 : TableLock::AccessExclusive;
  touched.tables.emplace_back(program::TableId{0}, mode);
}

}  // namespace

Connections::Connections(const ServerKind& kind, const program::Program& program,
                         std::size_t sessions)
    : kind_(kind), program_(&program), committed_(program), connections_(sessions) {}

std::unique_ptr<SteppedServer> Connections::copy() const {
  return std::make_unique<Connections>(*this);
}

// --- sessions that have nothing to do ---

// BEGIN DEFERRED takes no lock; BEGIN IMMEDIATE goes with what comes first.
void Connections::begin(SessionIndex session, const BeginOptions& options) {
  ISOMER_ASSERT(connections_[session].lock == FileLock::Unlocked);
  connections_[session] = {.is_immediate = options.is_immediate};
}

std::optional<Reply> Connections::start(SessionIndex session, Task task) {
  Connection& of = connections_[session];
  ISOMER_ASSERT(!of.task);
  of.lock_before = of.lock;
  if (of.begin_fault && task.kind != Task::Kind::RollBack)
    return Reply{.kind = Reply::Kind::Failed, .fault = *of.begin_fault};
  const AsksServer::Kind kind = task.what.kind;
  const bool asks = task.kind == Task::Kind::Ask;
  of.task = std::move(task);
  if (asks && (kind == AsksServer::Kind::Savepoint || kind == AsksServer::Kind::Release))
    return between(of);
  return std::nullopt;
}

// A savepoint is nobody else's business.
Reply Connections::between(Connection& of) {
  const AsksServer what = std::exchange(of.task, std::nullopt)->what;
  if (what.kind == AsksServer::Kind::Savepoint) {
    of.savepoints.emplace_back(what.savepoint, of.tables);
    return {};
  }
  const auto place =
      std::find_if(of.savepoints.rbegin(), of.savepoints.rend(),
                   [&](const auto& other) { return other.first == what.savepoint; });
  ISOMER_ASSERT(place != of.savepoints.rend());
  of.savepoints.erase(place.base() - 1, of.savepoints.end());
  return {};
}

// --- locks ---

// Whoever writes is a reader first.  Nobody can tell, unless there is no busy timeout: then
// others fail in that instant.
FileLock Connections::wanted(const Connection& of) const {
  using enum FileLock;
  if (!of.task || of.task->kind == Task::Kind::RollBack ||
      of.task->what.kind == AsksServer::Kind::RollbackTo)
    return Unlocked;
  const bool begins = of.is_immediate && !of.has_begun;
  if (begins || writes(*of.task)) {
    if (of.lock >= Reserved) return Unlocked;
    return kind_.fails_when_busy && of.lock == Unlocked ? Shared : Reserved;
  }
  if (of.task->kind == Task::Kind::Commit)
    return of.lock >= Reserved && of.lock < Exclusive && !kind_.has_wal ? Exclusive
                                                                        : Unlocked;
  return reads(*of.task) && of.lock == Unlocked ? Shared : Unlocked;
}

std::vector<SessionIndex> Connections::holders(SessionIndex session,
                                               FileLock wanted) const {
  using enum FileLock;
  const auto is_in_the_way = [&](const Connection& other) {
    switch (wanted) {
      case Unlocked:
        return false;
      case Shared:
        return other.lock >= Pending;
      case Reserved:
        return other.lock >= Reserved;
      case Pending:
      case Exclusive:
        return other.lock >= Shared;
    }
    return false;
  };
  std::vector<SessionIndex> out;
  for (SessionIndex i = 0; i < connections_.size(); ++i)
    if (i != session && is_in_the_way(connections_[i])) out.push_back(i);
  return out;
}

bool Connections::waits(const Connection& of, FileLock wanted) const {
  const bool raises = of.lock == FileLock::Shared && wanted == FileLock::Reserved;
  return !kind_.fails_when_busy && !raises;
}

bool Connections::is_outdated(const Connection& of) const {
  return of.lock == FileLock::Shared && of.commits != commits_;
}

void Connections::grant(Connection& of, FileLock wanted, Footprint& touched) {
  touch(touched, wanted);
  if (of.lock == FileLock::Unlocked) {
    of.commits = commits_;
    of.tables = committed_;
    if (log_ != nullptr) of.logged_commits = log_->commits();
    for (auto& [name, tables] : of.savepoints)
      tables = committed_;
  }
  of.lock = wanted;
  of.has_begun |= wanted == FileLock::Reserved;
}

// A statement that fails leaves the locks as it found them; COMMIT keeps PENDING.
Reply Connections::refuse(Connection& of, FileLock wanted, const ResultCode& code,
                          Footprint& touched) {
  touch(touched, wanted);
  touch(touched, of.lock);
  Reply out = failure(code, "database is locked");
  const bool begins = of.is_immediate && !of.has_begun;
  if (begins) of.begin_fault = out.fault;
  out.goes_on = of.task->kind == Task::Kind::Commit && !begins;
  of.lock = out.goes_on ? FileLock::Pending : of.lock_before;
  of.task.reset();
  return out;
}

// --- steps ---

bool Connections::is_working(SessionIndex session) const {
  return connections_[session].task.has_value();
}

std::vector<SessionIndex> Connections::blockers(SessionIndex session) const {
  const Connection& of = connections_[session];
  const FileLock lock = wanted(of);
  return waits(of, lock) ? holders(session, lock) : std::vector<SessionIndex>();
}

// A lock, and if none is missing then, all that the task does.  Without a busy timeout, a
// lock is a step of its own.
std::optional<Reply> Connections::step(SessionIndex session, Footprint& touched) {
  Connection& of = connections_[session];
  ISOMER_ASSERT(of.task);
  std::erase(sleepers_, session);
  for (FileLock lock = wanted(of); lock != FileLock::Unlocked; lock = wanted(of)) {
    const bool is_free = holders(session, lock).empty();
    if (!is_free && waits(of, lock)) return std::nullopt;
    if (!is_free) return refuse(of, lock, busy, touched);
    if (lock == FileLock::Reserved && is_outdated(of))
      return refuse(of, lock, of.lock_before == of.lock ? busy_snapshot : busy, touched);
    grant(of, lock, touched);
    if (kind_.fails_when_busy) return std::nullopt;
  }
  return execute(session, touched);
}

Reply Connections::execute(SessionIndex session, Footprint& touched) {
  Connection& of = connections_[session];
  const Task task = *std::exchange(of.task, std::nullopt);
  if (task.kind != Task::Kind::Ask) {
    note_end(of, touched);
    const bool changes = task.kind == Task::Kind::Commit && of.lock >= FileLock::Reserved;
    if (changes) {
      committed_ = of.tables;
      commits_ += of.has_written ? 1 : 0;
    }
    of = {};
    return {};
  }
  if (task.what.kind == AsksServer::Kind::RollbackTo) {
    of.task = task;
    return roll_back_to(of);
  }
  // What needs no lock looks at no row.
  Tables none = committed_;
  Statement statement(*program_, of.lock == FileLock::Unlocked ? none : of.tables, task,
                      {.log = log_, .session = session, .commits = of.logged_commits});
  Reply out = statement.run();
  of.has_written |= statement.has_written();
  return out;
}

// The locks stay.
Reply Connections::roll_back_to(Connection& of) {
  const std::string name = std::exchange(of.task, std::nullopt)->what.savepoint;
  const auto place = std::find_if(of.savepoints.rbegin(), of.savepoints.rend(),
                                  [&](const auto& other) { return other.first == name; });
  ISOMER_ASSERT(place != of.savepoints.rend());
  of.savepoints.erase(place.base(), of.savepoints.end());
  of.tables = of.savepoints.back().second;
  return {};
}

// What it gives back.  A write-ahead log keeps no account of readers that matters.
void Connections::note_end(const Connection& of, Footprint& touched) const {
  touched.ends = true;
  if (of.lock == FileLock::Shared && kind_.has_wal) return;
  const bool changes = kind_.has_wal && of.lock == FileLock::Reserved && of.has_written;
  touch(touched, changes ? FileLock::Exclusive : of.lock);
}

// --- waiting ---

void Connections::sleep(SessionIndex session, Footprint& touched) {
  Connection& of = connections_[session];
  const FileLock lock = wanted(of);
  touch(touched, lock);
  if (lock == FileLock::Exclusive) of.lock = FileLock::Pending;
  if (!is_asleep(session)) sleepers_.push_back(session);
}

std::vector<SessionIndex> Connections::victims_of(
    std::span<const SessionIndex> circle) const {
  return {circle.begin(), circle.end()};
}

Reply Connections::fail_as_victim(SessionIndex session, Footprint& touched) {
  Connection& of = connections_[session];
  std::erase(sleepers_, session);
  return refuse(of, wanted(of), busy, touched);
}

// --- what can be seen from outside ---

std::vector<std::vector<std::vector<program::Value>>> Connections::committed_rows() const {
  return committed_.sorted();
}

// Who has a lock has either seen the newest commit or will never write.
void Connections::add_to(Digest& digest) const {
  committed_.add_to(digest);
  for (const Connection& of : connections_) {
    digest.add(static_cast<std::uint64_t>(of.lock))
        .add(static_cast<std::uint64_t>(of.lock_before))
        .add((of.is_immediate ? 1U : 0U) | (of.has_written ? 2U : 0U) |
             (is_outdated(of) ? 4U : 0U) | (of.begin_fault ? 8U : 0U) |
             (of.task ? 16U : 0U) | (of.has_begun ? 32U : 0U));
    if (of.lock != FileLock::Unlocked) of.tables.add_to(digest);
    digest.add(of.savepoints.size());
    for (const auto& [name, tables] : of.savepoints) {
      digest.add(std::string_view(name));
      if (of.lock != FileLock::Unlocked) tables.add_to(digest);
    }
  }
  digest.add(sleepers_.size());
  for (const SessionIndex session : sleepers_)
    digest.add(session);
}

}  // namespace isomer::database::sqlite
