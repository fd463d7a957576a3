// SPDX-License-Identifier: MIT
// The SMT solver (Z3) behind a small interface: first-order formulas over uninterpreted
// sorts and relations.  Sorts are never empty, and may be infinite.
//
// Unsatisfiable is a proof; Unknown is common, since the logic is undecidable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/budget.h"
#include "base/id.h"
#include "logic/sat.h"

namespace isomer::logic {

using SmtSort = Id<struct SmtSortTag>;
using SmtRelation = Id<struct SmtRelationTag>;
using SmtElement = Id<struct SmtElementTag>;
using SmtFormula = Id<struct SmtFormulaTag>;

class Smt {
 public:
  Smt();
  ~Smt();
  Smt(const Smt&) = delete;
  Smt& operator=(const Smt&) = delete;

  SmtSort sort(const std::string& name);
  SmtRelation relation(const std::string& name, std::span<const SmtSort> sorts);
  SmtElement constant(const std::string& name, SmtSort sort);
  // A new variable, to be bound by forall() or exists().
  SmtElement variable(SmtSort sort);

  SmtFormula truth(bool value);
  SmtFormula holds(SmtRelation relation, std::span<const SmtElement> elements);
  SmtFormula same(SmtElement a, SmtElement b);
  SmtFormula negation(SmtFormula formula);
  SmtFormula all(std::span<const SmtFormula> formulas);
  SmtFormula any(std::span<const SmtFormula> formulas);
  SmtFormula both(SmtFormula a, SmtFormula b);
  SmtFormula either(SmtFormula a, SmtFormula b);
  SmtFormula implies(SmtFormula a, SmtFormula b);
  SmtFormula iff(SmtFormula a, SmtFormula b);
  SmtFormula forall(std::span<const SmtElement> variables, SmtFormula body);
  SmtFormula exists(std::span<const SmtElement> variables, SmtFormula body);

  // Whether the formulas, which have no free variables, have a common model.  `steps_max`
  // bounds the work in the solver's own unit (about a million a second); unlike time, it
  // gives the same answer on every machine.
  SatAnswer solve(std::span<const SmtFormula> formulas, const Budget& budget,
                  std::optional<std::uint32_t> steps_max = std::nullopt);

  // The same question as an SMT-LIB script, for any other solver.
  [[nodiscard]] std::string script(std::span<const SmtFormula> formulas) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace isomer::logic
