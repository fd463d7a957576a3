// SPDX-License-Identifier: MIT
// INSERT and ON CONFLICT: rules 4 and 9.
#include <algorithm>

#include "database/postgresql/statement.h"
#include "program/machine/columns.h"
#include "program/machine/constraints.h"

namespace isomer::database::postgresql {

using OnConflict = program::Insert::OnConflict;

std::optional<Reply> Statement::insert(const program::Insert& statement) {
  if (standing_.is_read_only && !is_in_with_) {
    refuse_to_write("INSERT");
    return std::nullopt;
  }
  const auto found = read_tables([&] {
    Outcome out;
    auto fresh = program::new_rows(execution_, statement);
    out.values = std::move(fresh.rows);
    out.fault = std::exchange(fault(), std::nullopt);
    out.late_fault = std::move(fresh.fault);
    return out;
  });
  if (!found) return std::nullopt;
  for (const Value& row : found->values)
    if (!insert_row(statement, row)) return std::nullopt;
  if (found->late_fault) fault() = found->late_fault;
  if (is_stopped() || !finish_with()) return std::nullopt;
  return reply_;
}

Statement::OutcomePtr Statement::append(const program::Insert& statement,
                                        const Value& row) {
  return once([&]() -> Outcome {
    const RowId id{.session = session_, .number = state_.inserted[session_]++};
    state_.give_xid(standing_.actor);
    touched.appended.push_back(statement.table);
    const Place place = state_.append(statement.table, {.row = id,
                                                        .values = row,
                                                        .creator = standing_.actor,
                                                        .creator_command = command_});
    log_write(statement.table, {}, row);
    if (!note_write(statement.table, nowhere, row)) return serialization_failure();
    return {.place = place};
  });
}

// The row is in the heap before it is in the indexes, and in one index before the next.
bool Statement::insert_row(const program::Insert& statement, const Value& row) {
  const program::Table& table = state_.table(statement.table);
  program::check_row(execution_, statement.table, row.items(), program::all_columns(table));
  if (is_stopped()) return false;
  const auto& indexes = state_.indexes(statement.table);
  const auto is_arbiter = [&](std::uint32_t index) {
    const auto constraint = indexes[index].constraint;
    return constraint ? program::is_arbiter_index(statement, *constraint)
                      : program::is_arbiter(statement, indexes[index].columns);
  };
  std::vector<Request> looks;
  for (std::uint32_t i = 0; i < indexes.size(); ++i) {
    if (!is_arbiter(i)) continue;
    auto key = key_of(statement.table, i, row);
    if (is_stopped()) return false;
    if (key)
      looks.push_back({.kind = Request::Kind::FindKey,
                       .table = statement.table,
                       .indexes = {i},
                       .keys = {std::move(*key)}});
  }
  while (true) {
    const Place in_the_way = find_in_the_way(looks);
    if (is_stopped()) return false;
    if (in_the_way != nowhere) {
      if (resolve(statement, row, in_the_way)) return true;
      if (is_stopped()) return false;
      continue;
    }
    const auto appended = append(statement, row);
    if (!took(appended)) return false;
    bool is_in_the_way = false;
    for (std::uint32_t i = 0; i < indexes.size() && !is_in_the_way; ++i) {
      const auto entered = enter_index(statement.table, appended->place, i, is_arbiter(i));
      if (!took(entered)) return false;
      is_in_the_way = entered->kind == Outcome::Kind::Taken;
    }
    if (!is_in_the_way) {
      note_change(statement.table, nowhere, appended->place);
      ++reply_.count;
      append_returned(statement.returning,
                      {state_.heap(statement.table)[appended->place].values});
      return !is_stopped();
    }
    // Somebody was faster: the row is taken out again.
    in_doubt_.clear();
    once([&]() -> Outcome {
      Version& own = state_.own_heap(statement.table)[appended->place];
      own.eraser = own.creator;
      own.entered = 0;
      if (state_.log != nullptr) state_.log->take_back_write(session_);
      return {};
    });
  }
}

// Index by index; who had to wait for one of them does not look again at those before it.
Place Statement::find_in_the_way(std::span<const Request> looks) {
  for (const Request& look : looks) {
    const auto seen = step(look, [&]() -> Outcome {
      const std::uint32_t index = look.indexes.front();
      touched.keys.push_back(
          touched_key(state_, look.table, index, look.keys.front(), true));
      log_index_look(look.table, index, look.keys.front(), true);
      const Place taken =
          first_in_index(state_, standing_.top, look.table, index, look.keys.front()).taken;
      if (taken != nowhere) return {.kind = Outcome::Kind::Taken, .place = taken};
      return {};
    });
    if (!took(seen)) return nowhere;
    if (seen->kind == Outcome::Kind::Taken) return seen->place;
  }
  return nowhere;
}

bool Statement::resolve(const program::Insert& statement, const Value& row,
                        Place in_the_way) {
  if (statement.on_conflict == OnConflict::Update)
    return update_in_the_way(statement, row, in_the_way);
  const Version& version = state_.heap(statement.table)[in_the_way];
  if (standing_.has_one_snapshot() && !state_.is_own(version.creator, standing_.top) &&
      !state_.is_visible(
          version,
          {.commits = *standing_.snapshot, .top = standing_.top, .command = command_}))
    return fail("40001", "could not serialize access due to concurrent update");
  return true;
}

// The row is locked as it is now, whatever the snapshot says of it.  A failed WHERE leaves
// it locked.
bool Statement::update_in_the_way(const program::Insert& statement, const Value& row,
                                  Place in_the_way) {
  const TableId table = statement.table;
  const auto columns = program::changed_columns(statement.updates);
  const Lock strength = static_lock_of(table, columns);
  const Request request{.kind = Request::Kind::LockRow,
                        .table = table,
                        .place = in_the_way,
                        .strength = strength};
  const auto lock = step(request, [&]() -> Outcome {
    const Version& version = state_.heap(table)[in_the_way];
    if (state_.is_own(version.creator, standing_.top) &&
        version.creator_command == command_)
      return failed("21000",
                    "ON CONFLICT DO UPDATE command cannot affect row a second time");
    return act_lock_row(request);
  });
  if (!took(lock) || lock->kind != Outcome::Kind::Done) return false;
  const Value existing = state_.heap(table)[in_the_way].values;
  if (standing_.has_one_snapshot() &&
      !state_.is_visible(state_.heap(table)[in_the_way], reader_.snapshot) &&
      !state_.is_own(state_.heap(table)[in_the_way].eraser, standing_.top))
    return fail("40001", "could not serialize access due to concurrent update");
  const Tuple tuple{existing, row};
  const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
  if (statement.update_where &&
      !program::holds(*statement.update_where, &rows, execution_.context))
    return !is_stopped();
  const Value after =
      program::assigned(execution_, table, existing, statement.updates, rows);
  if (is_stopped()) return false;
  program::check_row(execution_, table, after.items(), columns);
  const auto written = once([&]() -> Outcome {
    const Place next = replace(table, in_the_way, after, lock_of(table, existing, after));
    if (!note_write(table, in_the_way, after)) return serialization_failure();
    return {.place = next};
  });
  if (!took(written)) return false;
  if (!enter_indexes(table, written->place, existing)) return false;
  note_change(table, in_the_way, written->place);
  ++reply_.count;
  append_returned(statement.returning, {state_.heap(table)[written->place].values});
  return !is_stopped();
}

}  // namespace isomer::database::postgresql
