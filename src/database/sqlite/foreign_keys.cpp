// SPDX-License-Identifier: MIT
// Foreign keys.  Actions follow each row at once, as triggers do; RESTRICT is one of them.
// Whether every child has its parent is asked at the end of the statement.
#include <algorithm>

#include "database/sqlite/statement.h"
#include "program/machine/constraints.h"

namespace isomer::database::sqlite {

using program::ForeignKey;
using program::ReferenceAction;

namespace {

constexpr std::string_view message = "FOREIGN KEY constraint failed";

bool has_null(const std::vector<Value>& values) {
  return std::any_of(values.begin(), values.end(),
                     [](const Value& value) { return value.is_null(); });
}

}  // namespace

bool Statement::check_parents(TableId id, const Value& after, const Value& before) {
  for (const ForeignKey& key : table(id).foreign_keys) {
    const auto values = program::picked(after.items(), key.columns);
    const bool is_as_before =
        !before.is_null() && program::picked(before.items(), key.columns) == values;
    if (has_null(values) || is_as_before) continue;
    const bool is_own_parent =
        key.table == id && program::picked(after.items(), key.referenced) == values;
    if (!is_own_parent && rows_with(key.table, key.referenced, values).empty())
      return fail(foreign_key_failed, std::string(message));
  }
  return true;
}

// The key that was made last acts first.
bool Statement::act_on_children(const Change& change) {
  for (auto child = static_cast<std::uint32_t>(program_.tables.size()); child-- > 0;) {
    const auto& keys = program_.tables[child].foreign_keys;
    for (auto key = keys.rbegin(); key != keys.rend(); ++key)
      if (key->table == change.table && !act({child}, *key, change)) return false;
  }
  return true;
}

bool Statement::act(TableId child, const ForeignKey& key, const Change& change) {
  const bool is_delete = change.after.is_null();
  const auto values = program::picked(change.before.items(), key.referenced);
  const bool is_same =
      !is_delete && program::picked(change.after.items(), key.referenced) == values;
  const ReferenceAction action = is_delete ? key.on_delete : key.on_update;
  if (has_null(values) || is_same || action == ReferenceAction::NoAction) return true;
  const auto children = rows_with(child, key.columns, values);
  if (action == ReferenceAction::Restrict)
    return children.empty() || fail(restrict_failed, std::string(message));
  for (const Value& row : children) {
    if (is_delete && action == ReferenceAction::Cascade) {
      if (!remove(child, row)) return false;
      continue;
    }
    std::vector<Value> after(row.items().begin(), row.items().end());
    for (std::size_t i = 0; i < key.columns.size(); ++i) {
      const program::Column& column = table(child).columns[key.columns[i].index];
      Value& value = after[key.columns[i].index];
      value = {};
      if (action == ReferenceAction::Cascade)
        value = change.after.items()[key.referenced[i].index];
      else if (action == ReferenceAction::SetDefault && column.default_value)
        value = program::converted(
            program::evaluate(*column.default_value, nullptr, execution_.context),
            column.type, program::Conversion::Assignment, execution_.context);
    }
    if (!replace({.table = child,
                  .before = row,
                  .after = Value::list(std::move(after)),
                  .columns = key.columns}))
      return false;
  }
  return true;
}

bool Statement::check_foreign_keys() {
  for (const Change& change : changes_) {
    const TableRows& rows = tables_.rows(change.table);
    if (!change.after.is_null()) {
      const auto now =
          rows.find(program::primary_key_of(table(change.table), change.after.items()));
      if (now != rows.end() && !check_parents(change.table, now->second, change.before))
        return false;
    }
    if (change.before.is_null()) continue;
    for (std::uint32_t child = 0; child < program_.tables.size(); ++child)
      for (const ForeignKey& key : program_.tables[child].foreign_keys) {
        if (key.table != change.table) continue;
        const auto values = program::picked(change.before.items(), key.referenced);
        if (!has_null(values) && rows_with(key.table, key.referenced, values).empty() &&
            !rows_with({child}, key.columns, values).empty())
          return fail(foreign_key_failed, std::string(message));
      }
  }
  return true;
}

}  // namespace isomer::database::sqlite
