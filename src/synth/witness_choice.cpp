// SPDX-License-Identifier: MIT
// The weaker level only needs *some* execution, so any choice of its witnesses is sound;
// what matters is that few choices are tried and one of them works.
//
// Total orders first.  They are a total order of the stronger level, or a linear extension
// of a relation that is acyclic (a finite acyclic relation has one, with init first unless
// something is related to init).  An order on a subset, such as a version order on W[x], is
// the restriction of it.
//
// Then the other relations, such as vis.  For a given order o the axioms of the known
// levels are rules: `E in vis` where E does not mention vis, `vis ; vis in vis`,
// `o ; vis in vis`, and `E in vis | vis^-1`, which is (E | E^-1) & o in vis since vis in o.
// What remains only forbids vis to be large.  So the least relation that obeys the rules is
// the best choice.  With d the union of the E, it is d, o? ; d, d+ or o, according to the
// rules; all are tried.
#include "synth/witness_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "level/level.h"
#include "level/rewrite.h"

namespace isomer::synth {
namespace {

using level::Level;
using level::Op;
using level::Sort;
using level::Term;
using level::TermId;
using level::TermMaker;
using level::Witness;

// The conjuncts of a formula, also those under `forall x: Key`.
void collect_conjuncts(const level::Terms& terms, TermId id, std::vector<TermId>& found) {
  const Term& term = terms[id];
  if (term.op == Op::And) {
    collect_conjuncts(terms, term.argument_ids[0], found);
    collect_conjuncts(terms, term.argument_ids[1], found);
  } else if (term.op == Op::Forall && term.type.first == Sort::Key) {
    collect_conjuncts(terms, term.argument_ids[0], found);
  } else {
    found.push_back(id);
  }
}

bool orders_all_txns(const Level& level, const Witness& witness) {
  return witness.is_total_order && !witness.is_keyed &&
         level.terms[witness.on].op == Op::Domain;
}

class Chooser {
 public:
  Chooser(const Level& weaker, Level& problem, const std::vector<TermId>& assumptions)
      : weaker_(weaker),
        problem_(problem),
        maker_(problem),
        stronger_witness_count_(static_cast<std::uint32_t>(problem.witnesses.size())) {
    for (const level::Axiom& axiom : weaker.axioms)
      collect_conjuncts(weaker.terms, axiom.formula, wanted_);
    for (const TermId assumption : assumptions)
      collect_conjuncts(problem.terms, assumption, assumed_);
  }

  std::vector<WitnessChoice> choices() {
    WitnessChoice start;
    start.meanings.resize(weaker_.witnesses.size());
    choose_namesakes(start);
    for (std::uint32_t i = 0; i < stronger_witness_count_; ++i)
      if (orders_all_txns(problem_, problem_.witnesses[i]))
        choose_orders(start, maker_.witness(i));
    for (const TermId relation : acyclic_relations(start))
      choose_linear_extension(start, relation);
    drop_repeated();
    return std::move(choices_);
  }

 private:
  // --- orders ---

  // The stronger level's witness of this name and shape.
  TermId namesake(const Witness& wanted) {
    for (std::uint32_t i = 0; i < stronger_witness_count_; ++i) {
      const Witness& witness = problem_.witnesses[i];
      if (witness.name != wanted.name || witness.is_keyed != wanted.is_keyed) continue;
      if (!wanted.is_keyed) return maker_.witness(i);
      return maker_.make(Op::Witness, level::txn_relation, i,
                         std::array{maker_.key_variable(0)});
    }
    return TermId::none();
  }

  // As between two levels of one framework, or where no order is needed.
  void choose_namesakes(WitnessChoice choice) {
    TermId order = TermId::none();
    for (std::size_t i = 0; i < weaker_.witnesses.size(); ++i) {
      const Witness& witness = weaker_.witnesses[i];
      if (!witness.is_total_order) continue;
      choice.meanings[i] = namesake(witness);
      if (choice.meanings[i].is_none()) return;
      if (orders_all_txns(weaker_, witness)) order = choice.meanings[i];
    }
    choose_others(choice, order);
  }

  void choose_orders(WitnessChoice choice, TermId order) {
    for (std::size_t i = 0; i < weaker_.witnesses.size(); ++i) {
      const Witness& witness = weaker_.witnesses[i];
      if (!witness.is_total_order) continue;
      choice.meanings[i] = order;
      if (orders_all_txns(weaker_, witness)) continue;
      if (mentions_undetermined(witness.on, choice)) return;
      const TermId on = level::Import(weaker_, problem_, choice.meanings)(witness.on);
      choice.meanings[i] = maker_.relation(Op::Intersection,
                                           {order, maker_.relation(Op::Product, {on, on})});
    }
    choose_others(choice, order);
  }

  // Of the relations that the stronger level says are acyclic, each; and what the weaker
  // level wants to be in its order, whose acyclicity is then to be proved.
  std::vector<TermId> acyclic_relations(const WitnessChoice& start) {
    std::vector<TermId> found;
    for (const TermId id : assumed_) {
      const Term& term = problem_.terms[id];
      if (term.op != Op::Irreflexive) continue;
      const Term& closure = problem_.terms[term.argument_ids[0]];
      if (closure.op == Op::Plus && closure.free_variables == 0 &&
          closure.type == level::txn_relation)
        found.push_back(closure.argument_ids[0]);
    }
    std::reverse(found.begin(), found.end());  // the last axiom forbids most
    for (std::uint32_t i = 0; i < weaker_.witnesses.size(); ++i) {
      if (!orders_all_txns(weaker_, weaker_.witnesses[i])) continue;
      const TermId rules = rule_union(i, start, TermId::none());
      if (maker_[rules].op != Op::Empty) found.push_back(rules);
    }
    return found;
  }

  void choose_linear_extension(WitnessChoice choice, TermId relation) {
    const TermId all =
        maker_.make(Op::Domain, {level::Kind::Set, Sort::Txn, Sort::Txn}, 0, {});
    const auto number = static_cast<std::uint32_t>(problem_.witnesses.size());
    problem_.witnesses.push_back(
        {.name = "order", .is_keyed = false, .is_total_order = true, .on = all});
    const TermId order = maker_.witness(number);
    const TermId init =
        maker_.make(Op::Singleton, {level::Kind::Set, Sort::Txn, Sort::Txn}, 0,
                    std::array{maker_.make(
                        Op::Init, {level::Kind::Element, Sort::Txn, Sort::Txn}, 0, {})});
    const TermId from_init = maker_.relation(
        Op::Difference,
        {maker_.relation(Op::Product, {init, all}), maker_.relation(Op::Identity, {all})});
    const TermId to_init =
        maker_.relation(Op::Compose, {relation, maker_.relation(Op::Identity, {init})});
    choice.assumptions = {
        maker_.formula(Op::TotalOrder, {order, all}),
        maker_.formula(Op::In, {maker_.relation(Op::Union, {relation, from_init}), order})};
    choice.conditions = {maker_.formula(Op::Acyclic, {relation}),
                         maker_.formula(Op::IsEmpty, {to_init})};
    choice.text =
        fmt::format("order a linear extension of {}", level::text_of(problem_, relation));
    choose_orders(choice, order);
  }

  // --- other relations ---

  void choose_others(WitnessChoice choice, TermId order) {
    for (std::uint32_t i = 0; i < weaker_.witnesses.size(); ++i) {
      if (!choice.meanings[i].is_none()) continue;
      for (const TermId meaning : meanings_of(i, choice, order)) {
        choice.meanings[i] = meaning;
        choose_others(choice, order);
      }
      return;
    }
    describe(choice);
    choice.order = order;
    choices_.push_back(std::move(choice));
  }

  std::vector<TermId> meanings_of(std::uint32_t number, const WitnessChoice& choice,
                                  TermId order) {
    std::vector<TermId> found;
    const TermId same = namesake(weaker_.witnesses[number]);
    if (!same.is_none()) found.push_back(same);
    if (weaker_.witnesses[number].is_keyed) return found;
    const TermId rules = rule_union(number, choice, order);
    found.push_back(rules);
    found.push_back(maker_.relation(Op::Plus, {rules}));
    if (order.is_none()) return found;
    const TermId at_or_before = maker_.relation(Op::Optional, {order});
    found.push_back(maker_.relation(Op::Compose, {at_or_before, rules}));
    found.push_back(order);
    return found;
  }

  // The union of all E in rules `E in v`, over all keys.
  TermId rule_union(std::uint32_t number, const WitnessChoice& choice, TermId order) {
    TermId result = maker_.relation(Op::Empty, {});
    for (const TermId id : wanted_) {
      const TermId part = rule_part(weaker_.terms[id], number, choice, order);
      if (!part.is_none()) result = maker_.relation(Op::Union, {result, part});
    }
    return result;
  }

  TermId rule_part(const Term& rule, std::uint32_t number, const WitnessChoice& choice,
                   TermId order) {
    if (rule.op != Op::In && rule.op != Op::Equal && rule.op != Op::Total)
      return TermId::none();
    const TermId subject = rule.argument_ids[rule.op == Op::Total ? 1 : 0];
    if (mentions_undetermined(subject, choice)) return TermId::none();
    level::Import import(weaker_, problem_, choice.meanings);
    if (rule.op == Op::Total) {
      if (!is_witness(rule.argument_ids[0], number) || order.is_none())
        return TermId::none();
      const TermId set = import(subject);
      return directed(maker_.relation(Op::Product, {set, set}), order);
    }
    const TermId object = rule.argument_ids[1];
    if (is_witness(object, number)) return over_all_keys(import(subject));
    if (is_either_way(object, number) && !order.is_none())
      return directed(import(subject), order);
    return TermId::none();
  }

  // (E | E^-1) & o.
  TermId directed(TermId relation, TermId order) {
    const TermId inverse = maker_.relation(Op::Inverse, {relation});
    const TermId both = maker_.relation(Op::Union, {relation, inverse});
    return over_all_keys(maker_.relation(Op::Intersection, {both, order}));
  }

  TermId over_all_keys(TermId relation) {
    for (std::uint32_t i = 0; i < level::Terms::variable_count_max; ++i)
      if ((maker_[relation].free_variables >> i & 1U) != 0)
        relation =
            maker_.make(Op::UnionOfKeys, level::txn_relation, i, std::array{relation});
    return relation;
  }

  [[nodiscard]] bool is_witness(TermId id, std::uint32_t number) const {
    const Term& term = weaker_.terms[id];
    return term.op == Op::Witness && term.number == number;
  }

  // v | v^-1
  [[nodiscard]] bool is_either_way(TermId id, std::uint32_t number) const {
    const Term& term = weaker_.terms[id];
    if (term.op != Op::Union) return false;
    const auto is_inverse = [&](TermId part) {
      const Term& inverse = weaker_.terms[part];
      return inverse.op == Op::Inverse && is_witness(inverse.argument_ids[0], number);
    };
    const auto [a, b, unused] = term.argument_ids;
    return (is_witness(a, number) && is_inverse(b)) ||
           (is_witness(b, number) && is_inverse(a));
  }

  [[nodiscard]] bool mentions_undetermined(TermId id, const WitnessChoice& choice) const {
    const Term& term = weaker_.terms[id];
    if (term.op == Op::Witness && choice.meanings[term.number].is_none()) return true;
    return std::any_of(
        term.arguments().begin(), term.arguments().end(),
        [&](TermId argument) { return mentions_undetermined(argument, choice); });
  }

  // --- the result ---

  void describe(WitnessChoice& choice) const {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < weaker_.witnesses.size(); ++i)
      parts.push_back(fmt::format("{}{} := {}", weaker_.witnesses[i].name,
                                  weaker_.witnesses[i].is_keyed ? "[x]" : "",
                                  level::text_of(problem_, choice.meanings[i])));
    const std::string definition = std::exchange(choice.text, {});
    choice.text = fmt::format("{}", fmt::join(parts, ", "));
    if (!definition.empty()) choice.text += fmt::format(" ({})", definition);
  }

  void drop_repeated() {
    std::vector<WitnessChoice> kept;
    for (WitnessChoice& choice : choices_)
      if (std::none_of(kept.begin(), kept.end(), [&](const WitnessChoice& other) {
            return other.meanings == choice.meanings;
          }))
        kept.push_back(std::move(choice));
    choices_ = std::move(kept);
  }

  const Level& weaker_;
  Level& problem_;
  TermMaker maker_;
  std::uint32_t stronger_witness_count_;
  std::vector<TermId> wanted_;   // conjuncts of the weaker level's axioms
  std::vector<TermId> assumed_;  // of the stronger level's
  std::vector<WitnessChoice> choices_;
};

}  // namespace

std::vector<WitnessChoice> witness_choices(const Level& weaker, Level& problem,
                                           const std::vector<TermId>& assumptions) {
  return Chooser(weaker, problem, assumptions).choices();
}

}  // namespace isomer::synth
