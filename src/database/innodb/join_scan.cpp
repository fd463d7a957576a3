// SPDX-License-Identifier: MIT
// Nested loops: by which index a table is read, and which part of it.
#include <algorithm>

#include "database/innodb/join_search.h"
#include "program/machine/references.h"

namespace isomer::database::innodb {

using program::Expression;
using program::Rows;
using program::Source;

bool Statement::JoinSearch::gives_order(const Access& access) const {
  const Index& index = statement.state_.indexes(join.from[0].table)[access.index];
  return access.index == clustered || access.is_lookup ||
         access.equal.size() >= index.columns.size();
}

Access Statement::JoinSearch::chosen(std::uint32_t source, SourceSet known) {
  auto all = candidates(source, known);
  if (join.is_by_key) {
    std::erase_if(all, [&](const Access& access) { return !gives_order(access); });
    if (all.empty()) all.emplace_back();
  }
  if (is_found[source]) {
    std::erase_if(all, [](const Access& access) { return access.among.empty(); });
    if (all.empty()) all.emplace_back();
  }
  return all[all.size() == 1 ? 0 : statement.choose(join.from.data(), source, all.size())];
}

// Without locks and snapshots it matters whether a row or its entry in an index is read.
Access Statement::JoinSearch::dirty_access(std::uint32_t source, SourceSet known) {
  auto all = candidates(source, known);
  std::erase_if(all, [&](const Access& access) {
    return access.index != clustered && !access.is_covering && !access.is_lookup;
  });
  if (all.empty() || all[0].index != clustered) all.emplace_back();
  return all[all.size() == 1 ? 0 : statement.choose(join.from.data(), source, all.size())];
}

// As the column of the index has it; absent: no row is equal to it.
std::optional<Value> Statement::JoinSearch::value_of(const Expression& expression,
                                                     const program::Type& type) {
  const Rows current = rows();
  const Value value = program::evaluate(expression, &current, context());
  if (value.is_null()) return std::nullopt;
  program::Context scratch;
  Value out = program::converted(value, type, program::Conversion::Cast, scratch);
  if (scratch.is_stopped() || program::compare(out, value) != 0) return std::nullopt;
  return out;
}

const program::Type& Statement::JoinSearch::type_of(TableId table, IndexNumber index,
                                                    std::size_t place) const {
  const auto& columns = statement.state_.indexes(table)[index].columns;
  const ColumnId column =
      place < columns.size()
          ? columns[place]
          : statement.state_.table(table).primary_key[place - columns.size()];
  return statement.state_.table(table).columns[column.index].type;
}

// Absent: there is no such row.
std::optional<std::vector<Statement::Interval>> Statement::JoinSearch::intervals(
    TableId table, const Access& access) {
  Interval whole;
  for (std::size_t i = 0; i < access.equal.size(); ++i) {
    if (is_null_test(access.equal[i])) {
      whole.from.emplace_back();
      continue;
    }
    auto value = value_of(*access.equal[i], type_of(table, access.index, i));
    if (!value) return std::nullopt;
    whole.from.push_back(*value);
  }
  whole.to = whole.from;
  whole.is_exact = !whole.from.empty();
  whole.is_lookup = access.is_lookup;
  if (!access.among.empty()) return points(table, access, whole);
  const std::size_t place = access.equal.size();
  if (access.low == nullptr && access.high != nullptr) {
    // NULL stands before everything, and is no result of a comparison.
    whole.from.emplace_back();
    whole.has_from = false;
  }
  if (access.low != nullptr) {
    whole.is_exact = false;
    whole.has_from = access.has_low;
    if (auto low = value_of(*access.low, type_of(table, access.index, place)))
      whole.from.push_back(*low);
    else
      whole.has_from = true;
  }
  if (access.high != nullptr) {
    whole.is_exact = false;
    whole.has_to = access.has_high;
    if (auto high = value_of(*access.high, type_of(table, access.index, place)))
      whole.to.push_back(*high);
    else
      whole.has_to = true;
  }
  std::vector<Value> behind;
  for (std::size_t i = 0; i < access.behind.size(); ++i)
    if (auto value =
            value_of(*access.behind[i], type_of(table, access.index, place + 1 + i)))
      behind.push_back(*value);
  if (behind.size() < access.behind.size()) behind.clear();
  const auto extend = [&](Key& bound, bool has_it) {
    if (has_it && bound.size() == place + 1)
      bound.insert(bound.end(), behind.begin(), behind.end());
  };
  extend(whole.from, access.low != nullptr && access.has_low);
  extend(whole.to, access.high != nullptr && access.has_high);
  return std::vector<Interval>{std::move(whole)};
}

std::vector<Statement::Interval> Statement::JoinSearch::points(TableId table,
                                                               const Access& access,
                                                               const Interval& before) {
  const std::size_t place = access.equal.size();
  std::vector<Value> values;
  for (const Expression* one : access.among)
    if (auto value = value_of(*one, type_of(table, access.index, place)))
      values.push_back(*value);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  const Index& index = statement.state_.indexes(table)[access.index];
  std::vector<Interval> out;
  for (const Value& value : values) {
    Interval point = before;
    point.from.push_back(value);
    point.to = point.from;
    point.is_exact = true;
    point.is_lookup = index.is_unique && point.from.size() == index.columns.size();
    out.push_back(std::move(point));
  }
  return out;
}

// What can be asked of an entry of the index alone.
bool Statement::JoinSearch::is_pushed(const Expression& condition, std::uint32_t source,
                                      const Access& access) const {
  const auto& table = statement.state_.table(join.from[source].table);
  const auto& columns =
      statement.state_.indexes(join.from[source].table)[access.index].columns;
  bool out = sources_in(condition) == only(source) && !has_query(condition);
  program::visit_columns(condition, 0, [&](const Expression& column) {
    const auto has = [&](const std::vector<ColumnId>& among) {
      return std::find(among.begin(), among.end(), column.column) != among.end();
    };
    out &= has(columns) || has(table.primary_key);
  });
  return out;
}

std::function<bool(const Key&)> Statement::JoinSearch::pushed(std::uint32_t source,
                                                              const Access& access) {
  if (join.query == nullptr || access.index == clustered || access.is_covering) return {};
  std::vector<const Expression*> conditions;
  for (const Conjunct& conjunct : where)
    if (is_pushed(*conjunct.condition, source, access))
      conditions.push_back(conjunct.condition);
  if (conditions.empty()) return {};
  return [this, source, conditions, index = access.index](const Key& entry) {
    const TableId table = join.from[source].table;
    Tuple with = tuple;
    with[source] = row_of_entry(statement.state_.table(table),
                                statement.state_.indexes(table), index, entry);
    const Rows current{.current = with, .around = join.around, .group = {}};
    return std::all_of(conditions.begin(), conditions.end(), [&](const auto* condition) {
      return program::holds(*condition, &current, context());
    });
  };
}

std::optional<Statement::Scan> Statement::JoinSearch::scan_of(std::uint32_t source,
                                                              SourceSet known) {
  const Source& of = join.from[source];
  const bool is_dirty = join.sights[source] == Sight::Dirty;
  if (is_impossible(source, known) || statement.is_stopped()) return std::nullopt;
  const Access access = is_dirty ? dirty_access(source, known) : chosen(source, known);
  if (statement.is_stopped()) return std::nullopt;
  auto parts = intervals(of.table, access);
  if (statement.is_stopped() || !parts) return std::nullopt;
  Scan scan{.table = of.table,
            .sight = join.sights[source],
            .wait = of.lock_wait,
            .index = access.index,
            .intervals = std::move(*parts),
            .is_covering = access.is_covering && join.sights[source] != Sight::Exclusive,
            .is_backward = join.is_backward,
            .is_semi_consistent = join.is_update && join.from.size() == 1 &&
                                  !statement.transaction().locks_gaps() &&
                                  access.index == clustered};
  if (scan.index != clustered) scan.pushed = pushed(source, access);
  return scan;
}

}  // namespace isomer::database::innodb
