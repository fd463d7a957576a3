// SPDX-License-Identifier: MIT
#include "record/versions.h"

#include <algorithm>

namespace isomer::record {

std::vector<KeyChange> key_changes(const program::Program& program,
                                   const RowChange& change) {
  std::vector<KeyChange> out;
  const bool is_there = !change.row.is_null();
  PrimaryKey key;
  if (is_there)
    key = program::primary_key_of(program.tables[change.table.index], change.row.items());
  const bool moves = change.replaced && (!is_there || key != change.old_key);
  if (moves) out.push_back({.row = {change.table, change.old_key}});
  if (is_there)
    out.push_back({.row = {change.table, std::move(key)},
                   .value = change.row,
                   .is_new = moves || !change.replaced});
  return out;
}

Versions::Versions(const program::Program& program) : tables_(program.tables.size()) {
  for (const auto& [table, row] : program.initial_rows)
    tables_[table.index][program::primary_key_of(program.tables[table.index], row)] = {
        {.writer = 0, .row = Value::list(row)}};
}

void Versions::add(const Row& row, std::uint32_t writer, const Value& value) {
  std::vector<Version>& versions = tables_[row.first.index][row.second];
  if (!versions.empty() && versions.back().writer == writer && writer != 0)
    versions.back().row = value;
  else
    versions.push_back({.writer = writer, .row = value});
}

Versions::Seen Versions::seen(const std::vector<Version>& of, std::uint32_t commits) {
  const auto behind = std::upper_bound(
      of.begin(), of.end(), commits,
      [](std::uint32_t commit, const Version& version) { return commit < version.writer; });
  Seen out;
  if (behind != of.begin()) out.version = *std::prev(behind);
  if (behind != of.end()) out.next = &*behind;
  return out;
}

Versions::Seen Versions::seen(const Row& row, std::uint32_t commits) const {
  const Table& rows = tables_[row.first.index];
  const auto found = rows.find(row.second);
  return found == rows.end() ? Seen() : seen(found->second, commits);
}

const Version* Versions::written_by(const Row& row, std::uint32_t writer) const {
  const Table& rows = tables_[row.first.index];
  const auto found = rows.find(row.second);
  if (found == rows.end()) return nullptr;
  for (const Version& version : found->second)
    if (version.writer == writer) return &version;
  return nullptr;
}

}  // namespace isomer::record
