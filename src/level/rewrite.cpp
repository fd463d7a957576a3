// SPDX-License-Identifier: MIT
#include "level/rewrite.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/assert.h"

namespace isomer::level {
namespace {

// Quantifiers are never nested so deep.
constexpr std::uint32_t renamed_binder = Terms::variable_count_max - 2;

void collect_union(const Terms& terms, TermId id, std::vector<TermId>& parts) {
  const Term& term = terms[id];
  if (term.op == Op::Union) {
    collect_union(terms, term.argument_ids[0], parts);
    collect_union(terms, term.argument_ids[1], parts);
  } else if (term.op != Op::Empty) {
    parts.push_back(id);
  }
}

}  // namespace

TermId TermMaker::union_of(Type type, std::span<const TermId> arguments) {
  std::vector<TermId> parts;
  for (const TermId argument : arguments)
    collect_union(level_.terms, argument, parts);
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  if (parts.empty()) return level_.terms.make(Op::Empty, type, 0, {});
  TermId result = parts.front();
  for (const TermId part : std::span(parts).subspan(1))
    result = level_.terms.make(Op::Union, type, 0, std::array{result, part});
  return result;
}

// The union over all keys of wr[x] is wr, and likewise for W[x], R[x], rf[x], vo[x].
TermId TermMaker::union_of_keys(Type type, std::uint32_t number, TermId body) {
  const Term term = level_.terms[body];
  const bool is_table = term.op == Op::Wr || term.op == Op::Rf || term.op == Op::Witness ||
                        term.op == Op::Writers || term.op == Op::Readers;
  if (is_table && term.argument_count == 1 &&
      level_.terms[term.argument_ids[0]].number == number)
    return level_.terms.make(term.op, type, term.number, {});
  return level_.terms.make(Op::UnionOfKeys, type, number, std::array{body});
}

bool TermMaker::is_transitive(TermId id) const {
  const Term& term = level_.terms[id];
  if (term.op == Op::Plus) return true;
  if (term.op == Op::Optional) return is_transitive(term.argument_ids[0]);
  if (term.op != Op::Witness) return false;
  const Witness& witness = level_.witnesses[term.number];
  const bool is_one_relation = !witness.is_keyed || term.argument_count == 1;
  return witness.is_total_order && is_one_relation;
}

bool TermMaker::is_symmetric(TermId id) const {
  const Term& term = level_.terms[id];
  const auto [a, b, unused] = term.argument_ids;
  switch (term.op) {
    case Op::Identity:
      return true;
    case Op::Product:
      return a == b;
    case Op::Union:
    case Op::Intersection:
    case Op::Difference:
      return is_symmetric(a) && is_symmetric(b);
    default:
      return false;
  }
}

TermId TermMaker::make(Op op, Type type, std::uint32_t number,
                       std::span<const TermId> arguments) {
  switch (op) {
    case Op::Union:
      return union_of(type, arguments);
    case Op::UnionOfKeys:
      return union_of_keys(type, number, arguments[0]);
    case Op::Inverse:
      if (is_symmetric(arguments[0])) return arguments[0];
      break;
    case Op::Plus:
      if (is_transitive(arguments[0])) return arguments[0];
      break;
    case Op::Star:
      return make(Op::Optional, type, 0, std::array{make(Op::Plus, type, 0, arguments)});
    case Op::Acyclic: {
      const Type relation = level_.terms[arguments[0]].type;
      return make(Op::Irreflexive, type, 0,
                  std::array{make(Op::Plus, relation, 0, arguments)});
    }
    default:
      break;
  }
  return level_.terms.make(op, type, number, arguments);
}

// A binder that would capture the key is renamed first.
TermId TermMaker::replaced(TermId id, std::uint32_t number, TermId key) {
  const Term term = level_.terms[id];
  if ((term.free_variables >> number & 1U) == 0) return id;
  if (term.op == Op::Variable) return key;
  std::uint32_t binder = term.number;
  std::array<TermId, 3> arguments = term.argument_ids;
  if (term.op == Op::UnionOfKeys && binder == level_.terms[key].number) {
    binder = renamed_binder;
    arguments[0] = replaced(arguments[0], term.number, key_variable(binder));
  }
  for (std::size_t i = 0; i < term.argument_count; ++i)
    arguments[i] = replaced(arguments[i], number, key);
  return make(term.op, term.type, binder, std::span(arguments).first(term.argument_count));
}

TermId Import::operator()(TermId id) {
  if (const auto found = done_.find(id); found != done_.end()) return found->second;
  const TermId result = carried(from_.terms[id]);
  done_.emplace(id, result);
  return result;
}

TermId Import::carried(const Term& term) {
  if (term.op == Op::Witness) return meaning(term);
  std::uint32_t number = term.number;
  if (term.op == Op::TypeNamed) {
    const std::string& name = from_.type_names[number];
    const auto found = std::find(to_.type_names.begin(), to_.type_names.end(), name);
    number = static_cast<std::uint32_t>(found - to_.type_names.begin());
    if (found == to_.type_names.end()) to_.type_names.push_back(name);
  }
  std::array<TermId, 3> arguments{};
  for (std::size_t i = 0; i < term.argument_count; ++i)
    arguments[i] = (*this)(term.argument_ids[i]);
  return maker_.make(term.op, term.type, number,
                     std::span(arguments).first(term.argument_count));
}

TermId Import::meaning(const Term& term) {
  const TermId meaning = meanings_[term.number];
  ISOMER_ASSERT(!meaning.is_none());
  if (!from_.witnesses[term.number].is_keyed) return meaning;
  if (term.argument_count == 0)
    return maker_.make(Op::UnionOfKeys, txn_relation, 0, std::array{meaning});
  return maker_.with_key(meaning, (*this)(term.argument_ids[0]));
}

namespace {

// Snapshot isolation says `forall x, y: Key { ([W[x]] ; co* ; [W[y]] ; co ; [W[y]] ;
// wr[x]^-1) \ id in co }`: a table for each pair of keys.  But
//   forall y { r in s }  is  (union over y of r) in s         if s does not speak of y
//   union over y of (a ; r ; b)  is  a ; (union over y of r) ; b     likewise a and b
//   union over y of (r \ s)  is  (union over y of r) \ s
// so one table, `union over y of [W[y]] ; co ; [W[y]]`, serves all x.  This is what
// provers call miniscoping.  It is done only where the union no longer depends on another
// variable: elsewhere it would only hide the clauses behind a disjunction.
class Miniscope {
 public:
  explicit Miniscope(const Level& level) : level_(level) {}

  // Arguments come before the terms that use them.
  Level run() {
    Level result = level_;
    std::vector<TermId> new_ids;
    for (std::uint32_t i = 0; i < level_.terms.size(); ++i) {
      const Term& term = level_.terms[{i}];
      std::vector<TermId> arguments;
      for (const TermId argument : term.arguments())
        arguments.push_back(new_ids[argument.index]);
      new_ids.push_back(rewritten(term, arguments));
    }
    for (Axiom& axiom : result.axioms)
      axiom.formula = new_ids[axiom.formula.index];
    for (Witness& witness : result.witnesses)
      if (!witness.on.is_none()) witness.on = new_ids[witness.on.index];
    result.terms = std::move(terms_);
    return result;
  }

 private:
  TermId rewritten(const Term& term, const std::vector<TermId>& arguments) {
    if (term.op == Op::Forall && term.type.first == Sort::Key)
      if (const auto better = forall(term.number, arguments[0])) return *better;
    return terms_.make(term.op, term.type, term.number, arguments);
  }

  [[nodiscard]] bool mentions(TermId id, std::uint32_t variable) const {
    return (terms_[id].free_variables >> variable & 1U) != 0;
  }

  std::optional<TermId> forall(std::uint32_t variable, TermId body) {
    const Term inclusion = terms_[body];
    if (inclusion.op != Op::In) return std::nullopt;
    const auto [left, right, unused] = inclusion.argument_ids;
    if (terms_[left].type.kind != Kind::Relation) return std::nullopt;
    if (!mentions(left, variable) || mentions(right, variable)) return std::nullopt;
    const auto united = union_over(variable, left);
    if (!united) return std::nullopt;
    const TermId arguments[] = {*united, right};
    return terms_.make(Op::In, inclusion.type, 0, arguments);
  }

  // The union of r over the variable, if some part of r that needs no other variable can
  // stand for it.
  std::optional<TermId> union_over(std::uint32_t variable, TermId id) {
    const Term term = terms_[id];
    const auto [left, right, unused] = term.argument_ids;
    if (term.op == Op::Difference && !mentions(right, variable)) {
      const auto united = union_over(variable, left);
      if (!united) return std::nullopt;
      const TermId arguments[] = {*united, right};
      return terms_.make(Op::Difference, term.type, 0, arguments);
    }
    if (term.op == Op::Compose) return union_of_chain(variable, id);
    return std::nullopt;
  }

  std::optional<TermId> union_of_chain(std::uint32_t variable, TermId id) {
    std::vector<TermId> factors;
    add_factors(id, factors);
    const auto uses = [&](TermId factor) { return mentions(factor, variable); };
    const auto first = std::find_if(factors.begin(), factors.end(), uses);
    const auto last = std::find_if(factors.rbegin(), factors.rend(), uses).base();
    const TermId middle = chain({first, last});
    if (terms_[middle].free_variables != std::uint64_t{1} << variable) return std::nullopt;
    const TermId united =
        terms_.make(Op::UnionOfKeys, terms_[middle].type, variable, std::span(&middle, 1));
    std::vector<TermId> result(factors.begin(), first);
    result.push_back(united);
    result.insert(result.end(), last, factors.end());
    return chain(with_closed_runs_joined(result));
  }

  void add_factors(TermId id, std::vector<TermId>& factors) const {
    const Term& term = terms_[id];
    if (term.op != Op::Compose) {
      factors.push_back(id);
      return;
    }
    add_factors(term.argument_ids[0], factors);
    add_factors(term.argument_ids[1], factors);
  }

  TermId chain(const std::vector<TermId>& factors) {
    TermId result = factors.front();
    for (std::size_t i = 1; i < factors.size(); ++i) {
      const Type type{Kind::Relation, terms_[result].type.first,
                      terms_[factors[i]].type.second};
      const TermId arguments[] = {result, factors[i]};
      result = terms_.make(Op::Compose, type, 0, arguments);
    }
    return result;
  }

  // What depends on no variable is computed once, so it is composed first.
  std::vector<TermId> with_closed_runs_joined(const std::vector<TermId>& factors) {
    std::vector<TermId> result;
    for (auto next = factors.begin(); next != factors.end();) {
      const auto end = std::find_if(next, factors.end(), [&](TermId factor) {
        return terms_[factor].free_variables != 0;
      });
      if (end == next) {
        result.push_back(*next++);
        continue;
      }
      result.push_back(chain({next, end}));
      next = end;
    }
    return result;
  }

  const Level& level_;
  Terms terms_;
};

}  // namespace

Level miniscoped(const Level& level) {
  return Miniscope(level).run();
}

}  // namespace isomer::level
