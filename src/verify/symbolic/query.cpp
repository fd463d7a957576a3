// SPDX-License-Identifier: MIT
// SELECT, as program/machine/select.cpp has it: the rows of FROM and WHERE, grouped if
// there is a GROUP BY or an aggregate, then HAVING, the columns, DISTINCT, OFFSET and
// LIMIT.  Every row may lead a group: it does if it is the first one with its values.  What
// depends on the order asks for the condition that one row comes before another; nothing is
// sorted.
#include "verify/symbolic/query.h"

#include <limits>

#include "program/machine/references.h"
#include "verify/symbolic/query_order.h"

namespace isomer::verify {
namespace {

using program::Type;
using program::TypeKind;

// A row of the result on its way.
struct Candidate {
  ResultRow row;
  std::vector<RowScope::Member> group{};  // none if the query is not grouped
};

Type type_of(TypeKind kind) {
  return {.kind = kind, .precision = {}, .scale = 0, .length_max = {}, .is_padded = false};
}

struct SymbolicSelection {
  StatementRun& run;
  const Select& query;
  const RowScope* around;
  Term when;

  [[nodiscard]] Terms& terms() const { return run.terms; }

  [[nodiscard]] Term asked(Term is_in) const { return run.now(terms().both(when, is_in)); }

  [[nodiscard]] RowScope scope_of(const Candidate& candidate) const {
    return {.current = candidate.row.tuple, .around = around, .group = candidate.group};
  }

  static std::vector<Candidate> ungrouped(std::vector<Tuple> tuples) {
    std::vector<Candidate> out;
    for (Tuple& tuple : tuples)
      out.push_back({.row = {.is_in = tuple.is_in, .tuple = std::move(tuple.rows)}});
    return out;
  }

  // --- groups ---

  // Does array_agg ask for the rows in their order?
  [[nodiscard]] bool collects_arrays() const {
    bool out = false;
    program::visit_parts(
        query, [&](const Expression& part) { out = out || program::has_array_agg(part); });
    return out;
  }

  [[nodiscard]] std::vector<Candidate> grouped(const std::vector<Tuple>& tuples) const {
    if (query.group_by.empty()) return {whole(tuples)};
    std::vector<std::vector<Cell>> keys;
    for (const Tuple& tuple : tuples) {
      const RowScope scope{.current = tuple.rows, .around = around, .group = {}};
      std::vector<Cell>& key = keys.emplace_back();
      for (const auto& part : query.group_by)
        key.push_back(evaluate(*part, &scope, asked(tuple.is_in), run.evaluation));
    }
    std::vector<Candidate> out;
    for (std::size_t i = 0; i < tuples.size(); ++i)
      if (Candidate led = led_by(tuples, keys, i); !terms().is_false(led.row.is_in))
        out.push_back(std::move(led));
    return out;
  }

  // Without GROUP BY there is one group, of no rows perhaps.
  [[nodiscard]] Candidate whole(const std::vector<Tuple>& tuples) const {
    Candidate out{.row = {.is_in = terms().truth(true), .tuple = {}}};
    for (const Source& source : query.from)
      out.row.tuple.push_back(absent_row(terms(), run.table(source.table)));
    for (const Tuple& tuple : tuples)
      out.group.push_back({.is_in = tuple.is_in, .rows = tuple.rows});
    return out;
  }

  [[nodiscard]] Candidate led_by(const std::vector<Tuple>& tuples,
                                 const std::vector<std::vector<Cell>>& keys,
                                 std::size_t leader) const {
    Candidate out{.row = {.is_in = tuples[leader].is_in, .tuple = tuples[leader].rows}};
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      const Term is_member =
          terms().both(tuples[i].is_in, all_identical(terms(), keys[i], keys[leader]));
      if (terms().is_false(is_member)) continue;
      out.group.push_back({.is_in = is_member, .rows = tuples[i].rows});
      if (i == leader || terms().is_false(out.row.is_in)) continue;
      const Term is_before =
          tuple_before(run, query.from, tuples[i].rows, tuples[leader].rows);
      out.row.is_in =
          terms().both(out.row.is_in, terms().negation(terms().both(is_member, is_before)));
    }
    return out;
  }

  void keep_having(std::vector<Candidate>& candidates) const {
    if (!query.having) return;
    for (Candidate& candidate : candidates) {
      const RowScope scope = scope_of(candidate);
      Term& is_in = candidate.row.is_in;
      is_in =
          terms().both(is_in, holds(*query.having, &scope, asked(is_in), run.evaluation));
    }
  }

  void compute_columns(std::vector<Candidate>& candidates) const {
    for (Candidate& candidate : candidates) {
      const RowScope scope = scope_of(candidate);
      const Term is_in = candidate.row.is_in;
      for (const auto& column : query.columns)
        candidate.row.columns.push_back(
            evaluate(*column, &scope, asked(is_in), run.evaluation));
      for (const program::OrderKey& key : query.order)
        candidate.row.order.push_back(
            evaluate(*key.by, &scope, asked(is_in), run.evaluation));
    }
  }

  // A row is left out if another one with the same columns comes before it.
  void keep_distinct(std::vector<Candidate>& candidates) const {
    std::vector<Term> is_first;
    for (const Candidate& candidate : candidates) {
      Term out = candidate.row.is_in;
      for (const Candidate& other : candidates) {
        if (&other == &candidate || terms().is_false(out)) continue;
        const Term is_same =
            terms().both(other.row.is_in,
                         all_identical(terms(), other.row.columns, candidate.row.columns));
        if (terms().is_false(is_same)) continue;
        const Term is_before =
            tuple_before(run, query.from, other.row.tuple, candidate.row.tuple);
        out = terms().both(out, terms().negation(terms().both(is_same, is_before)));
      }
      is_first.push_back(out);
    }
    for (std::size_t i = 0; i < candidates.size(); ++i)
      candidates[i].row.is_in = is_first[i];
  }

  // --- OFFSET and LIMIT ---

  // NULL: there is none.
  [[nodiscard]] Cell count(const program::ExpressionPtr& expression,
                           const std::string& sqlstate, const std::string& clause) const {
    if (!expression) return null_cell(terms(), type_of(TypeKind::Int8));
    const Term is_asked = run.now(when);
    const Cell value = evaluate(*expression, around, is_asked, run.evaluation);
    Cell out = converted(value, type_of(TypeKind::Int8), Conversion::Assignment, is_asked,
                         expression->at, run.evaluation);
    const Term is_negative = terms().both(terms().negation(out.is_null),
                                          terms().less(out.data, terms().integer(0)));
    run.fail(terms().both(is_asked, is_negative), sqlstate,
             clause + " must not be negative");
    return out;
  }

  struct Bounds {
    Cell skipped;
    Cell most;
  };

  // Is the row that has k others before it among those asked for?
  [[nodiscard]] Term is_kept(const Bounds& bounds, std::size_t k) const {
    const Term place = terms().integer(static_cast<std::int64_t>(k));
    const Term skipped =
        terms().choose(bounds.skipped.is_null, terms().integer(0), bounds.skipped.data);
    const Term last = terms().sum(skipped, bounds.most.data);
    return terms().both(terms().less_equal(skipped, place),
                        terms().either(bounds.most.is_null, terms().less(place, last)));
  }

  // No row at such a place or beyond it is asked for.
  [[nodiscard]] std::size_t places_below(const Bounds& bounds) const {
    const auto skipped = terms().is_true(bounds.skipped.is_null)
                             ? 0
                             : terms().integer_value(bounds.skipped.data);
    const auto most = terms().integer_value(bounds.most.data);
    const bool is_known = terms().is_false(bounds.most.is_null) && skipped && most;
    const std::int64_t far = std::numeric_limits<std::int32_t>::max();
    if (!is_known || *skipped > far || *most > far) return SIZE_MAX;
    return static_cast<std::size_t>(std::max<std::int64_t>(*skipped + *most, 0));
  }

  template <class Before>
  void cut(std::vector<Candidate>& candidates, const Bounds& bounds, Before before) const {
    if (!query.limit && !query.offset) return;
    prune(candidates);
    std::vector<Term> is_in;
    for (const Candidate& candidate : candidates)
      is_in.push_back(candidate.row.is_in);
    Order order(terms(), is_in);
    order.compare([&](std::size_t i, std::size_t j) {
      return before(candidates[i].row, candidates[j].row);
    });
    const auto ranks = order.ranks(places_below(bounds));
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      Term kept = terms().truth(false);
      for (std::size_t k = 0; k < ranks[i].size(); ++k)
        kept = terms().either(kept, terms().both(ranks[i][k], is_kept(bounds, k)));
      candidates[i].row.is_in = terms().both(is_in[i], kept);
    }
    prune(candidates);
  }

  void prune(std::vector<Candidate>& candidates) const {
    std::erase_if(candidates, [&](const Candidate& candidate) {
      return terms().is_false(candidate.row.is_in);
    });
  }

  std::vector<ResultRow> rows() {
    const Cell skipped = count(query.offset, "2201X", "OFFSET");
    const Bounds bounds{.skipped = skipped, .most = count(query.limit, "2201W", "LIMIT")};
    const Term asks_for_none =
        terms().both(terms().negation(bounds.most.is_null),
                     terms().same(bounds.most.data, terms().integer(0)));
    when = terms().both(when, terms().negation(asks_for_none));
    if (terms().is_false(run.now(when))) return {};
    auto tuples = joined(run, query.from, query.where.get(), around, when);
    if (collects_arrays()) tuples = in_order(run, query.from, std::move(tuples));
    auto candidates = program::is_grouped(query) ? grouped(tuples) : ungrouped(tuples);
    for (Candidate& candidate : candidates)
      candidate.row.is_in =
          terms().both(candidate.row.is_in, terms().negation(asks_for_none));
    keep_having(candidates);
    prune(candidates);
    // Columns of rows that are not asked for may fail; sorting asks for all.
    const bool asks_for_all = query.is_distinct || !query.order.empty();
    if (!asks_for_all)
      cut(candidates, bounds, [&](const ResultRow& a, const ResultRow& b) {
        return tuple_before(run, query.from, a.tuple, b.tuple);
      });
    compute_columns(candidates);
    if (query.is_distinct) keep_distinct(candidates);
    if (asks_for_all)
      cut(candidates, bounds, [&](const ResultRow& a, const ResultRow& b) {
        return result_before(run, query, a, b);
      });
    prune(candidates);
    std::vector<ResultRow> out;
    for (Candidate& candidate : candidates)
      out.push_back(std::move(candidate.row));
    return out;
  }
};

Cell boolean(Term is_null, Term data) {
  return {.type = type_of(TypeKind::Bool), .is_null = is_null, .data = data, .fields = {}};
}

// True if one is equal; otherwise unknown if one comparison was unknown.
Cell in_query(StatementRun& run, const Expression& expression, const RowScope* scope,
              Term when) {
  Terms& terms = run.terms;
  const Cell wanted =
      evaluate(*expression.arguments[0], scope, run.now(when), run.evaluation);
  Term is_true = terms.truth(false);
  Term is_unknown = terms.truth(false);
  for (const ResultRow& row : selected(run, *expression.query, scope, when)) {
    const Cell equal = compare_equal(terms, wanted, row.columns[0]);
    is_unknown = terms.either(is_unknown, terms.both(row.is_in, equal.is_null));
    const Term is_equal = terms.both(terms.negation(equal.is_null), equal.data);
    is_true = terms.either(is_true, terms.both(row.is_in, is_equal));
  }
  return boolean(terms.both(terms.negation(is_true), is_unknown), is_true);
}

Cell scalar(StatementRun& run, const Expression& expression,
            std::span<const ResultRow> rows, Term when) {
  Terms& terms = run.terms;
  Term has_row = terms.truth(false);
  Term has_two = terms.truth(false);
  Cell out = null_cell(terms, expression.type);
  for (const ResultRow& row : rows) {
    has_two = terms.either(has_two, terms.both(has_row, row.is_in));
    has_row = terms.either(has_row, row.is_in);
    out = choose(terms, row.is_in, row.columns[0], out);
  }
  if (!terms.is_false(has_two))
    run.evaluation.fail(run.now(terms.both(when, has_two)), "21000",
                        "more than one row returned by a subquery used as an expression",
                        expression.at);
  return out;
}

}  // namespace

std::vector<ResultRow> selected(StatementRun& run, const Select& query,
                                const RowScope* around, Term when) {
  when = run.now(when);
  for (const StatementRun::Answer& known : run.uncorrelated)
    if (known.query == &query && known.when == when) return known.rows;
  auto out =
      SymbolicSelection{.run = run, .query = query, .around = around, .when = when}.rows();
  if (!is_correlated(query))
    run.uncorrelated.push_back({.query = &query, .when = when, .rows = out});
  return out;
}

void lock_selected(StatementRun& run, const Select& query, std::span<const ResultRow> rows,
                   Term when) {
  if (!writes_back(query)) return;
  for (const ResultRow& row : rows)
    for (std::size_t source = 0; source < row.tuple.size(); ++source) {
      if (!writes_back(query.from[source])) continue;
      const TableId id = query.from[source].table;
      run.stage(
          {.table = id,
           .key = key_of_row(run.terms, run.table(id), row.tuple[source]),
           .row = row.tuple[source],
           .when = run.terms.all(std::vector{when, row.is_in, row.tuple[source].exists})});
    }
}

Cell query_value(StatementRun& run, const Expression& expression, const RowScope* scope,
                 Term when) {
  if (expression.kind == Expression::Kind::InQuery)
    return in_query(run, expression, scope, when);
  const auto rows = selected(run, *expression.query, scope, when);
  if (expression.kind == Expression::Kind::ArrayQuery) {
    Cell out = null_cell(run.terms, expression.type);
    out.is_null = run.terms.truth(false);
    for (ResultRow& row : in_order(run, *expression.query, rows)) {
      out.fields.push_back(std::move(row.columns[0]));
      out.present.push_back(row.is_in);
    }
    return out;
  }
  if (expression.kind == Expression::Kind::Scalar)
    return scalar(run, expression, rows, when);
  Term exists = run.terms.truth(false);
  for (const ResultRow& row : rows)
    exists = run.terms.either(exists, row.is_in);
  return boolean(run.terms.truth(false), exists);
}

}  // namespace isomer::verify
