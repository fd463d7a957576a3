// SPDX-License-Identifier: MIT
#include "level/encoder.h"

#include <bit>

#include "base/assert.h"

namespace isomer::level {

using logic::false_bit;
using logic::true_bit;

Encoder::Memo Encoder::memo(TermId id) const {
  Memo out{id.index, {}};
  for (std::uint64_t rest = term(id).free_variables; rest != 0; rest &= rest - 1)
    out.second.push_back(bound_[static_cast<std::size_t>(__builtin_ctzll(rest))]);
  return out;
}

Bit Encoder::formula(TermId id) {
  const Memo key = memo(id);
  if (const auto found = formulas_.find(key); found != formulas_.end())
    return found->second;
  const Bit bit = compute_formula(term(id));
  formulas_.emplace(key, bit);
  return bit;
}

const Set& Encoder::set(TermId id) {
  const Memo key = memo(id);
  if (const auto found = sets_.find(key); found != sets_.end()) return found->second;
  return sets_.emplace(key, compute_set(term(id))).first->second;
}

const Relation& Encoder::relation(TermId id) {
  const Memo key = memo(id);
  auto& relations =
      relations_.at(static_cast<std::size_t>(std::countr_one(term(id).free_variables)));
  if (const auto found = relations.find(key); found != relations.end())
    return found->second;
  return relations.emplace(key, compute_relation(term(id))).first->second;
}

void Encoder::forget(std::uint32_t variable) {
  for (std::size_t m = variable + 1; m < relations_.size(); ++m)
    relations_[m].clear();
}

std::size_t Encoder::element(TermId id) const {
  const Term& t = term(id);
  if (t.op == Op::Init) return 0;
  ISOMER_ASSERT(t.op == Op::Variable);
  return bound_[t.number];
}

// Forall: whatever exists satisfies the body.  Exists is its dual.
Bit Encoder::quantified(const Term& t) {
  const bool is_forall = t.op == Op::Forall;
  const Set& range = domain(t.type.first);
  std::vector<Bit> parts;
  for (std::size_t value = 0; value < range.size(); ++value) {
    if (circuit_.is_exhausted()) return false_bit;
    if (range[value] == false_bit) continue;
    bound_[t.number] = static_cast<std::uint16_t>(value);
    const Bit body = formula(argument(t, 0));
    parts.push_back(is_forall ? circuit_.implies(range[value], body)
                              : circuit_.both(range[value], body));
    forget(t.number);
  }
  return is_forall ? circuit_.all(parts) : circuit_.any(parts);
}

Bit Encoder::included(TermId a, TermId b) {
  std::vector<Bit> parts;
  if (term(a).type.kind == Kind::Set) {
    const Set left = set(a);
    const Set& right = set(b);
    for (std::size_t i = 0; i < left.size(); ++i)
      parts.push_back(circuit_.implies(left[i], right[i]));
    return circuit_.all(parts);
  }
  const Relation& left = relation(a);
  const Relation& right = relation(b);
  for (std::size_t i = 0; i < left.rows(); ++i)
    for (std::size_t j = 0; j < left.columns(); ++j)
      if (left(i, j) != false_bit)
        parts.push_back(circuit_.implies(left(i, j), right(i, j)));
  return circuit_.all(parts);
}

Bit Encoder::total(const Relation& r, const Set& on) {
  std::vector<Bit> parts;
  for (std::size_t i = 0; i < r.rows(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      parts.push_back(
          circuit_.implies(circuit_.both(on[i], on[j]), circuit_.either(r(i, j), r(j, i))));
  return circuit_.all(parts);
}

Bit Encoder::transitive(const Relation& r) {
  const Relation twice = compose(circuit_, r, r);
  std::vector<Bit> parts;
  for (std::size_t i = 0; i < r.rows(); ++i)
    for (std::size_t j = 0; j < r.columns(); ++j)
      parts.push_back(circuit_.implies(twice(i, j), r(i, j)));
  return circuit_.all(parts);
}

Bit Encoder::compute_formula(const Term& t) {
  switch (t.op) {
    case Op::True:
      return true_bit;
    case Op::False:
      return false_bit;
    case Op::In:
      return included(argument(t, 0), argument(t, 1));
    case Op::Equal:
      return circuit_.both(included(argument(t, 0), argument(t, 1)),
                           included(argument(t, 1), argument(t, 0)));
    case Op::IsEmpty:
      return term(argument(t, 0)).type.kind == Kind::Set
                 ? ~circuit_.any(set(argument(t, 0)))
                 : ~some(circuit_, relation(argument(t, 0)));
    case Op::Acyclic:
      return acyclic(circuit_, relation(argument(t, 0)));
    case Op::Irreflexive:
      return irreflexive(circuit_, relation(argument(t, 0)));
    case Op::Transitive:
      return transitive(relation(argument(t, 0)));
    case Op::Total:
      return total(relation(argument(t, 0)), set(argument(t, 1)));
    case Op::TotalOrder: {
      const Relation& r = relation(argument(t, 0));
      const Set& on = set(argument(t, 1));
      const Relation outside = difference(circuit_, r, product(circuit_, on, on));
      const Bit parts[] = {~some(circuit_, outside), irreflexive(circuit_, r),
                           transitive(r), total(r, on)};
      return circuit_.all(parts);
    }
    case Op::Member:
      return set(argument(t, 1))[element(argument(t, 0))];
    case Op::Related:
      return relation(argument(t, 2))(element(argument(t, 0)), element(argument(t, 1)));
    case Op::Same:
      return logic::constant(element(argument(t, 0)) == element(argument(t, 1)));
    case Op::Writes:
      return tables_.writes[element(argument(t, 1))](element(argument(t, 0)),
                                                     element(argument(t, 2)));
    case Op::Reads:
      return tables_.reads[element(argument(t, 1))](element(argument(t, 0)),
                                                    element(argument(t, 2)));
    case Op::Not:
      return ~formula(argument(t, 0));
    case Op::And: {
      const Bit left = formula(argument(t, 0));
      return circuit_.both(left, formula(argument(t, 1)));
    }
    case Op::Or: {
      const Bit left = formula(argument(t, 0));
      return circuit_.either(left, formula(argument(t, 1)));
    }
    case Op::Implies: {
      const Bit left = formula(argument(t, 0));
      return circuit_.implies(left, formula(argument(t, 1)));
    }
    case Op::Iff: {
      const Bit left = formula(argument(t, 0));
      return circuit_.same(left, formula(argument(t, 1)));
    }
    case Op::Forall:
    case Op::Exists:
      return quantified(t);
    default:
      break;
  }
  ISOMER_UNREACHABLE();
}

template <class F>
void Encoder::for_each_key(const Term& t, const F& visit) {
  for (std::size_t x = 0; x < tables_.key_count() && !circuit_.is_exhausted(); ++x) {
    if (tables_.key_exists[x] == false_bit) continue;
    bound_[t.number] = static_cast<std::uint16_t>(x);
    visit(argument(t, 0), tables_.key_exists[x]);
    forget(t.number);
  }
}

Set Encoder::of_key(const std::vector<Set>& by_key, const Term& t) {
  if (t.argument_count == 1) return by_key[element(argument(t, 0))];
  Set out(tables_.txn_count(), false_bit);
  for (const Set& part : by_key)
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = circuit_.either(out[i], part[i]);
  return out;
}

Set Encoder::compute_set(const Term& t) {
  const std::size_t size = domain(t.type.first).size();
  switch (t.op) {
    case Op::Domain:
      return domain(t.type.first);
    case Op::Writers:
      return of_key(tables_.writers, t);
    case Op::Readers:
      return of_key(tables_.readers, t);
    case Op::TypeNamed: {
      const auto found = tables_.typed.find(level_.type_names[t.number]);
      return found == tables_.typed.end() ? Set(size, false_bit) : found->second;
    }
    case Op::Flawed:
      return tables_.flawed[t.number];
    case Op::Singleton: {
      Set out(size, false_bit);
      const std::size_t i = element(argument(t, 0));
      out[i] = domain(t.type.first)[i];
      return out;
    }
    case Op::Empty:
      return Set(size, false_bit);
    case Op::UnionOfKeys: {
      Set out(size, false_bit);
      for_each_key(t, [&](TermId body, Bit exists) {
        const Set& part = set(body);
        for (std::size_t i = 0; i < size; ++i)
          out[i] = circuit_.either(out[i], circuit_.both(exists, part[i]));
      });
      return out;
    }
    case Op::Union:
    case Op::Intersection:
    case Op::Difference: {
      Set out = set(argument(t, 0));
      const Set& right = set(argument(t, 1));
      for (std::size_t i = 0; i < size; ++i)
        out[i] =
            t.op == Op::Union
                ? circuit_.either(out[i], right[i])
                : circuit_.both(out[i], t.op == Op::Intersection ? right[i] : ~right[i]);
      return out;
    }
    default:
      break;
  }
  ISOMER_UNREACHABLE();
}

Relation Encoder::of_key(const std::vector<Relation>& by_key, const Term& t,
                         std::size_t columns) {
  if (t.argument_count == 1) return by_key[element(argument(t, 0))];
  Relation out(tables_.txn_count(), columns, false_bit);
  for (const Relation& part : by_key)
    out = unite(circuit_, out, part);
  return out;
}

Relation Encoder::witness(const Term& t) {
  const std::vector<Relation>& tables = execution_[t.number];
  if (!level_.witnesses[t.number].is_keyed) return tables.front();
  return of_key(tables, t, tables_.txn_count());
}

// A total order is its own closure.
Relation Encoder::closure_of(TermId id) {
  const Term& t = term(id);
  const bool is_order = t.op == Op::Witness && level_.witnesses[t.number].is_total_order;
  const bool is_union =
      is_order && level_.witnesses[t.number].is_keyed && t.argument_count == 0;
  return is_order && !is_union ? relation(id) : closure(circuit_, relation(id));
}

Relation Encoder::compute_relation(const Term& t) {
  switch (t.op) {
    case Op::So:
      return tables_.so;
    case Op::Po:
      return tables_.po;
    case Op::Wr:
      return of_key(tables_.wr, t, tables_.txn_count());
    case Op::Rf:
      return of_key(tables_.rf, t, tables_.read_exists.size());
    case Op::Witness:
      return witness(t);
    case Op::Identity:
      return identity(set(argument(t, 0)));
    case Op::Product: {
      const Set& left = set(argument(t, 0));
      return product(circuit_, left, set(argument(t, 1)));
    }
    case Op::Empty:
      return Relation(domain(t.type.first).size(), domain(t.type.second).size(), false_bit);
    case Op::UnionOfKeys: {
      Relation out(domain(t.type.first).size(), domain(t.type.second).size(), false_bit);
      for_each_key(t, [&](TermId body, Bit exists) {
        const Relation& part = relation(body);
        for (std::size_t i = 0; i < out.rows(); ++i)
          for (std::size_t j = 0; j < out.columns(); ++j)
            out(i, j) = circuit_.either(out(i, j), circuit_.both(exists, part(i, j)));
      });
      return out;
    }
    case Op::Union: {
      const Relation& left = relation(argument(t, 0));
      return unite(circuit_, left, relation(argument(t, 1)));
    }
    case Op::Intersection: {
      const Relation& left = relation(argument(t, 0));
      return intersect(circuit_, left, relation(argument(t, 1)));
    }
    case Op::Difference: {
      const Relation& left = relation(argument(t, 0));
      return difference(circuit_, left, relation(argument(t, 1)));
    }
    case Op::Compose: {
      const Relation& left = relation(argument(t, 0));
      return compose(circuit_, left, relation(argument(t, 1)));
    }
    case Op::Inverse:
      return inverse(relation(argument(t, 0)));
    case Op::Plus:
      return closure_of(argument(t, 0));
    case Op::Star:
      return unite(circuit_, closure_of(argument(t, 0)), identity(domain(t.type.first)));
    case Op::Optional:
      return unite(circuit_, relation(argument(t, 0)), identity(domain(t.type.first)));
    default:
      break;
  }
  ISOMER_UNREACHABLE();
}

}  // namespace isomer::level
