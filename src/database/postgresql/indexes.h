// SPDX-License-Identifier: MIT
// Unique indexes and what rows have in them.  Private to the model.
#pragma once

#include <optional>
#include <vector>

#include "program/ir.h"

namespace isomer::database::postgresql {

// One unique index of a table, or one of EXCLUDE.
struct Index {
  std::vector<program::ColumnId> columns{};  // none if it is of more than plain columns
  // Of the table; nothing: its primary key or UNIQUE that is checked with each row.
  std::optional<std::uint32_t> constraint{};
  bool is_primary = false;
  bool is_exclusion = false;
  program::Deferral deferral = program::Deferral::None;
  // All that it looks at, also in its expressions and its WHERE.
  std::vector<program::ColumnId> looks_at{};

  [[nodiscard]] bool is_deferrable() const { return deferral != program::Deferral::None; }

  // Does a new version with the same key come into it without a look?
  [[nodiscard]] bool enters_unseen() const { return !is_deferrable() && !is_exclusion; }

  // Whoever changes these columns locks FOR UPDATE: a foreign key could refer to them.
  [[nodiscard]] bool is_for_references() const { return !columns.empty() && !is_exclusion; }
};

// In the order in which keys are entered.
std::vector<Index> indexes_of(const program::Table& table);

// What the row has in the index, if others can be in its way there.  EXCLUDE: what is
// compared.
std::optional<std::vector<program::Value>> key_in(const program::Table& table,
                                                  const Index& index,
                                                  const program::Value& row);

// Are rows with these in the index in each other's way?
bool are_in_the_way(const program::Table& table, const Index& index,
                    const std::vector<program::Value>& a,
                    const std::vector<program::Value>& b);

// Is a row entered into no index again, as it has changed in none (HOT)?
bool is_in_place(const program::Table& table, const std::vector<Index>& indexes,
                 const program::Value& before, const program::Value& after);

}  // namespace isomer::database::postgresql
