// SPDX-License-Identifier: MIT
// Comparison of cells: numbers by value, dates as their midnight, texts bytewise, false
// before true.
#include <compare>

#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

// Terms compare no constants of very many digits.
std::optional<std::strong_ordering> known_order(const Terms& terms, const Cell& a,
                                                const Cell& b) {
  if (terms.sort(a.data) != TermSort::Real) return std::nullopt;
  const auto first = known_value(terms, a);
  const auto second = first ? known_value(terms, b) : std::nullopt;
  if (!second) return std::nullopt;
  return program::compare(*first, *second);
}

Term midnight(Terms& terms, Term days) {
  return terms.product(days, terms.integer(day_length));
}

// Null if an operand is; `data` is not made if nobody could see it.
template <class Data>
Cell comparison_cell(Terms& terms, const Cell& a, const Cell& b, Data data) {
  const Type type = type_of_kind(TypeKind::Bool);
  const Term is_null = terms.either(a.is_null, b.is_null);
  if (terms.is_true(is_null)) return null_cell(terms, type);
  return {type, is_null, data(terms, a, b), {}};
}

}  // namespace

std::pair<Term, Term> aligned(Terms& terms, const Cell& a, const Cell& b) {
  const TypeKind first = a.type.kind;
  const TypeKind second = b.type.kind;
  if (first == TypeKind::Date && second == TypeKind::Timestamp)
    return {midnight(terms, a.data), b.data};
  if (first == TypeKind::Timestamp && second == TypeKind::Date)
    return {a.data, midnight(terms, b.data)};
  if (terms.sort(a.data) == terms.sort(b.data)) return {a.data, b.data};
  return {as_real(terms, a), as_real(terms, b)};
}

Term equal_data(Terms& terms, const Cell& a, const Cell& b) {
  if (a.type.kind == TypeKind::Array) return equal_arrays(terms, a, b);
  if (const auto order = known_order(terms, a, b)) return terms.truth(*order == 0);
  const auto [first, second] = aligned(terms, a, b);
  return terms.same(first, second);
}

Term less_data(Terms& terms, const Cell& a, const Cell& b) {
  if (const auto order = known_order(terms, a, b)) return terms.truth(*order < 0);
  const auto [first, second] = aligned(terms, a, b);
  if (terms.sort(first) == TermSort::Bool) return terms.both(terms.negation(first), second);
  return terms.less(first, second);
}

Cell compare_equal(Terms& terms, const Cell& a, const Cell& b) {
  return comparison_cell(terms, a, b, equal_data);
}

Cell compare_less(Terms& terms, const Cell& a, const Cell& b) {
  return comparison_cell(terms, a, b, less_data);
}

Term sorts_before(Terms& terms, const Cell& a, const Cell& b, bool is_descending,
                  bool nulls_first) {
  const Term null_decides = nulls_first ? terms.both(a.is_null, terms.negation(b.is_null))
                                        : terms.both(terms.negation(a.is_null), b.is_null);
  const Term some_null = terms.either(a.is_null, b.is_null);
  if (terms.is_true(some_null)) return null_decides;
  const Term less = is_descending ? less_data(terms, b, a) : less_data(terms, a, b);
  return terms.either(null_decides, terms.both(terms.negation(some_null), less));
}

}  // namespace isomer::verify
