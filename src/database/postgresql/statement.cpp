// SPDX-License-Identifier: MIT
// Steps, snapshots, and locks that are not of rows.
#include "database/postgresql/statement.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "database/postgresql/row_locks.h"
#include "database/postgresql/tables_used.h"
#include "program/machine/constraints.h"
#include "program/machine/references.h"

namespace isomer::database::postgresql {

using program::AsksServer;

Statement::Statement(State& state, SessionIndex session, Standing& standing, Work& work,
                     Pace pace)
    : state_(state),
      session_(session),
      standing_(standing),
      work_(work),
      pace_(pace),
      command_(work.command),
      execution_{.view = program::View(*state.program, program::Granularity::Row,
                                       no_writes_, no_answers_)},
      reader_(*this) {
  execution_.reader = &reader_;
  execution_.context.variables = work.variables;
  execution_.context.found = work.found;
  execution_.context.row_count = work.row_count;
  program::connect_queries(execution_);
  if (state_.log == nullptr) return;
  execution_.context.query = [this, answered = std::move(execution_.context.query)](
                                 const program::Expression& query,
                                 const program::Rows* rows) {
    ++subqueries_;
    Value out = answered(query, rows);
    --subqueries_;
    return out;
  };
}

std::optional<Reply> Statement::run() {
  std::optional<Reply> reply;
  if (work_.awaits_safety && !await_safety()) return std::nullopt;
  if (work_.kind == Task::Kind::Commit) {
    reply = check_at_commit();
  } else if (work_.what.kind == AsksServer::Kind::Value) {
    reply = value();
  } else {
    ISOMER_ASSERT(work_.what.kind == AsksServer::Kind::Statement);
    const program::Statement& statement = *work_.what.statement;
    using Kind = program::Statement::Kind;
    if (statement.kind == Kind::LockTable)
      reply = lock_table_statement();
    else if (statement.kind == Kind::AdvisoryLock)
      reply = advise();
    else if (statement.kind == Kind::SetConstraints)
      reply = set_constraints();
    else if (statement.insert)
      reply = insert(*statement.insert);
    else if (statement.update)
      reply = update(*statement.update);
    else if (statement.erase)
      reply = erase(*statement.erase);
    else if (statement.merge)
      reply = merge(*statement.merge);
    else
      reply = query(*statement.query, program::rows_taken(statement));
  }
  if (is_waiting_) return std::nullopt;
  if (!fault() && !note_late_reads()) fault() = serialization_failure().fault;
  if (fault()) return Reply{.kind = Reply::Kind::Failed, .fault = *fault()};
  ISOMER_ASSERT(reply);
  keep_late_checks();
  standing_.command = command_ + 1;
  return reply;
}

// --- steps ---

std::optional<program::Fault>& Statement::fault() const {
  return execution_.context.fault;
}

bool Statement::fail(std::string sqlstate, std::string reason) {
  execution_.context.fail(std::move(sqlstate), std::move(reason));
  return false;
}

Outcome Statement::failed(std::string sqlstate, std::string reason) const {
  return {.kind = Outcome::Kind::Failed,
          .fault = program::Fault{
              .reason = std::move(reason), .sqlstate = std::move(sqlstate), .at = {}}};
}

bool Statement::took(const OutcomePtr& outcome) {
  if (!outcome) return false;
  if (outcome->fault) fault() = outcome->fault;
  return !outcome->fault;
}

Statement::OutcomePtr Statement::once(const std::function<Outcome()>& act) {
  if (is_stopped()) return nullptr;
  if (next_ == work_.log.size())
    work_.log.push_back(std::make_shared<const Outcome>(act()));
  return work_.log[next_++];
}

Statement::OutcomePtr Statement::step(Request request,
                                      const std::function<Outcome()>& act) {
  if (is_stopped()) return nullptr;
  if (next_ < work_.log.size()) return work_.log[next_++];
  if (pace_ == Pace::None || !blockers(state_, standing_, session_, request).empty() ||
      is_asleep_again(request)) {
    is_waiting_ = true;
    wanted = std::move(request);
    return nullptr;
  }
  if (pace_ == Pace::OneStep) pace_ = Pace::None;
  touched.tries |= request.wait != LockWait::Wait;
  // What was computed since the last step belongs to it.
  const bool is_serializable = note_late_reads();
  const OutcomePtr out =
      once([&] { return is_serializable ? act() : serialization_failure(); });
  // It has left the queue in which it slept.
  std::erase_if(state_.sleepers,
                [&](const Sleeper& sleeper) { return sleeper.session == session_; });
  return out;
}

bool Statement::is_asleep_again(const Request& request) {
  if (request.kind != Request::Kind::LockRow ||
      !sleeps_on(state_, standing_, session_, request))
    return false;
  touched.rows.push_back({.table = request.table,
                          .row = state_.heap(request.table)[request.place].row,
                          .strength = request.strength});
  return true;
}

// --- snapshots ---

Snapshot Statement::fresh_snapshot() const {
  return {.commits = state_.commits, .top = standing_.top, .command = command_};
}

Snapshot Statement::statement_snapshot() {
  Snapshot out = fresh_snapshot();
  if (!standing_.has_one_snapshot()) return out;
  if (!standing_.snapshot) {
    standing_.snapshot = out.commits;
    begin_serializable(state_, standing_);
    touched.is_serializable |= standing_.level == IsolationLevel::Serializable;
    for (std::uint32_t i = 0; i < state_.heaps.size(); ++i)
      touched.reads.push_back({.table = {i}});
  }
  out.commits = *standing_.snapshot;
  return out;
}

bool Statement::note_reads(bool is_fresh, Reads reads) {
  bool is_serializable = true;
  for (const Region& region : std::exchange(reader_.regions, {})) {
    if (is_fresh) touched.reads.push_back(region);
    if (reads == Reads::Regions) is_serializable &= note_read(region);
  }
  return is_serializable;
}

// What a statement reads behind its snapshot was noted with that, except by the UPDATE of
// ON CONFLICT.
bool Statement::note_late_reads() {
  const program::Statement* const statement = work_.what.statement;
  const bool is_known =
      statement == nullptr || !statement->insert ||
      statement->insert->on_conflict != program::Insert::OnConflict::Update;
  return note_reads(false, is_known ? Reads::Statement : Reads::Regions);
}

std::vector<Value> Statement::Reader::rows(TableId table,
                                           std::span<const std::optional<Value>> pins) {
  Region region{.table = table};
  const auto& key = statement_.state_.table(table).primary_key;
  for (std::size_t i = 0; i < pins.size(); ++i)
    if (pins[i]) region.equal.emplace_back(key[i], *pins[i]);
  return rows(std::move(region));
}

std::vector<Value> Statement::Reader::rows(Region region) {
  const State& state = statement_.state_;
  if (state.log != nullptr) {
    const auto& to_lock = statement_.to_lock_;
    // Of several parts that lock, what one finds anew says nothing of the others' looks.
    const bool locks =
        statement_.subqueries_ == 0 && !statement_.work_.has_inner_steps &&
        std::find(to_lock.begin(), to_lock.end(), region.table) != to_lock.end();
    statement_.log_look({.region = region, .commits = snapshot.commits, .locks = locks});
  }
  std::vector<Value> out;
  for (const Version& version : state.heap(region.table))
    if (region.has(version.values) && state.is_visible(version, snapshot))
      out.push_back(version.values);
  regions.push_back(std::move(region));
  return out;
}

// --- for the log of accesses ---

void Statement::log_look(const Look& look) const {
  if (state_.log != nullptr) state_.log->look(session_, look);
}

// Its newest version may have another key.
void Statement::log_look_again(TableId table, Place found) const {
  if (state_.log == nullptr) return;
  const Heap& heap = state_.heap(table);
  const auto& columns = state_.table(table).primary_key;
  const auto key_at = [&](Place place) {
    return program::picked(heap[place].values.items(), columns);
  };
  const auto key = key_at(found);
  Look look{
      .region = region_of(table, columns, key), .commits = state_.commits, .locks = true};
  for (Place place = found; state_.is_replaced(heap[place]); place = heap[place].next) {
    const Place next = heap[place].next;
    if (next != nowhere && key_at(next) == key) continue;
    look.is_gone = true;
    look.commits = state_.actors[state_.actors[heap[place].eraser].top].commit_number;
    break;
  }
  log_look(look);
  const Place newest = state_.newest(table, found);
  if (newest != nowhere && key_at(newest) != key)
    log_look({.region = region_of(table, columns, key_at(newest)),
              .commits = state_.commits,
              .locks = true});
}

void Statement::log_write(TableId table, const Value& before, const Value& after) const {
  if (state_.log == nullptr) return;
  const auto columns = [&](const Value& row) {
    if (row.is_null()) return row;
    const auto items = row.items().first(state_.table(table).columns.size());
    return Value::list({items.begin(), items.end()});
  };
  state_.log->write(session_,
                    {.table = table, .before = columns(before), .after = columns(after)});
}

// A snapshot is safe once those who wrote at its time have ended, none of them in a way
// that could put the reader into a cycle.  Then nothing of it needs to be watched.
bool Statement::await_safety() {
  while (true) {
    if (!step({.kind = Request::Kind::Read}, [&]() -> Outcome {
          statement_snapshot();
          return {};
        }))
      return false;
    const auto outcome = step({.kind = Request::Kind::AwaitSafety}, [&]() -> Outcome {
      touched.is_serializable = true;
      const bool tries_again = is_unsafe(state_, standing_);
      forget_serializable(state_, standing_.top);
      if (tries_again) standing_.snapshot.reset();
      return {.kind = tries_again ? Outcome::Kind::Changed : Outcome::Kind::Done};
    });
    if (!outcome) return false;
    if (outcome->kind == Outcome::Kind::Done) return true;
  }
}

// --- locks of tables ---

Statement::OutcomePtr Statement::read(const std::function<Snapshot()>& snapshot,
                                      const std::function<Outcome()>& compute,
                                      Reads reads) {
  const auto out = step({.kind = Request::Kind::Read}, [&] {
    reader_.snapshot = snapshot();
    Outcome outcome = compute();
    outcome.snapshot = reader_.snapshot;
    const bool is_fresh = reader_.snapshot.commits == state_.commits;
    bool is_serializable = true;
    if (reads == Reads::Statement && standing_.level == IsolationLevel::Serializable)
      is_serializable = note_statement_read(reader_.snapshot, tables_read(work_.what));
    if (is_fresh)
      for (const TableUse& use :
           work_.has_inner_steps ? tables_of(work_.what) : late_tables_of(work_.what))
        touched.reads.push_back({.table = use.table});
    if (!note_reads(is_fresh, reads) || !is_serializable) outcome = serialization_failure();
    if (outcome.fault) outcome.kind = Outcome::Kind::Failed;
    return outcome;
  });
  // What follows a read in the log sees what that saw.
  if (out) reader_.snapshot = out->snapshot;
  return took(out) ? out : nullptr;
}

// A wait for the lock of a table comes before the snapshot at READ COMMITTED, and behind it
// at the levels above, but before anything is read.
Statement::OutcomePtr Statement::read_tables(const std::function<Outcome()>& compute) {
  if (work_.has_inner_steps) return computed_in_steps(compute);
  const auto snapshot = [&] { return statement_snapshot(); };
  if (state_.has_table_locks && standing_.has_one_snapshot() &&
      !read(snapshot, [] { return Outcome{}; }, Reads::Nothing))
    return nullptr;
  if (!lock_tables()) return nullptr;
  return read(snapshot, compute);
}

// The snapshot is a step of its own, and the rest is computed again for each step inside of
// it: it sees that snapshot, and what the steps gave.
Statement::OutcomePtr Statement::computed_in_steps(
    const std::function<Outcome()>& compute) {
  if (!is_in_with_) {
    if (standing_.is_read_only) {
      refuse_to_write("SELECT FOR UPDATE");
      return nullptr;
    }
    const auto snapshot = [&] { return statement_snapshot(); };
    if (!standing_.has_one_snapshot() && !lock_tables()) return nullptr;
    if (!read(snapshot, [] { return Outcome{}; })) return nullptr;
    if (standing_.has_one_snapshot() && !lock_tables()) return nullptr;
  }
  Outcome outcome = compute();
  if (is_waiting_) return nullptr;
  const auto out = once([&] {
    if (outcome.fault) outcome.kind = Outcome::Kind::Failed;
    return std::move(outcome);
  });
  return took(out) ? out : nullptr;
}

bool Statement::lock_tables() {
  if (!state_.has_table_locks) return !is_stopped();
  for (const TableUse& use : tables_of(work_.what))
    if (!lock_table(use.table, use.mode, LockWait::Wait)) return false;
  return true;
}

void Statement::refuse_to_write(std::string_view what) {
  if (!standing_.has_one_snapshot() && !lock_tables()) return;
  if (!read([&] { return statement_snapshot(); }, [] { return Outcome{}; }, Reads::Nothing))
    return;
  if (standing_.has_one_snapshot() && !lock_tables()) return;
  fail("25006", fmt::format("cannot execute {} in a read-only transaction", what));
}

bool Statement::lock_table(TableId table, TableLock mode, LockWait wait) {
  // It is written to the log for standby servers, under a transaction id.
  if (mode == TableLock::AccessExclusive && !is_stopped()) state_.give_xid(standing_.actor);
  const Request request{
      .kind = Request::Kind::LockTable, .table = table, .wait = wait, .mode = mode};
  return took(step(request, [&]() -> Outcome {
    touched.tables.emplace_back(table, mode);
    const bool is_held = std::any_of(state_.table_locks.begin(), state_.table_locks.end(),
                                     [&](const HeldTableLock& held) {
                                       return held.table == table &&
                                              state_.is_others(held.actor, standing_.top) &&
                                              conflict(held.mode, mode);
                                     });
    if (is_held)
      return failed("55P03", fmt::format("could not obtain lock on relation \"{}\"",
                                         state_.table(table).name));
    state_.table_locks.push_back({.table = table, .actor = standing_.actor, .mode = mode});
    return {};
  }));
}

std::optional<Reply> Statement::lock_table_statement() {
  const program::Statement& statement = *work_.what.statement;
  for (const TableId table : statement.tables)
    if (!lock_table(table, statement.table_lock, statement.lock_wait)) return std::nullopt;
  return Reply{};
}

// --- advisory locks ---

std::optional<Reply> Statement::advise() {
  using Act = program::AdvisoryLock::Act;
  const program::AdvisoryLock& lock = *work_.what.statement->advisory;
  // A SELECT like others: at REPEATABLE READ it takes the snapshot before it waits.
  if (!read([&] { return statement_snapshot(); }, [] { return Outcome{}; }, Reads::Nothing))
    return std::nullopt;
  std::vector<Value> key;
  for (const auto& part : lock.key)
    key.push_back(program::evaluate(*part, nullptr, execution_.context));
  if (is_stopped()) return std::nullopt;
  const bool is_null =
      std::any_of(key.begin(), key.end(), [](const Value& part) { return part.is_null(); });
  const auto outcome = step(
      {.kind = Request::Kind::Advise,
       .wait = lock.act == Act::Lock ? LockWait::Wait : LockWait::NoWait,
       .keys = {key},
       .is_shared = lock.is_shared},
      [&]() -> Outcome {
        auto& held = state_.advisory_locks;
        touched.advised.emplace_back(key, lock.is_shared);
        touched.ends |= lock.act == Act::Unlock || lock.act == Act::UnlockAll;
        if (is_null) return {.values = {Value()}};
        const auto is_mine = [&](const HeldAdvisoryLock& other) {
          return other.actor == nobody && other.session == session_;
        };
        if (lock.act == Act::UnlockAll) {
          for (const HeldAdvisoryLock& other : held)
            if (is_mine(other)) touched.advised.emplace_back(other.key, other.is_shared);
          std::erase_if(held, is_mine);
          return {.values = {Value()}};
        }
        if (lock.act == Act::Unlock) {
          const auto mine = std::find_if(held.begin(), held.end(), [&](const auto& other) {
            return is_mine(other) && other.key == key && other.is_shared == lock.is_shared;
          });
          const bool has_lock = mine != held.end();
          if (has_lock) held.erase(mine);
          return {.values = {Value::boolean(has_lock)}};
        }
        const bool is_taken = std::any_of(held.begin(), held.end(), [&](const auto& other) {
          return other.key == key && other.session != session_ &&
                 (other.actor == nobody || state_.is_running(other.actor)) &&
                 !(other.is_shared && lock.is_shared);
        });
        if (is_taken) return {.values = {Value::boolean(false)}};
        held.push_back({.key = key,
                        .session = session_,
                        .actor = lock.is_of_session ? nobody : standing_.actor,
                        .is_shared = lock.is_shared});
        return {.values = {lock.act == Act::TryLock ? Value::boolean(true) : Value()}};
      });
  if (!took(outcome)) return std::nullopt;
  return Reply{.rows = {outcome->values}, .count = 1};
}

}  // namespace isomer::database::postgresql
