// SPDX-License-Identifier: MIT
// Under `forall t`, and not under a negation,
//   exists s { f }
// becomes
//   exists s { (s, t) in r } and forall s { (s, t) in r \ (o ; r) implies f }.
// Histories are finite: if something is r-before t, then something that is last in o, and
// f holds of it.  The levels with states need this; a solver left to itself follows one
// predecessor to the next.
#include "synth/last_before.h"

#include <fmt/format.h>

#include "level/level.h"

namespace isomer::synth {

using level::Op;
using level::Sort;
using level::Term;
using level::TermId;

LastBefore::LastBefore(level::Level& problem, TermId before, TermId order)
    : problem_(problem), maker_(problem), before_(before), order_(order) {}

TermId LastBefore::chosen(TermId goal) {
  return chosen(goal, TermId::none());
}

TermId LastBefore::chosen(TermId goal, TermId about) {
  const Term term = problem_.terms[goal];
  const auto [a, b, unused] = term.argument_ids;
  switch (term.op) {
    case Op::And:
    case Op::Or:
      return maker_.formula(term.op, {chosen(a, about), chosen(b, about)});
    case Op::Implies:
      return maker_.formula(term.op, {a, chosen(b, about)});
    case Op::Forall: {
      if (term.type.first == Sort::Txn)
        about = maker_.make(Op::Variable, {level::Kind::Element}, term.number, {});
      return maker_.make(term.op, term.type, term.number, std::array{chosen(a, about)});
    }
    case Op::Exists: {
      if (about.is_none() || term.type.first != Sort::Txn) return goal;
      const TermId s = maker_.make(Op::Variable, {level::Kind::Element}, term.number, {});
      const TermId is_before = maker_.formula(Op::Related, {s, about, before_});
      const TermId last = maker_.relation(
          Op::Difference, {before_, maker_.relation(Op::Compose, {order_, before_})});
      const TermId is_last = maker_.formula(Op::Related, {s, about, last});
      return maker_.formula(
          Op::And, {maker_.make(Op::Exists, term.type, term.number, std::array{is_before}),
                    maker_.make(Op::Forall, term.type, term.number,
                                std::array{maker_.formula(Op::Implies, {is_last, a})})});
    }
    default:
      return goal;
  }
}

std::string LastBefore::text() const {
  const std::string order = level::text_of(problem_, order_);
  if (before_ == order_) return fmt::format("s := the one just before t in {}", order);
  return fmt::format("s := the last in {} that is {}-before t", order,
                     level::text_of(problem_, before_));
}

}  // namespace isomer::synth
