// SPDX-License-Identifier: MIT
#include "database/innodb/access.h"

#include <algorithm>
#include <iterator>

namespace isomer::database::innodb {
namespace {

using program::Expression;
using program::Function;

// column <op> value, or column IN (values); IS NULL is = NULL to an index.
struct Condition {
  ColumnId column;
  Function function = Function::Equal;
  const Expression* value = nullptr;
  std::vector<const Expression*> among{};
};

Function mirrored(Function function) {
  switch (function) {
    case Function::Less:
      return Function::Greater;
    case Function::LessEqual:
      return Function::GreaterEqual;
    case Function::Greater:
      return Function::Less;
    case Function::GreaterEqual:
      return Function::LessEqual;
    default:
      return function;
  }
}

bool is_comparison(Function function) {
  return function == Function::Equal || mirrored(function) != function;
}

const Expression& without_casts(const Expression& expression) {
  return expression.kind == Expression::Kind::Cast &&
                 expression.arguments[0]->kind == Expression::Kind::Column
             ? *expression.arguments[0]
             : expression;
}

// Stands for IS NULL.
const Expression& null() {
  static const Expression out{};
  return out;
}

struct Conditions {
  const Asked& asked;
  std::vector<Condition> found{};

  explicit Conditions(const Asked& of) : asked(of) {
    for (const Expression* condition : asked.conditions)
      add(*condition);
  }

  [[nodiscard]] bool is_own_column(const Expression& expression) const {
    return expression.kind == Expression::Kind::Column && expression.outer == 0 &&
           expression.source.index == asked.source;
  }

  void add(const Expression& condition) {
    if (condition.kind == Expression::Kind::InList) return add_list(condition);
    if (condition.kind == Expression::Kind::Call &&
        condition.function == Function::IsNull && is_own_column(*condition.arguments[0])) {
      found.push_back({.column = condition.arguments[0]->column, .value = &null()});
      return;
    }
    if (condition.kind != Expression::Kind::Call || !is_comparison(condition.function))
      return;
    for (std::size_t side = 0; side < 2; ++side) {
      const Expression& column = without_casts(*condition.arguments[side]);
      const Expression& value = *condition.arguments[1 - side];
      if (!is_own_column(column) || !asked.is_known(value)) continue;
      found.push_back(
          {.column = column.column,
           .function = side == 0 ? condition.function : mirrored(condition.function),
           .value = &value});
      return;
    }
  }

  void add_list(const Expression& condition) {
    const Expression& column = without_casts(*condition.arguments[0]);
    Condition out{.column = column.column};
    for (std::size_t i = 1; i < condition.arguments.size(); ++i)
      out.among.push_back(condition.arguments[i].get());
    const bool is_known =
        std::all_of(out.among.begin(), out.among.end(),
                    [&](const Expression* value) { return asked.is_known(*value); });
    if (is_own_column(column) && is_known) found.push_back(std::move(out));
  }

  [[nodiscard]] Access of_index(IndexNumber number, const Index& index) const {
    return of_columns(number, index, index.columns);
  }

  // Entries of an index have the primary key behind their own columns; MariaDB uses that if
  // the index is not unique.
  [[nodiscard]] std::optional<Access> of_entries(IndexNumber number, const Index& index,
                                                 std::span<const ColumnId> primary) const {
    const Access plain = of_index(number, index);
    std::vector<ColumnId> columns = index.columns;
    columns.insert(columns.end(), primary.begin(), primary.end());
    Access out = of_columns(number, index, columns);
    const bool is_more = out.equal.size() > plain.equal.size() || out.low != plain.low ||
                         out.high != plain.high || out.among != plain.among ||
                         out.behind.size() > plain.behind.size();
    return is_more && !plain.is_lookup ? std::optional(out) : std::nullopt;
  }

  [[nodiscard]] Access of_columns(IndexNumber number, const Index& index,
                                  std::span<const ColumnId> columns) const {
    Access out{.index = number};
    std::size_t place = 0;
    for (; place < columns.size(); ++place) {
      const Expression* const value = equal_to(columns[place]);
      if (value == nullptr) break;
      out.equal.push_back(value);
    }
    if (place < columns.size()) bound(out, columns[place]);
    // The bound of one column goes on with what the next ones are equal to.
    for (++place; place < columns.size() && (out.low != nullptr || out.high != nullptr);
         ++place) {
      const Expression* const value = equal_to(columns[place]);
      if (value == nullptr || is_null_test(value)) break;
      out.behind.push_back(value);
    }
    const bool has_null =
        std::find(out.equal.begin(), out.equal.end(), &null()) != out.equal.end();
    out.is_lookup =
        index.is_unique && !has_null && out.equal.size() == index.columns.size();
    return out;
  }

  [[nodiscard]] const Expression* equal_to(ColumnId column) const {
    const auto equal =
        std::find_if(found.begin(), found.end(), [&](const Condition& condition) {
          return condition.column == column && condition.function == Function::Equal &&
                 condition.value != nullptr;
        });
    return equal == found.end() ? nullptr : equal->value;
  }

  void bound(Access& out, ColumnId column) const {
    for (const Condition& condition : found) {
      if (condition.column != column) continue;
      if (!condition.among.empty()) {
        out.among = condition.among;
        out.low = out.high = nullptr;
        return;
      }
      const bool is_low = condition.function == Function::Greater ||
                          condition.function == Function::GreaterEqual;
      (is_low ? out.low : out.high) = condition.value;
      (is_low ? out.has_low : out.has_high) =
          condition.function == Function::GreaterEqual ||
          condition.function == Function::LessEqual;
    }
  }
};

bool is_limited(const Access& access) {
  return !access.equal.empty() || access.low != nullptr || access.high != nullptr ||
         !access.among.empty();
}

bool covers(const State& state, const Asked& asked, const Index& index) {
  const auto& primary = state.table(asked.table).primary_key;
  const auto has = [](const std::vector<ColumnId>& columns, ColumnId column) {
    return std::find(columns.begin(), columns.end(), column) != columns.end();
  };
  return !asked.is_changed &&
         std::all_of(asked.columns.begin(), asked.columns.end(), [&](ColumnId column) {
           return has(index.columns, column) || has(primary, column);
         });
}

// Of all rows: by the smallest index that has all that is asked for.
Access of_all(const State& state, const Asked& asked) {
  const Indexes& indexes = state.indexes(asked.table);
  IndexNumber best = clustered;
  for (IndexNumber i = 1; i < indexes.size(); ++i)
    if (covers(state, asked, indexes[i]) &&
        (best == clustered || indexes[i].columns.size() < indexes[best].columns.size()))
      best = i;
  return {.index = best, .is_covering = best != clustered};
}

}  // namespace

bool is_null_test(const Expression* value) {
  return value == &null();
}

ColumnConditions conditions_on(const Asked& asked, ColumnId column) {
  ColumnConditions out;
  for (const Condition& condition : Conditions(asked).found) {
    if (condition.column != column || condition.value == nullptr) continue;
    const bool is_open =
        condition.function == Function::Less || condition.function == Function::Greater;
    if (condition.value == &null()) continue;
    if (condition.function == Function::Equal) {
      out.equal.push_back(condition.value);
    } else if (mirrored(condition.function) == Function::Less ||
               mirrored(condition.function) == Function::LessEqual) {
      out.low.push_back(condition.value);
      out.has_low &= !is_open;
    } else {
      out.high.push_back(condition.value);
      out.has_high &= !is_open;
    }
  }
  return out;
}

std::vector<Access> accesses(const State& state, const Asked& asked) {
  const Conditions conditions(asked);
  const Indexes& indexes = state.indexes(asked.table);
  std::vector<Access> out;
  for (IndexNumber i = 0; i < indexes.size(); ++i) {
    Access access = conditions.of_index(i, indexes[i]);
    access.is_covering = i != clustered && covers(state, asked, indexes[i]);
    if (access.is_lookup && !asked.is_changed) return {std::move(access)};
    if (!indexes[i].is_unique) {
      const auto& primary = state.table(asked.table).primary_key;
      if (auto longer = conditions.of_entries(i, indexes[i], primary)) {
        longer->is_covering = access.is_covering;
        out.push_back(*std::move(longer));
      }
    }
    if (is_limited(access)) out.push_back(std::move(access));
  }
  if (asked.is_changed) {
    // To UPDATE and DELETE a lookup is one range among others, and one row of a secondary
    // index costs less than one of the clustered index.
    std::vector<Access> of_one_row;
    std::copy_if(
        out.begin(), out.end(), std::back_inserter(of_one_row), [&](const Access& access) {
          const std::size_t whole =
              indexes[access.index].columns.size() + indexes[clustered].columns.size();
          return access.index != clustered &&
                 (access.is_lookup || access.equal.size() == whole);
        });
    if (!of_one_row.empty()) return of_one_row;
  }
  // An index with an equation serves better than one with bounds.
  std::stable_sort(out.begin(), out.end(), [](const Access& a, const Access& b) {
    if (a.is_lookup != b.is_lookup) return a.is_lookup;
    return !a.equal.empty() && b.equal.empty();
  });
  if (!out.empty() && out[0].is_lookup) return out;
  const bool is_by_key = !out.empty() && out[0].index == clustered;
  if (!(is_by_key && asked.is_changed)) out.push_back(of_all(state, asked));
  return out;
}

}  // namespace isomer::database::innodb
