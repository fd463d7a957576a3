// SPDX-License-Identifier: MIT
#include "audit/rows.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audit/describe.h"

namespace isomer::audit {
namespace {

using program::TypeKind;
using program::Value;
using Key = std::pair<std::uint32_t, std::vector<Value>>;  // table, primary key

class RowFinder {
 public:
  RowFinder(const Program& program, Chain& chain, const logic::TermSolver& model)
      : program_(program), chain_(chain), model_(model) {}

  void find(std::span<const Candidate* const> chosen) {
    for (std::size_t i = 0; i < chain_.instance_count(); ++i)
      for (const RowSeen& row : chain_.instance(i).rows)
        if (row.is_insert && model_.truth(row.when)) inserted_.insert(key_of(row.record));
    for (std::size_t i = 0; i < chain_.instance_count(); ++i)
      for (const RowSeen& row : chain_.instance(i).rows)
        if (!row.is_insert && model_.truth(row.when)) add(row.record, row.viewer);
    for (std::size_t slot = 0; slot < chosen.size(); ++slot) {
      const std::size_t writer = chosen[slot]->kind == DependencyKind::ReadWrite
                                     ? chain_.slot(slot).second
                                     : chain_.slot(slot).first;
      add(chain_.record(slot, chosen[slot]->table), chain_.instance(writer).viewer);
    }
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (const auto& [key, row] : std::map(rows_)) {
        const Parents parents = add_parents(key.first, row);
        if (parents == Parents::Inserted) {
          rows_.erase(key);
          inserted_.insert(key);
        }
        is_new = is_new || parents != Parents::There;
      }
    }
  }

  [[nodiscard]] Rows in_order() const {
    Rows out;
    for (const std::uint32_t table : by_reference(program_))
      for (const auto& [key, row] : rows_)
        if (key.first == table) out.emplace_back(TableId{table}, row);
    return out;
  }

 private:
  [[nodiscard]] Key key_of(const Record& record) const {
    Key out{record.table.index, {}};
    const program::Table& table = program_.tables[record.table.index];
    for (std::size_t i = 0; i < record.key.size(); ++i)
      out.second.push_back(value_of({table.columns[table.primary_key[i].index].type,
                                     chain_.never(),
                                     record.key[i],
                                     {}},
                                    model_));
    return out;
  }

  void add(const Record& record, const Viewer& viewer) {
    const Key key = key_of(record);
    if (inserted_.contains(key) || rows_.contains(key)) return;
    const program::Table& table = program_.tables[record.table.index];
    std::vector<Value> row;
    for (std::uint32_t i = 0; i < table.columns.size(); ++i)
      row.push_back(value_of(chain_.column(record, {i}, viewer), model_));
    rows_.emplace(key, std::move(row));
  }

  // A row cannot be there at the start if what it refers to is inserted later.
  enum class Parents : std::uint8_t { There, Added, Inserted };

  Parents add_parents(std::uint32_t table, const std::vector<Value>& row) {
    Parents out = Parents::There;
    for (const program::ForeignKey& key : program_.tables[table].foreign_keys) {
      const program::Table& parent = program_.tables[key.table.index];
      std::vector<Value> made;
      for (const program::Column& column : parent.columns)
        made.push_back(some_value(column.type));
      bool has_null = false;
      for (std::size_t i = 0; i < key.columns.size(); ++i) {
        made[key.referenced[i].index] = row[key.columns[i].index];
        has_null = has_null || row[key.columns[i].index].is_null();
      }
      Key at{key.table.index, {}};
      for (const ColumnId column : parent.primary_key)
        at.second.push_back(made[column.index]);
      if (has_null || rows_.contains(at)) continue;
      if (inserted_.contains(at)) return Parents::Inserted;
      rows_.emplace(std::move(at), std::move(made));
      out = Parents::Added;
    }
    return out;
  }

  const Program& program_;
  Chain& chain_;
  const logic::TermSolver& model_;
  std::set<Key> inserted_;
  std::map<Key, std::vector<Value>> rows_;
};

}  // namespace

Value some_value(const program::Type& type) {
  switch (type.kind) {
    case TypeKind::Bool:
      return Value::boolean(true);
    case TypeKind::Numeric:
      return Value::integer(0);
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
      return Value::integer(1);
    case TypeKind::Date:
      return Value(Value::Data(program::Date{}));
    case TypeKind::Timestamp:
      return Value(Value::Data(program::Timestamp{}));
    default:
      return Value::text("a");
  }
}

std::vector<std::uint32_t> by_reference(const Program& program) {
  std::vector<std::uint32_t> out;
  std::vector<bool> is_done(program.tables.size());
  const auto is_ready = [&](std::uint32_t table) {
    const auto& keys = program.tables[table].foreign_keys;
    return !is_done[table] &&
           std::all_of(keys.begin(), keys.end(), [&](const program::ForeignKey& key) {
             return key.table.index == table || is_done[key.table.index];
           });
  };
  while (out.size() < program.tables.size()) {
    std::optional<std::uint32_t> next;
    for (std::uint32_t i = 0; i < program.tables.size() && !next; ++i)
      if (is_ready(i)) next = i;
    for (std::uint32_t i = 0; i < program.tables.size() && !next; ++i)
      if (!is_done[i]) next = i;  // they refer to each other in a circle
    is_done[*next] = true;
    out.push_back(*next);
  }
  return out;
}

Rows initial_rows(const Program& program, Chain& chain,
                  std::span<const Candidate* const> chosen,
                  const logic::TermSolver& model) {
  RowFinder finder(program, chain, model);
  finder.find(chosen);
  return finder.in_order();
}

}  // namespace isomer::audit
