// SPDX-License-Identifier: MIT
#include "audit/statements/evaluate.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/sql/type.h"

namespace isomer::audit {
namespace {

using program::Function;
using program::TypeKind;
using ExpressionKind = Expression::Kind;

// Parts of expressions may be shared, so a tree can be far larger than its text.
constexpr std::uint64_t size_max = 10000;

bool is_number(TermSort sort) {
  return sort == TermSort::Int || sort == TermSort::Real;
}

// Brings two cells to one sort; false if there is none.
bool unify(Terms& terms, Cell& a, Cell& b) {
  const TermSort left = terms.sort(a.data);
  const TermSort right = terms.sort(b.data);
  if (left == right) return true;
  if (!is_number(left) || !is_number(right)) return false;
  a.data = terms.as_real(a.data);
  b.data = terms.as_real(b.data);
  return true;
}

struct Evaluator {
  const Situation& situation;
  const RowTerms* scope;

  [[nodiscard]] Terms& terms() const { return situation.terms(); }

  [[nodiscard]] Cell operator()(const Expression& e) const {
    return situation.evaluate(e, scope);
  }

  [[nodiscard]] std::vector<Cell> arguments(const Expression& e) const {
    std::vector<Cell> out;
    for (const auto& argument : e.arguments)
      out.push_back((*this)(*argument));
    return out;
  }

  [[nodiscard]] Cell open(const Expression& e) const {
    return unknown(terms(), e.type, "unknown");
  }

  [[nodiscard]] Cell boolean(const Expression& e, Term is_null, Term data) const {
    return {e.type, is_null, data, {}};
  }

  // --- leaves ---

  [[nodiscard]] Cell variable(const Expression& e) const {
    const Cell& cell = situation.variables[e.variable.index];
    if (!e.field) return cell;
    return *e.field < cell.fields.size() ? cell.fields[*e.field] : open(e);
  }

  [[nodiscard]] Cell column(const Expression& e) const {
    const RowTerms* at = scope;
    for (std::uint32_t i = 0; i < e.outer && at != nullptr; ++i)
      at = at->around;
    if (at == nullptr || e.source.index >= at->rows.size()) return open(e);
    const SeenRow& row = at->rows[e.source.index];
    if (row.is_open) return open(e);
    if (e.column.index < row.known.size() && row.known[e.column.index])
      return *row.known[e.column.index];
    return situation.schema->column(row.record, e.column, situation.viewer);
  }

  // --- logic ---

  [[nodiscard]] Term is_true(const Cell& cell) const {
    return terms().both(terms().negation(cell.is_null), cell.data);
  }

  [[nodiscard]] Term is_false(const Cell& cell) const {
    return terms().both(terms().negation(cell.is_null), terms().negation(cell.data));
  }

  // AND is false if one is false, true if all are true, else null; OR is its dual.
  [[nodiscard]] Cell junction(const Expression& e) const {
    std::vector<Term> decided;
    std::vector<Term> all;
    const bool is_and = e.function == Function::And;
    for (const Cell& cell : arguments(e)) {
      decided.push_back(is_and ? is_false(cell) : is_true(cell));
      all.push_back(is_and ? is_true(cell) : is_false(cell));
    }
    const Term one = terms().any(decided);
    const Term each = terms().all(all);
    return boolean(e, terms().negation(terms().either(one, each)), is_and ? each : one);
  }

  [[nodiscard]] Cell comparison(const Expression& e) const {
    Cell a = (*this)(*e.arguments[0]);
    Cell b = (*this)(*e.arguments[1]);
    if (a.type.kind == TypeKind::Array) return function(e, {a, b});  // by their elements
    if (!unify(terms(), a, b)) return open(e);
    const bool has_order = terms().sort(a.data) != TermSort::Bool;
    const Term is_null = terms().either(a.is_null, b.is_null);
    const auto make = [&](Term data) { return boolean(e, is_null, data); };
    switch (e.function) {
      case Function::Equal:
        return make(terms().same(a.data, b.data));
      case Function::NotEqual:
        return make(terms().negation(terms().same(a.data, b.data)));
      case Function::Less:
        return has_order ? make(terms().less(a.data, b.data)) : open(e);
      case Function::LessEqual:
        return has_order ? make(terms().less_equal(a.data, b.data)) : open(e);
      case Function::Greater:
        return has_order ? make(terms().less(b.data, a.data)) : open(e);
      case Function::GreaterEqual:
        return has_order ? make(terms().less_equal(b.data, a.data)) : open(e);
      default:  // IsDistinct
        return boolean(
            e, terms().truth(false),
            terms().negation(terms().either(
                terms().both(a.is_null, b.is_null),
                terms().both(terms().negation(is_null), terms().same(a.data, b.data)))));
    }
  }

  // --- arithmetic: sums, and products with a constant ---

  [[nodiscard]] Cell arithmetic(const Expression& e) const {
    std::vector<Cell> cells = arguments(e);
    if (!is_number(verify::sort_of(e.type))) return function(e, cells);
    for (Cell& cell : cells) {
      if (!is_number(terms().sort(cell.data))) return function(e, cells);
      if (verify::sort_of(e.type) == TermSort::Real) cell.data = terms().as_real(cell.data);
      if (terms().sort(cell.data) != verify::sort_of(e.type)) return function(e, cells);
    }
    if (e.function == Function::Negate)
      return {e.type, cells[0].is_null, terms().minus(cells[0].data), {}};
    if (cells.size() != 2) return function(e, cells);
    const Term a = cells[0].data;
    const Term b = cells[1].data;
    const Term is_null = terms().either(cells[0].is_null, cells[1].is_null);
    if (e.function == Function::Add) return {e.type, is_null, terms().sum(a, b), {}};
    if (e.function == Function::Subtract)
      return {e.type, is_null, terms().difference(a, b), {}};
    if (terms().is_constant(a) || terms().is_constant(b))
      return {e.type, is_null, terms().product(a, b), {}};
    return function(e, cells);
  }

  // --- choice ---

  [[nodiscard]] Cell coalesce(const Expression& e) const {
    std::vector<Cell> cells = arguments(e);
    Cell out = cells.back();
    for (std::size_t i = cells.size() - 1; i-- > 0;) {
      if (!unify(terms(), cells[i], out)) return function(e, cells);
      out = verify::choose(terms(), cells[i].is_null, out, cells[i]);
    }
    out.type = e.type;
    return out;
  }

  [[nodiscard]] Cell cases(const Expression& e) const {
    const std::size_t pairs = e.arguments.size() / 2;
    Cell out = e.arguments.size() % 2 == 1 ? (*this)(*e.arguments.back())
                                           : verify::null_cell(terms(), e.type);
    for (std::size_t i = pairs; i-- > 0;) {
      Cell then = (*this)(*e.arguments[2 * i + 1]);
      if (!unify(terms(), then, out)) return open(e);
      out = verify::choose(terms(), is_true((*this)(*e.arguments[2 * i])), then, out);
    }
    out.type = e.type;
    return out;
  }

  [[nodiscard]] Cell in_list(const Expression& e) const {
    Cell out = boolean(e, terms().truth(false), terms().truth(false));
    Term one = terms().truth(false);
    Term open_ended = terms().truth(false);
    const Cell wanted = (*this)(*e.arguments[0]);
    for (std::size_t i = 1; i < e.arguments.size(); ++i) {
      Cell a = wanted;
      Cell b = (*this)(*e.arguments[i]);
      if (!unify(terms(), a, b)) return open(e);
      const Term is_null = terms().either(a.is_null, b.is_null);
      one = terms().either(
          one, terms().both(terms().negation(is_null), terms().same(a.data, b.data)));
      open_ended = terms().either(open_ended, is_null);
    }
    out.data = one;
    out.is_null = terms().both(open_ended, terms().negation(one));
    return out;
  }

  // x = ANY (v): all that is known is that it is the same for the same x and v.
  [[nodiscard]] Cell over_elements(const Expression& e) const {
    if (e.kind == ExpressionKind::AnyElement)
      return situation.any_element(e.function, arguments(e));
    if (e.function == Function::NotEqual) {
      const Cell is_one = situation.any_element(Function::Equal, arguments(e));
      return boolean(e, is_one.is_null, terms().negation(is_one.data));
    }
    return situation.schema->any_function(fmt::format("{} all", program::name(e.function)),
                                          arguments(e), e.type);
  }

  // Any other function: all that is known is that equal arguments give equal values.
  [[nodiscard]] Cell function(const Expression& e, const std::vector<Cell>& cells) const {
    const bool is_flat = std::none_of(cells.begin(), cells.end(), [](const Cell& cell) {
      return cell.type.kind == TypeKind::Record || cell.type.kind == TypeKind::Any;
    });
    if (!is_flat) return open(e);
    return situation.schema->any_function(
        fmt::format("{}",
                    e.kind == ExpressionKind::Cast ? "cast" : program::name(e.function)),
        cells, e.type);
  }

  [[nodiscard]] Cell call(const Expression& e) const {
    switch (e.function) {
      case Function::And:
      case Function::Or:
        return junction(e);
      case Function::Not: {
        const Cell cell = (*this)(*e.arguments[0]);
        return boolean(e, cell.is_null, terms().negation(cell.data));
      }
      case Function::IsNull: {
        const Cell cell = (*this)(*e.arguments[0]);
        if (cell.type.kind == TypeKind::Record) return open(e);
        return boolean(e, terms().truth(false), cell.is_null);
      }
      case Function::Equal:
      case Function::NotEqual:
      case Function::Less:
      case Function::LessEqual:
      case Function::Greater:
      case Function::GreaterEqual:
      case Function::IsDistinct:
        return comparison(e);
      case Function::Add:
      case Function::Subtract:
      case Function::Multiply:
      case Function::Negate:
        return arithmetic(e);
      case Function::Coalesce:
        return coalesce(e);
      default:
        return function(e, arguments(e));
    }
  }

  // An explicit cast cuts a text that is too long.
  [[nodiscard]] Cell cast(const Expression& e) const {
    const Cell from = (*this)(*e.arguments[0]);
    const bool may_cut =
        e.type.length_max && from.type.kind == TypeKind::Text &&
        (!from.type.length_max || *from.type.length_max > *e.type.length_max);
    if (may_cut) {
      Cell out = function(e, {from});
      out.is_null = from.is_null;
      return out;
    }
    return converted(*situation.schema, from, e.type);
  }

  [[nodiscard]] Cell subquery(const Expression& e) const {
    const auto known = situation.queries.find(&e);
    return known != situation.queries.end() ? known->second : open(e);
  }
};

}  // namespace

Cell Situation::evaluate(const Expression& e, const RowTerms* scope) const {
  const Evaluator evaluator{*this, scope};
  if (e.size > size_max) return evaluator.open(e);
  switch (e.kind) {
    case ExpressionKind::Constant:
      return e.type.kind == TypeKind::Any ? evaluator.open(e)
                                          : verify::constant_cell(terms(), e.value, e.type);
    case ExpressionKind::Variable:
      return evaluator.variable(e);
    case ExpressionKind::Column:
      return evaluator.column(e);
    case ExpressionKind::Call:
      return evaluator.call(e);
    case ExpressionKind::Case:
      return evaluator.cases(e);
    case ExpressionKind::Cast:
      return evaluator.cast(e);
    case ExpressionKind::InList:
      return evaluator.in_list(e);
    case ExpressionKind::Found:
      return evaluator.boolean(e, terms().truth(false), found);
    case ExpressionKind::RowCount:
      return row_count;
    case ExpressionKind::Exists:
    case ExpressionKind::InQuery:
    case ExpressionKind::Scalar:
    case ExpressionKind::ArrayQuery:
      return evaluator.subquery(e);
    case ExpressionKind::AnyElement:
    case ExpressionKind::AllElements:
      return evaluator.over_elements(e);
    case ExpressionKind::Aggregate:
    case ExpressionKind::FinalLocal:
    case ExpressionKind::Symbol:
    case ExpressionKind::Rows:  // refused before
      return evaluator.open(e);
  }
  return evaluator.open(e);
}

Cell Situation::any_element(program::Function function,
                            const std::vector<Cell>& operands) const {
  return schema->any_function(fmt::format("{} any", program::name(function)), operands,
                              program::type(TypeKind::Bool));
}

Term Situation::holds(const Expression& condition, const RowTerms* scope) const {
  const Cell cell = evaluate(condition, scope);
  return terms().both(terms().negation(cell.is_null), cell.data);
}

Cell unknown(Terms& terms, const program::Type& type, const std::string& name) {
  return verify::unknown_cell(terms, type, name, true);
}

Cell null_of(Terms& terms, const program::Variable& variable) {
  Cell out = verify::null_cell(terms, variable.type);
  for (const program::Type& type : variable.field_types)
    out.fields.push_back(verify::null_cell(terms, type));
  return out;
}

Cell unknown_of(Terms& terms, const program::Variable& variable, const std::string& name) {
  if (variable.type.kind != TypeKind::Record) return unknown(terms, variable.type, name);
  Cell out{variable.type, {}, {}, {}};
  for (std::size_t i = 0; i < variable.field_types.size(); ++i)
    out.fields.push_back(unknown(terms, variable.field_types[i],
                                 fmt::format("{}.{}", name, variable.fields[i])));
  return out;
}

// Texts are cut and numbers rounded where the type says so; neither is modelled.
namespace {

// char(n) keeps no blanks at the end, and where a text is too long for varchar(n) only
// blanks may be left out; what does not end with a blank stays as it is.
bool may_lose_blanks(const program::Type& from, const program::Type& to) {
  if (from.kind != TypeKind::Text || to.kind != TypeKind::Text || from.is_padded)
    return false;
  return to.is_padded ||
         (to.length_max && (!from.length_max || *from.length_max > *to.length_max));
}

}  // namespace

Cell converted(Schema& schema, const Cell& cell, const program::Type& type) {
  if (type.kind == TypeKind::Record || cell.type.kind == TypeKind::Record) return cell;
  if (type.kind == TypeKind::Array && cell.type.element == type.element) return cell;
  Terms& terms = schema.terms();
  const TermSort from = terms.sort(cell.data);
  const TermSort to = verify::sort_of(type);
  Cell out = cell;
  out.type = type;
  const auto any = [&] {
    Cell made = schema.any_function(
        fmt::format("cast to {} {} {} {} {}", static_cast<int>(type.kind),
                    static_cast<int>(type.element), type.length_max.value_or(0),
                    type.is_padded, type.precision ? type.scale : 99U),
        {cell}, type);
    made.is_null = cell.is_null;
    return made;
  };
  if (type.kind == TypeKind::Array || cell.type.kind == TypeKind::Array) return any();
  if (type.precision && !(cell.type.precision && cell.type.scale == type.scale) &&
      from == TermSort::Real) {
    if (!terms.is_constant(cell.data)) return any();
    out.data = terms.round_half_away(cell.data, type.scale);
    return out;
  }
  const bool has_no_blanks = from == TermSort::Text && terms.is_constant(cell.data) &&
                             !terms.text_value(cell.data).ends_with(' ');
  if (may_lose_blanks(cell.type, type) && !has_no_blanks) {
    const Cell has_blanks =
        schema.any_function("ends with a blank", {cell}, program::type(TypeKind::Bool));
    return verify::choose(terms, has_blanks.data, any(), out);
  }
  if (from == to) {
    const bool is_time =
        (cell.type.kind == TypeKind::Date) != (type.kind == TypeKind::Date) ||
        (cell.type.kind == TypeKind::Timestamp) != (type.kind == TypeKind::Timestamp);
    return is_time ? any() : out;
  }
  if (from == TermSort::Int && to == TermSort::Real) {
    out.data = terms.as_real(cell.data);
    return out;
  }
  return any();
}

Term equal(Terms& terms, const Cell& a, const Cell& b) {
  Cell left = a;
  Cell right = b;
  if (!unify(terms, left, right)) return terms.variable("equal", TermSort::Bool);
  return terms.both(terms.negation(terms.either(left.is_null, right.is_null)),
                    terms.same(left.data, right.data));
}

bool has_query(const Expression& expression) {
  if (expression.query) return true;
  return std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [](const auto& argument) { return has_query(*argument); });
}

}  // namespace isomer::audit
