// SPDX-License-Identifier: MIT
#include "database/innodb/state.h"

#include <algorithm>

#include "program/machine/keys.h"

namespace isomer::database::innodb {

State initial_state(const program::Program& program) {
  State out{
      .program = &program,
      .all_indexes = std::make_shared<const std::vector<Indexes>>(indexes_of(program)),
      .tables = {},
      .transactions = {{.session = ~SessionIndex{0},
                        .status = Transaction::Status::Committed}},
      .locks = {}};
  for (std::uint32_t i = 0; i < program.tables.size(); ++i) {
    auto records = std::make_shared<Records>();
    records->secondary.resize(out.indexes({i}).size());
    out.tables.push_back(std::move(records));
  }
  for (const auto& [table, values] : program.initial_rows) {
    Records& records = *out.tables[table.index];
    const Value row = Value::list(values);
    records.rows[program::primary_key_of(out.table(table), values)] = {{.row = row}};
    for (IndexNumber i = 1; i < out.indexes(table).size(); ++i)
      records.secondary[i][entry_of(out.table(table), out.indexes(table), i, row)] = {};
  }
  return out;
}

Records& State::own_records(TableId id) {
  auto& own = tables[id.index];
  if (own.use_count() > 1) own = std::make_shared<Records>(*own);
  return *own;
}

// --- records ---

namespace {

Found found_at(const std::pair<const Key, Versions>& record) {
  const Version& newest = record.second.back();
  return {.key = record.first, .is_deleted = newest.row.is_null(), .writer = newest.writer};
}

Found found_at(const std::pair<const Key, Entry>& record) {
  return {.key = record.first,
          .is_deleted = record.second.is_deleted,
          .writer = record.second.writer};
}

// Calls with the map of the index.
template <class Look>
std::optional<Found> look_into(const Records& records, IndexNumber index, Look look) {
  const auto found = [&](const auto& map) -> std::optional<Found> {
    const auto at = look(map);
    return at == map.end() ? std::nullopt : std::optional(found_at(*at));
  };
  return index == clustered ? found(records.rows) : found(records.secondary[index]);
}

}  // namespace

std::optional<Found> State::find(const RecordId& record) const {
  if (!record.key) return std::nullopt;
  return look_into(records(record.table), record.index,
                   [&](const auto& map) { return map.find(*record.key); });
}

std::optional<Found> State::first_at(TableId table, IndexNumber index,
                                     const Key& place) const {
  return look_into(records(table), index,
                   [&](const auto& map) { return map.lower_bound(place); });
}

std::optional<Found> State::first_behind(TableId table, IndexNumber index,
                                         const Key& place) const {
  return look_into(records(table), index,
                   [&](const auto& map) { return map.upper_bound(place); });
}

std::optional<Found> State::last_before(TableId table, IndexNumber index,
                                        const std::optional<Key>& place) const {
  return look_into(records(table), index, [&](const auto& map) {
    auto at = place ? map.lower_bound(*place) : map.end();
    return at == map.begin() ? map.end() : std::prev(at);
  });
}

RecordId State::next_of(const RecordId& record) const {
  const auto next = first_behind(record.table, record.index, *record.key);
  return {.table = record.table,
          .index = record.index,
          .key = next ? std::optional(next->key) : std::nullopt};
}

Key State::row_key(TableId table, IndexNumber index, const Key& entry) const {
  if (index == clustered) return entry;
  const auto size = static_cast<std::ptrdiff_t>(indexes(table)[index].columns.size());
  return {entry.begin() + size, entry.end()};
}

const Versions* State::versions(TableId table, const Key& key) const {
  const auto at = records(table).rows.find(key);
  return at == records(table).rows.end() ? nullptr : &at->second;
}

Value State::seen(const Versions& versions, TrxId by, std::uint32_t commits_seen) const {
  for (auto version = versions.rbegin(); version != versions.rend(); ++version)
    if (version->writer == by || is_committed_by(version->writer, commits_seen))
      return version->row;
  return {};
}

std::optional<Value> State::last_committed(const Versions& versions, TrxId by) const {
  for (auto version = versions.rbegin(); version != versions.rend(); ++version)
    if (version->writer == by || is_committed_by(version->writer, commits))
      return version->row;
  return std::nullopt;
}

}  // namespace isomer::database::innodb
