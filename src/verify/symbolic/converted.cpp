// SPDX-License-Identifier: MIT
// Conversions between types on cells, with PostgreSQL's errors.  Texts are read and written
// by functions of which nothing is known but that a text is well-formed or not.
#include <fmt/format.h>

#include "program/sql/type.h"
#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

using Kind = Approximation::Kind;

// One conversion of a cell that is not null where `runs` holds.
struct Converting {
  const Cell& from;
  const Type& to;
  Conversion conversion;
  Term runs;
  Span at;
  Evaluation& evaluation;

  [[nodiscard]] Terms& terms() const { return evaluation.terms; }

  [[nodiscard]] Cell result(Term data, std::optional<Scale> scale = std::nullopt) const {
    return value_cell(terms(), to, data, scale);
  }

  [[nodiscard]] Term any(const std::string& name, const Cell& argument,
                         TermSort sort) const {
    return any_function(name, std::span(&argument, 1), sort, evaluation);
  }
};

Cell mismatch(const Converting& c) {
  c.evaluation.fail(c.runs, "42846",
                    fmt::format("cannot convert {} to type {}", name_of(c.from.type.kind),
                                name_of(c.to.kind)),
                    c.at);
  return null_cell(c.terms(), c.to);
}

void approximate_cast(const Converting& c) {
  approximate(Kind::Uninterpreted, c.runs,
              fmt::format("{} as {}", name_of(c.from.type.kind), name_of(c.to.kind)), c.at,
              c.evaluation);
}

// Text as a value of the type.
Term parsed(const Converting& c) {
  approximate_cast(c);
  const bool is_time = c.to.kind == TypeKind::Date || c.to.kind == TypeKind::Timestamp;
  const Term is_valid =
      c.any(fmt::format("text.is_{}", name_of(c.to.kind)), c.from, TermSort::Bool);
  c.evaluation.fail(
      c.terms().both(c.runs, c.terms().negation(is_valid)), is_time ? "22007" : "22P02",
      fmt::format("invalid input syntax for type {}", name_of(c.to.kind)), c.at);
  return c.any(fmt::format("text.as_{}", name_of(c.to.kind)), c.from, sort_of(c.to));
}

Cell to_boolean(const Converting& c) {
  if (c.from.type.kind == TypeKind::Text) return c.result(parsed(c));
  if (!is_integer(c.from.type)) return mismatch(c);
  return c.result(c.terms().negation(c.terms().same(c.from.data, c.terms().integer(0))));
}

Cell to_integer(const Converting& c) {
  Terms& terms = c.terms();
  const TypeKind from = c.from.type.kind;
  Term data = c.from.data;
  if (from == TypeKind::Bool)
    data = terms.choose(data, terms.integer(1), terms.integer(0));
  else if (from == TypeKind::Numeric)
    data = terms.floor(rounded_data(terms, c.from, 0));
  else if (from == TypeKind::Text)
    return c.result(parsed(c));
  else if (!is_integer(c.from.type))
    return mismatch(c);
  const Cell out = c.result(data);
  check_range(out, c.runs, c.at, c.evaluation);
  return out;
}

// Has a numeric(p, s) of the second type room for each of the first?
bool fits(const Type& from, const Type& to) {
  return from.kind == TypeKind::Numeric && from.precision && from.scale <= to.scale &&
         *from.precision - from.scale <= *to.precision - to.scale;
}

Cell to_numeric(const Converting& c) {
  Terms& terms = c.terms();
  Cell number = c.from;
  if (number.type.kind == TypeKind::Text)
    number = value_cell(terms, type_of_kind(TypeKind::Numeric), parsed(c));
  else if (number.type.kind != TypeKind::Numeric && !is_integer(number.type))
    return mismatch(c);
  if (!c.to.precision) return c.result(as_real(terms, number), scale_of(number));
  const Cell out = c.result(rounded_data(terms, number, c.to.scale),
                            Scale{.least = c.to.scale, .most = c.to.scale});
  if (!fits(number.type, c.to)) check_range(out, c.runs, c.at, c.evaluation);
  return out;
}

// A value as text.  Equal numerics show different texts if their scales differ.
Term shown(const Converting& c) {
  if (c.from.type.kind == TypeKind::Bool)
    return c.terms().choose(c.from.data, c.terms().text("true"), c.terms().text("false"));
  approximate_cast(c);
  std::string name = fmt::format("{}.as_text", name_of(c.from.type.kind));
  if (is_integer(c.from.type)) name = "integer.as_text";
  const auto scale = scale_of(c.from);
  if (c.from.type.kind == TypeKind::Numeric && scale && scale->least == scale->most)
    name += fmt::format("/{}", scale->least);
  return c.any(name, c.from, TermSort::Text);
}

// A text of at most so many characters: what is cut off must be blanks, unless it is a
// cast.
Term limited(const Converting& c, const Cell& text) {
  Terms& terms = c.terms();
  const std::uint32_t most = *c.to.length_max;
  approximate_cast(c);
  const Term fits = c.any(fmt::format("text.fits_{}", most), text, TermSort::Bool);
  const Term cut = c.any(fmt::format("text.cut_{}", most), text, TermSort::Text);
  if (c.conversion == Conversion::Assignment) {
    const Term ends_blank =
        c.any(fmt::format("text.ends_blank_{}", most), text, TermSort::Bool);
    const Term is_kept = terms.either(fits, ends_blank);
    c.evaluation.fail(terms.both(c.runs, terms.negation(is_kept)), "22001",
                      fmt::format("value too long for type character{}({})",
                                  c.to.is_padded ? "" : " varying", most),
                      c.at);
  }
  return terms.choose(fits, text.data, cut);
}

Cell to_text(const Converting& c) {
  const Type& from = c.from.type;
  Cell text = c.from;
  if (from.kind != TypeKind::Text)
    text = value_cell(c.terms(), type_of_kind(TypeKind::Text), shown(c));
  if (c.to.is_padded && !text.type.is_padded) {
    approximate_cast(c);
    text.data = c.any("text.without_padding", text, TermSort::Text);
  }
  const bool fits = !c.to.length_max ||
                    (text.type.length_max && *text.type.length_max <= *c.to.length_max);
  return c.result(fits ? text.data : limited(c, text));
}

Cell to_date(const Converting& c) {
  Terms& terms = c.terms();
  if (c.from.type.kind == TypeKind::Text) return c.result(parsed(c));
  if (c.from.type.kind != TypeKind::Timestamp) return mismatch(c);
  const Term day = terms.as_real(terms.integer(day_length));
  return c.result(terms.floor(terms.quotient(terms.as_real(c.from.data), day)));
}

Cell to_timestamp(const Converting& c) {
  if (c.from.type.kind == TypeKind::Text) return c.result(parsed(c));
  if (c.from.type.kind != TypeKind::Date) return mismatch(c);
  Cell out = c.result(c.terms().product(c.from.data, c.terms().integer(day_length)));
  check_range(out, c.runs, c.at, c.evaluation);
  return out;
}

Cell convert_value(const Converting& c) {
  switch (c.to.kind) {
    case TypeKind::Bool:
      return to_boolean(c);
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
      return to_integer(c);
    case TypeKind::Numeric:
      return to_numeric(c);
    case TypeKind::Text:
      return to_text(c);
    case TypeKind::Date:
      return to_date(c);
    case TypeKind::Timestamp:
      return to_timestamp(c);
    case TypeKind::Any:
    case TypeKind::Record:
    case TypeKind::Range:  // refused before
    case TypeKind::Array:  // by its elements, before
      break;
  }
  return c.from;
}

// Is each value of the first type one of the second?
bool is_part_of(const Type& from, const Type& to) {
  if (is_integer(from) && is_integer(to)) return from.kind <= to.kind;
  if (from.kind != to.kind) return false;
  if (from.kind == TypeKind::Numeric)
    return !to.precision || (from.precision == to.precision && from.scale == to.scale);
  return from.kind != TypeKind::Text ||
         (from.is_padded == to.is_padded &&
          (!to.length_max || (from.length_max && *from.length_max <= *to.length_max)));
}

}  // namespace

Cell converted(const Cell& cell, const Type& type, Conversion conversion, Term when,
               Span at, Evaluation& evaluation) {
  if (type.kind == TypeKind::Any || type.kind == TypeKind::Record) return cell;
  if (type.kind == TypeKind::Array || cell.type.kind == TypeKind::Array)
    return converted_array(cell, type, conversion, when, at, evaluation);
  if (is_part_of(cell.type, type)) {
    Cell out = cell;
    if (type.kind == TypeKind::Numeric) out.scale = scale_of(cell);
    out.type = type;
    return out;
  }
  const auto how = conversion == Conversion::Cast ? program::Conversion::Cast
                                                  : program::Conversion::Assignment;
  const Operation operation{
      .type = type,
      .at = at,
      .is_open = type.kind == TypeKind::Text || cell.type.kind == TypeKind::Text,
      .on_values =
          [&](std::span<const Value> values, program::Context& context) {
            return program::converted(values[0], type, how, context);
          },
      .on_cells =
          [&](std::span<const Cell> cells, Term runs) {
            return convert_value({cells[0], type, conversion, runs, at, evaluation});
          }};
  return applied(operation, {cell}, when, evaluation);
}

}  // namespace isomer::verify
