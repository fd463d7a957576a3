// SPDX-License-Identifier: MIT
#include "verify/symbolic/query.h"

#include "program/machine/key_conditions.h"

namespace isomer::verify {

using program::Conjunct;
using program::KeyConditions;

namespace {

struct SymbolicJoin {
  StatementRun& run;
  std::span<const Source> from;
  const RowScope* around;
  Term when;

  [[nodiscard]] Terms& terms() const { return run.terms; }

  [[nodiscard]] const Table& table(std::uint32_t source) const {
    return run.table(from[source].table);
  }

  [[nodiscard]] RowScope scope_of(const std::vector<Row>& rows) const {
    return {.current = rows, .around = around, .group = {}};
  }

  // A key that may be looked up.
  struct Candidate {
    Term is_in;
    Key key;
  };

  // The value of a pin as the key has it, where `is_in` says that a row can have it.
  [[nodiscard]] std::pair<Term, Cell> pinned_value(const Expression& pin,
                                                   const program::Type& type,
                                                   const Tuple& tuple, Term asked) const {
    const RowScope scope = scope_of(tuple.rows);
    Cell value = evaluate(pin, &scope, asked, run.evaluation);
    Term is_in = terms().negation(value.is_null);
    // A text that is not known is taken to fit: no row has a key that does not.
    if (type.kind != program::TypeKind::Text || terms().is_constant(value.data)) {
      Cell fitting;
      const Term has_fault = run.forgiven([&] {
        fitting = converted(value, type, Conversion::Cast, asked, pin.at, run.evaluation);
      });
      const Term is_same = compare_equal(terms(), fitting, value).data;
      is_in = terms().both(is_in, terms().both(terms().negation(has_fault), is_same));
      value = std::move(fitting);
    }
    value.type = type;
    value.is_null = terms().truth(false);
    return {is_in, std::move(value)};
  }

  // Could a row with this key satisfy the conditions?  A condition that fails does not
  // decide: the row may not exist.
  [[nodiscard]] Term could_match(const std::vector<const Expression*>& conditions,
                                 const Key& key, std::uint32_t source, const Tuple& tuple,
                                 Term asked) const {
    if (conditions.empty()) return terms().truth(true);
    Row row = absent_row(terms(), table(source));
    row.exists = terms().truth(true);
    for (std::size_t i = 0; i < key.size(); ++i)
      row.columns[table(source).primary_key[i].index] = key[i];
    std::vector<Row> rows = tuple.rows;
    rows.push_back(std::move(row));
    const RowScope scope = scope_of(rows);
    Term out = terms().truth(true);
    for (const Expression* condition : conditions) {
      Term is_true;
      const Term is_asked = terms().both(asked, out);
      const Term has_fault = run.forgiven(
          [&] { is_true = holds(*condition, &scope, is_asked, run.evaluation); });
      out = terms().both(out, terms().either(is_true, has_fault));
    }
    return out;
  }

  // The keys that are read for a tuple, under `asked` and the condition of each.
  [[nodiscard]] std::vector<Candidate> candidates(const KeyConditions& conditions,
                                                  std::uint32_t source, const Tuple& tuple,
                                                  Term asked) const {
    const auto& key = table(source).primary_key;
    std::vector<std::optional<Cell>> pins(key.size());
    Term is_in = terms().truth(true);
    for (std::size_t i = 0; i < pins.size(); ++i) {
      if (conditions.pins[i] == nullptr) continue;
      const program::Type& type = table(source).columns[key[i].index].type;
      auto [is_possible, value] = pinned_value(*conditions.pins[i], type, tuple,
                                               run.now(terms().both(asked, is_in)));
      is_in = terms().both(is_in, is_possible);
      pins[i] = std::move(value);
      if (terms().is_false(is_in)) return {};
    }
    if (conditions.pins_all) {
      Key pinned;
      for (auto& pin : pins)
        pinned.push_back(std::move(*pin));
      return {{.is_in = is_in, .key = std::move(pinned)}};
    }
    auto out =
        scanned(conditions, source, tuple, pins, run.now(terms().both(asked, is_in)));
    for (Candidate& candidate : out)
      candidate.is_in = terms().both(is_in, candidate.is_in);
    return out;
  }

  [[nodiscard]] std::vector<Candidate> scanned(const KeyConditions& conditions,
                                               std::uint32_t source, const Tuple& tuple,
                                               const std::vector<std::optional<Cell>>& pins,
                                               Term asked) const {
    std::vector<Candidate> out;
    if (terms().is_false(asked)) return out;
    for (const Slot& slot : run.database.slots(from[source].table)) {
      Term is_in = slot.is_there;
      for (std::size_t i = 0; i < pins.size(); ++i)
        if (pins[i])
          is_in = terms().both(is_in, terms().same(pins[i]->data, slot.key[i].data));
      if (terms().is_false(is_in)) continue;
      const Term could = could_match(conditions.others, slot.key, source, tuple,
                                     terms().both(asked, is_in));
      is_in = terms().both(is_in, could);
      if (!terms().is_false(is_in)) out.push_back({.is_in = is_in, .key = slot.key});
    }
    return out;
  }

  [[nodiscard]] Term satisfies(const Tuple& tuple, const std::vector<Conjunct>& conjuncts,
                               std::optional<std::uint32_t> last) const {
    const RowScope scope = scope_of(tuple.rows);
    Term out = tuple.is_in;
    for (const Conjunct& conjunct : conjuncts) {
      if (conjunct.last != last || terms().is_false(out)) continue;
      const Term asked = run.now(terms().both(when, out));
      out = terms().both(out, holds(*conjunct.condition, &scope, asked, run.evaluation));
    }
    return out;
  }

  // The rows of the source that exist among the candidates of each tuple.
  [[nodiscard]] std::vector<std::vector<Row>> partners(const std::vector<Tuple>& tuples,
                                                       const KeyConditions& conditions,
                                                       std::uint32_t source) const {
    std::vector<std::vector<Row>> out(tuples.size());
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      const Term asked = run.now(terms().both(when, tuples[i].is_in));
      if (terms().is_false(asked)) continue;
      for (const Candidate& candidate : candidates(conditions, source, tuples[i], asked)) {
        Row row = run.read(from[source].table, candidate.key,
                           terms().both(asked, candidate.is_in));
        row.exists = terms().both(candidate.is_in, row.exists);
        if (!terms().is_false(row.exists)) out[i].push_back(std::move(row));
      }
    }
    return out;
  }

  // The tuple with one more row, without the condition that it exists.
  [[nodiscard]] static Tuple joined_with(const Tuple& tuple, const Row& row, Term is_in) {
    Tuple out{.is_in = is_in, .rows = tuple.rows};
    out.rows.push_back(row);
    return out;
  }

  // Joins one more source to the tuples.
  [[nodiscard]] std::vector<Tuple> extended(const std::vector<Tuple>& tuples,
                                            std::uint32_t source,
                                            const std::vector<Conjunct>& where) const {
    const Expression* on = from[source].left_join_on.get();
    const auto join_on = conjuncts_over(run.program, from, on);
    const auto rows = partners(
        tuples, key_conditions(table(source), on != nullptr ? join_on : where, source),
        source);
    std::vector<Tuple> out;
    const auto add = [&](Tuple tuple) {
      tuple.is_in = satisfies(tuple, where, source);
      if (!terms().is_false(tuple.is_in)) out.push_back(std::move(tuple));
    };
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      Term is_alone = tuples[i].is_in;
      for (Row row : rows[i]) {
        const Term exists = std::exchange(row.exists, terms().truth(true));
        Tuple tuple = joined_with(tuples[i], row, terms().both(tuples[i].is_in, exists));
        if (on != nullptr) {
          const RowScope scope = scope_of(tuple.rows);
          const Term asked = run.now(terms().both(when, tuple.is_in));
          const Term matches =
              terms().both(tuple.is_in, holds(*on, &scope, asked, run.evaluation));
          is_alone = terms().both(is_alone, terms().negation(matches));
          tuple.is_in = matches;
        }
        add(std::move(tuple));
      }
      if (on != nullptr)
        add(joined_with(tuples[i], absent_row(terms(), table(source)), is_alone));
    }
    return out;
  }
};

}  // namespace

std::vector<Tuple> joined(StatementRun& run, std::span<const Source> from,
                          const Expression* where, const RowScope* around, Term when) {
  const SymbolicJoin join{.run = run, .from = from, .around = around, .when = when};
  const std::vector<Conjunct> conjuncts = conjuncts_over(run.program, from, where);
  Tuple none{.is_in = run.terms.truth(true), .rows = {}};
  none.is_in = join.satisfies(none, conjuncts, std::nullopt);
  std::vector<Tuple> tuples;
  if (!run.terms.is_false(none.is_in)) tuples.push_back(std::move(none));
  for (std::uint32_t source = 0; source < from.size(); ++source)
    tuples = join.extended(tuples, source, conjuncts);
  return tuples;
}

}  // namespace isomer::verify
