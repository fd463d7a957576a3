// SPDX-License-Identifier: MIT
// Nested loops: for each row of one table, the rows of the next one.  Tables of which one
// row is looked up by constants come first; among the others MariaDB's optimizer chooses.
// A table that is not looked up by the rows before it is read once for all of them: they
// are gathered in a buffer (block nested loops).
#include <algorithm>
#include <numeric>

#include "database/innodb/join_search.h"
#include "program/machine/references.h"

namespace isomer::database::innodb {

using program::Expression;
using program::Rows;
using program::Source;

SourceSet sources_in(const Expression& expression) {
  SourceSet out = 0;
  program::visit_columns(
      expression, 0, [&](const Expression& column) { out |= only(column.source.index); });
  return out;
}

bool has_query(const Expression& expression) {
  return expression.query ||
         std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [](const auto& part) { return part && has_query(*part); });
}

namespace {

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

Statement::JoinSearch::JoinSearch(Statement& of, const Join& what,
                                  const std::function<bool(const Tuple&)>& then)
    : statement(of),
      join(what),
      visit(then),
      where(conjuncts(what.where)),
      is_constant(what.from.size()),
      is_found(what.from.size()),
      tuple(what.from.size()),
      waiting(what.from.size()) {}

std::vector<Statement::JoinSearch::Conjunct> Statement::JoinSearch::conjuncts(
    const Expression* condition) {
  std::vector<Conjunct> out;
  for (const Expression* part : program::conjuncts_of(condition))
    out.push_back({.condition = part, .sources = sources_in(*part)});
  return out;
}

bool Statement::JoinSearch::holds(const Expression& condition) const {
  const Rows current = rows();
  return program::holds(condition, &current, context());
}

bool Statement::JoinSearch::holds(const Conjunct& conjunct) {
  const Rows current = rows();
  return conjunct.truth != nullptr ? statement.is_true(*conjunct.truth, current)
                                   : holds(*conjunct.condition);
}

// --- the order of tables ---

// Calls with what is asked of the source, given the sources before it.
template <class Use>
auto Statement::JoinSearch::with_asked(std::uint32_t source, SourceSet known,
                                       Use use) const {
  const Expression* on = join.from[source].left_join_on.get();
  std::vector<const Expression*> conditions;
  for (const Conjunct& conjunct : on != nullptr ? conjuncts(on) : where)
    if ((conjunct.sources & ~(known | only(source))) == 0)
      conditions.push_back(conjunct.condition);
  const auto columns = columns_of(join.query, source);
  return use(Asked{.table = join.from[source].table,
                   .source = source,
                   .conditions = conditions,
                   .is_known =
                       [&](const Expression& expression) {
                         return (sources_in(expression) & ~known) == 0;
                       },
                   .columns = columns,
                   .is_changed = join.query == nullptr});
}

std::vector<Access> Statement::JoinSearch::candidates(std::uint32_t source,
                                                      SourceSet known) const {
  return with_asked(source, known,
                    [&](const Asked& asked) { return accesses(statement.state_, asked); });
}

// Of values that are known before anything is read.
std::vector<Value> Statement::JoinSearch::constants(
    const std::vector<const Expression*>& expressions) {
  std::vector<Value> out;
  const Rows current = rows();
  for (const Expression* expression : expressions)
    if (statement.is_known_early(*expression))
      out.push_back(program::evaluate(*expression, &current, context()));
  return out;
}

// BETWEEN 20 AND 10, on a column by which an index could be read; = 1 AND = 2 on any.
bool Statement::JoinSearch::is_impossible(const ColumnConditions& conditions,
                                          bool is_indexed) {
  const auto equal = constants(conditions.equal);
  const bool has_two = std::any_of(equal.begin(), equal.end(), [&](const Value& value) {
    return !value.is_null() && !equal[0].is_null() &&
           program::compare(value, equal[0]) != 0;
  });
  if (has_two) return true;
  if (!is_indexed) return false;
  for (const Value& low : constants(conditions.low))
    for (const Value& high : constants(conditions.high)) {
      if (low.is_null() || high.is_null()) return true;
      const auto how = program::compare(low, high);
      if (how > 0) return true;
      if (how == 0 && !(conditions.has_low && conditions.has_high)) return true;
    }
  return false;
}

bool Statement::JoinSearch::is_impossible(std::uint32_t source, SourceSet known) {
  const TableId table = join.from[source].table;
  const Indexes& indexes = statement.state_.indexes(table);
  return with_asked(source, known, [&](const Asked& asked) {
    for (std::uint32_t i = 0; i < statement.state_.table(table).columns.size(); ++i) {
      const bool is_indexed =
          std::any_of(indexes.begin(), indexes.end(),
                      [&](const Index& index) { return index.columns[0].index == i; });
      if (is_impossible(conditions_on(asked, {i}), is_indexed)) return true;
    }
    return false;
  });
}

// DELETE and UPDATE of one table know no constant tables.
void Statement::JoinSearch::find_constants() {
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

void Statement::JoinSearch::find_order() {
  Statement::JoinSearch::find_constants();
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
  // Rows that come in the order of the first table cannot wait for each other.
  const bool is_sorted = join.query != nullptr && !join.query->order.empty();
  is_buffered = !join.changed && others.size() > 1 &&
                (!is_sorted || statement.choose(join.from.data(), buffers, 2) == 0);
}

// --- the loops ---

void Statement::JoinSearch::run() {
  if (!find_truths()) return;
  find_order();
  if (statement.is_stopped()) return;
  if (!read_early()) return;
  for (const Conjunct& conjunct : where)
    if (is_constant_condition(conjunct) && !holds(conjunct)) return;
  reach(0, 0);
  for (std::size_t depth = 1; depth < order.size() && goes_on; ++depth)
    if (!waiting[depth].empty()) visit_waiting(depth);
}

// Subqueries are not asked before there is a row, unless they were evaluated early.
bool Statement::JoinSearch::is_constant_condition(const Conjunct& conjunct) const {
  return conjunct.sources == 0 && conjunct.truth == nullptr &&
         (order.empty() || statement.is_known_early(*conjunct.condition));
}

bool Statement::JoinSearch::is_due(const Conjunct& conjunct, SourceSet known,
                                   std::uint32_t source) const {
  if (conjunct.sources == 0) return source == order[0] && has_query(*conjunct.condition);
  return (conjunct.sources & only(source)) != 0 && (conjunct.sources & ~known) == 0;
}

// Does the row satisfy what is asked of it by itself?  IN and EXISTS that are joined are
// another table's business.
bool Statement::JoinSearch::satisfies(SourceSet known, std::uint32_t source) {
  return std::all_of(where.begin(), where.end(), [&](const Conjunct& conjunct) {
    const bool is_joined = conjunct.truth != nullptr && conjunct.truth->is_joined;
    return is_joined || !is_due(conjunct, known, source) || holds(conjunct);
  });
}

bool Statement::JoinSearch::satisfies_joined(SourceSet known, std::uint32_t source) {
  return std::all_of(where.begin(), where.end(), [&](const Conjunct& conjunct) {
    const bool is_joined = conjunct.truth != nullptr && conjunct.truth->is_joined;
    return !is_joined || !is_due(conjunct, known, source) || holds(conjunct);
  });
}

// The rows before it wait for the whole of the next table.
bool Statement::JoinSearch::is_read_once(std::size_t depth, SourceSet known) {
  const std::uint32_t source = order[depth];
  const bool is_first =
      std::all_of(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(depth),
                  [&](std::uint32_t other) { return is_constant[other]; });
  if (is_first || !is_buffered || is_constant[source] ||
      join.sights[source] == Sight::Dirty)
    return false;
  const Access access = chosen(source, known);
  const auto is_fixed = [&](const Expression* bound) {
    return bound == nullptr || sources_in(*bound) == 0;
  };
  return access.equal.empty() && !access.is_lookup && is_fixed(access.low) &&
         is_fixed(access.high);
}

void Statement::JoinSearch::reach(std::size_t depth, SourceSet known) {
  if (depth == order.size()) {
    goes_on = !statement.is_stopped() && visit(tuple) && !statement.is_stopped();
    return;
  }
  const bool waits = is_read_once(depth, known);
  if (statement.is_stopped()) {
    goes_on = false;
  } else if (waits) {
    waiting[depth].push_back(tuple);
  } else {
    visit_source(depth, known);
  }
}

void Statement::JoinSearch::visit_source(std::size_t depth, SourceSet known) {
  const std::uint32_t source = order[depth];
  const Source& of = join.from[source];
  const SourceSet with = known | only(source);
  bool has_partner = false;
  auto scan = scan_of(source, known);
  if (scan) {
    while (auto fetched = statement.fetch(*scan)) {
      tuple[source] = fetched->row;
      const bool is_partner = !of.left_join_on || holds(*of.left_join_on);
      const bool is_own = is_partner && satisfies(with, source);
      const bool is_kept = is_own && satisfies_joined(with, source);
      has_partner |= is_partner;
      if (statement.is_stopped()) return;
      if (fetched->is_committed_version) {
        scan->waits_next = is_kept;  // now it has to be locked
        if (is_kept) scan->position = fetched->key;
        continue;
      }
      if (is_kept) {
        reach(depth + 1, with);
        if (!goes_on) return;
      } else if (!is_own && !is_constant[source]) {
        statement.give_back(*fetched);
      }
    }
  }
  tuple[source] = {};
  if (statement.is_stopped()) {
    goes_on = false;
    return;
  }
  if (of.left_join_on && !has_partner && satisfies(with, source) &&
      satisfies_joined(with, source))
    reach(depth + 1, with);
  if (statement.is_stopped()) goes_on = false;
}

// No row that was read for several is given back.
void Statement::JoinSearch::visit_waiting(std::size_t depth) {
  const std::uint32_t source = order[depth];
  const Source& of = join.from[source];
  SourceSet known = 0;
  for (std::size_t i = 0; i < depth; ++i)
    known |= only(order[i]);
  const std::vector<Tuple> before = std::exchange(waiting[depth], {});
  std::vector<bool> has_partner(before.size());
  const auto go_on = [&] {
    if (satisfies(known | only(source), source) &&
        satisfies_joined(known | only(source), source))
      reach(depth + 1, known | only(source));
    goes_on &= !statement.is_stopped();
  };
  tuple = before[0];
  auto scan = scan_of(source, known);
  while (scan && goes_on) {
    const auto fetched = statement.fetch(*scan);
    if (!fetched) break;
    for (std::size_t i = 0; i < before.size() && goes_on; ++i) {
      tuple = before[i];
      tuple[source] = fetched->row;
      if (of.left_join_on && !holds(*of.left_join_on)) continue;
      has_partner[i] = true;
      go_on();
    }
  }
  goes_on &= !statement.is_stopped();
  for (std::size_t i = 0; i < before.size() && goes_on && of.left_join_on; ++i) {
    if (has_partner[i]) continue;
    tuple = before[i];
    tuple[source] = {};
    go_on();
  }
}

std::size_t Statement::choose(const void* what, std::uint32_t part, std::size_t choices) {
  const std::pair key{what, part};
  if (const auto known = chosen_.find(key); known != chosen_.end()) return known->second;
  const auto outcome =
      step([&] { return Request{.kind = Request::Kind::Plan, .choices = choices}; },
           [&](const Request&) -> Outcome {
             return {.choice = std::min(work_.choice, choices - 1)};
           });
  if (!outcome) return 0;
  return chosen_[key] = outcome->choice;
}

void Statement::join(const Join& join, const std::function<bool(const Tuple&)>& visit) {
  if (is_stopped()) return;
  JoinSearch search(*this, join, visit);
  search.run();
}

}  // namespace isomer::database::innodb
