// SPDX-License-Identifier: MIT
#include "database/postgresql/indexes.h"

#include <algorithm>

#include "program/machine/constraints.h"
#include "program/machine/evaluate.h"
#include "program/machine/references.h"

namespace isomer::database::postgresql {

using program::ColumnId;
using program::IndexConstraint;
using program::Table;
using program::Value;

namespace {

Index index_of(const IndexConstraint& constraint, std::uint32_t number) {
  Index out{.columns = constraint.columns().value_or(std::vector<ColumnId>()),
            .constraint = number,
            .is_exclusion = constraint.is_exclusion,
            .deferral = constraint.deferral};
  const auto look_at = [&](const program::ExpressionPtr& expression) {
    if (expression)
      program::visit_columns(*expression, 0, [&](const program::Expression& column) {
        out.looks_at.push_back(column.column);
      });
  };
  for (const auto& part : constraint.parts)
    look_at(part.value);
  look_at(constraint.where);
  return out;
}

bool is_same_in(std::span<const ColumnId> columns, const Value& a, const Value& b) {
  return std::all_of(columns.begin(), columns.end(), [&](ColumnId column) {
    return a.items()[column.index] == b.items()[column.index];
  });
}

}  // namespace

std::vector<Index> indexes_of(const Table& table) {
  std::vector<Index> out{{.columns = table.primary_key,
                          .is_primary = true,
                          .deferral = table.primary_key_deferral,
                          .looks_at = table.primary_key}};
  std::uint32_t next = 0;
  const auto add_those_before = [&](std::size_t unique) {
    for (; next < table.index_constraints.size() &&
           table.index_constraints[next].unique_before <= unique;
         ++next)
      out.push_back(index_of(table.index_constraints[next], next));
  };
  for (std::size_t i = 0; i < table.unique.size(); ++i) {
    add_those_before(i);
    out.push_back({.columns = table.unique[i], .looks_at = table.unique[i]});
  }
  add_those_before(table.unique.size());
  return out;
}

std::optional<std::vector<Value>> key_in(const Table& table, const Index& index,
                                         const Value& row) {
  if (!index.columns.empty() && !index.is_exclusion) {
    auto out = program::picked(row.items(), index.columns);
    if (std::any_of(out.begin(), out.end(), [](const Value& v) { return v.is_null(); }))
      return std::nullopt;
    return out;
  }
  program::Context context;
  return program::index_key(table.index_constraints[*index.constraint], row, context);
}

bool are_in_the_way(const Table& table, const Index& index, const std::vector<Value>& a,
                    const std::vector<Value>& b) {
  if (!index.is_exclusion) return a == b;
  return program::are_in_the_way(table.index_constraints[*index.constraint], a, b);
}

bool is_in_place(const Table& table, const std::vector<Index>& indexes, const Value& before,
                 const Value& after) {
  return std::all_of(indexes.begin(), indexes.end(),
                     [&](const Index& index) {
                       return is_same_in(index.looks_at, before, after);
                     }) &&
         std::all_of(table.indexes.begin(), table.indexes.end(), [&](const auto& columns) {
           return is_same_in(columns, before, after);
         });
}

}  // namespace isomer::database::postgresql
