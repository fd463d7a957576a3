// SPDX-License-Identifier: MIT
// Steps, and what becomes of a statement.
#include "database/innodb/statement.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "database/innodb/locks.h"
#include "database/innodb/records.h"

namespace isomer::database::innodb {

using program::AsksServer;
using program::LockWait;
using Touch = TouchedRange::Access;

std::vector<TrxId> holders(const State& state, TrxId trx, const Request& request) {
  if (!request.lock || request.wait != LockWait::Wait ||
      has_lock(state, trx, *request.lock))
    return {};
  if (request.is_semi_consistent) return {};
  return holders(state, trx, *request.lock);
}

Statement::Statement(State& state, TrxId trx, const Terms& terms, Work& work, Pace pace)
    : state_(state),
      trx_(trx),
      terms_(terms),
      work_(work),
      pace_(pace),
      execution_{.view = program::View(*state.program, program::Granularity::Row,
                                       no_writes_, no_answers_)},
      reader_(*this) {
  execution_.reader = &reader_;
  execution_.context.variables = work.variables;
  execution_.context.found = work.found;
  execution_.context.row_count = work.row_count;
  program::connect_queries(execution_);
}

namespace {

bool locks_exclusively(const program::Select& query) {
  return std::any_of(query.from.begin(), query.from.end(), [](const auto& source) {
    return source.lock >= program::Lock::NoKeyUpdate;
  });
}

bool is_refused_to_readers(const program::Statement& statement) {
  return statement.insert || statement.update || statement.erase ||
         (statement.query && locks_exclusively(*statement.query));
}

}  // namespace

std::optional<Reply> Statement::run() {
  std::optional<Reply> reply;
  const program::Statement* statement = work_.what.statement;
  if (statement != nullptr && terms_.is_read_only && is_refused_to_readers(*statement)) {
    fail(read_only, "Cannot execute statement in a READ ONLY transaction");
  } else if (!takes_view_first()) {
    return std::nullopt;
  } else if (work_.what.kind == AsksServer::Kind::Value) {
    reply = value();
  } else if (statement->insert) {
    reply = insert(*statement->insert);
  } else if (statement->update) {
    reply = update(*statement->update);
  } else if (statement->erase) {
    reply = erase(*statement->erase);
  } else if (statement->query) {
    reply = query(*statement->query, program::rows_taken(*statement));
  } else {
    execution_.context.give_up("0A000", "MariaDB has no such statement");
  }
  if (is_waiting_) return std::nullopt;
  if (fault()) {
    name_fault();
    return Reply{.kind = Reply::Kind::Failed, .fault = *fault()};
  }
  ISOMER_ASSERT(reply);
  return reply;
}

// --- errors ---

std::optional<program::Fault>& Statement::fault() const {
  return execution_.context.fault;
}

bool Statement::fail(const ErrorCode& code, std::string reason) {
  if (!is_stopped()) fault() = fault_of(code, std::move(reason));
  return false;
}

Outcome Statement::failed(const ErrorCode& code, std::string reason) {
  return {.kind = Outcome::Kind::Failed, .fault = fault_of(code, std::move(reason))};
}

bool Statement::took(const OutcomePtr& outcome) {
  if (!outcome) return false;
  if (outcome->fault) fault() = outcome->fault;
  return !outcome->fault;
}

// MariaDB's names for what the interpreter found; where it may well go on, nobody knows.
void Statement::name_fault() {
  program::Fault& of = *fault();
  ends_transaction = of.number == record_changed.number;
  if (of.number != 0) return;
  const program::Span at = of.at;
  const bool writes = work_.what.statement != nullptr && !work_.what.statement->query;
  if (of.sqlstate == "23502") {
    of = fault_of(not_null_failed, of.reason);
  } else if (of.sqlstate == "23514") {
    of = fault_of(check_failed, of.reason);
  } else if (of.sqlstate == "21000") {
    of = fault_of(several_rows, "Subquery returns more than 1 row");
  } else if (of.sqlstate == "22001" && writes) {
    of = fault_of(too_long, of.reason);
  } else if (of.sqlstate == "22012" && writes) {
    of = fault_of(division_by_zero, "Division by 0");
  } else if (!of.is_limit) {
    of.reason = fmt::format("MariaDB may go on where PostgreSQL says: {}", of.reason);
    of.is_limit = true;
  }
  of.at = at;
}

// --- steps ---

Statement::OutcomePtr Statement::once(const std::function<Outcome()>& act) {
  if (is_stopped()) return nullptr;
  if (next_ == work_.log.size()) {
    work_.log.push_back(std::make_shared<const Outcome>(act()));
    work_.waited_for.reset();
  }
  return work_.log[next_++];
}

Statement::OutcomePtr Statement::step(const std::function<Request()>& request,
                                      const Act& act) {
  if (is_stopped()) return nullptr;
  if (next_ < work_.log.size()) return work_.log[next_++];
  Request next = request();
  if (pace_ == Pace::None || !holders(state_, trx_, next).empty()) {
    is_waiting_ = true;
    wanted = std::move(next);
    return nullptr;
  }
  if (pace_ == Pace::OneStep) pace_ = Pace::None;
  has_stepped = true;
  return once([&] { return act(next); });
}

void Statement::lock_table(TableId table, LockMode mode) {
  auto& held = transaction().table_locks;
  const auto is_held = [&](const auto& lock) {
    return lock.first == table && lock.second >= mode;
  };
  if (std::none_of(held.begin(), held.end(), is_held)) held.emplace_back(table, mode);
}

std::optional<bool> Statement::take(const Request& request) {
  const LockRequest& lock = *request.lock;
  const bool is_exclusive = lock.mode == LockMode::Exclusive;
  if (lock.kind != LockKind::Gap && lock.kind != LockKind::InsertIntention)
    touch_record(lock.record, is_exclusive ? Touch::Write : Touch::Read, touched);
  touch_gap(state_, lock.record, Touch::Read, touched);
  if (has_lock(state_, trx_, lock)) return false;
  if (!holders(state_, trx_, lock).empty()) {
    touched.tries = true;
    touch_queue(lock.record, touched);
    const bool is_heavier = make_implicit_lock_explicit(state_, lock.record, trx_);
    touched.queues |= is_heavier || request.is_semi_consistent;
    return std::nullopt;
  }
  lock_table(lock.record.table, lock.mode);
  touch_queue(lock.record, touched);
  return take_lock(state_, trx_, lock);
}

// --- innodb_snapshot_isolation ---

bool Statement::is_changed_since_view(TableId table, const Key& row) const {
  if (!terms_.has_snapshot_isolation || !transaction().view) return false;
  if (!transaction().locks_gaps()) return false;
  const Versions* versions = state_.versions(table, row);
  if (versions == nullptr) return false;
  const TrxId writer = versions->back().writer;
  return writer != trx_ && !state_.is_committed_by(writer, *transaction().view);
}

std::optional<Outcome> Statement::refused_change(const RecordId& record) const {
  if (record.index != clustered || !record.key ||
      !is_changed_since_view(record.table, *record.key))
    return std::nullopt;
  return failed(record_changed,
                fmt::format("Record has changed since last read in table '{}'",
                            state_.table(record.table).name));
}

}  // namespace isomer::database::innodb
