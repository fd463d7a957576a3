// SPDX-License-Identifier: MIT
// Foreign keys (rules 5 and 9).  Checks and actions are statements behind the one that
// changed rows, row by row: a child key-share-locks its parent, a parent that goes
// key-share-locks the child that keeps it.  What an action changes is checked in turn.
#include <algorithm>

#include "database/postgresql/statement.h"
#include "program/machine/constraints.h"

namespace isomer::database::postgresql {

using program::ConstraintId;

namespace {

using program::ReferenceAction;

bool has_null(const std::vector<Value>& values) {
  return std::any_of(values.begin(), values.end(),
                     [](const Value& value) { return value.is_null(); });
}

}  // namespace

// PostgreSQL's triggers, in the order of their names: the primary key, the rows that refer
// to this one, those that it refers to, other keys.
bool Statement::check_changes() {
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const Changed change = changes_[i];  // actions add others behind it
    if (!check_keys(change, true)) return false;
    if (!change.row.before.is_null() && !act_on_children(change.row)) return false;
    if (!change.row.after.is_null() && !check_parents(change.row)) return false;
    if (!check_keys(change, false)) return false;
  }
  return !is_stopped();
}

bool Statement::check_keys(const Changed& change, bool is_primary) {
  for (const std::uint32_t i : change.in_doubt) {
    const Index& index = state_.indexes(change.row.table)[i];
    if (index.is_primary != is_primary) continue;
    const ConstraintId id{.table = change.row.table,
                          .kind = index.constraint ? ConstraintId::Kind::Index
                                                   : ConstraintId::Kind::PrimaryKey,
                          .number = index.constraint.value_or(0)};
    if (is_late(id, index.deferral))
      late_checks_.push_back({.kind = LateCheck::Kind::Key,
                              .constraint = id,
                              .index = i,
                              .place = change.place,
                              .change = change.row});
    else if (!check_key(change.row.table, i, change.place))
      return false;
  }
  return !is_stopped();
}

// A version that the transaction has made itself may not have been checked yet, so the next
// one is, whatever has changed.
bool Statement::is_rewritten(const RowChange& change) const {
  const Place place = state_.place_of(change.table, change.before);
  return state_.is_own(state_.heap(change.table)[place].creator, standing_.top);
}

bool Statement::check_parents(const RowChange& change) {
  const auto& keys = state_.table(change.table).foreign_keys;
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const program::ForeignKey& key = keys[i];
    const auto values = program::picked(change.after.items(), key.columns);
    if (has_null(values)) continue;
    if (!change.before.is_null() && !is_rewritten(change) &&
        program::picked(change.before.items(), key.columns) == values)
      continue;
    const ConstraintId id{
        .table = change.table, .kind = ConstraintId::Kind::ForeignKey, .number = i};
    if (is_late(id, key.deferral))
      late_checks_.push_back({.kind = LateCheck::Kind::Parent,
                              .constraint = id,
                              .place = state_.place_of(change.table, change.after),
                              .change = change});
    else if (!check_parent(change, key))
      return false;
  }
  return !is_stopped();
}

// A version that the transaction has changed again is checked in its new form.
bool Statement::check_parent(const RowChange& change, const program::ForeignKey& key) {
  const Place place = state_.place_of(change.table, change.after);
  const auto is_current = once([&]() -> Outcome {
    const ActorId eraser = state_.heap(change.table)[place].eraser;
    return {.kind = state_.is_own(eraser, standing_.top) ? Outcome::Kind::Gone
                                                         : Outcome::Kind::Done};
  });
  if (!is_current) return false;
  if (is_current->kind == Outcome::Kind::Gone) return true;
  const auto values = program::picked(change.after.items(), key.columns);
  const auto is_there =
      finds_and_locks(region_of(key.table, key.referenced, values), Sight::Transaction);
  if (!is_there) return false;
  return *is_there ||
         fail("23503", program::missing_reference(state_.table(change.table), key));
}

bool Statement::act_on_children(const RowChange& change) {
  const auto& tables = state_.program->tables;
  for (std::uint32_t child = 0; child < tables.size(); ++child)
    for (std::uint32_t i = 0; i < tables[child].foreign_keys.size(); ++i) {
      const program::ForeignKey& key = tables[child].foreign_keys[i];
      if (key.table != change.table) continue;
      const auto values = program::picked(change.before.items(), key.referenced);
      const bool is_same = !change.after.is_null() &&
                           program::picked(change.after.items(), key.referenced) == values;
      if (has_null(values) || is_same) continue;
      const auto action = change.after.is_null() ? key.on_delete : key.on_update;
      const Reference reference{.child = {child}, .key = &key};
      const bool is_kept =
          action == ReferenceAction::NoAction || action == ReferenceAction::Restrict;
      const ConstraintId id{
          .table = {child}, .kind = ConstraintId::Kind::ForeignKey, .number = i};
      if (action == ReferenceAction::NoAction && is_late(id, key.deferral)) {
        late_checks_.push_back(
            {.kind = LateCheck::Kind::Children, .constraint = id, .change = change});
        continue;
      }
      if (is_kept ? !refuse_children(reference, values, action)
                  : !change_children(reference, change, action))
        return false;
      // Rows that had the default before are as they were, and not checked as changed ones.
      if (action == ReferenceAction::SetDefault &&
          !refuse_children(reference, values, ReferenceAction::NoAction))
        return false;
    }
  return !is_stopped();
}

// NO ACTION is content if another row has the key by now.
bool Statement::refuse_children(const Reference& reference,
                                const std::vector<Value>& values, ReferenceAction action) {
  const program::ForeignKey& key = *reference.key;
  if (action == ReferenceAction::NoAction) {
    const auto is_again =
        finds_and_locks(region_of(key.table, key.referenced, values), Sight::Latest);
    if (!is_again) return false;
    if (*is_again) return true;
  }
  const auto is_used =
      finds_and_locks(region_of(reference.child, key.columns, values), Sight::Latest);
  if (!is_used) return false;
  return !*is_used ||
         fail("23503", program::broken_reference(state_.table(key.table),
                                                 state_.table(reference.child), key));
}

// CASCADE, SET NULL and SET DEFAULT: an UPDATE or DELETE of the children.
bool Statement::change_children(const Reference& reference, const RowChange& change,
                                ReferenceAction action) {
  const program::ForeignKey& key = *reference.key;
  const Region region = region_of(reference.child, key.columns,
                                  program::picked(change.before.items(), key.referenced));
  const bool is_delete = action == ReferenceAction::Cascade && change.after.is_null();
  const auto value_of = [&](std::size_t i) {
    if (action == ReferenceAction::Cascade)
      return change.after.items()[key.referenced[i].index];
    const auto& column = state_.table(reference.child).columns[key.columns[i].index];
    if (action == ReferenceAction::SetNull || !column.default_value) return Value();
    return program::converted(
        program::evaluate(*column.default_value, nullptr, execution_.context), column.type,
        program::Conversion::Assignment, execution_.context);
  };
  const Change acting{.table = reference.child,
                      .is_delete = is_delete,
                      .rejoined = [&](const Tuple& tuple) -> std::optional<Tuple> {
                        return region.has(tuple[0]) ? std::optional(tuple) : std::nullopt;
                      },
                      .after = [&](const Tuple& tuple) -> Value {
                        if (is_delete) return {};
                        const auto items = tuple[0].items().first(
                            state_.table(reference.child).columns.size());
                        std::vector<Value> values(items.begin(), items.end());
                        for (std::size_t i = 0; i < key.columns.size(); ++i)
                          values[key.columns[i].index] = value_of(i);
                        return Value::list(std::move(values));
                      },
                      .columns = key.columns,
                      .is_checked_across = true};
  ++command_;
  if (state_.has_table_locks &&
      !lock_table(reference.child, TableLock::RowExclusive, LockWait::Wait))
    return false;
  const auto found = rows_in(region, Sight::Latest);
  if (!found) return false;
  for (const Value& row : found->values) {
    change_row(acting, {row});
    if (is_stopped()) return false;
  }
  return true;
}

std::optional<bool> Statement::finds_and_locks(const Region& region, Sight sight) {
  ++command_;
  if (state_.has_table_locks &&
      !lock_table(region.table, TableLock::RowShare, LockWait::Wait))
    return std::nullopt;
  const auto found = rows_in(region, sight);
  if (!found) return std::nullopt;
  for (const Value& row : found->values) {
    const auto locked = lock_row({.table = region.table,
                                  .place = state_.place_of(region.table, row),
                                  .strength = Lock::KeyShare,
                                  .locks_newer = true});
    if (!took(locked)) return std::nullopt;
    if (locked->kind == Outcome::Kind::Done) return true;
    if (locked->kind == Outcome::Kind::Changed &&
        region.has(state_.heap(region.table)[locked->place].values))
      return true;
  }
  return false;
}

Statement::OutcomePtr Statement::rows_in(const Region& region, Sight sight) {
  const auto snapshot = [&] {
    return sight == Sight::Latest ? fresh_snapshot() : statement_snapshot();
  };
  return read(
      snapshot,
      [&] {
        return Outcome{
            .values = found_to_lock({region.table}, [&] { return reader_.rows(region); })};
      },
      Reads::Regions);
}

}  // namespace isomer::database::postgresql
