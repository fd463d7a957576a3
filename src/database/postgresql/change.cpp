// SPDX-License-Identifier: MIT
// UPDATE and DELETE (rules 2 and 8).
#include <algorithm>

#include <fmt/format.h>

#include "database/postgresql/row_locks.h"
#include "database/postgresql/statement.h"
#include "program/machine/columns.h"
#include "program/machine/constraints.h"
#include "program/machine/references.h"

namespace isomer::database::postgresql {
namespace {

program::Rows rows_of(const program::Tuple& tuple) {
  return {.current = tuple, .around = nullptr, .group = {}};
}

}  // namespace

Region region_of(TableId table, std::span<const ColumnId> columns,
                 const std::vector<Value>& values) {
  Region out{.table = table};
  for (std::size_t i = 0; i < columns.size(); ++i)
    out.equal.emplace_back(columns[i], values[i]);
  return out;
}

// --- the statements ---

std::optional<Reply> Statement::update(const program::Update& statement) {
  const std::vector<program::Source> sources = program::sources_of(statement);
  const TableId table = statement.table.table;
  const auto columns = program::changed_columns(statement.assignments);
  const Change change{
      .table = table,
      .target = statement.target,
      .rejoined =
          [&](const Tuple& tuple) {
            return program::rejoined(execution_, sources, statement.where.get(), tuple);
          },
      .after =
          [&](const Tuple& tuple) {
            return program::assigned(execution_, table, tuple[statement.target],
                                     statement.assignments, rows_of(tuple));
          },
      .columns = columns};
  return change_found(change, sources, statement.where.get(), statement.returning);
}

std::optional<Reply> Statement::erase(const program::Delete& statement) {
  const std::vector<program::Source> sources = program::sources_of(statement);
  const Change change{.table = statement.table.table,
                      .target = statement.target,
                      .is_delete = true,
                      .rejoined =
                          [&](const Tuple& tuple) {
                            return program::rejoined(execution_, sources,
                                                     statement.where.get(), tuple);
                          },
                      .after = [](const Tuple&) { return Value(); },
                      .columns = {}};
  return change_found(change, sources, statement.where.get(), statement.returning);
}

std::optional<Reply> Statement::change_found(
    const Change& change, std::span<const program::Source> sources,
    const program::Expression* where,
    const std::vector<program::ExpressionPtr>& returning) {
  if (standing_.is_read_only && !is_in_with_) {
    refuse_to_write(change.is_delete ? "DELETE" : "UPDATE");
    return std::nullopt;
  }
  const auto found = read_tables([&] {
    Outcome out;
    const auto uses =
        std::count_if(sources.begin(), sources.end(),
                      [&](const auto& source) { return source.table == change.table; });
    out.tuples =
        found_to_lock(uses == 1 ? std::vector{change.table} : std::vector<TableId>(),
                      [&] { return program::joined(execution_, sources, where, nullptr); });
    put_in_order(state_, sources, work_.lock_order, out.tuples);
    out.fault = std::exchange(fault(), std::nullopt);
    return out;
  });
  if (!found) return std::nullopt;
  for (const Tuple& tuple : found->tuples) {
    const auto changed = change_row(change, tuple);
    if (is_stopped()) return std::nullopt;
    if (!changed) continue;
    ++reply_.count;
    append_returned(returning, *changed);
  }
  if (!finish_with()) return std::nullopt;
  return reply_;
}

void Statement::append_returned(const std::vector<program::ExpressionPtr>& returning,
                                const Tuple& tuple) {
  if (returning.empty()) return;
  const program::Rows rows = rows_of(tuple);
  std::vector<Value> out;
  for (const auto& column : returning)
    out.push_back(program::evaluate(*column, &rows, execution_.context));
  reply_.rows.push_back(std::move(out));
}

// --- one row ---

// Everything is computed before the row is locked.  If it turns out to have changed, the
// newest version is locked, looked at (EvalPlanQual), and it all begins again with that.
std::optional<Statement::Tuple> Statement::change_row(const Change& change, Tuple tuple) {
  while (true) {
    const Value before = tuple[change.target];
    const Value after = change.after(tuple);
    if (is_stopped()) return std::nullopt;
    if (!change.is_delete)
      program::check_row(execution_, change.table, after.items(), change.columns);
    const Place place = state_.place_of(change.table, before);
    const Lock strength =
        change.is_delete ? Lock::Update : lock_of(change.table, before, after);
    const Request request{.kind = Request::Kind::LockRow,
                          .table = change.table,
                          .place = place,
                          .strength = strength,
                          .is_change = true};
    if (!is_stopped()) state_.give_xid(standing_.actor);
    const auto outcome = step(request, [&] { return act_replace(change, request, after); });
    if (!took(outcome) || outcome->kind == Outcome::Kind::Skipped) return std::nullopt;
    if (outcome->kind == Outcome::Kind::Done) {
      if (!change.is_delete && !enter_indexes(change.table, outcome->place, before))
        return std::nullopt;
      note_change(change.table, place, outcome->place);
      if (change.is_delete) return tuple;
      tuple[change.target] = state_.heap(change.table)[outcome->place].values;
      return tuple;
    }
    const auto newest =
        lock_row({.table = change.table, .place = place, .strength = strength});
    if (!took(newest) || newest->kind == Outcome::Kind::Gone ||
        newest->kind == Outcome::Kind::Skipped)
      return std::nullopt;
    tuple[change.target] = state_.heap(change.table)[newest->place].values;
    auto again = change.rejoined(tuple);
    if (!again || is_stopped()) return std::nullopt;
    tuple = std::move(*again);
  }
}

// First-updater-wins: at REPEATABLE READ a row that somebody changed and committed since
// the snapshot is an error; at READ COMMITTED it is worth a second look.
Outcome Statement::act_replace(const Change& change, const Request& request,
                               const Value& after) {
  const Version& version = state_.heap(change.table)[request.place];
  touched.rows.push_back(
      {.table = change.table, .row = version.row, .strength = request.strength});
  const RowAccess access = access_row(state_, standing_, session_, request);
  if (access.end == RowAccess::End::Own) return {.kind = Outcome::Kind::Skipped};
  if (access.end != RowAccess::End::Got) {
    if (standing_.has_one_snapshot())
      return failed("40001", access.end == RowAccess::End::Deleted
                                 ? "could not serialize access due to concurrent delete"
                                 : "could not serialize access due to concurrent update");
    return {.kind = Outcome::Kind::Changed};
  }
  if (change.is_checked_across && standing_.snapshot) {
    const Snapshot own{
        .commits = *standing_.snapshot, .top = standing_.top, .command = command_};
    if (!state_.is_visible(version, own))
      return failed("40001", "could not serialize access due to concurrent update");
  }
  const Place next = replace(change.table, request.place, after, request.strength);
  if (!note_write(change.table, request.place, after)) return serialization_failure();
  return {.place = next};
}

Place Statement::replace(TableId table, Place place, const Value& after, Lock strength) {
  const Version old = state_.heap(table)[place];
  log_write(table, old.values, after);
  const auto& indexes = state_.indexes(table);
  const bool stays =
      !after.is_null() && is_in_place(state_.table(table), indexes, old.values, after);
  Place next = nowhere;
  Version fresh{.row = old.row,
                .values = after,
                .creator = standing_.actor,
                .creator_command = command_};
  for (std::uint32_t i = 0; i < indexes.size(); ++i) {
    const auto key = state_.key_in(table, i, old.values);
    if (key) touched.keys.push_back(touched_key(state_, table, i, *key, false));
    if (stays || (!after.is_null() && indexes[i].enters_unseen() &&
                  key == state_.key_in(table, i, after)))
      fresh.entered |= 1U << i;
  }
  if (!after.is_null()) {
    next = state_.append(table, std::move(fresh));
    touched.appended.push_back(table);
  }
  add_row_change(state_, table, place, next, standing_.actor, strength);
  state_.own_heap(table)[place].eraser_command = command_;
  return next;
}

void Statement::note_change(TableId table, Place before, Place after) {
  const Heap& heap = state_.heap(table);
  changes_.push_back({.row = {.table = table,
                              .row = before != nowhere ? heap[before].row : heap[after].row,
                              .before = before != nowhere ? heap[before].values : Value(),
                              .after = after != nowhere ? heap[after].values : Value()},
                      .place = after,
                      .in_doubt = std::exchange(in_doubt_, {})});
}

// FOR UPDATE if a column of a unique index gets another value, FOR NO KEY UPDATE otherwise.
Lock Statement::lock_of(TableId table, const Value& before, const Value& after) const {
  for (const Index& index : state_.indexes(table))
    if (index.is_for_references() && program::picked(before.items(), index.columns) !=
                                         program::picked(after.items(), index.columns))
      return Lock::Update;
  return Lock::NoKeyUpdate;
}

// ON CONFLICT DO UPDATE goes by the text of the statement: it locks before it computes.
Lock Statement::static_lock_of(TableId table, const std::vector<ColumnId>& columns) const {
  for (const Index& index : state_.indexes(table))
    for (const ColumnId column : index.columns)
      if (index.is_for_references() &&
          std::find(columns.begin(), columns.end(), column) != columns.end())
        return Lock::Update;
  return Lock::NoKeyUpdate;
}

}  // namespace isomer::database::postgresql
