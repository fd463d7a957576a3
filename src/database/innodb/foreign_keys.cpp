// SPDX-License-Identifier: MIT
// Foreign keys: checked row by row and index by index, by what is there now.  A child
// share-locks its parent; a parent that goes looks for its children and share-locks them,
// or what stands in their place (row_ins_check_foreign_constraint).
#include <algorithm>

#include <fmt/format.h>

#include "database/innodb/locks.h"
#include "database/innodb/statement.h"
#include "program/machine/constraints.h"
#include "program/machine/keys.h"

namespace isomer::database::innodb {

using program::ForeignKey;
using program::ReferenceAction;

// --- a search ---

// Of a row that is there no gap is locked.
Request Statement::share_request(TableId table, IndexNumber index, const Key& values,
                                 const std::optional<Key>& behind) const {
  const auto found = behind ? state_.first_behind(table, index, *behind)
                            : state_.first_at(table, index, values);
  LockRequest lock{.record = {.table = table, .index = index}};
  if (found) lock.record.key = found->key;
  const bool is_outside = !found || !begins_with(found->key, values);
  const bool locks_gaps = transaction().locks_gaps();
  if (is_outside)
    lock.kind = found ? LockKind::Gap : LockKind::NextKey;
  else
    lock.kind = found->is_deleted && locks_gaps ? LockKind::NextKey : LockKind::Record;
  Request out{.kind = Request::Kind::Lock};
  if (!is_outside || locks_gaps) out.lock = std::move(lock);
  return out;
}

Statement::OutcomePtr Statement::share_next(TableId table, IndexNumber index,
                                            const Key& values,
                                            const std::optional<Key>& behind) {
  return step(
      [&] { return share_request(table, index, values, behind); },
      [&](const Request& request) -> Outcome {
        lock_table(table, LockMode::Shared);
        const auto found = behind ? state_.first_behind(table, index, *behind)
                                  : state_.first_at(table, index, values);
        RecordId record{.table = table, .index = index};
        if (found) record.key = found->key;
        touch_gap(state_, record, TouchedRange::Access::Read, touched);
        if (request.lock) take(request);
        if (!found || !begins_with(found->key, values)) return {.kind = Outcome::Kind::End};
        if (auto refusal = refused_change(record)) return std::move(*refusal);
        return {.kind = found->is_deleted ? Outcome::Kind::PassedOver : Outcome::Kind::Done,
                .key = found->key};
      });
}

// --- children look for their parents ---

bool Statement::check_parents(TableId table, IndexNumber index, const Value& row) {
  const program::Table& of = state_.table(table);
  for (const ForeignKey& key : of.foreign_keys) {
    if (index_with(state_.indexes(table), key.columns) != index) continue;
    const Key values = program::picked(row.items(), key.columns);
    if (!has_null(values) && !check_parent(table, key, values)) return false;
  }
  return !is_stopped();
}

bool Statement::check_parent(TableId table, const ForeignKey& key, const Key& values) {
  const IndexNumber index = index_with(state_.indexes(key.table), key.referenced);
  std::optional<Key> behind;
  while (true) {
    const auto next = share_next(key.table, index, values, behind);
    if (!took(next)) return false;
    if (next->kind == Outcome::Kind::Done) return true;
    if (next->kind == Outcome::Kind::End)
      return fail(no_parent, program::missing_reference(state_.table(table), key));
    behind = next->key;
  }
}

// --- parents look for their children ---

bool Statement::check_children(TableId table, IndexNumber index, const Value& before,
                               const Value& after) {
  const auto& tables = state_.program->tables;
  for (std::uint32_t child = 0; child < tables.size(); ++child)
    for (const ForeignKey& key : tables[child].foreign_keys) {
      if (key.table != table || index_with(state_.indexes(table), key.referenced) != index)
        continue;
      const Key values = program::picked(before.items(), key.referenced);
      const bool is_same =
          !after.is_null() && program::picked(after.items(), key.referenced) == values;
      if (has_null(values) || is_same) continue;
      if (!check_children_of({.child = {child}, .key = &key}, values, after)) return false;
    }
  return !is_stopped();
}

bool Statement::check_children_of(const Reference& reference, const Key& values,
                                  const Value& after) {
  const ForeignKey& key = *reference.key;
  const auto action = after.is_null() ? key.on_delete : key.on_update;
  const IndexNumber index = index_with(state_.indexes(reference.child), key.columns);
  std::optional<Key> behind;
  while (true) {
    const auto next = share_next(reference.child, index, values, behind);
    if (!took(next)) return false;
    if (next->kind == Outcome::Kind::End) return true;
    behind = next->key;
    if (next->kind == Outcome::Kind::PassedOver) continue;
    if (action == ReferenceAction::NoAction || action == ReferenceAction::Restrict)
      return fail(has_children,
                  program::broken_reference(state_.table(key.table),
                                            state_.table(reference.child), key));
    if (!act_on_child(reference, *next->key, after)) return false;
  }
}

// CASCADE and SET NULL change the child at once.
bool Statement::act_on_child(const Reference& reference, const Key& entry,
                             const Value& after) {
  const ForeignKey& key = *reference.key;
  const TableId child = reference.child;
  const IndexNumber index = index_with(state_.indexes(child), key.columns);
  const RecordId record{.table = child, .key = state_.row_key(child, index, entry)};
  const auto request = [&]() -> Request {
    return {.kind = Request::Kind::Lock,
            .lock = LockRequest{
                .record = record, .mode = LockMode::Exclusive, .kind = LockKind::Record}};
  };
  const auto locked = step(request, [&](const Request& lock) -> Outcome {
    take(lock);
    if (auto refusal = refused_change(record)) return std::move(*refusal);
    const Versions* versions = state_.versions(child, *record.key);
    return {.row = versions == nullptr ? Value() : versions->back().row};
  });
  if (!took(locked)) return false;
  if (locked->row.is_null()) return true;
  const auto action = after.is_null() ? key.on_delete : key.on_update;
  if (action == ReferenceAction::SetDefault) {
    execution_.context.give_up("0A000", "InnoDB has no SET DEFAULT");
    return false;
  }
  if (action == ReferenceAction::Cascade && after.is_null())
    return remove_row(child, locked->row);
  std::vector<Value> values(locked->row.items().begin(), locked->row.items().end());
  for (std::size_t i = 0; i < key.columns.size(); ++i)
    values[key.columns[i].index] = action == ReferenceAction::Cascade
                                       ? after.items()[key.referenced[i].index]
                                       : Value();
  return replace_row(child, locked->row, Value::list(std::move(values)), true);
}

}  // namespace isomer::database::innodb
