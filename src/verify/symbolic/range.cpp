// SPDX-License-Identifier: MIT
// Which numbers and moments a type has, and the error of those that it has not.
#include "base/assert.h"
#include "program/calendar.h"
#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

struct Bounds {
  Term first;
  Term last;
};

Bounds integers_up_to(Terms& terms, std::int64_t last) {
  return {terms.integer(-last - 1), terms.integer(last)};
}

Bounds days(Terms& terms) {
  return {terms.integer(program::first_date().days),
          terms.integer(program::last_date().days)};
}

Bounds moments(Terms& terms) {
  return {terms.integer(program::first_timestamp().microseconds),
          terms.integer(program::last_timestamp().microseconds)};
}

// 9999.99 for numeric(6, 2).
Bounds decimals(Terms& terms, const Type& type) {
  const std::string nines(*type.precision, '9');
  program::Decimal last = *program::parse_decimal(nines);
  last.scale = type.scale;
  return {terms.number(to_text(negated(last)), TermSort::Real),
          terms.number(to_text(last), TermSort::Real)};
}

std::optional<Bounds> bounds_of(Terms& terms, const Type& type) {
  switch (type.kind) {
    case TypeKind::Int2:
      return integers_up_to(terms, INT16_MAX);
    case TypeKind::Int4:
      return integers_up_to(terms, INT32_MAX);
    case TypeKind::Int8:
      return integers_up_to(terms, INT64_MAX);
    case TypeKind::Date:
      return days(terms);
    case TypeKind::Timestamp:
      return moments(terms);
    case TypeKind::Numeric:
      if (type.precision) return decimals(terms, type);
      return std::nullopt;
    case TypeKind::Bool:
    case TypeKind::Text:
    case TypeKind::Any:
    case TypeKind::Record:
    case TypeKind::Array:
    case TypeKind::Range:
      return std::nullopt;
  }
  ISOMER_UNREACHABLE();
}

bool is_moment(const Type& type) {
  return type.kind == TypeKind::Date || type.kind == TypeKind::Timestamp;
}

std::string range_message(const Type& type) {
  switch (type.kind) {
    case TypeKind::Int2:
      return "smallint out of range";
    case TypeKind::Int4:
      return "integer out of range";
    case TypeKind::Int8:
      return "bigint out of range";
    case TypeKind::Numeric:
      return "numeric field overflow";
    case TypeKind::Timestamp:
      return "date out of range for timestamp";
    default:
      return "date out of range";
  }
}

}  // namespace

Term is_in_range(Terms& terms, const Cell& cell) {
  const auto bounds = bounds_of(terms, cell.type);
  if (!bounds) return terms.truth(true);
  const Term is_within = terms.both(terms.less_equal(bounds->first, cell.data),
                                    terms.less_equal(cell.data, bounds->last));
  return terms.either(cell.is_null, is_within);
}

void check_range(const Cell& cell, Term runs, Span at, Evaluation& evaluation) {
  if (!evaluation.options.has_overflow) return;
  Terms& terms = evaluation.terms;
  const Term is_out = terms.negation(is_in_range(terms, cell));
  evaluation.fail(terms.both(runs, is_out), is_moment(cell.type) ? "22008" : "22003",
                  range_message(cell.type), at);
}

}  // namespace isomer::verify
