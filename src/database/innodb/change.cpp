// SPDX-License-Identifier: MIT
// UPDATE and DELETE: row by row as they are read.  The row comes first, and then its entry
// in each secondary index: the old one is marked, a new one is made (row_upd).
#include <algorithm>
#include <set>

#include "database/innodb/locks.h"
#include "database/innodb/statement.h"
#include "program/machine/columns.h"
#include "program/machine/constraints.h"
#include "program/machine/keys.h"
#include "program/machine/references.h"

namespace isomer::database::innodb {

using program::Source;

void Statement::append_returned(const std::vector<program::ExpressionPtr>& returning,
                                const Tuple& tuple) {
  ++reply_.count;
  if (returning.empty()) return;
  const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
  std::vector<Value> out;
  for (const auto& column : returning)
    out.push_back(program::evaluate(*column, &rows, execution_.context));
  reply_.rows.push_back(std::move(out));
}

// --- UPDATE ---

namespace {

std::vector<Sight> sights_of_change(std::size_t sources, std::size_t target) {
  std::vector<Sight> out(sources, Sight::Share);
  out[target] = Sight::Exclusive;
  return out;
}

}  // namespace

// Rows that move within an index that may be read are all found before the first is
// changed.
bool Statement::changes_what_it_reads(const program::Update& statement) const {
  const TableId id = statement.table.table;
  const auto columns = program::changed_columns(statement.assignments);
  const Indexes& indexes = state_.indexes(id);
  return std::any_of(indexes.begin(), indexes.end(), [&](const Index& index) {
    return std::find_first_of(columns.begin(), columns.end(), index.columns.begin(),
                              index.columns.end()) != columns.end();
  });
}

std::vector<program::Tuple> Statement::targets(const Join& all, TableId table) {
  std::vector<Tuple> out;
  std::set<Key> seen;
  join(all, [&](const Tuple& tuple) {
    const auto key =
        program::primary_key_of(state_.table(table), tuple[*all.changed].items());
    if (seen.insert(key).second) out.push_back(tuple);
    return true;
  });
  return out;
}

std::optional<Reply> Statement::update(const program::Update& statement) {
  for (const auto& assignment : statement.assignments)
    if (assignment.value) read_early(*assignment.value, false);
  const std::vector<Source> sources = program::sources_of(statement);
  const Join all{.from = sources,
                 .where = statement.where.get(),
                 .sights = sights_of_change(sources.size(), statement.target),
                 .changed = statement.target,
                 .is_update = !updates_what_it_queries()};
  if (sources.size() > 1 || changes_what_it_reads(statement) || updates_what_it_queries()) {
    for (Tuple& tuple : targets(all, statement.table.table))
      if (!update_tuple(statement, std::move(tuple))) return std::nullopt;
  } else {
    join(all, [&](const Tuple& tuple) { return update_tuple(statement, tuple); });
  }
  if (is_stopped()) return std::nullopt;
  return reply_;
}

// A row that gets the values that it has stays as it is, and counts all the same.
bool Statement::update_tuple(const program::Update& statement, Tuple tuple) {
  if (is_stopped()) return false;
  const TableId id = statement.table.table;
  const Value before = tuple[statement.target];
  const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
  const Value after =
      program::assigned(execution_, id, before, statement.assignments, rows);
  if (is_stopped()) return false;
  program::check_row(execution_, id, after.items(),
                     program::changed_columns(statement.assignments));
  if (is_stopped()) return false;
  if (after != before && !replace_row(id, before, after, false)) return false;
  tuple[statement.target] = after;
  append_returned(statement.returning, tuple);
  return !is_stopped();
}

bool Statement::replace_row(TableId table, const Value& before, const Value& after,
                            bool is_action) {
  const program::Table& of = state_.table(table);
  const Key old_key = program::primary_key_of(of, before.items());
  const Key new_key = program::primary_key_of(of, after.items());
  const bool moves = old_key != new_key;
  once([&]() -> Outcome {
    lock_table(table, LockMode::Exclusive);
    write_row(state_, trx_, table, old_key, moves ? Value() : after, touched);
    return {};
  });
  if (is_stopped()) return false;
  const Indexes& indexes = state_.indexes(table);
  for (IndexNumber i = 0; i < indexes.size(); ++i) {
    const Key old_entry = entry_of(of, indexes, i, before);
    const Key new_entry = entry_of(of, indexes, i, after);
    if (old_entry == new_entry) continue;
    if (i != clustered && !mark_old_entry(table, i, before)) return false;
    if (!check_children(table, i, before, after)) return false;
    if (!is_action && !check_parents(table, i, after)) return false;
    const auto duplicate = enter(table, i, after);
    if (is_stopped()) return false;
    if (duplicate) return fail_duplicate(table, i, duplicate->key);
  }
  return !is_stopped();
}

// Who reads by the index alone has locked nothing but its entry.
bool Statement::mark_old_entry(TableId table, IndexNumber index, const Value& before) {
  const RecordId entry{
      .table = table,
      .index = index,
      .key = entry_of(state_.table(table), state_.indexes(table), index, before)};
  const auto request = [&]() -> Request {
    return {.kind = Request::Kind::Lock,
            .lock = LockRequest{
                .record = entry, .mode = LockMode::Exclusive, .kind = LockKind::Record}};
  };
  return took(step(request, [&](const Request&) -> Outcome {
    mark_entry(state_, trx_, entry, touched);
    return {};
  }));
}

// --- DELETE ---

std::optional<Value> Statement::newest(TableId table, const Value& row) {
  const auto outcome = once([&]() -> Outcome {
    const Key key = program::primary_key_of(state_.table(table), row.items());
    const Versions* versions = state_.versions(table, key);
    return {.row = versions == nullptr ? Value() : versions->back().row};
  });
  if (!outcome || outcome->row.is_null()) return std::nullopt;
  return outcome->row;
}

std::optional<Reply> Statement::erase(const program::Delete& statement) {
  const std::vector<Source> sources = program::sources_of(statement);
  const TableId id = statement.table.table;
  const Join all{.from = sources,
                 .where = statement.where.get(),
                 .sights = sights_of_change(sources.size(), statement.target),
                 .changed = statement.target};
  const auto erase_tuple = [&](const Tuple& tuple) {
    // An action for a row before it may have taken it along.
    if (!newest(id, tuple[statement.target])) return !is_stopped();
    if (!remove_row(id, tuple[statement.target])) return false;
    append_returned(statement.returning, tuple);
    return !is_stopped();
  };
  if (sources.size() > 1) {
    for (const Tuple& tuple : targets(all, id))
      if (!erase_tuple(tuple)) return std::nullopt;
  } else {
    join(all, erase_tuple);
  }
  if (is_stopped()) return std::nullopt;
  return reply_;
}

bool Statement::remove_row(TableId table, const Value& row) {
  once([&]() -> Outcome {
    lock_table(table, LockMode::Exclusive);
    write_row(state_, trx_, table,
              program::primary_key_of(state_.table(table), row.items()), {}, touched);
    return {};
  });
  if (is_stopped()) return false;
  for (IndexNumber i = 0; i < state_.indexes(table).size(); ++i) {
    if (i != clustered && !mark_old_entry(table, i, row)) return false;
    if (!check_children(table, i, row, {})) return false;
  }
  return !is_stopped();
}

}  // namespace isomer::database::innodb
