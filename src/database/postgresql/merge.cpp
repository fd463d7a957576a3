// SPDX-License-Identifier: MIT
// Statements of several changes: WITH and MERGE.  All parts read one snapshot, and foreign
// keys are checked behind all of them.
#include "database/postgresql/row_locks.h"
#include "database/postgresql/statement.h"
#include "program/machine/columns.h"
#include "program/machine/constraints.h"
#include "program/machine/references.h"

namespace isomer::database::postgresql {

using program::Merge;
using MergeAct = Merge::When::Act;

// --- WITH ---

Value Statement::Reader::changed(const program::Expression& rows) {
  return statement_.change_in_with(*rows.change);
}

// A change is done when its rows are first asked for.
const Value& Statement::change_in_with(const program::Statement& change) {
  static const Value nothing = Value::list({});
  if (const auto known = changed_in_with_.find(&change); known != changed_in_with_.end())
    return known->second;
  if (is_stopped()) return nothing;
  const Reply outer = std::exchange(reply_, Reply{});
  const bool was_in_with = std::exchange(is_in_with_, true);
  const unsigned depth = std::exchange(subqueries_, 0U);
  if (change.insert)
    insert(*change.insert);
  else if (change.update)
    update(*change.update);
  else
    erase(*change.erase);
  subqueries_ = depth;
  is_in_with_ = was_in_with;
  const Reply inner = std::exchange(reply_, outer);
  execution_.context.is_waiting |= is_waiting_;
  if (is_stopped()) return nothing;
  std::vector<Value> rows;
  for (const auto& row : inner.rows)
    rows.push_back(Value::list(row));
  return changed_in_with_[&change] = Value::list(std::move(rows));
}

// Changes that nobody reads happen at the end, the last one first (ExecPostprocessPlan).
bool Statement::finish_with() {
  if (is_in_with_ || is_stopped()) return !is_stopped();
  if (work_.what.statement != nullptr) {
    const auto& with = program::with_of(*work_.what.statement);
    for (auto common = with.rbegin(); common != with.rend(); ++common)
      if (common->rows->change) change_in_with(*common->rows->change);
  }
  return !is_stopped() && check_changes();
}

// --- MERGE ---

namespace {

// The target is joined last, and need not be there.
std::vector<program::Source> merged_sources(const Merge& statement) {
  std::vector<program::Source> out = program::sources_of(statement);
  out[statement.target].left_join_on = statement.where;
  return out;
}

program::Rows rows_of_merge(const program::Tuple& tuple) {
  return {.current = tuple, .around = nullptr, .group = {}};
}

const Merge::When* first_fitting(const Merge& statement, bool is_matched,
                                 const program::Tuple& tuple, program::Context& context) {
  const program::Rows rows = rows_of_merge(tuple);
  for (const Merge::When& when : statement.whens) {
    if (when.is_matched != is_matched) continue;
    if (!when.condition || program::holds(*when.condition, &rows, context)) return &when;
    if (context.is_stopped()) break;
  }
  return nullptr;
}

// Those of all its UPDATEs: how a row is locked before it is looked at again.
std::vector<ColumnId> columns_set(const Merge& statement) {
  std::vector<ColumnId> out;
  for (const Merge::When& when : statement.whens)
    for (const program::Assignment& assignment : when.assignments)
      out.push_back(assignment.column);
  return out;
}

}  // namespace

std::optional<Reply> Statement::merge(const Merge& statement) {
  if (standing_.is_read_only) {
    refuse_to_write("MERGE");
    return std::nullopt;
  }
  const auto sources = merged_sources(statement);
  const auto found = read_tables([&] {
    Outcome out;
    out.tuples = found_to_lock({statement.table.table}, [&] {
      return program::joined(execution_, sources, nullptr, nullptr);
    });
    put_in_order(state_, sources, work_.lock_order, out.tuples);
    out.fault = std::exchange(fault(), std::nullopt);
    return out;
  });
  if (!found) return std::nullopt;
  for (const Tuple& tuple : found->tuples)
    if (!merge_row(statement, tuple)) return std::nullopt;
  if (!finish_with()) return std::nullopt;
  return reply_;
}

bool Statement::merge_row(const Merge& statement, Tuple tuple) {
  if (!tuple[statement.target].is_null() && merge_matched(statement, tuple) == Merged::Done)
    return !is_stopped();
  return !is_stopped() && merge_not_matched(statement, tuple);
}

// A row that was changed meanwhile is locked and looked at again, from the first WHEN on;
// if it is gone, or has no partner any more, there is none that matches.
Statement::Merged Statement::merge_matched(const Merge& statement, Tuple& tuple) {
  const TableId table = statement.table.table;
  while (!is_stopped() && !tuple[statement.target].is_null()) {
    const Merge::When* when = first_fitting(statement, true, tuple, execution_.context);
    if (is_stopped() || when == nullptr || when->act == MergeAct::Nothing)
      return Merged::Done;
    const Change change{.table = table,
                        .target = statement.target,
                        .is_delete = when->act == MergeAct::Delete,
                        .rejoined = {},
                        .after = {},
                        .columns = program::changed_columns(when->assignments)};
    const Value before = tuple[statement.target];
    const Value after = change.is_delete
                            ? Value()
                            : program::assigned(execution_, table, before,
                                                when->assignments, rows_of_merge(tuple));
    if (is_stopped()) return Merged::Done;
    if (!change.is_delete)
      program::check_row(execution_, table, after.items(), change.columns);
    const Place place = state_.place_of(table, before);
    const Request request{
        .kind = Request::Kind::LockRow,
        .table = table,
        .place = place,
        .strength = change.is_delete ? Lock::Update : lock_of(table, before, after),
        .is_change = true};
    if (!is_stopped()) state_.give_xid(standing_.actor);
    const auto outcome = step(request, [&] { return act_replace(change, request, after); });
    if (!took(outcome)) return Merged::Done;
    if (outcome->kind == Outcome::Kind::Done) {
      if (!change.is_delete && !enter_indexes(table, outcome->place, before))
        return Merged::Done;
      note_change(table, place, outcome->place);
      ++reply_.count;
      return Merged::Done;
    }
    const auto newest =
        outcome->kind == Outcome::Kind::Skipped
            ? outcome
            : lock_row({.table = table,
                        .place = place,
                        .strength = static_lock_of(table, columns_set(statement))});
    if (!took(newest)) return Merged::Done;
    if (newest->kind == Outcome::Kind::Skipped) {
      fail("21000", "MERGE command cannot affect row a second time");
      return Merged::Done;
    }
    if (newest->kind == Outcome::Kind::Gone) return Merged::NotMatched;
    tuple[statement.target] = state_.heap(table)[newest->place].values;
    const auto sources = merged_sources(statement);
    auto again = program::rejoined(execution_, sources, nullptr, tuple);
    if (again) tuple = std::move(*again);
  }
  return Merged::NotMatched;
}

bool Statement::merge_not_matched(const Merge& statement, const Tuple& tuple) {
  const Merge::When* when = first_fitting(statement, false, tuple, execution_.context);
  if (is_stopped()) return false;
  if (when == nullptr || when->act == MergeAct::Nothing) return true;
  program::Insert row;
  row.table = statement.table.table;
  const Value values = program::inserted(execution_, statement.table.table, when->columns,
                                         when->values, rows_of_merge(tuple));
  return !is_stopped() && insert_row(row, values);
}

}  // namespace isomer::database::postgresql
