// SPDX-License-Identifier: MIT
// The order of rows that may or may not be there.  Mostly it is known without values: keys
// are constants.  If it is not, the row at place k is whichever has k rows before it; how
// many rows are before one is counted by truth values, one for each number, so no
// arithmetic reaches the solver.
#include "verify/symbolic/query_order.h"

#include <algorithm>
#include <numeric>

namespace isomer::verify {

Term tuple_before(StatementRun& run, std::span<const Source> from,
                  const std::vector<Row>& a, const std::vector<Row>& b) {
  Terms& terms = run.terms;
  Term out = terms.truth(false);
  for (std::size_t source = from.size(); source-- > 0;) {
    const Table& table = run.table(from[source].table);
    const Key left = key_of_row(terms, table, a[source]);
    const Key right = key_of_row(terms, table, b[source]);
    out = terms.either(key_before(terms, left, right),
                       terms.both(same_key(terms, left, right), out));
  }
  return out;
}

Term result_before(StatementRun& run, const Select& query, const ResultRow& a,
                   const ResultRow& b) {
  Terms& terms = run.terms;
  Term out = tuple_before(run, query.from, a.tuple, b.tuple);
  for (std::size_t i = query.order.size(); i-- > 0;) {
    const program::OrderKey& key = query.order[i];
    const Term is_before =
        sorts_before(terms, a.order[i], b.order[i], key.is_descending, key.nulls_first);
    out =
        terms.either(is_before, terms.both(identical(terms, a.order[i], b.order[i]), out));
  }
  return out;
}

Order::Order(Terms& terms, std::vector<Term> is_in)
    : terms_(terms), is_in_(std::move(is_in)) {
  before_.resize(size(), std::vector<Term>(size(), terms.truth(false)));
}

void Order::set_before(std::size_t i, std::size_t j, Term before) {
  before_[i][j] = before;
  before_[j][i] = terms_.negation(before);
}

Term Order::is_first(std::size_t i) {
  Term out = is_in_[i];
  for (std::size_t j = 0; j < size(); ++j)
    if (j != i)
      out = terms_.both(out, terms_.negation(terms_.both(is_in_[j], before_[j][i])));
  return out;
}

namespace {

// One more thing to count: by k, so many of them are there.
void count(Terms& terms, std::vector<Term>& counts, Term is_there) {
  if (counts.empty()) return;
  const Term is_not = terms.negation(is_there);
  for (std::size_t k = counts.size(); k-- > 1;)
    counts[k] =
        terms.either(terms.both(counts[k], is_not), terms.both(counts[k - 1], is_there));
  counts[0] = terms.both(counts[0], is_not);
}

std::vector<Term> counts_of_none(Terms& terms, std::size_t below) {
  std::vector<Term> out(below, terms.truth(false));
  if (below > 0) out[0] = terms.truth(true);
  return out;
}

}  // namespace

std::vector<std::vector<Term>> Order::ranks(std::size_t below) {
  below = std::min(below, size());
  std::vector<std::vector<Term>> out(size(), counts_of_none(terms_, below));
  std::vector<Term> earlier = counts_of_none(terms_, below);
  const std::vector<std::size_t> places = fixed();
  for (const std::size_t place : places) {
    out[place] = earlier;
    count(terms_, earlier, is_in_[place]);
  }
  if (places.size() == size()) return out;
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t j = 0; j < size(); ++j)
      if (j != i) count(terms_, out[i], terms_.both(is_in_[j], before_[j][i]));
  return out;
}

std::vector<std::size_t> Order::fixed() const {
  std::vector<std::size_t> places(size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::vector<std::size_t> earlier(size());
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t j = 0; j < size(); ++j) {
      if (!terms_.is_constant(before_[i][j])) return {};
      earlier[j] += i != j && terms_.is_true(before_[i][j]) ? 1 : 0;
    }
  std::stable_sort(places.begin(), places.end(),
                   [&](std::size_t a, std::size_t b) { return earlier[a] < earlier[b]; });
  return places;
}

namespace {

template <class Item>
Order order_of(Terms& terms, const std::vector<Item>& items) {
  std::vector<Term> is_in;
  for (const Item& item : items)
    is_in.push_back(item.is_in);
  return {terms, std::move(is_in)};
}

void choose_into(Terms& terms, Term condition, std::vector<Cell>& cells,
                 const std::vector<Cell>& others) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    cells[i] = choose(terms, condition, others[i], cells[i]);
}

void choose_into(Terms& terms, Term condition, std::vector<Row>& rows,
                 const std::vector<Row>& others) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = choose(terms, condition, others[i], rows[i]);
}

void choose_into(Terms& terms, Term condition, Tuple& tuple, const Tuple& other) {
  choose_into(terms, condition, tuple.rows, other.rows);
}

void choose_into(Terms& terms, Term condition, ResultRow& row, const ResultRow& other) {
  choose_into(terms, condition, row.tuple, other.tuple);
  choose_into(terms, condition, row.columns, other.columns);
  choose_into(terms, condition, row.order, other.order);
}

template <class Item>
std::vector<Item> sequence(Terms& terms, Order& order, const std::vector<Item>& items) {
  std::vector<Item> out;
  const std::vector<std::size_t> fixed = order.fixed();
  for (const std::size_t place : fixed)
    out.push_back(items[place]);
  if (fixed.size() == items.size()) return out;
  const auto ranks = order.ranks(items.size());
  for (std::size_t k = 0; k < items.size(); ++k) {
    Item item = items[0];
    item.is_in = terms.both(items[0].is_in, ranks[0][k]);
    for (std::size_t i = 1; i < items.size(); ++i) {
      const Term is_here = terms.both(items[i].is_in, ranks[i][k]);
      choose_into(terms, is_here, item, items[i]);
      item.is_in = terms.either(item.is_in, is_here);
    }
    if (!terms.is_false(item.is_in)) out.push_back(std::move(item));
  }
  return out;
}

}  // namespace

std::vector<ResultRow> in_order(StatementRun& run, const Select& query,
                                std::vector<ResultRow> rows) {
  if (rows.size() < 2) return rows;
  Order order = order_of(run.terms, rows);
  order.compare([&](std::size_t i, std::size_t j) {
    return result_before(run, query, rows[i], rows[j]);
  });
  return sequence(run.terms, order, rows);
}

std::vector<Tuple> in_order(StatementRun& run, std::span<const Source> from,
                            std::vector<Tuple> tuples) {
  if (tuples.size() < 2) return tuples;
  Order order = order_of(run.terms, tuples);
  order.compare([&](std::size_t i, std::size_t j) {
    return tuple_before(run, from, tuples[i].rows, tuples[j].rows);
  });
  return sequence(run.terms, order, tuples);
}

std::vector<ResultRow> sorted_by(Terms& terms,
                                 std::span<const Expression::Direction> directions,
                                 std::vector<ResultRow> rows) {
  if (rows.size() < 2) return rows;
  Order order = order_of(terms, rows);
  order.compare([&](std::size_t i, std::size_t j) {
    Term out = terms.truth(true);
    for (std::size_t k = directions.size(); k-- > 0;) {
      const Cell& a = rows[i].order[k];
      const Cell& b = rows[j].order[k];
      out = terms.either(
          sorts_before(terms, a, b, directions[k].is_descending, directions[k].nulls_first),
          terms.both(identical(terms, a, b), out));
    }
    return out;
  });
  return sequence(terms, order, rows);
}

void keep_first(StatementRun& run, const Select& query, std::vector<ResultRow>& rows) {
  Order order = order_of(run.terms, rows);
  order.compare([&](std::size_t i, std::size_t j) {
    return result_before(run, query, rows[i], rows[j]);
  });
  std::vector<Term> is_first;
  for (std::size_t i = 0; i < rows.size(); ++i)
    is_first.push_back(order.is_first(i));
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].is_in = is_first[i];
}

}  // namespace isomer::verify
