// SPDX-License-Identifier: MIT
// Which index a statement reads, and which part of it: what the conditions of a WHERE
// allow. InnoDB locks what is read, whether or not it is a result, so it matters.  Where
// MariaDB's optimizer is free, there are several candidates.
#pragma once

#include <functional>
#include <span>

#include "database/innodb/state.h"

namespace isomer::database::innodb {

// A part of an index, by its first columns: some are equal to something, and the next one
// may be bounded, or be one of a list.
struct Access {
  IndexNumber index = clustered;
  std::vector<const program::Expression*> equal{};
  const program::Expression* low = nullptr;
  const program::Expression* high = nullptr;
  bool has_low = false;  // low itself is a part of it
  bool has_high = false;
  std::vector<const program::Expression*> among{};
  // What the columns behind the bounded one are equal to.
  std::vector<const program::Expression*> behind{};
  bool is_lookup = false;    // of one row, by all columns of a unique index
  bool is_covering = false;  // the index has all columns that are asked for
};

// What is asked of a table.
struct Asked {
  TableId table;
  std::uint32_t source = 0;  // in its FROM
  // Conditions that must hold, each by itself.
  std::span<const program::Expression* const> conditions;
  // Are all rows known that the expression mentions?
  std::function<bool(const program::Expression&)> is_known;
  std::span<const ColumnId> columns;  // that are asked for
  bool is_changed = false;            // by UPDATE or DELETE: the whole row is needed
};

// In Access::equal: the column IS NULL.
bool is_null_test(const program::Expression* value);

// Conditions on one column.
struct ColumnConditions {
  std::vector<const program::Expression*> equal{};
  std::vector<const program::Expression*> low{};
  std::vector<const program::Expression*> high{};
  bool has_low = true;
  bool has_high = true;
};

// Those that the optimizer holds against each other before anything is read.
ColumnConditions conditions_on(const Asked& asked, ColumnId column);

// The likeliest one first; never empty.
std::vector<Access> accesses(const State& state, const Asked& asked);

}  // namespace isomer::database::innodb
