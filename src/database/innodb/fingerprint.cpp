// SPDX-License-Identifier: MIT
// A state without numbers that depend on who was faster.
#include <algorithm>

#include "database/innodb/engine.h"

namespace isomer::database::innodb {
namespace {

struct MomentDigest {
  Digest& digest;
  const Engine& engine;
  std::size_t sessions;
  const State& state;
  std::vector<std::uint32_t> views{};  // of those that run

  MomentDigest(Digest& into, const Engine& of, std::size_t session_count)
      : digest(into), engine(of), sessions(session_count), state(of.state()) {
    for (SessionIndex session = 0; session < sessions; ++session)
      if (const auto view = view_of(session)) views.push_back(*view);
  }

  [[nodiscard]] std::optional<std::uint32_t> view_of(SessionIndex session) const {
    const auto trx = engine.session(session).trx;
    return trx ? state.transactions[*trx].view : std::nullopt;
  }

  // Who runs has a name; of others counts which views see them.
  void add_writer(TrxId trx) {
    const bool runs = state.is_running(trx);
    digest.add(runs ? 1 + state.transactions[trx].session : 0);
    if (runs) return;
    for (const std::uint32_t view : views)
      digest.add(static_cast<std::uint64_t>(state.is_committed_by(trx, view)));
  }

  void add_table(TableId table) {
    const Records& records = state.records(table);
    digest.add(records.rows.size());
    for (const auto& [key, versions] : records.rows) {
      add_values(digest, key);
      digest.add(versions.size());
      for (const Version& version : versions) {
        add_value(digest, version.row);
        add_writer(version.writer);
      }
    }
    for (IndexNumber i = 1; i < records.secondary.size(); ++i) {
      digest.add(records.secondary[i].size());
      for (const auto& [key, entry] : records.secondary[i]) {
        add_values(digest, key);
        digest.add(static_cast<std::uint64_t>(entry.is_deleted))
            .add(state.is_running(entry.writer)
                     ? 1 + state.transactions[entry.writer].session
                     : 0);
      }
    }
  }

  void add_record(const RecordId& record) {
    digest.add(record.table.index).add(record.index).add(record.key ? 1U : 0U);
    if (record.key) add_values(digest, *record.key);
  }

  // Only within the queue of a record does the order count.
  void add_locks() {
    std::vector<const HeldLock*> all;
    for (const HeldLock& lock : state.locks)
      all.push_back(&lock);
    std::stable_sort(all.begin(), all.end(), [](const HeldLock* a, const HeldLock* b) {
      return std::tie(a->record.table, a->record.index, a->record.key) <
             std::tie(b->record.table, b->record.index, b->record.key);
    });
    digest.add(all.size());
    for (const HeldLock* lock : all) {
      add_record(lock->record);
      digest.add(state.transactions[lock->trx].session)
          .add(static_cast<std::uint64_t>(lock->mode))
          .add(static_cast<std::uint64_t>(lock->kind))
          .add(static_cast<std::uint64_t>(lock->is_waiting));
    }
    digest.add(state.sleepers.size());
    for (const Sleeper& sleeper : state.sleepers) {
      digest.add(sleeper.session);
      add_record(sleeper.request.record);
    }
  }

  void add_transaction(const Transaction& trx) {
    digest.add(trx.undo.size()).add(trx.weight()).add(trx.view ? 1U : 0U);
    digest.add(trx.updates_duplicates ? 1U : 0U);
    for (const UndoRecord& change : trx.undo) {
      digest.add(change.table.index);
      add_values(digest, change.key);
    }
    auto structs = trx.structs;
    std::sort(structs.begin(), structs.end());
    for (const LockStruct& of : structs)
      digest.add(of.table.index)
          .add(of.index)
          .add(static_cast<std::uint64_t>(of.mode))
          .add(static_cast<std::uint64_t>(of.kind));
  }

  void add_outcome(const Outcome& outcome) {
    digest.add(static_cast<std::uint64_t>(outcome.kind))
        .add(outcome.choice)
        .add((outcome.is_new ? 1U : 0U) | (outcome.key ? 2U : 0U) |
             (outcome.fault ? 4U : 0U));
    if (outcome.key) add_values(digest, *outcome.key);
    if (outcome.fault) add_fault(digest, *outcome.fault);
    add_value(digest, outcome.row);
    add_values(digest, outcome.values);
    add_reply(digest, outcome.reply);
  }

  void add_session(const Session& of) {
    digest.add((of.trx ? 1U : 0U) | (of.uses_tables ? 2U : 0U) | (of.work ? 4U : 0U));
    if (of.trx) add_transaction(state.transactions[*of.trx]);
    digest.add(of.savepoints.size());
    for (const Savepoint& savepoint : of.savepoints)
      digest.add(std::string_view(savepoint.name))
          .add(savepoint.changes)
          .add(static_cast<std::uint64_t>(savepoint.is_known));
    if (!of.work) return;
    digest.add(of.work->log.size()).add(of.work->waited_for ? 1U : 0U);
    if (of.work->waited_for) add_record(*of.work->waited_for);
    for (const auto& outcome : of.work->log)
      add_outcome(*outcome);
  }
};

}  // namespace

void add(Digest& digest, const Engine& engine, std::size_t sessions) {
  MomentDigest moment(digest, engine, sessions);
  const State& state = engine.state();
  for (std::uint32_t table = 0; table < state.tables.size(); ++table)
    moment.add_table({table});
  moment.add_locks();
  for (SessionIndex session = 0; session < sessions; ++session)
    moment.add_session(engine.session(session));
}

}  // namespace isomer::database::innodb
