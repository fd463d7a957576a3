// SPDX-License-Identifier: MIT
// In which order a statement takes the rows that it found is the plan's business: a scan
// takes them as they stand in the heap, an index those of one chain of updates (HOT) where
// the first of them stands, or by their keys, and a join goes by one of its tables, or by
// the keys of one.  Small tables are scanned, once the server has statistics of them;
// before that, and when they grow, it may go by an index.
#include <algorithm>

#include "database/postgresql/statement.h"
#include "program/machine/columns.h"
#include "program/machine/constraints.h"
#include "program/machine/key_conditions.h"
#include "program/machine/references.h"

namespace isomer::database::postgresql {
namespace {

using program::Expression;
using program::Source;

struct Found {
  std::vector<Source> sources{};
  const Expression* where = nullptr;
};

// What the statement looks for and locks in the order of a scan; nothing if it does not.
std::optional<Found> found_by(const program::Statement& statement) {
  if (statement.update)
    return Found{.sources = program::sources_of(*statement.update),
                 .where = statement.update->where.get()};
  if (statement.erase)
    return Found{.sources = program::sources_of(*statement.erase),
                 .where = statement.erase->where.get()};
  if (statement.merge)
    return Found{.sources = program::sources_of(*statement.merge),
                 .where = statement.merge->where.get()};
  if (statement.query && locks_rows(*statement.query) && statement.query->order.empty())
    return Found{.sources = statement.query->from, .where = statement.query->where.get()};
  return std::nullopt;
}

// The columns by which an index has its rows; none if it has them by something else.
std::vector<ColumnId> columns_in_order(const State& state, TableId table,
                                       std::uint32_t index) {
  const Index& of = state.indexes(table)[index];
  if (of.is_exclusion) return {};
  if (!of.constraint) return of.columns;
  std::vector<ColumnId> out;
  for (const auto& part : state.table(table).index_constraints[*of.constraint].parts) {
    if (part.value->kind != Expression::Kind::Column) return {};
    out.push_back(part.value->column);
  }
  return out;
}

// A unique index on whose first column there is a condition.
std::optional<std::uint32_t> index_for(const State& state, TableId table,
                                       const Expression& condition) {
  const bool compares = condition.kind == Expression::Kind::InList ||
                        condition.kind == Expression::Kind::AnyElement ||
                        condition.kind == Expression::Kind::Call;
  if (!compares) return std::nullopt;
  for (std::uint32_t i = 0; i < state.indexes(table).size(); ++i) {
    const auto columns = columns_in_order(state, table, i);
    for (const auto& argument : condition.arguments)
      if (argument && argument->kind == Expression::Kind::Column && argument->outer == 0 &&
          !columns.empty() && columns.front() == argument->column)
        return i;
  }
  return std::nullopt;
}

// The first of the versions that an index has under one entry.
Place first_of_chain(const State& state, TableId table, Place place) {
  const Heap& heap = state.heap(table);
  const auto has_same_keys = [&](Place before) {
    return is_in_place(state.table(table), state.indexes(table), heap[before].values,
                       heap[place].values);
  };
  for (Place before = 0; before < heap.size(); ++before)
    if (heap[before].next == place && heap[before].eraser == heap[place].creator)
      return has_same_keys(before) ? first_of_chain(state, table, before) : place;
  return place;
}

// Has an update left a row behind others that were behind it?
bool has_moved_rows(const State& state, TableId table) {
  const Heap& heap = state.heap(table);
  for (Place place = 0; place < heap.size(); ++place)
    if (first_of_chain(state, table, place) != place) return true;
  return false;
}

std::vector<Value> key_of(const State& state, TableId table, std::uint32_t index,
                          Place place) {
  return program::picked(state.heap(table)[place].values.items(),
                         columns_in_order(state, table, index));
}

// Do the rows stand in the heap as they do in the index?
bool is_in_key_order(const State& state, TableId table, std::uint32_t index) {
  std::optional<std::vector<Value>> last;
  const Heap& heap = state.heap(table);
  for (Place place = 0; place < heap.size(); ++place) {
    if (state.is_replaced(heap[place])) continue;
    auto key = key_of(state, table, index, place);
    if (last && key < *last) return false;
    last = std::move(key);
  }
  return true;
}

bool has_columns(const Expression& expression) {
  bool out = false;
  program::visit_columns(expression, 0, [&](const Expression&) { out = true; });
  return out;
}

// The sources of which it may find several rows, by place.
std::vector<std::size_t> scanned(const State& state, const Found& found) {
  const auto conjuncts =
      program::conjuncts_over(*state.program, found.sources, found.where);
  std::vector<std::size_t> out;
  for (std::uint32_t i = 0; i < found.sources.size(); ++i) {
    if (found.sources[i].rows) {
      out.push_back(i);
      continue;
    }
    const program::Table& table = state.table(found.sources[i].table);
    const auto conditions = program::key_conditions(table, conjuncts, i);
    const bool is_one_row =
        conditions.pins_all &&
        std::none_of(conditions.pins.begin(), conditions.pins.end(),
                     [](const Expression* value) { return has_columns(*value); });
    if (!is_one_row) out.push_back(i);
  }
  return out;
}

// Of several tables, the primary key stands for what a merge of two goes by.
std::vector<LockOrder> orders_of_join(const State& state, const Found& found) {
  std::vector<LockOrder> out{{}};
  for (std::size_t i = 1; i < found.sources.size(); ++i)
    if (!found.sources[i].rows) out.push_back({.source = i});
  for (std::size_t i = 0; i < found.sources.size(); ++i)
    if (!found.sources[i].rows && !is_in_key_order(state, found.sources[i].table, 0))
      out.push_back({.source = i, .by = LockOrder::By::Key});
  return out;
}

std::vector<LockOrder> orders_of_table(const State& state, const Found& found) {
  std::vector<LockOrder> out{{}};
  if (found.sources.front().rows) return out;
  const TableId table = found.sources.front().table;
  const auto parts = program::conjuncts_of(found.where);
  for (const Expression* part : parts) {
    const auto index = index_for(state, table, *part);
    if (!index) continue;
    if (has_moved_rows(state, table)) out.push_back({.by = LockOrder::By::Chain});
    if (!is_in_key_order(state, table, *index))
      out.push_back({.by = LockOrder::By::Key, .index = *index});
    break;
  }
  return out;
}

}  // namespace

std::vector<LockOrder> lock_orders(const State& state,
                                   const program::Statement& statement) {
  const auto found = found_by(statement);
  if (!found) return {{}};
  const auto sources = scanned(state, *found);
  if (sources.empty()) return {{}};
  if (found->sources.size() == 1) return orders_of_table(state, *found);
  return sources.size() > 1 ? orders_of_join(state, *found) : std::vector<LockOrder>{{}};
}

void put_in_order(const State& state, std::span<const Source> sources,
                  const LockOrder& order, std::vector<program::Tuple>& tuples) {
  if (order == LockOrder()) return;
  if (sources[order.source].rows) return;  // in no other order than they were computed
  const TableId table = sources[order.source].table;
  const auto place_of = [&](const program::Tuple& tuple) {
    const program::Value& row = tuple[order.source];
    if (row.is_null()) return nowhere;
    const Place place = state.place_of(table, row);
    return order.by == LockOrder::By::Chain ? first_of_chain(state, table, place) : place;
  };
  const auto comes_first = [&](Place a, Place b) {
    if (order.by != LockOrder::By::Key || a == nowhere || b == nowhere) return a < b;
    return key_of(state, table, order.index, a) < key_of(state, table, order.index, b);
  };
  std::stable_sort(tuples.begin(), tuples.end(),
                   [&](const program::Tuple& a, const program::Tuple& b) {
                     return comes_first(place_of(a), place_of(b));
                   });
}

}  // namespace isomer::database::postgresql
