// SPDX-License-Identifier: MIT
// The encoder behind level/encode.h: each term becomes a bit, a set or a relation of
// circuit nodes, computed once for each choice of values of its free variables.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "level/encode.h"
#include "logic/relation.h"

namespace isomer::level {

using logic::Relation;
using logic::Set;

class Encoder {
 public:
  Encoder(Circuit& circuit, const Level& level, const HistoryTables<Bit>& tables,
          const Execution<Bit>& execution)
      : circuit_(circuit), level_(level), tables_(tables), execution_(execution) {}

  Bit formula(TermId id);
  const Set& set(TermId id);
  const Relation& relation(TermId id);

  // What exists of a sort.
  [[nodiscard]] const Set& domain(Sort sort) const { return tables_.exists(sort); }

  void bind(std::uint32_t variable, std::uint16_t value) { bound_.at(variable) = value; }

 private:
  // A term and the values of its free variables.
  using Memo = std::pair<std::uint32_t, std::vector<std::uint16_t>>;

  [[nodiscard]] const Term& term(TermId id) const { return level_.terms[id]; }

  [[nodiscard]] TermId argument(const Term& t, std::size_t i) const {
    return t.arguments()[i];
  }

  [[nodiscard]] Memo memo(TermId id) const;
  void forget(std::uint32_t variable);
  Bit compute_formula(const Term& t);
  Set compute_set(const Term& t);
  Relation compute_relation(const Term& t);

  [[nodiscard]] std::size_t element(TermId id) const;
  Bit quantified(const Term& t);
  Bit included(TermId a, TermId b);
  Bit total(const Relation& r, const Set& on);
  Bit transitive(const Relation& r);
  Relation of_key(const std::vector<Relation>& by_key, const Term& t, std::size_t columns);
  Set of_key(const std::vector<Set>& by_key, const Term& t);
  Relation witness(const Term& t);
  Relation closure_of(TermId id);
  template <class F>
  void for_each_key(const Term& t, const F& visit);

  Circuit& circuit_;
  const Level& level_;
  const HistoryTables<Bit>& tables_;
  const Execution<Bit>& execution_;
  std::array<std::uint16_t, Terms::variable_count_max> bound_{};
  std::map<Memo, Bit> formulas_;
  std::map<Memo, Set> sets_;
  // By m: those that depend on the m outermost variables (0 .. m - 1).  They cannot be met
  // again once variable m - 1 has another value, and are forgotten then.
  std::array<std::map<Memo, Relation>, Terms::variable_count_max + 1> relations_;
};

}  // namespace isomer::level
