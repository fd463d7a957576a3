// SPDX-License-Identifier: MIT
#include "verify/symbolic/cell.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/sql/type.h"

namespace isomer::verify {

using program::TypeKind;

TermSort sort_of(const program::Type& type) {
  switch (type.kind) {
    case TypeKind::Bool:
      return TermSort::Bool;
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
    case TypeKind::Date:
    case TypeKind::Timestamp:
      return TermSort::Int;
    case TypeKind::Numeric:
      return TermSort::Real;
    case TypeKind::Text:
    case TypeKind::Array:
      return TermSort::Text;
    case TypeKind::Any:
    case TypeKind::Record:
    case TypeKind::Range:  // refused before
      break;
  }
  ISOMER_UNREACHABLE();
}

namespace {

Term any_constant(Terms& terms, TermSort sort) {
  switch (sort) {
    case TermSort::Bool:
      return terms.truth(false);
    case TermSort::Int:
      return terms.integer(0);
    case TermSort::Real:
      return terms.number("0", TermSort::Real);
    case TermSort::Text:
      return terms.text("");
  }
  ISOMER_UNREACHABLE();
}

Term constant_data(Terms& terms, const program::Value& value, TermSort sort) {
  if (value.get_if<program::List>() != nullptr) return terms.text(array_text(value));
  if (const auto* truth = value.get_if<bool>()) return terms.truth(*truth);
  if (const auto* date = value.get_if<program::Date>()) return terms.integer(date->days);
  if (const auto* time = value.get_if<program::Timestamp>())
    return terms.integer(time->microseconds);
  if (sort == TermSort::Text) return terms.text(to_text(value));
  return terms.number(to_text(value), sort);
}

}  // namespace

std::optional<Scale> scale_of(const Cell& cell) {
  if (cell.scale) return cell.scale;
  if (cell.type.kind != TypeKind::Numeric) return Scale{};
  if (!cell.type.precision) return std::nullopt;
  return Scale{.least = cell.type.scale, .most = cell.type.scale};
}

Cell null_cell(Terms& terms, const program::Type& type) {
  if (type.kind == TypeKind::Record) return {type, {}, {}, {}};
  return {type, terms.truth(true), any_constant(terms, sort_of(type)), {}};
}

Cell constant_cell(Terms& terms, const program::Value& value, const program::Type& type) {
  if (value.is_null()) return null_cell(terms, type);
  Cell out{type, terms.truth(false), constant_data(terms, value, sort_of(type)), {}};
  for (const program::Value& item : value.items()) {
    out.fields.push_back(constant_cell(terms, item, element_of(type)));
    out.present.push_back(terms.truth(true));
  }
  if (const auto* number = value.get_if<program::Decimal>())
    out.scale = Scale{.least = number->scale, .most = number->scale};
  else if (type.kind == TypeKind::Numeric)
    out.scale = Scale{};
  return out;
}

Cell unknown_cell(Terms& terms, const program::Type& type, std::string_view name,
                  bool may_be_null) {
  const Term is_null = may_be_null
                           ? terms.variable(fmt::format("{}.null", name), TermSort::Bool)
                           : terms.truth(false);
  if (type.kind != TypeKind::Numeric || !type.precision)
    return {type, is_null, terms.variable(name, sort_of(type)), {}};
  const Term units = terms.as_real(terms.variable(name, TermSort::Int));
  const Term unit = terms.number(
      to_text(program::Decimal{.digits = 1, .scale = type.scale}), TermSort::Real);
  return {type, is_null, terms.product(units, unit), {}};
}

Row absent_row(Terms& terms, const program::Table& table) {
  Row row{.exists = terms.truth(false), .columns = {}};
  for (const program::Column& column : table.columns)
    row.columns.push_back(null_cell(terms, column.type));
  return row;
}

Row constant_row(Terms& terms, const program::Table& table,
                 std::span<const program::Value> values) {
  Row row{.exists = terms.truth(true), .columns = {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    row.columns.push_back(constant_cell(terms, values[i], table.columns[i].type));
  return row;
}

namespace {

// The field of a record; of one that has no row yet it is null.
Cell field_of(Terms& terms, const Cell& record, std::size_t i, const program::Type& type) {
  return i < record.fields.size() ? record.fields[i] : null_cell(terms, type);
}

Cell choose_record(Terms& terms, Term condition, const Cell& then, const Cell& otherwise) {
  Cell out{then.type, {}, {}, {}};
  const Cell& longer = then.fields.size() > otherwise.fields.size() ? then : otherwise;
  for (std::size_t i = 0; i < longer.fields.size(); ++i) {
    const program::Type& type = longer.fields[i].type;
    out.fields.push_back(choose(terms, condition, field_of(terms, then, i, type),
                                field_of(terms, otherwise, i, type)));
  }
  return out;
}

bool is_same_cell(const Cell& a, const Cell& b) {
  return a.is_null == b.is_null && a.data == b.data;
}

// The elements of one, and behind them those of the other.  What both begin with is there
// once: an array that grows in one branch stays as short as it can.
void choose_elements(Terms& terms, Term condition, const Cell& then, const Cell& otherwise,
                     Cell& out) {
  out.fields.clear();
  out.present.clear();
  const auto add = [&](const Cell& from, std::size_t i, Term when) {
    out.fields.push_back(from.fields[i]);
    out.present.push_back(terms.both(when, from.present[i]));
  };
  std::size_t common = 0;
  while (common < std::min(then.fields.size(), otherwise.fields.size()) &&
         then.present[common] == otherwise.present[common] &&
         is_same_cell(then.fields[common], otherwise.fields[common]))
    add(then, common++, terms.truth(true));
  for (std::size_t i = common; i < then.fields.size(); ++i)
    add(then, i, condition);
  for (std::size_t i = common; i < otherwise.fields.size(); ++i)
    add(otherwise, i, terms.negation(condition));
}

std::optional<Scale> either_scale(const Cell& a, const Cell& b) {
  const auto first = scale_of(a);
  const auto second = scale_of(b);
  if (!first || !second) return std::nullopt;
  return Scale{.least = std::min(first->least, second->least),
               .most = std::max(first->most, second->most)};
}

// A type that has the values of both.
program::Type either_type(const program::Type& a, const program::Type& b) {
  program::Type out = a;
  if (a.precision != b.precision || a.scale != b.scale) {
    out.precision.reset();
    out.scale = 0;
  }
  if (a.length_max != b.length_max) out.length_max.reset();
  out.is_padded = a.is_padded && b.is_padded;
  return out;
}

}  // namespace

Cell choose(Terms& terms, Term condition, const Cell& then, const Cell& otherwise) {
  if (terms.is_true(condition)) return then;
  if (terms.is_false(condition)) return otherwise;
  if (then.type.kind == TypeKind::Record)
    return choose_record(terms, condition, then, otherwise);
  // NULL has no data of its own: take that of the other.
  if (terms.is_true(then.is_null) && terms.is_true(otherwise.is_null)) return then;
  const Term is_null = terms.choose(condition, then.is_null, otherwise.is_null);
  Cell out = terms.is_true(then.is_null) ? otherwise : then;
  out.is_null = is_null;
  if (terms.is_true(then.is_null) || terms.is_true(otherwise.is_null)) return out;
  if (then.type.kind == TypeKind::Array)
    choose_elements(terms, condition, then, otherwise, out);
  out.scale = either_scale(then, otherwise);
  out.type = either_type(then.type, otherwise.type);
  out.data = terms.choose(condition, then.data, otherwise.data);
  return out;
}

Row choose(Terms& terms, Term condition, const Row& then, const Row& otherwise) {
  if (terms.is_true(condition)) return then;
  if (terms.is_false(condition)) return otherwise;
  // An absent row has no columns of its own either.
  const bool is_gone = terms.is_false(then.exists);
  const bool other_is_gone = terms.is_false(otherwise.exists);
  Row out{.exists = terms.choose(condition, then.exists, otherwise.exists), .columns = {}};
  for (std::size_t i = 0; i < then.columns.size(); ++i)
    out.columns.push_back(
        is_gone         ? otherwise.columns[i]
        : other_is_gone ? then.columns[i]
                        : choose(terms, condition, then.columns[i], otherwise.columns[i]));
  return out;
}

Term equal_arrays(Terms& terms, const Cell& a, const Cell& b) {
  const auto counts = [&](const Cell& array) {
    std::vector<Term> out{terms.integer(0)};
    for (const Term present : array.present)
      out.push_back(
          terms.sum(out.back(), terms.choose(present, terms.integer(1), terms.integer(0))));
    return out;
  };
  const std::vector<Term> left = counts(a);
  const std::vector<Term> right = counts(b);
  Term out = terms.same(left.back(), right.back());
  for (std::size_t i = 0; i < a.fields.size(); ++i)
    for (std::size_t j = 0; j < b.fields.size(); ++j) {
      const std::array at_one_place{a.present[i], b.present[j],
                                    terms.same(left[i], right[j])};
      out = terms.both(out, terms.implies(terms.all(at_one_place),
                                          identical(terms, a.fields[i], b.fields[j])));
    }
  return out;
}

Term identical(Terms& terms, const Cell& a, const Cell& b) {
  const Term same = a.type.kind == TypeKind::Array ? equal_arrays(terms, a, b)
                                                   : terms.same(a.data, b.data);
  const Term equal = terms.both(terms.negation(a.is_null), same);
  return terms.both(terms.iff(a.is_null, b.is_null), terms.either(a.is_null, equal));
}

Term identical(Terms& terms, const Row& a, const Row& b) {
  Term out = terms.truth(true);
  for (std::size_t i = 0; i < a.columns.size(); ++i)
    out = terms.both(out, identical(terms, a.columns[i], b.columns[i]));
  return terms.both(terms.iff(a.exists, b.exists),
                    terms.either(terms.negation(a.exists), out));
}

Term has_null(Terms& terms, std::span<const Cell> cells) {
  Term out = terms.truth(false);
  for (const Cell& cell : cells)
    out = terms.either(out, cell.is_null);
  return out;
}

Term all_identical(Terms& terms, std::span<const Cell> a, std::span<const Cell> b) {
  Term out = terms.truth(true);
  for (std::size_t i = 0; i < a.size(); ++i)
    out = terms.both(out, identical(terms, a[i], b[i]));
  return out;
}

Term same_key(Terms& terms, std::span<const Cell> a, std::span<const Cell> b) {
  Term out = terms.truth(true);
  for (std::size_t i = 0; i < a.size(); ++i) {
    out = terms.both(out, terms.same(a[i].data, b[i].data));
    out = terms.both(out, terms.negation(terms.either(a[i].is_null, b[i].is_null)));
  }
  return out;
}

Term key_before(Terms& terms, std::span<const Cell> a, std::span<const Cell> b) {
  Term out = terms.truth(false);
  for (std::size_t i = a.size(); i-- > 0;) {
    // bool: false before true.
    const Term before = terms.sort(a[i].data) == TermSort::Bool
                            ? terms.both(terms.negation(a[i].data), b[i].data)
                            : terms.less(a[i].data, b[i].data);
    out = terms.either(before, terms.both(terms.same(a[i].data, b[i].data), out));
  }
  return out;
}

}  // namespace isomer::verify
