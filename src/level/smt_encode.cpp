// SPDX-License-Identifier: MIT
// Sorts, the history's tables and the witnesses are uninterpreted symbols; set and relation
// terms are unfolded where they are applied, so that ([W[x]] ; r)(t, u) is W(x, t) and
// r(t, u).
//
// Two things are not first-order, and are described by facts that hold in every execution.
// A formula that is unsatisfiable together with such facts is false in every execution; one
// that is satisfiable need not be true in any.
//
//  - The solver's sorts are not empty, but a history may have no key, value or read.  As in
//    level::HistoryTables, predicates say what exists; what does not is in no table.
//  - r+ is a symbol c with: r in c, and c is transitive.  That c is the *least* such
//    relation has no first-order description; whoever proves adds instances of it.
#include "level/smt_encode.h"

#include <fmt/format.h>

#include "base/assert.h"

namespace isomer::level {

SmtEncoder::SmtEncoder(logic::Smt& smt, const Level& level) : smt_(smt), level_(level) {
  constexpr std::array names{"Txn", "Key", "Val", "Read"};
  for (std::size_t i = 0; i < names.size(); ++i)
    sorts_[i] = smt_.sort(names[i]);
  for (std::size_t i = 1; i < names.size(); ++i)
    exists_[i] = smt_.relation(fmt::format("exists_{}", names[i]), std::array{sorts_[i]});
  init_ = smt_.constant("init", sorts_[0]);
}

logic::SmtFormula SmtEncoder::encode(TermId id) {
  ISOMER_ASSERT(term(id).free_variables == 0);
  return formula(id);
}

SmtEncoder::Element SmtEncoder::variable(Sort sort) {
  return smt_.variable(sorts_[static_cast<std::size_t>(sort)]);
}

SmtEncoder::Formula SmtEncoder::exists_in_history(Sort sort, Element element) {
  if (sort == Sort::Txn) return smt_.truth(true);
  return smt_.holds(exists_[static_cast<std::size_t>(sort)], std::array{element});
}

// What does not exist is in no table.
void SmtEncoder::add_guards(Relation relation, std::span<const Sort> sorts) {
  std::vector<Element> elements;
  std::vector<Formula> guards;
  for (const Sort sort : sorts) {
    elements.push_back(variable(sort));
    if (sort != Sort::Txn) guards.push_back(exists_in_history(sort, elements.back()));
  }
  if (guards.empty()) return;
  facts_.push_back(smt_.forall(
      elements, smt_.implies(smt_.holds(relation, elements), smt_.all(guards))));
}

SmtEncoder::Relation SmtEncoder::symbol(Op op, std::uint32_t number,
                                        const std::string& name,
                                        std::initializer_list<Sort> sorts) {
  if (const auto found = symbols_.find({op, number}); found != symbols_.end())
    return found->second;
  std::vector<logic::SmtSort> smt_sorts;
  for (const Sort sort : sorts)
    smt_sorts.push_back(sorts_[static_cast<std::size_t>(sort)]);
  const Relation relation = smt_.relation(name, smt_sorts);
  symbols_.emplace(std::pair(op, number), relation);
  add_guards(relation, std::vector(sorts));
  return relation;
}

SmtEncoder::Relation SmtEncoder::witness(std::uint32_t number) {
  const Witness& witness = level_.witnesses[number];
  const std::string name = fmt::format("{}_{}", witness.name, number);
  if (witness.is_keyed)
    return symbol(Op::Witness, number, name, {Sort::Key, Sort::Txn, Sort::Txn});
  return symbol(Op::Witness, number, name, {Sort::Txn, Sort::Txn});
}

SmtEncoder::Element SmtEncoder::element(TermId id) {
  const Term& t = term(id);
  if (t.op == Op::Init) return init_;
  ISOMER_ASSERT(t.op == Op::Variable);
  return environment_[t.number];
}

// The table of one key, or the union over all keys.
SmtEncoder::Formula SmtEncoder::indexed(const Term& t, Relation relation,
                                        std::span<const Element> rest) {
  const bool is_union = t.argument_count == 0;
  const Element key = is_union ? variable(Sort::Key) : element(t.argument_ids[0]);
  std::vector<Element> elements{key};
  elements.insert(elements.end(), rest.begin(), rest.end());
  const Formula atom = smt_.holds(relation, elements);
  return is_union ? smt_.exists(std::array{key}, atom) : atom;
}

template <class Body>
SmtEncoder::Formula SmtEncoder::for_some_key(const Term& t, const Body& body) {
  const Element key = variable(Sort::Key);
  const Element outer = std::exchange(environment_[t.number], key);
  const Formula formula = body();
  environment_[t.number] = outer;
  return smt_.exists(std::array{key},
                     smt_.both(exists_in_history(Sort::Key, key), formula));
}

template <typename Argument>
SmtEncoder::Formula SmtEncoder::in_parts(const Term& t, const Argument& argument) {
  switch (t.op) {
    case Op::Empty:
      return smt_.truth(false);
    case Op::Union:
      return smt_.either(argument(0), argument(1));
    case Op::Intersection:
      return smt_.both(argument(0), argument(1));
    case Op::Difference:
      return smt_.both(argument(0), smt_.negation(argument(1)));
    case Op::UnionOfKeys:
      return for_some_key(t, [&] { return argument(0); });
    default:
      break;
  }
  ISOMER_UNREACHABLE();
}

SmtEncoder::Formula SmtEncoder::in_set(TermId set, Element e) {
  const Term& t = term(set);
  const auto argument = [&](std::size_t i) { return in_set(t.argument_ids[i], e); };
  switch (t.op) {
    case Op::Domain:
      return exists_in_history(t.type.first, e);
    case Op::Writers:
      return indexed(t, symbol(t.op, 0, "W", {Sort::Key, Sort::Txn}), std::array{e});
    case Op::Readers:
      return indexed(t, symbol(t.op, 0, "R", {Sort::Key, Sort::Txn}), std::array{e});
    case Op::TypeNamed:
      return smt_.holds(
          symbol(t.op, t.number, "type_" + level_.type_names[t.number], {Sort::Txn}),
          std::array{e});
    case Op::Flawed:
      return smt_.holds(
          symbol(t.op, t.number, fmt::format("flawed_{}", t.number), {Sort::Txn}),
          std::array{e});
    case Op::Singleton:
      return smt_.same(e, element(t.argument_ids[0]));
    default:
      return in_parts(t, argument);
  }
}

// Identities are not unfolded into a variable of their own: the solver finds shorter
// proofs.
SmtEncoder::Formula SmtEncoder::composed(const Term& t, Element from, Element to) {
  const auto [left, right, unused] = t.argument_ids;
  if (term(left).op == Op::Identity)
    return smt_.both(in_set(term(left).argument_ids[0], from), related(right, from, to));
  if (term(right).op == Op::Identity)
    return smt_.both(related(left, from, to), in_set(term(right).argument_ids[0], to));
  const Element middle = variable(term(left).type.second);
  return smt_.exists(std::array{middle},
                     smt_.both(related(left, from, middle), related(right, middle, to)));
}

SmtEncoder::Formula SmtEncoder::related(TermId relation, Element from, Element to) {
  const Term& t = term(relation);
  const std::array pair{from, to};
  const auto argument = [&](std::size_t i) { return related(t.argument_ids[i], from, to); };
  const auto identity = [&] {
    return smt_.both(smt_.same(from, to), exists_in_history(t.type.first, from));
  };
  switch (t.op) {
    case Op::So:
      return smt_.holds(symbol(t.op, 0, "so", {Sort::Txn, Sort::Txn}), pair);
    case Op::Po:
      return smt_.holds(symbol(t.op, 0, "po", {Sort::Read, Sort::Read}), pair);
    case Op::Wr:
      return indexed(t, symbol(t.op, 0, "wr", {Sort::Key, Sort::Txn, Sort::Txn}), pair);
    case Op::Rf:
      return indexed(t, symbol(t.op, 0, "rf", {Sort::Key, Sort::Txn, Sort::Read}), pair);
    case Op::Witness:
      return level_.witnesses[t.number].is_keyed ? indexed(t, witness(t.number), pair)
                                                 : smt_.holds(witness(t.number), pair);
    case Op::Identity:
      return smt_.both(smt_.same(from, to), in_set(t.argument_ids[0], from));
    case Op::Product:
      return smt_.both(in_set(t.argument_ids[0], from), in_set(t.argument_ids[1], to));
    case Op::Compose:
      return composed(t, from, to);
    case Op::Inverse:
      return related(t.argument_ids[0], to, from);
    case Op::Plus:
      return closed_over(t.argument_ids[0], from, to);
    case Op::Star:
      return smt_.either(identity(), closed_over(t.argument_ids[0], from, to));
    case Op::Optional:
      return smt_.either(identity(), argument(0));
    default:
      return in_parts(t, argument);
  }
}

std::vector<TermId> SmtEncoder::free_variables(TermId id) const {
  std::vector<TermId> found;
  std::uint64_t seen = 0;
  const auto visit = [&](const auto& self, TermId at) -> void {
    const Term& t = term(at);
    if ((t.free_variables & ~seen) == 0) return;
    if (t.op == Op::Variable) {
      seen |= t.free_variables;
      found.push_back(at);
    }
    for (const TermId argument : t.arguments())
      self(self, argument);
  };
  visit(visit, id);
  return found;
}

// c(p, t, u) implies nothing of its own; r(t, u) implies c(p, t, u), and c(p, t, u) and
// c(p, u, v) imply c(p, t, v), for all values of the parameters p, the free variables of r.
void SmtEncoder::add_closure_facts(TermId relation, Relation closure,
                                   std::span<const TermId> parameters) {
  const auto outer = environment_;
  std::vector<Element> bound;
  for (const TermId parameter : parameters) {
    bound.push_back(variable(term(parameter).type.first));
    environment_[term(parameter).number] = bound.back();
  }
  const auto link = [&](Element from, Element to) {
    std::vector<Element> elements(bound.begin(),
                                  bound.begin() + static_cast<long>(parameters.size()));
    elements.push_back(from);
    elements.push_back(to);
    return smt_.holds(closure, elements);
  };
  const Sort sort = term(relation).type.first;
  const std::array point{variable(sort), variable(sort), variable(sort)};
  bound.insert(bound.end(), point.begin(), point.begin() + 2);
  facts_.push_back(smt_.forall(bound, smt_.implies(related(relation, point[0], point[1]),
                                                   link(point[0], point[1]))));
  bound.push_back(point[2]);
  facts_.push_back(smt_.forall(
      bound, smt_.implies(smt_.both(link(point[0], point[1]), link(point[1], point[2])),
                          link(point[0], point[2]))));
  environment_ = outer;
}

SmtEncoder::Relation SmtEncoder::closure(TermId relation,
                                         std::span<const TermId> parameters) {
  if (const auto found = closures_.find(relation.index); found != closures_.end())
    return found->second;
  std::vector<logic::SmtSort> sorts;
  for (const TermId parameter : parameters)
    sorts.push_back(sorts_[static_cast<std::size_t>(term(parameter).type.first)]);
  sorts.resize(sorts.size() + 2,
               sorts_[static_cast<std::size_t>(term(relation).type.first)]);
  const Relation symbol = smt_.relation(fmt::format("closure_{}", relation.index), sorts);
  closures_.emplace(relation.index, symbol);
  add_closure_facts(relation, symbol, parameters);
  return symbol;
}

SmtEncoder::Formula SmtEncoder::closed_over(TermId relation, Element from, Element to) {
  const std::vector<TermId> parameters = free_variables(relation);
  const Relation symbol = closure(relation, parameters);
  std::vector<Element> elements;
  for (const TermId parameter : parameters)
    elements.push_back(element(parameter));
  elements.push_back(from);
  elements.push_back(to);
  return smt_.holds(symbol, elements);
}

SmtEncoder::Formula SmtEncoder::included(TermId left, TermId right) {
  const Type type = term(left).type;
  const Element from = variable(type.first);
  if (type.kind == Kind::Set)
    return smt_.forall(std::array{from},
                       smt_.implies(in_set(left, from), in_set(right, from)));
  if (term(left).op == Op::Union)  // one rule each makes better triggers
    return smt_.both(included(term(left).argument_ids[0], right),
                     included(term(left).argument_ids[1], right));
  const Element to = variable(type.second);
  return smt_.forall(std::array{from, to},
                     smt_.implies(related(left, from, to), related(right, from, to)));
}

SmtEncoder::Formula SmtEncoder::none_in(TermId id) {
  const Type type = term(id).type;
  const Element from = variable(type.first);
  if (type.kind == Kind::Set)
    return smt_.forall(std::array{from}, smt_.negation(in_set(id, from)));
  const Element to = variable(type.second);
  return smt_.forall(std::array{from, to}, smt_.negation(related(id, from, to)));
}

SmtEncoder::Formula SmtEncoder::irreflexive(TermId relation) {
  const Element e = variable(term(relation).type.first);
  return smt_.forall(std::array{e}, smt_.negation(related(relation, e, e)));
}

SmtEncoder::Formula SmtEncoder::closure_irreflexive(TermId relation) {
  const Element e = variable(term(relation).type.first);
  return smt_.forall(std::array{e}, smt_.negation(closed_over(relation, e, e)));
}

SmtEncoder::Formula SmtEncoder::transitive(TermId relation) {
  const Sort sort = term(relation).type.first;
  const std::array point{variable(sort), variable(sort), variable(sort)};
  return smt_.forall(point, smt_.implies(smt_.both(related(relation, point[0], point[1]),
                                                   related(relation, point[1], point[2])),
                                         related(relation, point[0], point[2])));
}

SmtEncoder::Formula SmtEncoder::total(TermId relation, TermId set) {
  const Sort sort = term(set).type.first;
  const std::array pair{variable(sort), variable(sort)};
  const auto [a, b] = pair;
  return smt_.forall(
      pair, smt_.implies(smt_.both(in_set(set, a), in_set(set, b)),
                         smt_.any(std::array{smt_.same(a, b), related(relation, a, b),
                                             related(relation, b, a)})));
}

SmtEncoder::Formula SmtEncoder::total_order(TermId relation, TermId set) {
  const Sort sort = term(set).type.first;
  const std::array pair{variable(sort), variable(sort)};
  const Formula stays_inside = smt_.forall(
      pair, smt_.implies(related(relation, pair[0], pair[1]),
                         smt_.both(in_set(set, pair[0]), in_set(set, pair[1]))));
  return smt_.all(std::array{stays_inside, irreflexive(relation), transitive(relation),
                             total(relation, set)});
}

SmtEncoder::Formula SmtEncoder::quantified(const Term& t) {
  const Sort sort = t.type.first;
  const Element bound = variable(sort);
  const Element outer = std::exchange(environment_[t.number], bound);
  const Formula body = formula(t.argument_ids[0]);
  environment_[t.number] = outer;
  const Formula guard = exists_in_history(sort, bound);
  return t.op == Op::Forall ? smt_.forall(std::array{bound}, smt_.implies(guard, body))
                            : smt_.exists(std::array{bound}, smt_.both(guard, body));
}

SmtEncoder::Formula SmtEncoder::formula(TermId id) {
  const Term t = term(id);
  const auto [a, b, c] = t.argument_ids;
  const auto valued = [&](const char* name) {
    const Relation relation = symbol(t.op, 0, name, {Sort::Txn, Sort::Key, Sort::Val});
    return smt_.holds(relation,
                      std::array{element(t.argument_ids[0]), element(t.argument_ids[1]),
                                 element(t.argument_ids[2])});
  };
  switch (t.op) {
    case Op::True:
      return smt_.truth(true);
    case Op::False:
      return smt_.truth(false);
    case Op::In:
      return included(a, b);
    case Op::Equal:
      return smt_.both(included(a, b), included(b, a));
    case Op::IsEmpty:
      return none_in(a);
    case Op::Acyclic:
      return closure_irreflexive(a);
    case Op::Irreflexive:
      return irreflexive(a);
    case Op::Transitive:
      return transitive(a);
    case Op::Total:
      return total(a, b);
    case Op::TotalOrder:
      return total_order(a, b);
    case Op::Member:
      return in_set(b, element(a));
    case Op::Related:
      return related(c, element(a), element(b));
    case Op::Same:
      return smt_.same(element(a), element(b));
    case Op::Writes:
      return valued("writes");
    case Op::Reads:
      return valued("reads");
    case Op::Not:
      return smt_.negation(formula(a));
    case Op::And:
      return smt_.both(formula(a), formula(b));
    case Op::Or:
      return smt_.either(formula(a), formula(b));
    case Op::Implies:
      return smt_.implies(formula(a), formula(b));
    case Op::Iff:
      return smt_.iff(formula(a), formula(b));
    case Op::Forall:
    case Op::Exists:
      return quantified(t);
    default:
      break;
  }
  ISOMER_UNREACHABLE();
  return {};
}

}  // namespace isomer::level
