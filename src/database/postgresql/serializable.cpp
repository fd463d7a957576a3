// SPDX-License-Identifier: MIT
// SERIALIZABLE (rule 10): no dangerous structure among SERIALIZABLE transactions.  A reads
// what B overwrites: A -> B, A comes before B.  If T0 -> T1 -> T2 and T2 commits first of
// the three, there may be a cycle, and one of them must not commit (Cahill, Roehm & Fekete,
// SIGMOD'08; Ports & Grittner, VLDB'12, section 3, with their exception for readers: if T0
// writes nothing, T2 must have committed before its snapshot).
//
// A statement reads what its result depends on: another write concerns it if it would have
// seen something else (seen.h).  Whatever plan the server has, it looks at these rows; and
// since it locks pages and whole tables beside them, it may fail where the model does not,
// never the other way round.
#include <algorithm>
#include <array>

#include "database/postgresql/statement.h"
#include "program/machine/columns.h"

namespace isomer::database::postgresql {
namespace {

using Transaction = SerializableTransaction;

bool has(const std::vector<ActorId>& actors, ActorId actor) {
  return std::find(actors.begin(), actors.end(), actor) != actors.end();
}

// The order of commits among serializable transactions.
struct Structure {
  State& state;

  [[nodiscard]] bool is_committed(const Transaction& of) const {
    return state.is_committed(of.top);
  }

  [[nodiscard]] bool is_read_only(const Transaction& of) const {
    return of.is_read_only || (is_committed(of) && !of.has_written);
  }

  // The first committed, and not after the second.
  [[nodiscard]] bool commits_before(const Transaction& first,
                                    const Transaction& second) const {
    if (!is_committed(first)) return false;
    return !is_committed(second) ||
           state.actors[first.top].commit_number <= state.actors[second.top].commit_number;
  }

  [[nodiscard]] bool sees(const Transaction& of, const Transaction& committed) const {
    return state.actors[committed.top].commit_number <= of.snapshot;
  }

  // Is this structure dangerous?  t0 -> t1 -> t2.
  [[nodiscard]] bool is_dangerous(const Transaction& t0, const Transaction& t1,
                                  const Transaction& t2) const {
    return !t0.is_doomed && commits_before(t2, t0) && commits_before(t2, t1) &&
           !(is_read_only(t0) && !sees(t0, t2));
  }

  // Does the edge reader -> writer complete one?
  [[nodiscard]] bool is_completed_by(const Transaction& reader,
                                     const Transaction& writer) const {
    const auto completes = [&](ActorId t2) {
      const Transaction* third = serializable_transaction(state, t2);
      return third != nullptr && is_dangerous(reader, writer, *third);
    };
    const auto precedes = [&](ActorId t0) {
      const Transaction* first = serializable_transaction(state, t0);
      return first != nullptr && is_dangerous(*first, reader, writer);
    };
    return std::any_of(writer.out.begin(), writer.out.end(), completes) ||
           (!is_read_only(reader) &&
            std::any_of(reader.in.begin(), reader.in.end(), precedes));
  }

  // Notes reader -> writer.  If that is dangerous the writer has to go, unless it has
  // committed; false if it is `me` who has to.
  bool add_edge(Transaction& reader, Transaction& writer, const Transaction& me) const {
    if (has(reader.out, writer.top)) return true;
    if (is_completed_by(reader, writer)) {
      if (&writer == &me || is_committed(writer)) return false;
      writer.is_doomed = true;
    }
    reader.out.push_back(writer.top);
    writer.in.push_back(reader.top);
    return true;
  }
};

// Who made the row differ from what the reader sees: who inserted a row that it does not
// see, or erased one that it does.
ActorId writer_unseen(const State& state, const Version& version, const Snapshot& snapshot,
                      bool is_visible) {
  const ActorId writer = is_visible ? version.eraser : version.creator;
  if (writer == nobody || state.status(writer) == Actor::Status::RolledBack) return nobody;
  const ActorId top = state.actors[writer].top;
  const bool is_seen =
      state.is_committed(top) && state.actors[top].commit_number <= snapshot.commits;
  return top == snapshot.top || is_seen ? nobody : top;
}

// Does the write concern a region that the other has read: the row that it saw there, or a
// row that comes there?
bool concerns(const State& state, const Transaction& reader, const Region& region,
              const Version* before, const Value& after) {
  if (region.equal.empty()) return true;
  const bool was_there = before != nullptr && region.has(before->values);
  if (!was_there) return region.has(after);
  const ActorId creator = before->creator;
  return state.is_committed(creator) &&
         state.actors[state.actors[creator].top].commit_number <= reader.snapshot;
}

bool is_concurrent(const State& state, const Transaction& reader,
                   const Transaction& other) {
  return other.top != reader.top && other.has_written && !other.is_doomed &&
         !(state.is_committed(other.top) &&
           state.actors[other.top].commit_number <= reader.snapshot);
}

// Would the reader have seen something else if the writer had come before it?
bool concerns_alone(const State& state, const Transaction& reader,
                    const StatementRead& read, const Transaction& writer) {
  const auto sees = [&](std::span<const ActorId> also) {
    return read_again(state, read.task, read.snapshot, also);
  };
  // What the reader has undone since is not in the way of anything.
  const bool has_undone =
      std::any_of(state.actors.begin(), state.actors.end(), [&](const Actor& actor) {
        return actor.top == reader.top && actor.status == Actor::Status::RolledBack;
      });
  const std::array only{writer.top};
  return !sees(only).is_like(has_undone ? sees({}) : read.seen);
}

// Or after others that may have come before it too, and that are not known to concern the
// reader?
bool concerns_behind_others(const State& state, const Transaction& reader,
                            const StatementRead& read, const Transaction& writer) {
  std::vector<ActorId> others;
  for (const Transaction& other : state.serializable)
    if (is_concurrent(state, reader, other) && other.top != writer.top &&
        !has(reader.out, other.top))
      others.push_back(other.top);
  if (others.empty()) return false;
  const auto sees = [&](std::span<const ActorId> also) {
    return read_again(state, read.task, read.snapshot, also);
  };
  const Seen without = sees(others);
  others.push_back(writer.top);
  return !sees(others).is_like(without);
}

// Has it left something in these tables?
bool has_changed(const State& state, ActorId top, std::span<const TableId> tables) {
  const auto is_of = [&](ActorId actor) {
    return actor != nobody && state.is_own(actor, top);
  };
  return std::any_of(tables.begin(), tables.end(), [&](TableId table) {
    const Heap& heap = state.heap(table);
    return std::any_of(heap.begin(), heap.end(), [&](const Version& version) {
      return is_of(version.creator) || is_of(version.eraser);
    });
  });
}

}  // namespace

SerializableTransaction* serializable_transaction(State& state, ActorId top) {
  for (SerializableTransaction& of : state.serializable)
    if (of.top == top) return &of;
  return nullptr;
}

void begin_serializable(State& state, Standing& standing) {
  if (standing.level != IsolationLevel::Serializable) return;
  standing.writers.clear();
  if (standing.is_deferrable)
    for (const Transaction& of : state.serializable)
      if (state.is_running(of.top) && !of.is_doomed && !of.is_read_only)
        standing.writers.push_back(of.top);
  state.serializable.push_back({.top = standing.top,
                                .snapshot = *standing.snapshot,
                                .is_read_only = standing.is_read_only,
                                .writes_unnoticed = state.actors[standing.top].xid != 0});
}

Outcome Statement::serialization_failure() const {
  return failed("40001",
                "could not serialize access due to read/write dependencies among "
                "transactions");
}

bool Statement::note_read(const Region& read) {
  SerializableTransaction* mine = serializable_transaction(state_, standing_.top);
  if (mine == nullptr) return true;
  const Region& region = read;
  touched.is_serializable = true;
  touched.tracked.push_back(region);
  if (std::find(mine->regions.begin(), mine->regions.end(), region) == mine->regions.end())
    mine->regions.push_back(region);
  // The end of a chain that an index leads to is not looked at beyond the visible version.
  const Heap& heap = state_.heap(region.table);
  const Snapshot snapshot = reader_.snapshot;
  const auto sees_row = [&](RowId row) {
    return !region.equal.empty() &&
           std::any_of(heap.begin(), heap.end(), [&](const Version& other) {
             return other.row == row && state_.is_visible(other, snapshot);
           });
  };
  for (const Version& version : heap) {
    if (!region.has(version.values)) continue;
    if (mine->is_doomed) return false;
    const bool is_visible = state_.is_visible(version, snapshot);
    if (!is_visible && sees_row(version.row)) continue;
    SerializableTransaction* writer = serializable_transaction(
        state_, writer_unseen(state_, version, snapshot, is_visible));
    if (writer == nullptr || writer->is_doomed || writer->writes_unnoticed) continue;
    if (!Structure{state_}.add_edge(*mine, *writer, *mine)) return false;
  }
  return true;
}

bool Statement::note_statement_read(const Snapshot& snapshot, std::vector<TableId> tables) {
  SerializableTransaction* mine = serializable_transaction(state_, standing_.top);
  if (mine == nullptr || tables.empty()) return true;
  touched.is_serializable = true;
  if (reader_.regions.size() == 1)
    touched.tracked.push_back(reader_.regions.front());
  else
    for (const TableId table : tables)
      touched.tracked.push_back({.table = table});
  const auto is_looked_at = [&](const Region& region) {
    const Heap& heap = state_.heap(region.table);
    return std::any_of(heap.begin(), heap.end(),
                       [&](const Version& version) { return region.has(version.values); });
  };
  if (mine->is_doomed &&
      std::any_of(reader_.regions.begin(), reader_.regions.end(), is_looked_at))
    return false;
  const auto read = std::make_shared<const StatementRead>(
      StatementRead{.task = static_cast<const Task&>(work_),
                    .snapshot = snapshot,
                    .tables = std::move(tables),
                    .seen = read_again(state_, work_, snapshot, {})});
  mine->reads.push_back(read);
  for (const auto concerns : {concerns_alone, concerns_behind_others})
    for (SerializableTransaction& writer : state_.serializable) {
      if (!is_concurrent(state_, *mine, writer) || has(mine->out, writer.top) ||
          writer.writes_unnoticed || !has_changed(state_, writer.top, read->tables) ||
          !concerns(state_, *mine, *read, writer))
        continue;
      if (!Structure{state_}.add_edge(*mine, writer, *mine)) return false;
    }
  return true;
}

bool Statement::note_write(TableId table, Place before, const Value& after) {
  SerializableTransaction* mine = serializable_transaction(state_, standing_.top);
  if (mine == nullptr) return true;
  const Version* old = before == nowhere ? nullptr : &state_.heap(table)[before];
  touched.is_serializable = true;
  touched.written.push_back({.table = table,
                             .row = old != nullptr ? old->row : RowId{},
                             .before = old != nullptr ? old->values : Value(),
                             .after = after});
  if (mine->is_doomed) return false;
  mine->has_written = true;
  for (SerializableTransaction& reader : state_.serializable) {
    const bool is_over = state_.is_committed(reader.top) &&
                         state_.actors[reader.top].commit_number <= mine->snapshot;
    if (reader.top == mine->top || reader.is_doomed || is_over ||
        has(reader.out, mine->top))
      continue;
    const bool is_concerned =
        std::any_of(reader.regions.begin(), reader.regions.end(),
                    [&](const Region& region) {
                      return region.table == table &&
                             concerns(state_, reader, region, old, after);
                    }) ||
        std::any_of(reader.reads.begin(), reader.reads.end(), [&](const auto& read) {
          return std::find(read->tables.begin(), read->tables.end(), table) !=
                     read->tables.end() &&
                 (concerns_alone(state_, reader, *read, *mine) ||
                  concerns_behind_others(state_, reader, *read, *mine));
        });
    if (is_concerned && !Structure{state_}.add_edge(reader, *mine, *mine)) return false;
  }
  return true;
}

// Who commits first may be T2: then T1 goes, so that who tries again finds another world.
bool may_commit_serializable(State& state, ActorId top) {
  const SerializableTransaction* mine = serializable_transaction(state, top);
  if (mine == nullptr) return true;
  if (mine->is_doomed) return false;
  const Structure structure{state};
  for (const ActorId near : mine->in) {
    SerializableTransaction* pivot = serializable_transaction(state, near);
    if (pivot == nullptr || structure.is_committed(*pivot) || pivot->is_doomed) continue;
    pivot->is_doomed = std::any_of(pivot->in.begin(), pivot->in.end(), [&](ActorId far) {
      const SerializableTransaction* first = serializable_transaction(state, far);
      return first != nullptr &&
             (first == mine || (!structure.is_committed(*first) &&
                                !structure.is_read_only(*first) && !first->is_doomed));
    });
  }
  return true;
}

bool is_unsafe(const State& state, const Standing& standing) {
  const auto commit_number = [&](ActorId top) { return state.actors[top].commit_number; };
  return std::any_of(state.serializable.begin(), state.serializable.end(),
                     [&](const Transaction& of) {
                       return has(standing.writers, of.top) && state.is_committed(of.top) &&
                              std::any_of(of.out.begin(), of.out.end(), [&](ActorId after) {
                                return state.is_committed(after) &&
                                       commit_number(after) < commit_number(of.top) &&
                                       commit_number(after) <= *standing.snapshot;
                              });
                     });
}

void forget_serializable(State& state, ActorId top) {
  auto& all = state.serializable;
  if (!state.is_committed(top)) {
    std::erase_if(all, [&](const SerializableTransaction& of) { return of.top == top; });
    for (SerializableTransaction& of : all) {
      std::erase(of.in, top);
      std::erase(of.out, top);
    }
  }
  // Nobody who runs overlaps with those who have ended.
  if (std::none_of(all.begin(), all.end(), [&](const SerializableTransaction& of) {
        return state.is_running(of.top);
      }))
    all.clear();
}

}  // namespace isomer::database::postgresql
