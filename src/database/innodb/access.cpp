// SPDX-License-Identifier: MIT
#include "database/innodb/access.h"

#include <algorithm>

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
    Access out{.index = number};
    for (const ColumnId column : index.columns) {
      const auto equal =
          std::find_if(found.begin(), found.end(), [&](const Condition& condition) {
            return condition.column == column && condition.function == Function::Equal &&
                   condition.value != nullptr;
          });
      if (equal == found.end()) {
        bound(out, column);
        break;
      }
      out.equal.push_back(equal->value);
    }
    const bool has_null =
        std::find(out.equal.begin(), out.equal.end(), &null()) != out.equal.end();
    out.is_lookup =
        index.is_unique && !has_null && out.equal.size() == index.columns.size();
    return out;
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
    if (is_limited(access)) out.push_back(std::move(access));
  }
  // An index with an equation serves better than one with bounds.  To UPDATE and DELETE a
  // lookup is one range among others.
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
