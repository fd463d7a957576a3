// SPDX-License-Identifier: MIT
// The closure of an order is the order: with o a total order, o+ is o, and o* is o?.  The
// circuit of a closure would have a cubic number of gates.
//
// And (r ; s) ; [S] is r ; (s ; [S]): the columns that [S] drops are never computed.
#include "level/ordered.h"

#include <vector>

namespace isomer::level {
namespace {

class Rewriter {
 public:
  explicit Rewriter(const Level& level) : level_(level) {}

  Level run() {
    Level result = level_;
    for (std::uint32_t i = 0; i < level_.terms.size(); ++i)
      new_ids_.push_back(rewritten(level_.terms[{i}]));
    for (Axiom& axiom : result.axioms)
      axiom.formula = new_ids_[axiom.formula.index];
    for (Witness& witness : result.witnesses)
      if (!witness.on.is_none()) witness.on = new_ids_[witness.on.index];
    result.terms = std::move(terms_);
    return result;
  }

 private:
  // Arguments come before the terms that use them.
  TermId rewritten(const Term& term) {
    std::vector<TermId> arguments;
    for (const TermId argument : term.arguments())
      arguments.push_back(new_ids_[argument.index]);
    if (term.op == Op::Plus && is_order(arguments[0])) return arguments[0];
    if (term.op == Op::Star && is_order(arguments[0]))
      return terms_.make(Op::Optional, term.type, 0, arguments);
    if (term.op == Op::Compose) return composed(arguments[0], arguments[1]);
    return terms_.make(term.op, term.type, term.number, arguments);
  }

  TermId composed(TermId left, TermId right) {
    const Term& l = terms_[left];
    const TermId inner[] = {l.argument_ids[0], l.argument_ids[1]};
    if (l.op == Op::Compose && terms_[right].op == Op::Identity)
      return composed(inner[0], composed(inner[1], right));
    const Type type{Kind::Relation, terms_[left].type.first, terms_[right].type.second};
    const TermId arguments[] = {left, right};
    return terms_.make(Op::Compose, type, 0, arguments);
  }

  // The union of the orders of all keys is no order.
  [[nodiscard]] bool is_order(TermId id) const {
    const Term& term = terms_[id];
    if (term.op != Op::Witness) return false;
    const Witness& witness = level_.witnesses[term.number];
    return witness.is_total_order && witness.is_keyed == (term.argument_count == 1);
  }

  const Level& level_;
  Terms terms_;
  std::vector<TermId> new_ids_;
};

}  // namespace

Level ordered(const Level& level) {
  return Rewriter(level).run();
}

}  // namespace isomer::level
