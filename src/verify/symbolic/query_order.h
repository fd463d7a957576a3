// SPDX-License-Identifier: MIT
// The order of rows that may be there.
#pragma once

#include "verify/symbolic/query.h"

namespace isomer::verify {

// The order of the primary keys of the sources, one after the other.
Term tuple_before(StatementRun& run, std::span<const Source> from,
                  const std::vector<Row>& a, const std::vector<Row>& b);
Term result_before(StatementRun& run, const Select& query, const ResultRow& a,
                   const ResultRow& b);

// Which of several things that may be there comes before which.
class Order {
 public:
  Order(Terms& terms, std::vector<Term> is_in);

  // For each pair, whether or not both can be there: where the order does not depend on
  // values it must be one.
  template <class Before>
  void compare(Before before) {
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = i + 1; j < size(); ++j)
        set_before(i, j, before(i, j));
  }

  [[nodiscard]] std::size_t size() const { return is_in_.size(); }

  // i is there, and no other is there before it.
  Term is_first(std::size_t i);
  // By i and k, for each k below a bound: so many are there before i.
  std::vector<std::vector<Term>> ranks(std::size_t below);
  // If the order does not depend on values: the places in order, else none.
  std::vector<std::size_t> fixed() const;

 private:
  void set_before(std::size_t i, std::size_t j, Term before);

  Terms& terms_;
  std::vector<Term> is_in_;
  std::vector<std::vector<Term>> before_;
};

// The rows as a sequence: those that are there come in their order.
std::vector<ResultRow> in_order(StatementRun& run, const Select& query,
                                std::vector<ResultRow> rows);
std::vector<Tuple> in_order(StatementRun& run, std::span<const Source> from,
                            std::vector<Tuple> tuples);
// Sorted by what they have in `order`; those that are alike there stay as they are.
std::vector<ResultRow> sorted_by(Terms& terms,
                                 std::span<const Expression::Direction> directions,
                                 std::vector<ResultRow> rows);
// Only the first of those that are there is left.
void keep_first(StatementRun& run, const Select& query, std::vector<ResultRow>& rows);

}  // namespace isomer::verify
