// SPDX-License-Identifier: MIT
#include "audit/counters.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "logic/term_solver.h"

namespace isomer::audit {
namespace {

constexpr double question_seconds = 10;

class CounterFinder {
 public:
  CounterFinder(Schema& schema, const std::vector<TypeRun>& types, const Budget& budget)
      : schema_(schema),
        terms_(schema.terms()),
        types_(types),
        budget_(budget),
        changes_(changes_of(schema.program())) {}

  std::vector<Numbered> find() {
    std::vector<Numbered> out;
    for (std::uint32_t i = 0; i < changes_.size(); ++i)
      if (const std::optional<Numbered> numbered = numbered_table({i}))
        out.push_back(*numbered);
    return out;
  }

 private:
  // Every write of the column makes it larger by a constant.
  [[nodiscard]] bool is_counter(TableId table, ColumnId column) const {
    const TableChanges& changes = changes_[table.index];
    if (changes.inserts || changes.deletes || changes.moves) return false;
    for (const TypeRun& type : types_)
      for (const ValueAssigned& assigned : type.assigned) {
        if (assigned.record.table != table || assigned.column != column) continue;
        if (terms_.sort(assigned.after) != TermSort::Int) return false;
        const auto step =
            terms_.integer_value(terms_.difference(assigned.after, assigned.before));
        if (!step || *step <= 0) return false;
      }
    return true;
  }

  [[nodiscard]] std::optional<Numbered> numbered_table(TableId table) {
    const TableChanges& changes = changes_[table.index];
    if (!changes.inserts || changes.moves) return std::nullopt;
    std::optional<Numbered> out;
    for (const TypeRun& type : types_)
      for (const Event& event : type.events)
        if (event.statement->insert && event.statement->insert->table == table &&
            event.statement->insert->query)
          return std::nullopt;
    for (const TypeRun& type : types_)
      for (const RowSeen& row : type.rows) {
        if (!row.is_insert || row.record.table != table) continue;
        const std::optional<Numbered> own = numbered_row(type, row);
        if (!own || (out && !is_same(*own, *out))) return std::nullopt;
        out = own;
      }
    return out;
  }

  static bool is_same(const Numbered& a, const Numbered& b) {
    return a.place == b.place && a.shared == b.shared &&
           a.counter_table == b.counter_table && a.counter == b.counter;
  }

  [[nodiscard]] std::optional<Numbered> numbered_row(const TypeRun& type,
                                                     const RowSeen& row) {
    for (std::size_t place = 0; place < row.record.key.size(); ++place)
      for (const ValueAssigned& assigned : type.assigned) {
        if (assigned.before != row.record.key[place]) continue;
        Numbered out{.table = row.record.table,
                     .place = place,
                     .shared = {},
                     .counter_table = assigned.record.table,
                     .counter = assigned.column};
        for (const Term part : assigned.record.key) {
          const auto found = std::find(row.record.key.begin(), row.record.key.end(), part);
          if (found == row.record.key.end()) return std::nullopt;
          out.shared.push_back(static_cast<std::size_t>(found - row.record.key.begin()));
        }
        if (is_counter(out.counter_table, out.counter) &&
            is_raised(type, row.when, assigned))
          return out;
      }
    return std::nullopt;
  }

  // Whoever inserts has raised the counter.
  [[nodiscard]] bool is_raised(const TypeRun& type, Term inserts,
                               const ValueAssigned& assigned) {
    std::vector<Term> writes;
    for (const Event& event : type.events)
      for (const Touch& touch : event.touches)
        if (touch.is_write && !touch.is_lock && touch.must &&
            touch.table == assigned.record.table && !event.copy &&
            has_column(touch, assigned.column))
          writes.push_back(touch.must(assigned.record));
    logic::TermSolver solver(terms_);
    for (const Term fact : type.facts)
      solver.add(fact);
    for (const Knowledge& knowledge : type.knowledge)
      if (knowledge.table == assigned.record.table)
        solver.add(knowledge.fact(assigned.record));
    solver.add(inserts);
    solver.add(terms_.negation(terms_.any(writes)));
    return solver.solve({}, budget_.within(question_seconds)) ==
           logic::SatAnswer::Unsatisfiable;
  }

  static bool has_column(const Touch& touch, ColumnId column) {
    return touch.fields.size() == 1 || touch.fields[column.index];
  }

  Schema& schema_;
  Terms& terms_;
  const std::vector<TypeRun>& types_;
  const Budget& budget_;
  Changes changes_;
};

}  // namespace

std::vector<Numbered> numbered_tables(Schema& schema, const std::vector<TypeRun>& types,
                                      const Budget& budget) {
  return CounterFinder(schema, types, budget).find();
}

std::string assumption_text(const Program& program, const Numbered& numbered) {
  const program::Table& table = program.tables[numbered.table.index];
  const program::Table& counter = program.tables[numbered.counter_table.index];
  return fmt::format("{}.{} is below {}.{} at the start", table.name,
                     table.columns[table.primary_key[numbered.place].index].name,
                     counter.name, counter.columns[numbered.counter.index].name);
}

}  // namespace isomer::audit
