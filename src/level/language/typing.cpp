// SPDX-License-Identifier: MIT
#include "level/language/typing.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/assert.h"
#include "level/language/vocabulary.h"

namespace isomer::level {
namespace {

using Shape = Value::Shape;

constexpr Type formula_type{};

constexpr Type set_of(Sort sort) {
  return {Kind::Set, sort, Sort::Txn};
}

constexpr Type element_of(Sort sort) {
  return {Kind::Element, sort, Sort::Txn};
}

constexpr Type relation_of(Sort first, Sort second) {
  return {Kind::Relation, first, second};
}

constexpr Value zero{Shape::Zero, TermId::none(), {}};
constexpr Value identity{Shape::Identity, TermId::none(),
                         relation_of(Sort::Txn, Sort::Txn)};

bool is_open(const Value& value) {
  return value.shape != Shape::Term;
}

bool is_kind(const Value& value, Kind kind) {
  if (value.shape == Shape::Zero) return kind == Kind::Set || kind == Kind::Relation;
  return value.type.kind == kind;
}

bool is_square_relation(const Value& value) {
  return is_kind(value, Kind::Relation) &&
         (is_open(value) || value.type.first == value.type.second);
}

// The type that one side gives to both: that of a set for an element.
Type type_for_both(const Value& left, const Value& right) {
  const Value& side = is_open(left) && right.shape != Shape::Zero ? right : left;
  if (side.shape == Shape::Zero) return set_of(Sort::Txn);
  if (side.type.kind == Kind::Element) return set_of(side.type.first);
  return side.type;
}

struct Row {
  NodeKind kind;
  std::string_view sign;
  Op op;
};

// The operators that make a term of the same name.
constexpr std::array<Row, 21> rows = {{
    {NodeKind::Union, "|", Op::Union},
    {NodeKind::Intersection, "&", Op::Intersection},
    {NodeKind::Difference, "\\", Op::Difference},
    {NodeKind::Inverse, "^-1", Op::Inverse},
    {NodeKind::Plus, "+", Op::Plus},
    {NodeKind::Star, "*", Op::Star},
    {NodeKind::Optional, "?", Op::Optional},
    {NodeKind::In, "in", Op::In},
    {NodeKind::Equal, "=", Op::Equal},
    {NodeKind::Empty, "empty", Op::IsEmpty},
    {NodeKind::Acyclic, "acyclic", Op::Acyclic},
    {NodeKind::Irreflexive, "irreflexive", Op::Irreflexive},
    {NodeKind::Transitive, "transitive", Op::Transitive},
    {NodeKind::Total, "total", Op::Total},
    {NodeKind::TotalOrder, "total_order", Op::TotalOrder},
    {NodeKind::Not, "not", Op::Not},
    {NodeKind::And, "and", Op::And},
    {NodeKind::Or, "or", Op::Or},
    {NodeKind::Implies, "implies", Op::Implies},
    {NodeKind::Iff, "iff", Op::Iff},
    {NodeKind::Compose, ";", Op::Compose},
}};

const Row& row_of(NodeKind kind) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Row& row) { return row.kind == kind; });
  ISOMER_ASSERT(found != rows.end());
  return *found;
}

std::string_view sign_of(NodeKind kind) {
  return row_of(kind).sign;
}

Op op_of(NodeKind kind) {
  return row_of(kind).op;
}

tl::unexpected<std::string> misfit(std::string message) {
  return tl::unexpected<std::string>(std::move(message));
}

}  // namespace

std::string description(const Value& value) {
  if (value.shape == Shape::Zero) return "0";
  if (value.shape == Shape::Identity) return "id";
  return description(value.type);
}

Value TermBuilder::make(Op op, Type type, std::uint32_t number,
                        std::initializer_list<TermId> arguments) {
  const TermId id = terms_.make(op, type, number, {arguments.begin(), arguments.size()});
  std::uint32_t depth = 1;
  for (const TermId argument : arguments)
    depth = std::max(depth, depths_[argument.index] + 1);
  depths_.resize(std::max<std::size_t>(depths_.size(), terms_.size()), 0);
  depths_[id.index] = depth;
  deepest_ = std::max(deepest_, depth);
  return {Shape::Term, id, type};
}

Value TermBuilder::domain(Sort sort) {
  return make(Op::Domain, set_of(sort), 0, {});
}

tl::expected<TermId, std::string> TermBuilder::fit(const Value& value, Type wanted) {
  const bool wants_relation = wanted.kind == Kind::Relation;
  if (value.shape == Shape::Zero && (wants_relation || wanted.kind == Kind::Set))
    return make(Op::Empty, wanted, 0, {}).id;
  if (value.shape == Shape::Identity && wants_relation && wanted.first == wanted.second)
    return make(Op::Identity, wanted, 0, {domain(wanted.first).id}).id;
  if (!is_open(value) && value.type == wanted) return value.id;
  if (!is_open(value) && wanted == set_of(value.type.first) &&
      value.type.kind == Kind::Element)
    return make(Op::Singleton, wanted, 0, {value.id}).id;
  return misfit(
      fmt::format("expected {}, found {}", description(wanted), description(value)));
}

Typed TermBuilder::same_kind(NodeKind kind, const Value& left, const Value& right) {
  if (is_open(left) && is_open(right)) {
    if (left.shape == Shape::Zero && right.shape == Shape::Zero) return zero;
    if (left.shape == Shape::Identity && right.shape == Shape::Identity &&
        kind != NodeKind::Difference)
      return identity;
  }
  const Type type = type_for_both(left, right);
  const auto first = fit(left, type);
  const auto second = fit(right, type);
  if (type.kind == Kind::Formula || !first || !second)
    return misfit(
        fmt::format("'{}' joins two sets or two relations of the same sorts, not "
                    "{} and {}",
                    sign_of(kind), description(left), description(right)));
  return make(op_of(kind), type, 0, {*first, *second});
}

Typed TermBuilder::compose(const Value& left, const Value& right) {
  if (!is_kind(left, Kind::Relation) || !is_kind(right, Kind::Relation)) {
    const Value& wrong = is_kind(left, Kind::Relation) ? right : left;
    const bool is_set = is_kind(wrong, Kind::Set) || is_kind(wrong, Kind::Element);
    return misfit(fmt::format("';' composes two relations, but one side is {}{}",
                              description(wrong),
                              is_set ? "; put a set in brackets: [S]" : ""));
  }
  if (left.shape == Shape::Zero || right.shape == Shape::Zero) return zero;
  if (left.shape == Shape::Identity) return right;
  if (right.shape == Shape::Identity) return left;
  if (left.type.second != right.type.first)
    return misfit(fmt::format("cannot compose {} with {}: {} is not {}", description(left),
                              description(right), name_of(left.type.second),
                              name_of(right.type.first)));
  return make(Op::Compose, relation_of(left.type.first, right.type.second), 0,
              {left.id, right.id});
}

Typed TermBuilder::postfix(NodeKind kind, const Value& inner) {
  if (!is_kind(inner, Kind::Relation))
    return misfit(
        fmt::format("'{}' follows a relation, not {}", sign_of(kind), description(inner)));
  if (kind == NodeKind::Inverse) {
    if (is_open(inner)) return inner;
    return make(Op::Inverse, relation_of(inner.type.second, inner.type.first), 0,
                {inner.id});
  }
  if (!is_square_relation(inner))
    return misfit(fmt::format("'{}' follows a relation on one sort, not {}", sign_of(kind),
                              description(inner)));
  if (inner.shape == Shape::Zero && kind != NodeKind::Plus) return identity;
  if (is_open(inner)) return inner;
  return make(op_of(kind), inner.type, 0, {inner.id});
}

Typed TermBuilder::product(const Value& left, const Value& right) {
  for (const Value* side : {&left, &right})
    if (!is_kind(*side, Kind::Set) && !is_kind(*side, Kind::Element))
      return misfit(
          fmt::format("'*' between two operands is the product of two sets, but "
                      "one is {}",
                      description(*side)));
  if (is_open(left) || is_open(right)) return zero;
  return make(Op::Product, relation_of(left.type.first, right.type.first), 0,
              {*fit(left, set_of(left.type.first)), *fit(right, set_of(right.type.first))});
}

Typed TermBuilder::bracket(const Value& inner) {
  if (inner.shape == Shape::Zero) return zero;
  if (!is_kind(inner, Kind::Set) && !is_kind(inner, Kind::Element))
    return misfit(
        fmt::format("[ ] makes the identity on a set, but this is {}", description(inner)));
  const Sort sort = inner.type.first;
  return make(Op::Identity, relation_of(sort, sort), 0, {*fit(inner, set_of(sort))});
}

Typed TermBuilder::compare(NodeKind kind, const Value& left, const Value& right) {
  if (kind == NodeKind::Unequal) {
    const Typed equal = compare(NodeKind::Equal, left, right);
    return equal ? make(Op::Not, formula_type, 0, {equal->id}) : equal;
  }
  const bool left_is_element = !is_open(left) && left.type.kind == Kind::Element;
  const bool both_are_elements =
      left_is_element && !is_open(right) && right.type.kind == Kind::Element;
  if (kind == NodeKind::Equal && both_are_elements && left.type == right.type)
    return make(Op::Same, formula_type, 0, {left.id, right.id});
  const Type type = type_for_both(left, right);
  const auto first = fit(left, type);
  const auto second = fit(right, type);
  if (type.kind == Kind::Formula || !first || !second)
    return misfit(fmt::format(
        "'{}' compares two sets or two relations of the same sorts{}, "
        "not {} and {}",
        sign_of(kind),
        kind == NodeKind::In ? ", or an element and a set" : ", or two elements",
        description(left), description(right)));
  if (kind == NodeKind::In && left_is_element)
    return make(Op::Member, formula_type, 0, {left.id, *second});
  return make(op_of(kind), formula_type, 0, {*first, *second});
}

Typed TermBuilder::pair_in(const Value& from, const Value& to, const Value& relation) {
  for (const Value* element : {&from, &to})
    if (is_open(*element) || element->type.kind != Kind::Element)
      return misfit(fmt::format("a pair has two elements, but one part is {}",
                                description(*element)));
  const Type wanted = relation_of(from.type.first, to.type.first);
  const auto fitting = fit(relation, wanted);
  if (!fitting)
    return misfit(fmt::format("this pair can be in {}, not in {}", description(wanted),
                              description(relation)));
  return make(Op::Related, formula_type, 0, {from.id, to.id, *fitting});
}

Typed TermBuilder::call(Op op, std::span<const Value> operands) {
  constexpr Sort wanted[] = {Sort::Txn, Sort::Key, Sort::Val};
  TermId ids[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const auto fitting = fit(operands[i], element_of(wanted[i]));
    if (!fitting) return misfit(fmt::format("argument {}: {}", i + 1, fitting.error()));
    ids[i] = *fitting;
  }
  return make(op, formula_type, 0, {ids[0], ids[1], ids[2]});
}

Typed TermBuilder::predicate(NodeKind kind, std::span<const Value> operands) {
  const Value& inner = operands[0];
  if (kind == NodeKind::Empty) {
    if (!is_kind(inner, Kind::Set) && !is_kind(inner, Kind::Relation))
      return misfit(
          fmt::format("'empty' takes a set or a relation, not {}", description(inner)));
    return make(Op::IsEmpty, formula_type, 0, {*fit(inner, type_for_both(inner, inner))});
  }
  if (!is_square_relation(inner))
    return misfit(fmt::format("'{}' takes a relation on one sort, not {}", sign_of(kind),
                              description(inner)));
  const Type type = is_open(inner) ? relation_of(Sort::Txn, Sort::Txn) : inner.type;
  const TermId id = *fit(inner, type);
  if (kind != NodeKind::Total && kind != NodeKind::TotalOrder)
    return make(op_of(kind), formula_type, 0, {id});
  const Value whole = domain(type.first);
  const auto on = fit(operands.size() > 1 ? operands[1] : whole, set_of(type.first));
  if (!on) return misfit(fmt::format("after 'on': {}", on.error()));
  return make(op_of(kind), formula_type, 0, {id, *on});
}

Typed TermBuilder::connective(NodeKind kind, std::span<const Value> operands) {
  for (const Value& operand : operands)
    if (is_open(operand) || operand.type.kind != Kind::Formula)
      return misfit(
          fmt::format("'{}' {}, not {}", sign_of(kind),
                      operands.size() == 1 ? "takes a formula" : "joins two formulas",
                      description(operand)));
  if (operands.size() == 1) return make(Op::Not, formula_type, 0, {operands[0].id});
  return make(op_of(kind), formula_type, 0, {operands[0].id, operands[1].id});
}

Typed TermBuilder::quantified(Op op, Sort sort, std::uint32_t variable, const Value& body) {
  if (is_open(body) || body.type.kind != Kind::Formula)
    return misfit(fmt::format("a quantifier needs a formula, not {}", description(body)));
  return make(op, {Kind::Formula, sort, Sort::Txn}, variable, {body.id});
}

Typed TermBuilder::union_of_keys(std::uint32_t variable, const Value& body) {
  if (body.shape == Shape::Zero) return zero;
  if (!is_kind(body, Kind::Set) && !is_kind(body, Kind::Relation))
    return misfit(fmt::format("only sets and relations have a union over keys, not {}",
                              description(body)));
  const TermId id = *fit(body, body.type);
  return make(Op::UnionOfKeys, body.type, variable, {id});
}

Typed TermBuilder::build(NodeKind kind, std::span<const Value> operands) {
  switch (kind) {
    case NodeKind::Zero:
      return zero;
    case NodeKind::True:
      return make(Op::True, formula_type, 0, {});
    case NodeKind::False:
      return make(Op::False, formula_type, 0, {});
    case NodeKind::Bracket:
      return bracket(operands[0]);
    case NodeKind::Inverse:
    case NodeKind::Plus:
    case NodeKind::Star:
    case NodeKind::Optional:
      return postfix(kind, operands[0]);
    case NodeKind::Compose:
      return compose(operands[0], operands[1]);
    case NodeKind::Product:
      return product(operands[0], operands[1]);
    case NodeKind::Intersection:
    case NodeKind::Difference:
    case NodeKind::Union:
      return same_kind(kind, operands[0], operands[1]);
    case NodeKind::In:
      if (operands.size() == 3) return pair_in(operands[0], operands[1], operands[2]);
      return compare(kind, operands[0], operands[1]);
    case NodeKind::Equal:
    case NodeKind::Unequal:
      return compare(kind, operands[0], operands[1]);
    case NodeKind::Empty:
    case NodeKind::Acyclic:
    case NodeKind::Irreflexive:
    case NodeKind::Transitive:
    case NodeKind::Total:
    case NodeKind::TotalOrder:
      return predicate(kind, operands);
    case NodeKind::Not:
    case NodeKind::And:
    case NodeKind::Or:
    case NodeKind::Implies:
    case NodeKind::Iff:
      return connective(kind, operands);
    case NodeKind::Pair:
      return misfit("a pair stands only before 'in'");
    case NodeKind::Call:
    case NodeKind::Name:
    case NodeKind::LevelName:
    case NodeKind::Type:
    case NodeKind::Forall:
    case NodeKind::Exists:
      break;
  }
  ISOMER_ASSERT(false);
  return zero;
}

}  // namespace isomer::level
