// SPDX-License-Identifier: MIT
// Unique indexes (rule 4): who enters a key, and what is in its way.  A constraint that is
// DEFERRABLE lets every row in, and looks again at those whose key was in doubt.
#include <algorithm>

#include "database/postgresql/statement.h"
#include "program/machine/constraints.h"

namespace isomer::database::postgresql {

// Uniqueness is about everything, not about a snapshot: who has inserted, changed or
// deleted a row with the key and still runs has to end first.
InTheWay first_in_index(const State& state, ActorId top, TableId table, std::uint32_t index,
                        const std::vector<Value>& key, Place self) {
  const Index& of = state.indexes(table)[index];
  const Heap& heap = state.heap(table);
  for (Place place = 0; place < heap.size(); ++place) {
    const Version& version = heap[place];
    if (place == self || ((version.entered >> index) & 1U) == 0 ||
        state.status(version.creator) == Actor::Status::RolledBack)
      continue;
    const auto other = state.key_in(table, index, version.values);
    if (!other || !are_in_the_way(state.table(table), of, *other, key)) continue;
    if (state.is_others(version.creator, top)) return {.awaited = version.creator};
    if (state.is_others(version.eraser, top)) return {.awaited = version.eraser};
    if (!state.is_committed(version.eraser) && !state.is_own(version.eraser, top))
      return {.taken = place};
  }
  return {};
}

// What is in each other's way in EXCLUDE has no key in common, so all is.
Footprint::TouchedKey touched_key(const State& state, TableId table, std::uint32_t index,
                                  std::vector<Value> key, bool is_insert) {
  if (state.indexes(table)[index].is_exclusion) key.clear();
  return {.table = table, .index = index, .key = std::move(key), .is_insert = is_insert};
}

// What cannot be computed is an error of the statement.
std::optional<std::vector<Value>> Statement::key_of(TableId table, std::uint32_t index,
                                                    const Value& row) {
  const Index& of = state_.indexes(table)[index];
  if (!of.constraint) return state_.key_in(table, index, row);
  return program::index_key(state_.table(table).index_constraints[*of.constraint], row,
                            execution_.context);
}

void Statement::log_index_look(TableId table, std::uint32_t index,
                               const std::vector<Value>& key, bool locks) const {
  const Index& of = state_.indexes(table)[index];
  const bool is_of_columns = !of.columns.empty() && !of.is_exclusion;
  log_look(
      {.region = is_of_columns ? region_of(table, of.columns, key) : Region{.table = table},
       .commits = state_.commits,
       .locks = locks});
}

bool Statement::enter_indexes(TableId table, Place place, const Value& before) {
  const auto& indexes = state_.indexes(table);
  const Value after = state_.heap(table)[place].values;
  const bool stays = is_in_place(state_.table(table), indexes, before, after);
  for (std::uint32_t i = 0; i < indexes.size(); ++i) {
    const bool comes_along =
        stays || (indexes[i].enters_unseen() &&
                  state_.key_in(table, i, before) == state_.key_in(table, i, after));
    if (!comes_along && !took(enter_index(table, place, i, false))) return false;
  }
  return true;
}

Statement::OutcomePtr Statement::enter_index(TableId table, Place place,
                                             std::uint32_t index, bool is_arbiter) {
  if (is_stopped()) return nullptr;
  const Index& of = state_.indexes(table)[index];
  const auto key = key_of(table, index, state_.heap(table)[place].values);
  if (is_stopped()) return nullptr;
  const auto enter = [&]() -> Outcome {
    state_.own_heap(table)[place].entered |= 1U << index;
    if (of.is_exclusion && key)
      touched.keys.push_back(touched_key(state_, table, index, *key, true));
    return {};
  };
  if (!key) return once(enter);
  // EXCLUDE lets the row in before it looks, so that two can wait for each other.
  if (of.is_exclusion && !once(enter)) return nullptr;
  const bool waits = !is_arbiter && !of.is_deferrable();
  const Request request{.kind = Request::Kind::EnterIndex,
                        .table = table,
                        .place = place,
                        // ON CONFLICT looks again instead of waiting here.
                        .wait = waits ? LockWait::Wait : LockWait::SkipLocked,
                        .indexes = {index},
                        .keys = {*key}};
  const auto seen = step(request, [&]() -> Outcome {
    touched.keys.push_back(touched_key(state_, table, index, *key, true));
    log_index_look(table, index, *key, false);
    const InTheWay other = first_in_index(state_, standing_.top, table, index, *key, place);
    if (other.is_free() || of.is_deferrable()) {
      enter();
      return {.kind = other.is_free() ? Outcome::Kind::Done : Outcome::Kind::InDoubt};
    }
    if (is_arbiter) return {.kind = Outcome::Kind::Taken, .place = other.taken};
    return act_fail_unique(table, index, place);
  });
  if (seen && seen->kind == Outcome::Kind::InDoubt) in_doubt_.push_back(index);
  return seen;
}

// Two who both looked the key up before hear of that instead.
Outcome Statement::act_fail_unique(TableId table, std::uint32_t index, Place place) {
  if (!note_write(table, nowhere, state_.heap(table)[place].values))
    return serialization_failure();
  const program::Table& of = state_.table(table);
  const Index& in = state_.indexes(table)[index];
  if (!in.constraint) return failed("23505", program::unique_violation(of, in.columns));
  const program::IndexConstraint& constraint = of.index_constraints[*in.constraint];
  return failed(std::string(program::sqlstate_of_violation(constraint)),
                program::index_violation(constraint));
}

// Only the version that the transaction leaves counts.  If it stands in the index by the
// entry of this one (HOT), it is looked at in its place.
bool Statement::check_key(TableId table, std::uint32_t index, Place entered) {
  const auto left = once([&]() -> Outcome {
    const Heap& heap = state_.heap(table);
    Place place = entered;
    while (place != nowhere && state_.is_own(heap[place].eraser, standing_.top)) {
      const Place next = heap[place].next;
      const bool stays =
          next != nowhere && is_in_place(state_.table(table), state_.indexes(table),
                                         heap[place].values, heap[next].values);
      place = stays ? next : nowhere;
    }
    return {.place = place};
  });
  if (!left) return false;
  if (left->place == nowhere) return true;
  const auto key = state_.key_in(table, index, state_.heap(table)[left->place].values);
  if (!key) return true;
  return took(step({.kind = Request::Kind::EnterIndex,
                    .table = table,
                    .place = left->place,
                    .indexes = {index},
                    .keys = {*key}},
                   [&]() -> Outcome {
                     touched.keys.push_back(touched_key(state_, table, index, *key, true));
                     log_index_look(table, index, *key, false);
                     const InTheWay other = first_in_index(state_, standing_.top, table,
                                                           index, *key, left->place);
                     if (other.is_free()) return {};
                     return act_fail_unique(table, index, left->place);
                   }));
}

}  // namespace isomer::database::postgresql
