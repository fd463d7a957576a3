// SPDX-License-Identifier: MIT
// Nested loops: for each row of one table, the rows of the next one.  Tables of which one
// row is looked up by constants come first; among the others MariaDB's optimizer chooses.
#include <algorithm>
#include <bit>
#include <numeric>

#include "database/innodb/statement.h"
#include "program/machine/references.h"

namespace isomer::database::innodb {

using program::Expression;
using program::Rows;
using program::Source;

namespace {

using SourceSet = std::uint64_t;

SourceSet only(std::size_t source) {
  return SourceSet{1} << source;
}

SourceSet sources_in(const Expression& expression) {
  SourceSet out = 0;
  program::visit_columns(
      expression, 0, [&](const Expression& column) { out |= only(column.source.index); });
  return out;
}

// In place of a source.
constexpr std::uint32_t whole_order = ~0U;

bool has_query(const Expression& expression) {
  return expression.query ||
         std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [](const auto& part) { return part && has_query(*part); });
}

std::vector<ColumnId> columns_of(const program::Select* query, std::size_t source) {
  std::vector<ColumnId> out;
  if (query == nullptr) return out;
  const auto add = [&](const Expression& part) {
    program::visit_columns(part, 0, [&](const Expression& column) {
      if (column.source.index == source) out.push_back(column.column);
    });
  };
  program::visit_parts(*query, add);
  return out;
}

}  // namespace

struct Statement::JoinSearch {
  // A conjunct, and the tables of which it speaks.
  struct Conjunct {
    const Expression* condition = nullptr;
    SourceSet sources = 0;
  };

  Statement& statement;
  const Join& join;
  const std::function<bool(const Tuple&)>& visit;
  std::vector<Conjunct> where;
  std::vector<std::uint32_t> order{};
  std::vector<bool> is_constant{};  // by source: one row, looked up by constants
  Tuple tuple;
  bool goes_on = true;

  JoinSearch(Statement& of, const Join& what, const std::function<bool(const Tuple&)>& then)
      : statement(of),
        join(what),
        visit(then),
        where(conjuncts(what.where)),
        is_constant(what.from.size()),
        tuple(what.from.size()) {}

  static std::vector<Conjunct> conjuncts(const Expression* condition) {
    std::vector<Conjunct> out;
    for (const Expression* part : program::conjuncts_of(condition))
      out.push_back({.condition = part, .sources = sources_in(*part)});
    return out;
  }

  [[nodiscard]] program::Context& context() const { return statement.execution_.context; }

  [[nodiscard]] Rows rows() const {
    return {.current = tuple, .around = join.around, .group = {}};
  }

  bool holds(const Expression& condition) const {
    const Rows current = rows();
    return program::holds(condition, &current, context());
  }

  // --- the order of tables ---

  [[nodiscard]] std::vector<Access> candidates(std::uint32_t source,
                                               SourceSet known) const {
    const Expression* on = join.from[source].left_join_on.get();
    std::vector<const Expression*> conditions;
    for (const Conjunct& conjunct : on != nullptr ? conjuncts(on) : where)
      if ((conjunct.sources & ~(known | only(source))) == 0)
        conditions.push_back(conjunct.condition);
    const auto columns = columns_of(join.query, source);
    return accesses(statement.state_, {.table = join.from[source].table,
                                       .source = source,
                                       .conditions = conditions,
                                       .is_known =
                                           [&](const Expression& expression) {
                                             return (sources_in(expression) & ~known) == 0;
                                           },
                                       .columns = columns,
                                       .is_changed = join.query == nullptr});
  }

  // DELETE and UPDATE of one table know no constant tables.
  void find_constants() {
    const bool is_single_change = join.changed && join.from.size() == 1;
    SourceSet known = 0;
    for (bool is_new = !is_single_change; is_new;) {
      is_new = false;
      for (std::uint32_t i = 0; i < join.from.size(); ++i) {
        if (is_constant[i] || join.from[i].left_join_on) continue;
        if (!candidates(i, known)[0].is_lookup) continue;
        is_constant[i] = is_new = true;
        known |= only(i);
        order.push_back(i);
      }
    }
  }

  void find_order() {
    find_constants();
    std::vector<std::uint32_t> others;
    bool is_free = true;
    for (std::uint32_t i = 0; i < join.from.size(); ++i) {
      if (!is_constant[i]) others.push_back(i);
      is_free &= !join.from[i].left_join_on;
    }
    const bool has_choice = is_free && (others.size() == 2 || others.size() == 3);
    if (has_choice) {
      const std::size_t choice =
          statement.choose(join.from.data(), whole_order, others.size() == 2 ? 2 : 6);
      for (std::size_t i = 0; i < choice; ++i)
        std::next_permutation(others.begin(), others.end());
    }
    order.insert(order.end(), others.begin(), others.end());
  }

  // --- scans ---

  [[nodiscard]] bool gives_order(const Access& access) const {
    const Index& index = statement.state_.indexes(join.from[0].table)[access.index];
    return access.index == clustered || access.is_lookup ||
           access.equal.size() == index.columns.size();
  }

  Access chosen(std::uint32_t source, SourceSet known) {
    auto all = candidates(source, known);
    if (join.is_by_key) {
      std::erase_if(all, [&](const Access& access) { return !gives_order(access); });
      if (all.empty()) all.emplace_back();
    }
    return all[all.size() == 1 ? 0
                               : statement.choose(join.from.data(), source, all.size())];
  }

  // Without locks nobody can tell by which index.
  [[nodiscard]] Access by_key(std::uint32_t source, SourceSet known) const {
    for (Access& access : candidates(source, known))
      if (access.index == clustered) return std::move(access);
    return {};
  }

  // As the column of the index has it; absent: no row is equal to it.
  std::optional<Value> value_of(const Expression& expression, const program::Type& type) {
    const Rows current = rows();
    const Value value = program::evaluate(expression, &current, context());
    if (value.is_null()) return std::nullopt;
    program::Context scratch;
    Value out = program::converted(value, type, program::Conversion::Cast, scratch);
    if (scratch.is_stopped() || program::compare(out, value) != 0) return std::nullopt;
    return out;
  }

  [[nodiscard]] const program::Type& type_of(TableId table, IndexNumber index,
                                             std::size_t place) const {
    const ColumnId column = statement.state_.indexes(table)[index].columns[place];
    return statement.state_.table(table).columns[column.index].type;
  }

  // Absent: there is no such row.
  std::optional<std::vector<Interval>> intervals(TableId table, const Access& access) {
    Interval whole;
    for (std::size_t i = 0; i < access.equal.size(); ++i) {
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
    return std::vector<Interval>{std::move(whole)};
  }

  std::optional<std::vector<Interval>> points(TableId table, const Access& access,
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
  [[nodiscard]] bool is_pushed(const Expression& condition, std::uint32_t source,
                               const Access& access) const {
    const auto& table = statement.state_.table(join.from[source].table);
    const auto& columns =
        statement.state_.indexes(join.from[source].table)[access.index].columns;
    bool out = sources_in(condition) == only(source) && !condition.query;
    program::visit_columns(condition, 0, [&](const Expression& column) {
      const auto has = [&](const std::vector<ColumnId>& among) {
        return std::find(among.begin(), among.end(), column.column) != among.end();
      };
      out &= has(columns) || has(table.primary_key);
    });
    return out;
  }

  std::function<bool(const Key&)> pushed(std::uint32_t source, const Access& access) {
    if (join.query == nullptr || access.index == clustered || access.is_covering) return {};
    std::vector<const Expression*> conditions;
    for (const Conjunct& conjunct : where)
      if (is_pushed(*conjunct.condition, source, access))
        conditions.push_back(conjunct.condition);
    if (conditions.empty()) return {};
    return [this, source, conditions, index = access.index](const Key& entry) {
      const TableId table = join.from[source].table;
      const auto& of = statement.state_.table(table);
      std::vector<Value> row(of.columns.size());
      const auto& columns = statement.state_.indexes(table)[index].columns;
      for (std::size_t i = 0; i < columns.size(); ++i)
        row[columns[i].index] = entry[i];
      for (std::size_t i = 0; i < of.primary_key.size(); ++i)
        row[of.primary_key[i].index] = entry[columns.size() + i];
      Tuple with = tuple;
      with[source] = Value::list(std::move(row));
      const Rows current{.current = with, .around = join.around, .group = {}};
      return std::all_of(conditions.begin(), conditions.end(), [&](const auto* condition) {
        return program::holds(*condition, &current, context());
      });
    };
  }

  std::optional<Scan> scan_of(std::uint32_t source, SourceSet known) {
    const Source& of = join.from[source];
    const bool is_dirty = join.sights[source] == Sight::Dirty;
    const Access access = is_dirty ? by_key(source, known) : chosen(source, known);
    if (statement.is_stopped()) return std::nullopt;
    auto parts = intervals(of.table, access);
    if (statement.is_stopped() || !parts) return std::nullopt;
    Scan scan{.table = of.table,
              .sight = join.sights[source],
              .wait = of.lock_wait,
              .index = access.index,
              .intervals = std::move(*parts),
              .is_covering = access.is_covering && join.sights[source] == Sight::Share,
              .is_backward = join.is_backward,
              .is_semi_consistent = join.is_update && join.from.size() == 1 &&
                                    !statement.transaction().locks_gaps() &&
                                    access.index == clustered};
    if (scan.index != clustered) scan.pushed = pushed(source, access);
    return scan;
  }

  // --- the loops ---

  void run() {
    find_order();
    if (statement.is_stopped()) return;
    for (const Conjunct& conjunct : where)
      if (is_constant_condition(conjunct) && !holds(*conjunct.condition)) return;
    visit_source(0, 0);
  }

  // Subqueries are not asked before there is a row.
  [[nodiscard]] bool is_constant_condition(const Conjunct& conjunct) const {
    return conjunct.sources == 0 && (order.empty() || !has_query(*conjunct.condition));
  }

  [[nodiscard]] bool satisfies(SourceSet known, std::uint32_t source) const {
    return std::all_of(where.begin(), where.end(), [&](const Conjunct& conjunct) {
      const bool is_due =
          conjunct.sources == 0
              ? source == order[0] && has_query(*conjunct.condition)
              : (conjunct.sources & only(source)) != 0 && (conjunct.sources & ~known) == 0;
      return !is_due || holds(*conjunct.condition);
    });
  }

  void visit_source(std::size_t depth, SourceSet known) {
    if (depth == order.size()) {
      goes_on = !statement.is_stopped() && visit(tuple) && !statement.is_stopped();
      return;
    }
    const std::uint32_t source = order[depth];
    const Source& of = join.from[source];
    const SourceSet with = known | only(source);
    bool has_partner = false;
    auto scan = scan_of(source, known);
    if (scan) {
      while (auto fetched = statement.fetch(*scan)) {
        tuple[source] = fetched->row;
        const bool is_partner = !of.left_join_on || holds(*of.left_join_on);
        has_partner |= is_partner;
        const bool is_kept = is_partner && satisfies(with, source);
        if (statement.is_stopped()) return;
        if (fetched->is_committed_version) {
          scan->waits_next = is_kept;  // now it has to be locked
          if (is_kept) scan->position = fetched->key;
          continue;
        }
        if (is_kept) {
          visit_source(depth + 1, with);
          if (!goes_on) return;
        } else if (!is_constant[source]) {
          statement.give_back(*fetched);
        }
      }
    }
    tuple[source] = {};
    if (statement.is_stopped()) {
      goes_on = false;
      return;
    }
    if (of.left_join_on && !has_partner && satisfies(with, source))
      visit_source(depth + 1, with);
    if (statement.is_stopped()) goes_on = false;
  }
};

std::size_t Statement::choose(const Source* from, std::uint32_t source,
                              std::size_t choices) {
  const std::pair what{from, source};
  if (const auto known = chosen_.find(what); known != chosen_.end()) return known->second;
  const auto outcome =
      step([&] { return Request{.kind = Request::Kind::Plan, .choices = choices}; },
           [&](const Request&) -> Outcome {
             return {.choice = std::min(work_.choice, choices - 1)};
           });
  if (!outcome) return 0;
  return chosen_[what] = outcome->choice;
}

void Statement::join(const Join& join, const std::function<bool(const Tuple&)>& visit) {
  if (is_stopped()) return;
  JoinSearch search(*this, join, visit);
  search.run();
}

}  // namespace isomer::database::innodb
