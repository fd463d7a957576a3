// SPDX-License-Identifier: MIT
// Each question gets a solver of its own: Z3 prepares a problem better when it sees the
// whole of it, and what earlier questions taught it does not make later answers vary.
#include "logic/smt.h"

#include <z3++.h>

#include <vector>

#include "base/assert.h"
#include "logic/smt_question.h"
#include "logic/watch.h"

namespace isomer::logic {

struct Smt::State {
  z3::context context;
  std::vector<z3::sort> sorts;
  std::vector<z3::func_decl> relations;
  std::vector<z3::expr> elements;
  std::vector<z3::expr> formulas;

  SmtElement add_element(const z3::expr& element) {
    elements.push_back(element);
    return {static_cast<std::uint32_t>(elements.size() - 1)};
  }

  SmtFormula add(const z3::expr& formula) {
    formulas.push_back(formula);
    return {static_cast<std::uint32_t>(formulas.size() - 1)};
  }

  [[nodiscard]] const z3::expr& operator[](SmtFormula formula) const {
    return formulas[formula.index];
  }

  z3::expr_vector vector(std::span<const SmtElement> ids) {
    z3::expr_vector result(context);
    for (const SmtElement id : ids)
      result.push_back(elements[id.index]);
    return result;
  }

  z3::expr_vector vector(std::span<const SmtFormula> ids) {
    z3::expr_vector result(context);
    for (const SmtFormula id : ids)
      result.push_back((*this)[id]);
    return result;
  }

  z3::solver solver_of(std::span<const SmtFormula> ids) {
    z3::solver solver(context);
    for (const SmtFormula id : ids)
      solver.add((*this)[id]);
    return solver;
  }
};

Smt::Smt() : state_(std::make_unique<State>()) {}

Smt::~Smt() = default;

SmtSort Smt::sort(const std::string& name) {
  state_->sorts.push_back(state_->context.uninterpreted_sort(name.c_str()));
  return {static_cast<std::uint32_t>(state_->sorts.size() - 1)};
}

SmtRelation Smt::relation(const std::string& name, std::span<const SmtSort> sorts) {
  z3::sort_vector domain(state_->context);
  for (const SmtSort sort : sorts)
    domain.push_back(state_->sorts[sort.index]);
  state_->relations.push_back(
      state_->context.function(name.c_str(), domain, state_->context.bool_sort()));
  return {static_cast<std::uint32_t>(state_->relations.size() - 1)};
}

SmtElement Smt::constant(const std::string& name, SmtSort sort) {
  return state_->add_element(
      state_->context.constant(name.c_str(), state_->sorts[sort.index]));
}

SmtElement Smt::variable(SmtSort sort) {
  z3::context& context = state_->context;
  return state_->add_element(
      z3::expr(context, Z3_mk_fresh_const(context, "v", state_->sorts[sort.index])));
}

SmtFormula Smt::truth(bool value) {
  return state_->add(state_->context.bool_val(value));
}

SmtFormula Smt::holds(SmtRelation relation, std::span<const SmtElement> elements) {
  return state_->add(state_->relations[relation.index](state_->vector(elements)));
}

SmtFormula Smt::same(SmtElement a, SmtElement b) {
  return state_->add(state_->elements[a.index] == state_->elements[b.index]);
}

SmtFormula Smt::negation(SmtFormula formula) {
  return state_->add(!(*state_)[formula]);
}

SmtFormula Smt::all(std::span<const SmtFormula> formulas) {
  return state_->add(z3::mk_and(state_->vector(formulas)));
}

SmtFormula Smt::any(std::span<const SmtFormula> formulas) {
  return state_->add(z3::mk_or(state_->vector(formulas)));
}

SmtFormula Smt::both(SmtFormula a, SmtFormula b) {
  return state_->add((*state_)[a] && (*state_)[b]);
}

SmtFormula Smt::either(SmtFormula a, SmtFormula b) {
  return state_->add((*state_)[a] || (*state_)[b]);
}

SmtFormula Smt::implies(SmtFormula a, SmtFormula b) {
  return state_->add(z3::implies((*state_)[a], (*state_)[b]));
}

SmtFormula Smt::iff(SmtFormula a, SmtFormula b) {
  return state_->add((*state_)[a] == (*state_)[b]);
}

SmtFormula Smt::forall(std::span<const SmtElement> variables, SmtFormula body) {
  return state_->add(z3::forall(state_->vector(variables), (*state_)[body]));
}

SmtFormula Smt::exists(std::span<const SmtElement> variables, SmtFormula body) {
  return state_->add(z3::exists(state_->vector(variables), (*state_)[body]));
}

SatAnswer Smt::solve(std::span<const SmtFormula> formulas, const Budget& budget,
                     std::optional<std::uint32_t> steps_max) {
  if (budget.is_exhausted()) return SatAnswer::Unknown;
  try {
    z3::solver solver = state_->solver_of(formulas);
    if (steps_max) {
      z3::params params(state_->context);
      params.set("rlimit", static_cast<unsigned>(*steps_max));
      solver.set(params);
    }
    const Watch watch(budget, [this] { state_->context.interrupt(); });
    switch (ask(solver, budget)) {
      case z3::sat:
        return SatAnswer::Satisfiable;
      case z3::unsat:
        return SatAnswer::Unsatisfiable;
      case z3::unknown:
        return SatAnswer::Unknown;
    }
  } catch (const z3::exception&) {  // how some interruptions are reported
  }
  return SatAnswer::Unknown;
}

std::string Smt::script(std::span<const SmtFormula> formulas) const {
  return state_->solver_of(formulas).to_smt2();
}

}  // namespace isomer::logic
