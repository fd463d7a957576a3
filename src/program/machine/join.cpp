// SPDX-License-Identifier: MIT
// FROM and WHERE.  Sources are joined one after the other.  For each tuple of rows found so
// far, the conjuncts of the WHERE say which rows of the next table can match:
//  - if each column of the primary key is equated with something that is known by then, one
//    row is read, whether or not the universe knows it;
//  - otherwise the universe is scanned: rows whose primary key already contradicts the
//    WHERE are left out, all others are read, existing or not.
// Rows that are computed (a subquery in FROM, VALUES, a WITH) are all there at once.
// All rows of one source are asked for at once, so a statement is executed about twice for
// each source rather than once for each row.  A conjunct filters as soon as the last table
// it mentions is there.
#include <algorithm>
#include <optional>

#include "base/assert.h"
#include "program/machine/key_conditions.h"
#include "program/machine/statement_execution.h"

namespace isomer::program {
namespace {

constexpr std::uint64_t tuple_work = 32;  // for its memory

struct Join {
  StatementExecution& execution;
  std::span<const Source> from;
  const Rows* around;
  const Tuple* given = nullptr;  // the rows to join, instead of those of the tables

  [[nodiscard]] Context& context() const { return execution.context; }

  [[nodiscard]] const Table& table(std::uint32_t source) const {
    return table_of(execution.view.program(), from[source]);
  }

  [[nodiscard]] std::vector<Conjunct> analysed(const Expression* condition) const {
    return conjuncts_over(execution.view.program(), from, condition);
  }

  // The value of a pin as the key has it; absent if no row can have it.
  std::optional<Value> pinned_value(const Expression& pin, const Type& type,
                                    const Tuple& tuple) const {
    const Rows rows{.current = tuple, .around = around, .group = {}};
    const Value value = evaluate(pin, &rows, context());
    if (value.is_null()) return std::nullopt;
    Context scratch;
    Value out = converted(value, type, Conversion::Cast, scratch);
    if (scratch.is_stopped() || compare(out, value) != 0) return std::nullopt;
    return out;
  }

  // Could a row with this key satisfy the conditions?  A condition that fails does not
  // decide: the row may not exist.
  bool could_match(const std::vector<const Expression*>& conditions, const PrimaryKey& key,
                   std::uint32_t source, const Tuple& tuple) const {
    if (conditions.empty()) return true;
    const auto& columns = table(source).primary_key;
    std::vector<Value> row(table(source).columns.size());
    for (std::size_t i = 0; i < key.size(); ++i)
      row[columns[i].index] = key[i];
    Tuple extended = tuple;
    extended.push_back(Value::list(std::move(row)));
    const Rows rows{.current = extended, .around = around, .group = {}};
    for (const Expression* condition : conditions) {
      const bool is_true = holds(*condition, &rows, context());
      if (context().is_waiting) return true;
      if (context().fault)
        context().fault.reset();
      else if (!is_true)
        return false;
    }
    return true;
  }

  // What is known of the primary key; absent if no row can have it.
  [[nodiscard]] std::optional<std::vector<std::optional<Value>>> pinned(
      const KeyConditions& conditions, std::uint32_t source, const Tuple& tuple) const {
    const Table& of = table(source);
    std::vector<std::optional<Value>> pins(of.primary_key.size());
    for (std::size_t i = 0; i < pins.size(); ++i) {
      if (conditions.pins[i] == nullptr) continue;
      const Type& type = of.columns[of.primary_key[i].index].type;
      pins[i] = pinned_value(*conditions.pins[i], type, tuple);
      if (!pins[i] || context().is_stopped()) return std::nullopt;
    }
    return pins;
  }

  std::vector<PrimaryKey> candidates(const KeyConditions& conditions,
                                     std::vector<std::optional<Value>> pins,
                                     std::uint32_t source, const Tuple& tuple) const {
    if (conditions.pins_all) {
      PrimaryKey key;
      for (auto& pin : pins)
        key.push_back(std::move(*pin));
      return {std::move(key)};
    }
    std::vector<PrimaryKey> out;
    const TableKeys universe = rows_after(pins, source);
    if (!universe) return out;
    context().spend(universe->size());
    for_each_waiting(universe->size(), context(), [&](std::size_t at) {
      const PrimaryKey& key = (*universe)[at];
      for (std::size_t i = 0; i < pins.size(); ++i)
        if (pins[i] && *pins[i] != key[i]) return;
      if (could_match(conditions.others, key, source, tuple)) out.push_back(key);
    });
    return out;
  }

  // The rows whose key starts with what is pinned of its first columns.
  [[nodiscard]] TableKeys rows_after(const std::vector<std::optional<Value>>& pins,
                                     std::uint32_t source) const {
    PrimaryKey start;
    for (std::size_t i = 0; i < pins.size() && pins[i]; ++i)
      start.push_back(*pins[i]);
    return execution.view.scanned(from[source].table, start, View::Scan::Committed,
                                  context());
  }

  bool satisfies(const Tuple& tuple, const std::vector<Conjunct>& conjuncts,
                 std::optional<std::uint32_t> last) const {
    const Rows rows{.current = tuple, .around = around, .group = {}};
    for (const Conjunct& conjunct : conjuncts)
      if (conjunct.last == last && !holds(*conjunct.condition, &rows, context()))
        return false;
    return true;
  }

  // The rows of a source that are computed, for each tuple.
  std::vector<std::vector<Value>> computed(std::size_t tuples, std::uint32_t source) const {
    std::vector<std::vector<Value>> out(tuples);
    if (tuples == 0) return out;
    const Rows outside{.current = {}, .around = around, .group = {}};
    const Value rows = evaluate(*from[source].rows, &outside, context());
    if (context().is_stopped()) return out;
    context().spend(tuples * rows.items().size());
    for (auto& partners : out)
      partners.assign(rows.items().begin(), rows.items().end());
    return out;
  }

  // The rows of the source that exist among the candidates of each tuple.
  std::vector<std::vector<Value>> partners(const std::vector<Tuple>& tuples,
                                           const KeyConditions& conditions,
                                           std::uint32_t source) const {
    std::vector<std::vector<Value>> out(tuples.size());
    for_each_waiting(tuples.size(), context(), [&](std::size_t i) {
      if (given != nullptr) {
        if (!(*given)[source].is_null()) out[i].push_back((*given)[source]);
        return;
      }
      auto pins = pinned(conditions, source, tuples[i]);
      if (!pins) return;
      if (execution.reader != nullptr) {
        out[i] = execution.reader->rows(from[source].table, *pins);
        return context().spend(out[i].size());
      }
      const auto keys = candidates(conditions, std::move(*pins), source, tuples[i]);
      if (context().is_stopped()) return;
      execution.view.prefetch(from[source].table, keys, context());
      for (const PrimaryKey& key : keys) {
        if (context().is_stopped()) return;
        Value row = execution.view.row(from[source].table, key, context());
        if (!row.is_null()) out[i].push_back(std::move(row));
      }
    });
    return out;
  }

  // Joins one more source to the tuples.
  std::vector<Tuple> extended(const std::vector<Tuple>& tuples, std::uint32_t source,
                              const std::vector<Conjunct>& where) const {
    const Expression* on = from[source].left_join_on.get();
    const std::vector<Conjunct> join_on = analysed(on);
    const auto rows =
        from[source].rows && given == nullptr
            ? computed(tuples.size(), source)
            : partners(
                  tuples,
                  key_conditions(table(source), on != nullptr ? join_on : where, source),
                  source);
    if (context().is_stopped()) return {};
    std::vector<Tuple> out;
    for_each_waiting(tuples.size(), context(), [&](std::size_t i) {
      bool has_partner = false;
      const auto add = [&](const Value& row) {
        context().spend(tuples[i].size() + 1);
        if (context().is_stopped()) return;
        Tuple tuple = tuples[i];
        tuple.push_back(row);
        if (on != nullptr && !row.is_null()) {
          const Rows current{.current = tuple, .around = around, .group = {}};
          if (!holds(*on, &current, context())) return;
          has_partner = true;
        }
        if (!satisfies(tuple, where, source)) return;
        context().spend(tuple_work);
        out.push_back(std::move(tuple));
      };
      for_each_waiting(rows[i].size(), context(), [&](std::size_t j) { add(rows[i][j]); });
      if (on != nullptr && !has_partner && !context().is_stopped()) add(Value());
    });
    return out;
  }
};

std::vector<Tuple> run(const Join& join, const Expression* where) {
  const std::vector<Conjunct> conjuncts = join.analysed(where);
  std::vector<Tuple> tuples;
  if (join.satisfies({}, conjuncts, std::nullopt)) tuples.emplace_back();
  for (std::uint32_t source = 0; source < join.from.size(); ++source) {
    if (join.context().is_stopped()) return {};
    tuples = join.extended(tuples, source, conjuncts);
  }
  return join.context().is_stopped() ? std::vector<Tuple>() : tuples;
}

}  // namespace

std::vector<Tuple> joined(StatementExecution& execution, std::span<const Source> from,
                          const Expression* where, const Rows* around) {
  if (execution.reader != nullptr)
    if (auto tuples = execution.reader->joined(from, where, around))
      return std::move(*tuples);
  return run({.execution = execution, .from = from, .around = around}, where);
}

std::optional<Tuple> rejoined(StatementExecution& execution, std::span<const Source> from,
                              const Expression* where, const Tuple& rows,
                              const Rows* around) {
  auto tuples =
      run({.execution = execution, .from = from, .around = around, .given = &rows}, where);
  return tuples.empty() ? std::nullopt : std::optional(std::move(tuples[0]));
}

}  // namespace isomer::program
