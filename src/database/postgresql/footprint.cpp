// SPDX-License-Identifier: MIT
// When the order of two steps matters.
#include <algorithm>

#include "database/postgresql/work.h"

namespace isomer::database::postgresql {
namespace {

template <class A, class B, class Meet>
bool any_meet(const A& a, const B& b, Meet meet) {
  return std::any_of(a.begin(), a.end(), [&](const auto& left) {
    return std::any_of(b.begin(), b.end(),
                       [&](const auto& right) { return meet(left, right); });
  });
}

bool meets(const Region& read, const RowChange& change) {
  return overlap(read, change);
}

// What one step does to the other, in this order or the other one.
bool disturbs(const Footprint& a, const Footprint& b) {
  return any_meet(a.reads, b.commits, meets) || any_meet(a.tracked, b.written, meets);
}

bool is_locked_in_conflict(const Footprint& a, const Footprint& b) {
  using Row = Footprint::TouchedRow;
  using Key = Footprint::TouchedKey;
  // Two that give back locks of one row meet only in whom they wake.
  const bool meet_in_rows = any_meet(a.rows, b.rows, [](const Row& left, const Row& right) {
    return left.table == right.table && left.row == right.row &&
           conflict(left.strength, right.strength);
  });
  const bool meet_in_keys = any_meet(a.keys, b.keys, [](const Key& left, const Key& right) {
    return left.table == right.table && left.index == right.index &&
           left.key == right.key && (left.is_insert || right.is_insert);
  });
  const bool meet_in_tables =
      any_meet(a.tables, b.tables, [](const auto& left, const auto& right) {
        return left.first == right.first && conflict(left.second, right.second);
      });
  const bool meet_in_advice =
      any_meet(a.advised, b.advised, [](const auto& left, const auto& right) {
        return left.first == right.first && !(left.second && right.second);
      });
  return meet_in_rows || meet_in_keys || meet_in_tables || meet_in_advice;
}

}  // namespace

bool conflict(const Footprint& a, const Footprint& b) {
  // Dangerous structures depend on the order of ends and snapshots.
  if (a.is_serializable && b.is_serializable && (a.ends || b.ends)) return true;
  return disturbs(a, b) || disturbs(b, a) || is_locked_in_conflict(a, b) ||
         any_meet(a.appended, b.appended,
                  [](TableId left, TableId right) { return left == right; });
}

}  // namespace isomer::database::postgresql
