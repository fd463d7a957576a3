// SPDX-License-Identifier: MIT
// Arrays as lists of what may be in them.  Which element is at a place is decided by
// counting those before it that are there; mostly that is known without values.
#include <fmt/format.h>

#include "base/assert.h"
#include "program/sql/type.h"
#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

Cell empty_array(Terms& terms, const Type& type, Term is_null) {
  Cell out = null_cell(terms, type);
  out.is_null = is_null;
  return out;
}

void add_element(Cell& array, Cell element, Term is_present) {
  array.fields.push_back(std::move(element));
  array.present.push_back(is_present);
}

// Those of `from`, where that is not null and `when` holds of the element.
template <class When>
void add_elements(Terms& terms, Cell& array, const Cell& from, When when) {
  const Term is_array = terms.negation(from.is_null);
  for (std::size_t i = 0; i < from.fields.size(); ++i) {
    const Term is_present =
        terms.all(std::vector{from.present[i], is_array, when(from.fields[i])});
    if (!terms.is_false(is_present)) add_element(array, from.fields[i], is_present);
  }
}

void add_elements(Terms& terms, Cell& array, const Cell& from) {
  add_elements(terms, array, from, [&](const Cell&) { return terms.truth(true); });
}

// How many elements there are before each, and last of all how many there are.
std::vector<Term> counts(Terms& terms, const Cell& array) {
  std::vector<Term> out{terms.integer(0)};
  for (const Term present : array.present)
    out.push_back(
        terms.sum(out.back(), terms.choose(present, terms.integer(1), terms.integer(0))));
  return out;
}

Cell element_at(Terms& terms, const Cell& array, const Cell& place, const Type& type) {
  const std::vector<Term> before = counts(terms, array);
  Cell out = null_cell(terms, type);
  for (std::size_t i = 0; i < array.fields.size(); ++i) {
    const Term number = terms.sum(before[i], terms.integer(1));
    const Term is_here = terms.both(array.present[i], terms.same(number, place.data));
    out = choose(terms, is_here, array.fields[i], out);
  }
  out.is_null = terms.any(std::vector{out.is_null, array.is_null, place.is_null});
  return out;
}

Cell position_of(Terms& terms, const Cell& array, const Cell& element, const Type& type) {
  const std::vector<Term> before = counts(terms, array);
  Cell out = null_cell(terms, type);
  for (std::size_t i = array.fields.size(); i-- > 0;) {
    const Term is_here =
        terms.both(array.present[i], identical(terms, array.fields[i], element));
    const Term number = terms.sum(before[i], terms.integer(1));
    out = choose(terms, is_here, value_cell(terms, type, number), out);
  }
  out.is_null = terms.either(out.is_null, array.is_null);
  return out;
}

Cell length_of(Terms& terms, const Cell& array, const Cell& dimension, const Type& type) {
  const Term length = counts(terms, array).back();
  const Term is_none =
      terms.either(terms.negation(terms.same(dimension.data, terms.integer(1))),
                   terms.same(length, terms.integer(0)));
  Cell out = value_cell(terms, type, length);
  out.is_null = terms.any(std::vector{array.is_null, dimension.is_null, is_none});
  return out;
}

// Is the element, which is not null, one of the array?
Term is_in(Terms& terms, const Cell& array, std::size_t i, const Cell& other) {
  Term found = terms.truth(false);
  for (std::size_t j = 0; j < other.fields.size(); ++j) {
    const Term is_null = terms.either(array.fields[i].is_null, other.fields[j].is_null);
    if (terms.is_true(is_null)) continue;
    found = terms.either(
        found, terms.all(std::vector{other.present[j], terms.negation(is_null),
                                     equal_data(terms, array.fields[i], other.fields[j])}));
  }
  return found;
}

// first @> second, or first && second.
Cell compared_sets(Terms& terms, const Expression& call, const Cell& first,
                   const Cell& second) {
  Term every = terms.truth(true);
  Term some = terms.truth(false);
  for (std::size_t i = 0; i < second.fields.size(); ++i) {
    const Term is_common = is_in(terms, second, i, first);
    every = terms.both(every, terms.implies(second.present[i], is_common));
    some = terms.either(some, terms.both(second.present[i], is_common));
  }
  return {call.type,
          terms.either(first.is_null, second.is_null),
          call.function == Function::ArrayContains ? every : some,
          {}};
}

Term compared(Function function, Terms& terms, const Cell& a, const Cell& b) {
  switch (function) {
    case Function::Equal:
      return equal_data(terms, a, b);
    case Function::NotEqual:
      return terms.negation(equal_data(terms, a, b));
    case Function::Less:
      return less_data(terms, a, b);
    case Function::LessEqual:
      return terms.negation(less_data(terms, b, a));
    case Function::Greater:
      return less_data(terms, b, a);
    case Function::GreaterEqual:
      return terms.negation(less_data(terms, a, b));
    default:
      ISOMER_UNREACHABLE();
  }
}

}  // namespace

Cell array_cell(Terms& terms, const Type& type, std::vector<Cell> elements,
                std::vector<Term> present) {
  Cell out = empty_array(terms, type, terms.truth(false));
  out.fields = std::move(elements);
  out.present = std::move(present);
  return out;
}

bool is_about_arrays(const Expression& call) {
  const auto is_array = [](const Expression& e) { return e.type.kind == TypeKind::Array; };
  if (is_array(call)) return true;
  for (const auto& argument : call.arguments)
    if (is_array(*argument)) return true;
  return false;
}

Cell call_array(const Expression& call, const std::vector<Cell>& cells,
                Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const Cell& first = cells[0];
  const auto joined = [&] { return empty_array(terms, call.type, terms.truth(false)); };
  switch (call.function) {
    case Function::Element:
      return element_at(terms, first, cells[1], call.type);
    case Function::ArrayAppend: {
      Cell out = joined();
      add_elements(terms, out, first);
      add_element(out, cells[1], terms.truth(true));
      return out;
    }
    case Function::ArrayPrepend: {
      Cell out = joined();
      add_element(out, first, terms.truth(true));
      add_elements(terms, out, cells[1]);
      return out;
    }
    case Function::ArrayConcat: {
      Cell out = joined();
      out.is_null = terms.both(first.is_null, cells[1].is_null);
      add_elements(terms, out, first);
      add_elements(terms, out, cells[1]);
      return out;
    }
    case Function::ArrayRemove: {
      Cell out = joined();
      out.is_null = first.is_null;
      add_elements(terms, out, first, [&](const Cell& element) {
        return terms.negation(identical(terms, element, cells[1]));
      });
      return out;
    }
    case Function::ArrayPosition:
      return position_of(terms, first, cells[1], call.type);
    case Function::ArrayLength:
      return length_of(terms, first, cells[1], call.type);
    case Function::Cardinality: {
      Cell out = value_cell(terms, call.type, counts(terms, first).back());
      out.is_null = first.is_null;
      return out;
    }
    case Function::ArrayContains:
    case Function::ArrayOverlaps:
      return compared_sets(terms, call, first, cells[1]);
    case Function::Equal:
    case Function::NotEqual:
      return {call.type,
              terms.either(first.is_null, cells[1].is_null),
              compared(call.function, terms, first, cells[1]),
              {}};
    default:
      evaluation.refuse(call.at, "this function of arrays");
      return null_cell(terms, call.type);
  }
}

Cell over_elements(const Expression& expression, const RowScope* scope, Term when,
                   Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  const bool is_any = expression.kind == Expression::Kind::AnyElement;
  const Cell wanted = evaluate(*expression.arguments[0], scope, when, evaluation);
  const Cell array = evaluate(*expression.arguments[1], scope, when, evaluation);
  Term is_decided = terms.truth(false);
  Term some_null = terms.truth(false);
  for (std::size_t i = 0; i < array.fields.size(); ++i) {
    const Cell& element = array.fields[i];
    const Term is_null = terms.either(wanted.is_null, element.is_null);
    some_null = terms.either(some_null, terms.both(array.present[i], is_null));
    if (terms.is_true(is_null)) continue;
    const Term truth = compared(expression.function, terms, wanted, element);
    is_decided = terms.either(
        is_decided, terms.all(std::vector{array.present[i], terms.negation(is_null),
                                          is_any ? truth : terms.negation(truth)}));
  }
  const Term is_unknown = terms.both(some_null, terms.negation(is_decided));
  return {expression.type,
          terms.either(array.is_null, is_unknown),
          is_any ? is_decided : terms.negation(is_decided),
          {}};
}

namespace {

// The array or text, if all of it is known.
std::optional<Value> known_whole(const Terms& terms, const Cell& cell) {
  if (cell.type.kind != TypeKind::Array) return known_value(terms, cell);
  std::vector<Value> out;
  for (std::size_t i = 0; i < cell.fields.size(); ++i) {
    if (terms.is_false(cell.present[i])) continue;
    auto element = known(terms, cell.fields[i]);
    if (!element || !terms.is_true(cell.present[i])) return std::nullopt;
    out.push_back(std::move(*element));
  }
  return Value::list(std::move(out));
}

// An array as text, or a text as array.
Cell rewritten(const Cell& cell, const Type& type, Term runs, Span at,
               Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  if (const auto whole = known_whole(terms, cell))
    return computed(type, at, runs, evaluation, [&](program::Context& context) {
      return program::converted(*whole, type, program::Conversion::Cast, context);
    });
  if (type.kind == TypeKind::Array) {
    evaluation.refuse(at, "texts that are not known as arrays");
    return null_cell(terms, type);
  }
  approximate(Approximation::Kind::Uninterpreted, runs, "an array as text", at, evaluation);
  std::vector<Cell> parts;
  for (std::size_t i = 0; i < cell.fields.size(); ++i) {
    parts.push_back(cell.fields[i]);
    parts.push_back(value_cell(terms, type_of_kind(TypeKind::Bool), cell.present[i]));
    parts.push_back(
        value_cell(terms, type_of_kind(TypeKind::Bool), cell.fields[i].is_null));
  }
  const std::string name =
      fmt::format("text.of_{}_{}[]", cell.fields.size(), name_of(cell.type.element));
  return value_cell(terms, type, any_function(name, parts, TermSort::Text, evaluation));
}

}  // namespace

Cell converted_array(const Cell& cell, const Type& type, Conversion conversion, Term when,
                     Span at, Evaluation& evaluation) {
  Terms& terms = evaluation.terms;
  if (terms.is_true(cell.is_null)) return null_cell(terms, type);
  if (cell.type.kind != TypeKind::Array || type.kind != TypeKind::Array) {
    const Term runs = terms.both(when, terms.negation(cell.is_null));
    if (terms.is_false(runs)) return null_cell(terms, type);
    const Type to = type.kind == TypeKind::Array ? type : type_of_kind(TypeKind::Text);
    Cell out = rewritten(cell, to, runs, at, evaluation);
    out.is_null = cell.is_null;
    return to.kind == TypeKind::Array
               ? out
               : converted(out, type, conversion, when, at, evaluation);
  }
  Cell out = cell;
  out.type = type;
  if (cell.type.element == type.element) return out;
  const Term is_array = terms.both(when, terms.negation(cell.is_null));
  for (std::size_t i = 0; i < out.fields.size(); ++i)
    out.fields[i] = converted(cell.fields[i], type_of_kind(type.element), conversion,
                              terms.both(is_array, cell.present[i]), at, evaluation);
  return out;
}

}  // namespace isomer::verify
