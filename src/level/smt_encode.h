// SPDX-License-Identifier: MIT
// A level's text in first-order logic: the third meaning of a level, for histories of any
// size (level/eval.h and level/encode.h have the first two).
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "level/level.h"
#include "logic/smt.h"

namespace isomer::level {

class SmtEncoder {
 public:
  // Terms and witnesses may be added to `level` while the encoder lives.
  SmtEncoder(logic::Smt& smt, const Level& level);

  // `formula` has no free variables.
  logic::SmtFormula encode(TermId formula);

  // What is true of the symbols met so far in every execution: see the head of the source.
  [[nodiscard]] const std::vector<logic::SmtFormula>& facts() const { return facts_; }

 private:
  using Element = logic::SmtElement;
  using Formula = logic::SmtFormula;
  using Relation = logic::SmtRelation;

  const Term& term(TermId id) const { return level_.terms[id]; }

  Element element(TermId id);
  Formula in_set(TermId set, Element element);
  // What is in a set or relation made of others: `argument(i)` says it of the i-th.
  template <typename Argument>
  Formula in_parts(const Term& term, const Argument& argument);
  Formula related(TermId relation, Element from, Element to);
  Formula formula(TermId id);

  template <class Body>
  Formula for_some_key(const Term& term, const Body& body);
  Formula indexed(const Term& term, Relation relation, std::span<const Element> rest);
  Formula composed(const Term& term, Element from, Element to);
  Formula closed_over(TermId relation, Element from, Element to);
  Formula included(TermId left, TermId right);
  Formula none_in(TermId id);
  Formula irreflexive(TermId relation);
  Formula closure_irreflexive(TermId relation);
  Formula transitive(TermId relation);
  Formula total(TermId relation, TermId set);
  Formula total_order(TermId relation, TermId set);
  Formula quantified(const Term& term);

  Formula exists_in_history(Sort sort, Element element);
  Element variable(Sort sort);
  Relation symbol(Op op, std::uint32_t number, const std::string& name,
                  std::initializer_list<Sort> sorts);
  Relation witness(std::uint32_t number);
  void add_guards(Relation relation, std::span<const Sort> sorts);
  std::vector<TermId> free_variables(TermId id) const;
  Relation closure(TermId relation, std::span<const TermId> parameters);
  void add_closure_facts(TermId relation, Relation closure,
                         std::span<const TermId> parameters);

  logic::Smt& smt_;
  const Level& level_;
  std::array<logic::SmtSort, 4> sorts_;
  std::array<Relation, 4> exists_;  // by sort; none for Txn
  Element init_;
  std::map<std::pair<Op, std::uint32_t>, Relation> symbols_;
  std::map<std::uint32_t, Relation> closures_;  // by the term that is closed over
  std::array<Element, Terms::variable_count_max> environment_;
  std::vector<Formula> facts_;
};

}  // namespace isomer::level
