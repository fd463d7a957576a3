// SPDX-License-Identifier: MIT
// Terms made from terms: simplifying constructors, and a level's terms carried over to
// another level with its witnesses replaced.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <unordered_map>

#include "level/level.h"

namespace isomer::level {

inline constexpr Type txn_relation{Kind::Relation, Sort::Txn, Sort::Txn};

// Makes terms in `level`.  Equal relations often become equal terms: unions are flat and
// sorted, r* is (r+)?, the closure of what is transitive is itself, and `acyclic r` is
// `irreflexive r+`.
class TermMaker {
 public:
  explicit TermMaker(Level& level) : level_(level) {}

  TermId make(Op op, Type type, std::uint32_t number, std::span<const TermId> arguments);

  TermId relation(Op op, std::initializer_list<TermId> arguments) {
    return make(op, txn_relation, 0, std::span(arguments.begin(), arguments.size()));
  }

  TermId formula(Op op, std::initializer_list<TermId> arguments) {
    return make(op, Type{}, 0, std::span(arguments.begin(), arguments.size()));
  }

  TermId witness(std::uint32_t number) {
    return make(Op::Witness, txn_relation, number, {});
  }

  TermId key_variable(std::uint32_t number) {
    return make(Op::Variable, {Kind::Element, Sort::Key, Sort::Txn}, number, {});
  }

  // Variable 0 of the term becomes `key`.
  TermId with_key(TermId id, TermId key) { return replaced(id, 0, key); }

  [[nodiscard]] const Term& operator[](TermId id) const { return level_.terms[id]; }

  // Whether the term alone shows it.
  [[nodiscard]] bool is_transitive(TermId id) const;

 private:
  TermId replaced(TermId id, std::uint32_t number, TermId key);
  TermId union_of(Type type, std::span<const TermId> arguments);
  TermId union_of_keys(Type type, std::uint32_t number, TermId body);
  [[nodiscard]] bool is_symmetric(TermId id) const;

  Level& level_;
};

// Carries terms of one level over to another.
class Import {
 public:
  // `meanings` has for each witness of `from` a relation of `to`, in which variable 0
  // stands for the key if the witness is keyed.
  Import(const Level& from, Level& to, std::span<const TermId> meanings)
      : from_(from), to_(to), maker_(to), meanings_(meanings) {}

  TermId operator()(TermId id);

 private:
  TermId carried(const Term& term);
  TermId meaning(const Term& term);

  const Level& from_;
  Level& to_;
  TermMaker maker_;
  std::span<const TermId> meanings_;
  std::unordered_map<TermId, TermId> done_;
};

// The level with each quantifier over keys moved to where its key is used: equal on every
// execution, and often much shorter as a circuit.
Level miniscoped(const Level& level);

}  // namespace isomer::level
