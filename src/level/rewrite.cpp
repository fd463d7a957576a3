// SPDX-License-Identifier: MIT
#include "level/rewrite.h"

#include <algorithm>
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

}  // namespace isomer::level
