// SPDX-License-Identifier: MIT
// In which order a statement takes the rows that it found is the plan's business: a scan
// takes them as they stand in the heap, an index those of one chain of updates (HOT) where
// the first of them stands, and a join goes by one of its tables.  Small tables are
// scanned, once the server has statistics of them; before that, and when they grow, it may
// go by an index.
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

// Is it a condition on the first column of a unique index?
bool is_for_an_index(const program::Table& table, const Expression& condition) {
  const bool compares = condition.kind == Expression::Kind::InList ||
                        condition.kind == Expression::Kind::AnyElement ||
                        condition.kind == Expression::Kind::Call;
  if (!compares) return false;
  const auto constraints = program::unique_constraints(table);
  return std::any_of(
      condition.arguments.begin(), condition.arguments.end(), [&](const auto& argument) {
        return argument && argument->kind == Expression::Kind::Column &&
               argument->outer == 0 &&
               std::any_of(constraints.begin(), constraints.end(), [&](const auto columns) {
                 return !columns.empty() && columns.front() == argument->column;
               });
      });
}

// The first of the versions that an index has under one entry.
Place first_of_chain(const State& state, TableId table, Place place) {
  const Heap& heap = state.heap(table);
  const auto constraints = program::unique_constraints(state.table(table));
  const auto has_same_keys = [&](Place before) {
    return std::all_of(constraints.begin(), constraints.end(), [&](const auto columns) {
      return program::picked(heap[before].values.items(), columns) ==
             program::picked(heap[place].values.items(), columns);
    });
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

}  // namespace

std::size_t lock_orders(const State& state, const program::Statement& statement) {
  const auto found = found_by(statement);
  if (!found) return 1;
  const auto sources = scanned(state, *found);
  if (found->sources.size() > 1) return sources.size() > 1 ? found->sources.size() : 1;
  const TableId id = found->sources.front().table;
  if (id.is_none()) return 1;
  if (sources.empty() || !has_moved_rows(state, id)) return 1;
  const auto parts = program::conjuncts_of(found->where);
  const bool may_take_an_index = std::any_of(
      parts.begin(), parts.end(),
      [&](const Expression* part) { return is_for_an_index(state.table(id), *part); });
  return may_take_an_index ? 2 : 1;
}

void put_in_order(const State& state, std::span<const Source> sources, std::size_t order,
                  std::vector<program::Tuple>& tuples) {
  if (order == 0) return;
  const std::size_t by = sources.size() > 1 ? order : 0;
  if (sources[by].rows) return;  // in no other order than they were computed
  const TableId table = sources[by].table;
  const auto place_of = [&](const program::Tuple& tuple) {
    if (tuple[by].is_null()) return nowhere;
    const Place place = state.place_of(table, tuple[by]);
    return sources.size() > 1 ? place : first_of_chain(state, table, place);
  };
  std::stable_sort(tuples.begin(), tuples.end(),
                   [&](const program::Tuple& a, const program::Tuple& b) {
                     return place_of(a) < place_of(b);
                   });
}

}  // namespace isomer::database::postgresql
