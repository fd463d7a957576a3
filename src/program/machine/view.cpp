// SPDX-License-Identifier: MIT
#include "program/machine/view.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::program {
namespace {

TableKeys sorted(std::vector<PrimaryKey> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return std::make_shared<const std::vector<PrimaryKey>>(std::move(keys));
}

}  // namespace

TableKeys universe_among(const Table& table, std::string_view prefix,
                         const std::vector<KeyName>& keys) {
  std::vector<PrimaryKey> out;
  for (const KeyName& name : keys) {
    if (!name.starts_with(prefix)) continue;
    if (auto key = parse_row_key(table, name)) out.push_back(std::move(*key));
  }
  return sorted(std::move(out));
}

View::View(const Program& program, Granularity granularity, const OwnWrites& own,
           const Answers& answers)
    : program_(program), granularity_(granularity), own_(own), answers_(answers) {}

Value View::value(const KeyName& key, Context& context) {
  if (const auto own = own_.find(key); own != own_.end()) return own->second;
  if (const auto known = answers_.values.find(key); known != answers_.values.end())
    return known->second;
  if (asked_.insert(key).second) missing_keys.push_back(key);
  context.is_waiting = true;
  return {};
}

Value View::row(TableId table_id, const PrimaryKey& key, Context& context) {
  if (!staged_.empty())
    if (const auto found = staged_.find(row_key(table(table_id), key));
        found != staged_.end())
      return changes_[found->second].row;
  return stored_row(table_id, key, context);
}

Value View::stored_row(TableId table_id, const PrimaryKey& key, Context& context) {
  switch (granularity_) {
    case Granularity::Row:
      return value(row_key(table(table_id), key), context);
    case Granularity::Table: {
      const Value whole = value(table_key(table(table_id)), context);
      for (const Value& row : whole.items())
        if (primary_key_of(table(table_id), row.items()) == key) return row;
      return {};
    }
    case Granularity::Field:
      return row_of_fields(table_id, key, context);
  }
  ISOMER_UNREACHABLE();
}

// Columns that the statement does not need are left Null; those of the primary key are
// known without a read.
Value View::row_of_fields(TableId table_id, const PrimaryKey& key, Context& context) {
  const Table& of = table(table_id);
  if (value(field_key(of, key, alive_column), context).is_null()) return {};
  std::vector<Value> row(of.columns.size());
  for (std::size_t i = 0; i < key.size(); ++i)
    row[of.primary_key[i].index] = key[i];
  for (const ColumnId column : needed_[table_id])
    row[column.index] = value(field_key(of, key, of.columns[column.index].name), context);
  return context.is_waiting ? Value() : Value::list(std::move(row));
}

void View::prefetch(TableId table_id, const std::vector<PrimaryKey>& keys,
                    Context& context) {
  for_each_waiting(keys.size(), context,
                   [&](std::size_t i) { row(table_id, keys[i], context); });
}

TableKeys View::scanned(TableId table_id, const PrimaryKey& start, Scan scan,
                        Context& context) {
  const KeyName prefix = key_prefix(table(table_id), start);
  TableKeys& known = universes_[prefix];
  if (!known) known = stored_universe(table_id, prefix, context);
  if (!known || scan == Scan::Committed) return known;
  std::vector<PrimaryKey> out = *known;
  for (const RowChange& change : changes_)
    if (change.table == table_id) out.push_back(change.key);
  return sorted(std::move(out));
}

TableKeys View::stored_universe(TableId table_id, const KeyName& prefix, Context& context) {
  const Table& of = table(table_id);
  std::vector<PrimaryKey> keys;
  if (granularity_ == Granularity::Table) {
    for (const Value& row : value(table_key(of), context).items())
      keys.push_back(primary_key_of(of, row.items()));
    return context.is_stopped() ? TableKeys() : sorted(std::move(keys));
  }
  const auto known = answers_.universes.find(prefix);
  if (known == answers_.universes.end()) {
    if (asked_.insert(prefix).second) missing_universes.emplace_back(table_id, prefix);
    context.is_waiting = true;
    return {};
  }
  for (auto own = own_.lower_bound(prefix);
       own != own_.end() && own->first.starts_with(prefix); ++own)
    if (auto key = parse_row_key(of, own->first)) keys.push_back(std::move(*key));
  if (keys.empty()) return known->second;
  keys.insert(keys.end(), known->second->begin(), known->second->end());
  return sorted(std::move(keys));
}

void View::stage(RowChange change) {
  staged_[row_key(table(change.table), change.key)] = changes_.size();
  changes_.push_back(std::move(change));
}

bool View::is_staged(TableId table_id, const PrimaryKey& key) const {
  return staged_.contains(row_key(table(table_id), key));
}

void View::lock(TableId table_id, const Value& row) {
  const auto& needed = needed_[table_id];
  stage({.table = table_id,
         .key = primary_key_of(table(table_id), row.items()),
         .row = row,
         .writes_existence = true,
         .columns = {needed.begin(), needed.end()}});
}

std::vector<std::pair<KeyName, Value>> View::writes(Context& context) {
  switch (granularity_) {
    case Granularity::Row:
      return row_writes();
    case Granularity::Table:
      return table_writes(context);
    case Granularity::Field:
      return field_writes();
  }
  ISOMER_UNREACHABLE();
}

std::vector<std::pair<KeyName, Value>> View::row_writes() const {
  std::vector<std::pair<KeyName, Value>> out;
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    KeyName key = row_key(table(changes_[i].table), changes_[i].key);
    if (staged_.at(key) == i) out.emplace_back(std::move(key), changes_[i].row);
  }
  return out;
}

std::vector<std::pair<KeyName, Value>> View::table_writes(Context& context) {
  std::map<TableId, std::vector<Value>> tables;
  for (const RowChange& change : changes_) {
    const Table& of = table(change.table);
    const Value whole = value(table_key(of), context);
    auto& rows =
        tables.try_emplace(change.table, whole.items().begin(), whole.items().end())
            .first->second;
    const auto old = std::find_if(rows.begin(), rows.end(), [&](const Value& row) {
      return primary_key_of(of, row.items()) == change.key;
    });
    if (old != rows.end() && !change.row.is_null())
      *old = change.row;
    else if (old != rows.end())
      rows.erase(old);
    else if (!change.row.is_null())
      rows.push_back(change.row);
  }
  std::vector<std::pair<KeyName, Value>> out;
  for (auto& [id, rows] : tables)
    out.emplace_back(table_key(table(id)), Value::list(std::move(rows)));
  return out;
}

std::vector<std::pair<KeyName, Value>> View::field_writes() const {
  std::vector<std::pair<KeyName, Value>> out;
  for (const RowChange& change : changes_) {
    const Table& of = table(change.table);
    if (change.writes_existence)
      out.emplace_back(field_key(of, change.key, alive_column),
                       change.row.is_null() ? Value() : Value::boolean(true));
    for (const ColumnId column : change.columns)
      out.emplace_back(field_key(of, change.key, of.columns[column.index].name),
                       change.row.items()[column.index]);
  }
  return out;
}

void View::need(TableId table_id, ColumnId column) {
  if (table_id.is_none()) return;  // of rows that are computed
  const auto& key = table(table_id).primary_key;
  if (std::find(key.begin(), key.end(), column) == key.end())
    needed_[table_id].insert(column);
}

}  // namespace isomer::program
