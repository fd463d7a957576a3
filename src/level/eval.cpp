// SPDX-License-Identifier: MIT
// A term means what terms.h says it means: each case below is its definition, written as
// loops over tables of truth values.  Nothing is shared with the circuits of encode.cpp, so
// that one can be held against the other.
//
// Each term is evaluated once for each assignment to its free variables.  A result that
// depends on the m outermost variables cannot be met again once variable m - 1 moves on, so
// it is forgotten then: with `forall x, y: Key` memory stays linear in the number of keys.
#include "level/eval.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <map>
#include <variant>

#include "base/assert.h"

namespace isomer::level {
namespace {

using Set = std::vector<Truth>;
using Relation = Matrix<Truth>;
using Meaning = std::variant<bool, Set, Relation>;

Relation composed(const Relation& r, const Relation& s) {
  Relation result(r.rows(), s.columns(), 0);
  for (std::size_t i = 0; i < r.rows(); ++i)
    for (std::size_t k = 0; k < r.columns(); ++k)
      if (r(i, k) != 0)
        for (std::size_t j = 0; j < s.columns(); ++j)
          result(i, j) |= s(k, j);
  return result;
}

Relation inverted(const Relation& r) {
  Relation result(r.columns(), r.rows(), 0);
  for (std::size_t i = 0; i < r.rows(); ++i)
    for (std::size_t j = 0; j < r.columns(); ++j)
      result(j, i) = r(i, j);
  return result;
}

Relation transitive_closure(Relation r) {
  for (std::size_t k = 0; k < r.rows(); ++k)
    for (std::size_t i = 0; i < r.rows(); ++i)
      if (r(i, k) != 0)
        for (std::size_t j = 0; j < r.columns(); ++j)
          r(i, j) |= r(k, j);
  return r;
}

bool is_irreflexive(const Relation& r) {
  for (std::size_t i = 0; i < r.rows(); ++i)
    if (r(i, i) != 0) return false;
  return true;
}

bool is_subset(const Relation& r, const Relation& s) {
  for (std::size_t i = 0; i < r.rows(); ++i)
    for (std::size_t j = 0; j < r.columns(); ++j)
      if (r(i, j) > s(i, j)) return false;
  return true;
}

bool is_subset(const Set& a, const Set& b) {
  return std::equal(a.begin(), a.end(), b.begin(), std::less_equal<>());
}

bool is_total(const Relation& r, const Set& on) {
  for (std::size_t i = 0; i < on.size(); ++i)
    for (std::size_t j = 0; j < on.size(); ++j)
      if (i != j && on[i] != 0 && on[j] != 0 && r(i, j) == 0 && r(j, i) == 0) return false;
  return true;
}

Relation product(const Set& a, const Set& b) {
  Relation result(a.size(), b.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      result(i, j) = a[i] & b[j];
  return result;
}

// The same for sets and relations: what each cell becomes.
template <class Operation>
Set by_cell(Set a, const Set& b, Operation operation) {
  std::transform(a.begin(), a.end(), b.begin(), a.begin(), operation);
  return a;
}

template <class Operation>
Relation by_cell(Relation r, const Relation& s, Operation operation) {
  for (std::size_t i = 0; i < r.rows(); ++i)
    for (std::size_t j = 0; j < r.columns(); ++j)
      r(i, j) = operation(r(i, j), s(i, j));
  return r;
}

template <class Table>
Table united(const std::vector<Table>& tables, Table empty) {
  for (const Table& table : tables)
    empty = by_cell(std::move(empty), table, std::bit_or<Truth>());
  return empty;
}

class Evaluator {
 public:
  Evaluator(const Level& level, const HistoryTables<Truth>& tables,
            const Execution<Truth>& execution)
      : level_(level), tables_(tables), execution_(execution) {}

  bool formula(TermId id) { return std::get<bool>(meaning(id)); }

 private:
  using Key = std::vector<std::uint32_t>;  // a term and the values of its free variables
  using Memory = std::array<std::map<Key, Meaning>, Terms::variable_count_max + 1>;

  const Set& set(TermId id) { return std::get<Set>(meaning(id)); }

  const Relation& relation(TermId id) { return std::get<Relation>(meaning(id)); }

  [[nodiscard]] std::uint32_t element(TermId id) const {
    const Term& term = level_.terms[id];
    return term.op == Op::Init ? 0 : values_[term.number];
  }

  [[nodiscard]] const Set& domain(Sort sort) const { return tables_.exists(sort); }

  [[nodiscard]] Set no_element(Sort sort) const { return Set(domain(sort).size(), 0); }

  [[nodiscard]] Relation no_pair(Sort first, Sort second) const {
    return {domain(first).size(), domain(second).size(), 0};
  }

  [[nodiscard]] Relation identity(const Set& on) const {
    Relation result(on.size(), on.size(), 0);
    for (std::size_t i = 0; i < on.size(); ++i)
      result(i, i) = on[i];
    return result;
  }

  // The reference is good until a variable that the term depends on moves on.
  const Meaning& meaning(TermId id) {
    const Term& term = level_.terms[id];
    Key key{id.index};
    for (std::uint64_t rest = term.free_variables; rest != 0; rest &= rest - 1)
      key.push_back(values_[static_cast<std::size_t>(std::countr_zero(rest))]);
    auto& memory = memory_[static_cast<std::size_t>(std::countr_one(term.free_variables))];
    if (const auto found = memory.find(key); found != memory.end()) return found->second;
    Meaning result = evaluate(term);
    return memory.emplace(std::move(key), std::move(result)).first->second;
  }

  Meaning evaluate(const Term& term) {
    switch (term.type.kind) {
      case Kind::Formula:
        return truth_of(term);
      case Kind::Set:
        return set_of(term);
      case Kind::Relation:
        return relation_of(term);
      case Kind::Element:
        break;
    }
    ISOMER_ASSERT(false);
    return false;
  }

  Set set_of(const Term& term);
  Relation relation_of(const Term& term);
  bool truth_of(const Term& term);
  bool compares(const Term& term);
  bool holds_for(const Term& term, bool all);

  template <class Visit>
  void for_each_value(std::uint32_t variable, Sort sort, Visit visit);

  template <class Table>
  Table united_over_keys(const Term& term, Table result);

  template <class Table>
  Table combined(Op op, const Table& a, const Table& b) {
    if (op == Op::Union) return by_cell(a, b, std::bit_or<Truth>());
    if (op == Op::Intersection) return by_cell(a, b, std::bit_and<Truth>());
    ISOMER_ASSERT(op == Op::Difference);
    return by_cell(a, b, [](Truth x, Truth y) { return static_cast<Truth>(x & ~y & 1); });
  }

  // A table for each key: that of the key named, or all of them together.
  template <class Table>
  Table of_key(const Term& term, const std::vector<Table>& tables, Table empty) {
    if (term.argument_count == 0) return united(tables, std::move(empty));
    return tables[element(term.argument_ids[0])];
  }

  const Level& level_;
  const HistoryTables<Truth>& tables_;
  const Execution<Truth>& execution_;
  std::array<std::uint32_t, Terms::variable_count_max> values_{};
  // By m: what depends on exactly the m outermost variables, and perhaps on inner ones.
  Memory memory_;
};

// What was remembered about an outer variable of the same number is put aside meanwhile.
template <class Visit>
void Evaluator::for_each_value(std::uint32_t variable, Sort sort, Visit visit) {
  const std::uint32_t outer = values_[variable];
  const auto first = static_cast<std::ptrdiff_t>(variable) + 1;
  Memory aside;
  std::swap_ranges(memory_.begin() + first, memory_.end(), aside.begin() + first);
  const Set& exists = domain(sort);
  bool goes_on = true;
  for (std::uint32_t value = 0; value < exists.size() && goes_on; ++value) {
    if (exists[value] == 0) continue;
    values_[variable] = value;
    goes_on = visit();
    std::for_each(memory_.begin() + first, memory_.end(), [](auto& m) { m.clear(); });
  }
  std::swap_ranges(memory_.begin() + first, memory_.end(), aside.begin() + first);
  values_[variable] = outer;
}

// Whether the body holds for all values of the variable, or for some.
bool Evaluator::holds_for(const Term& term, bool all) {
  bool result = all;
  for_each_value(term.number, term.type.first, [&] {
    result = formula(term.argument_ids[0]);
    return result == all;
  });
  return result;
}

template <class Table>
Table Evaluator::united_over_keys(const Term& term, Table result) {
  for_each_value(term.number, Sort::Key, [&] {
    result = combined(Op::Union, result, std::get<Table>(meaning(term.argument_ids[0])));
    return true;
  });
  return result;
}

Set Evaluator::set_of(const Term& term) {
  const auto& arguments = term.argument_ids;
  switch (term.op) {
    case Op::Domain:
      return domain(term.type.first);
    case Op::Writers:
      return of_key(term, tables_.writers, no_element(Sort::Txn));
    case Op::Readers:
      return of_key(term, tables_.readers, no_element(Sort::Txn));
    case Op::TypeNamed: {
      const auto found = tables_.typed.find(level_.type_names[term.number]);
      return found == tables_.typed.end() ? no_element(Sort::Txn) : found->second;
    }
    case Op::Flawed:
      return tables_.flawed[term.number];
    case Op::Singleton: {
      Set result = no_element(term.type.first);
      result[element(arguments[0])] = 1;
      return result;
    }
    case Op::Empty:
      return no_element(term.type.first);
    case Op::UnionOfKeys:
      return united_over_keys(term, no_element(term.type.first));
    default:
      return combined(term.op, set(arguments[0]), set(arguments[1]));
  }
}

Relation Evaluator::relation_of(const Term& term) {
  const auto& arguments = term.argument_ids;
  switch (term.op) {
    case Op::So:
      return tables_.so;
    case Op::Po:
      return tables_.po;
    case Op::Wr:
      return of_key(term, tables_.wr, no_pair(Sort::Txn, Sort::Txn));
    case Op::Rf:
      return of_key(term, tables_.rf, no_pair(Sort::Txn, Sort::Read));
    case Op::Witness:
      return of_key(term, execution_[term.number], no_pair(Sort::Txn, Sort::Txn));
    case Op::Identity:
      return identity(set(arguments[0]));
    case Op::Product:
      return product(set(arguments[0]), set(arguments[1]));
    case Op::Empty:
      return no_pair(term.type.first, term.type.second);
    case Op::UnionOfKeys:
      return united_over_keys(term, no_pair(term.type.first, term.type.second));
    case Op::Compose:
      return composed(relation(arguments[0]), relation(arguments[1]));
    case Op::Inverse:
      return inverted(relation(arguments[0]));
    case Op::Plus:
      return transitive_closure(relation(arguments[0]));
    case Op::Star:
      return combined(Op::Union, transitive_closure(relation(arguments[0])),
                      identity(domain(term.type.first)));
    case Op::Optional:
      return combined(Op::Union, relation(arguments[0]), identity(domain(term.type.first)));
    default:
      return combined(term.op, relation(arguments[0]), relation(arguments[1]));
  }
}

// In, Equal and IsEmpty, of sets or relations.
bool Evaluator::compares(const Term& term) {
  const auto& [a, b, unused] = term.argument_ids;
  const bool of_sets = level_.terms[a].type.kind == Kind::Set;
  if (term.op == Op::IsEmpty) {
    const Type type = level_.terms[a].type;
    return of_sets ? set(a) == no_element(type.first)
                   : relation(a) == no_pair(type.first, type.second);
  }
  if (term.op == Op::Equal) return of_sets ? set(a) == set(b) : relation(a) == relation(b);
  return of_sets ? is_subset(set(a), set(b)) : is_subset(relation(a), relation(b));
}

bool Evaluator::truth_of(const Term& term) {
  const auto& [a, b, c] = term.argument_ids;
  switch (term.op) {
    case Op::True:
      return true;
    case Op::False:
      return false;
    case Op::Acyclic:
      return is_irreflexive(transitive_closure(relation(a)));
    case Op::Irreflexive:
      return is_irreflexive(relation(a));
    case Op::Transitive:
      return is_subset(composed(relation(a), relation(a)), relation(a));
    case Op::Total:
      return is_total(relation(a), set(b));
    case Op::TotalOrder:
      return is_subset(relation(a), product(set(b), set(b))) &&
             is_irreflexive(relation(a)) &&
             is_subset(composed(relation(a), relation(a)), relation(a)) &&
             is_total(relation(a), set(b));
    case Op::Member:
      return set(b)[element(a)] != 0;
    case Op::Related:
      return relation(c)(element(a), element(b)) != 0;
    case Op::Same:
      return element(a) == element(b);
    case Op::Writes:
      return tables_.writes[element(b)](element(a), element(c)) != 0;
    case Op::Reads:
      return tables_.reads[element(b)](element(a), element(c)) != 0;
    case Op::Not:
      return !formula(a);
    case Op::And:
      return formula(a) && formula(b);
    case Op::Or:
      return formula(a) || formula(b);
    case Op::Implies:
      return !formula(a) || formula(b);
    case Op::Iff:
      return formula(a) == formula(b);
    case Op::Forall:
      return holds_for(term, true);
    case Op::Exists:
      return holds_for(term, false);
    default:
      return compares(term);
  }
}

}  // namespace

bool holds(const Level& level, TermId formula, const HistoryTables<Truth>& tables,
           const Execution<Truth>& execution) {
  return Evaluator(level, tables, execution).formula(formula);
}

const Axiom* failing_axiom(const Level& level, const HistoryTables<Truth>& tables,
                           const Execution<Truth>& execution) {
  Evaluator evaluator(level, tables, execution);
  for (const Axiom& axiom : level.axioms)
    if (!evaluator.formula(axiom.formula)) return &axiom;
  return nullptr;
}

}  // namespace isomer::level
