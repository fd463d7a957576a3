// SPDX-License-Identifier: MIT
// SERIALIZABLE (rule 10): no dangerous structure among SERIALIZABLE transactions.  A reads
// what B overwrites: A -> B, A comes before B.  If T0 -> T1 -> T2 and T2 commits first of
// the three, there may be a cycle, and one of them must not commit (Cahill, Roehm & Fekete,
// SIGMOD'08; Ports & Grittner, VLDB'12, section 3, with their exception for readers: if T0
// writes nothing, T2 must have committed before its snapshot).
//
// What is read is a row, or a key of an index, or else the whole table.  The server locks
// pages beside these, so it may fail where the model does not, never the other way round.
#include <algorithm>

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

// Only what an index can look up narrows a read; otherwise the whole table is read.
Region locked_region(const State& state, const Region& region) {
  for (const auto key : program::unique_constraints(state.table(region.table)))
    for (const auto& [column, value] : region.equal)
      if (column == key[0]) return region;
  return {.table = region.table};
}

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

// Does the write concern what the other has read?  A key: the row that it saw there, or a
// row that comes there.
bool concerns(const State& state, const Transaction& reader, const Region& region,
              const Version* before, const Value& after) {
  if (region.equal.empty()) return true;
  const bool was_there = before != nullptr && region.has(before->values);
  if (!was_there) return region.has(after);
  const ActorId creator = before->creator;
  return state.is_committed(creator) &&
         state.actors[state.actors[creator].top].commit_number <= reader.snapshot;
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
                                .is_read_only = standing.is_read_only});
}

Outcome Statement::serialization_failure() const {
  return failed("40001",
                "could not serialize access due to read/write dependencies among "
                "transactions");
}

bool Statement::note_read(const Region& read) {
  SerializableTransaction* mine = serializable_transaction(state_, standing_.top);
  if (mine == nullptr) return true;
  const Region region = locked_region(state_, read);
  touched.is_serializable = true;
  touched.tracked.push_back(region);
  if (std::find(mine->reads.begin(), mine->reads.end(), region) == mine->reads.end())
    mine->reads.push_back(region);
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
    if (writer == nullptr || writer->is_doomed) continue;
    if (!Structure{state_}.add_edge(*mine, *writer, *mine)) return false;
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
    if (reader.top == mine->top || reader.is_doomed || is_over) continue;
    const bool is_concerned =
        std::any_of(reader.reads.begin(), reader.reads.end(), [&](const Region& region) {
          return region.table == table && concerns(state_, reader, region, old, after);
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
