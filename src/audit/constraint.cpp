// SPDX-License-Identifier: MIT
#include "audit/constraint.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "audit/mixed_level.h"
#include "level/encoder.h"
#include "logic/term_bridge.h"
#include "logic/term_solver.h"

namespace isomer::audit {
namespace {

using level::Level;
using level::Op;
using level::TermId;
using logic::Bit;

// --- which texts are inherited by parts ---

// Grows with what is in the execution: may stand where it makes a demand weaker if a part
// has less of it.
bool is_monotone(const Level& level, TermId id);

// The same in a part as in the whole, and free of what a part may have less of.
bool is_exact(const Level& level, TermId id) {
  const level::Term& term = level.terms[id];
  switch (term.op) {
    case Op::Domain:
    case Op::Variable:
    case Op::Init:
    case Op::Singleton:
    case Op::TypeNamed:
    case Op::Witness:
    case Op::Identity:
    case Op::Product:
    case Op::Empty:
    case Op::Union:
    case Op::Intersection:
    case Op::Difference:
    case Op::Inverse:
    case Op::Optional:
      break;
    default:
      return false;
  }
  return std::all_of(term.arguments().begin(), term.arguments().end(),
                     [&](TermId part) { return is_exact(level, part); });
}

bool is_monotone(const Level& level, TermId id) {
  const level::Term& term = level.terms[id];
  if (term.op == Op::Difference)
    return is_monotone(level, term.arguments()[0]) && is_exact(level, term.arguments()[1]);
  if (term.op == Op::Rf || term.op == Op::Po) return false;
  return std::all_of(term.arguments().begin(), term.arguments().end(),
                     [&](TermId part) { return is_monotone(level, part); });
}

bool is_inherited(const Level& level, TermId id) {
  const level::Term& term = level.terms[id];
  const auto part = [&](std::size_t i) { return term.arguments()[i]; };
  switch (term.op) {
    case Op::True:
      return true;
    case Op::And:
      return is_inherited(level, part(0)) && is_inherited(level, part(1));
    case Op::Forall:
      return is_inherited(level, part(0));
    case Op::In:
      return is_monotone(level, part(0)) && is_exact(level, part(1));
    case Op::IsEmpty:
    case Op::Acyclic:
    case Op::Irreflexive:
      return is_monotone(level, part(0));
    case Op::Transitive:
      return is_exact(level, part(0));
    case Op::Total:
      return is_exact(level, part(0)) && is_exact(level, part(1));
    default:
      return false;
  }
}

bool has_witness(const Level& level, std::string_view name) {
  return std::any_of(level.witnesses.begin(), level.witnesses.end(),
                     [&](const level::Witness& witness) {
                       return witness.name == name && !witness.is_keyed;
                     });
}

// --- levels, grounded ---

class Ground {
 public:
  Ground(Terms& terms, const Plan& plan, std::span<const std::uint32_t> types,
         const Visibility& execution)
      : bridge_(terms),
        plan_(plan),
        types_(types),
        execution_(execution),
        level_(mixed_level(plan)) {
    const std::size_t count = types.size() + 1;
    given_.txn_exists.assign(count, logic::true_bit);
    given_.so = Matrix<Bit>(count, count, logic::false_bit);
    for (std::size_t i = 1; i < count; ++i)
      given_.so(0, i) = logic::true_bit;
    for (auto& flawed : given_.flawed)
      flawed.assign(count, logic::false_bit);
    for (const std::string& type : level_.type_names)
      given_.typed[type] = runs_of(type);
    vis_ = with_init(execution.vis);
    ar_ = with_init(execution.ar);
    for (std::size_t x = 0; x < execution.writers.size(); ++x)
      add_key(x);
  }

  Term demanded() {
    level::Execution<Bit> execution(level_.witnesses.size());
    execution[witness_named(level_, "vis")] = {vis_};
    execution[witness_named(level_, "ar")] = {ar_};
    level::Encoder encoder(bridge_.circuit, level_, given_, execution);
    std::vector<Bit> parts;
    for (const level::Axiom& axiom : level_.axioms)
      if (!axiom.is_shape) parts.push_back(encoder.formula(axiom.formula));
    return bridge_.term(bridge_.circuit.all(parts));
  }

 private:
  std::vector<Bit> runs_of(const std::string& type) const {
    std::vector<Bit> out{logic::false_bit};
    for (const std::uint32_t of : types_)
      out.push_back(logic::constant(plan_.type_names[of] == type));
    return out;
  }

  Matrix<Bit> with_init(const Matrix<Term>& relation) {
    const std::size_t count = types_.size() + 1;
    Matrix<Bit> out(count, count, logic::false_bit);
    for (std::size_t i = 1; i < count; ++i) {
      out(0, i) = logic::true_bit;
      for (std::size_t j = 1; j < count; ++j)
        if (i != j) out(i, j) = bridge_.bit(relation(i - 1, j - 1));
    }
    return out;
  }

  void add_key(std::size_t x) {
    const std::size_t count = types_.size() + 1;
    given_.key_exists.push_back(logic::true_bit);
    given_.writers.emplace_back(count, logic::false_bit);
    given_.readers.emplace_back(count, logic::false_bit);
    given_.wr.emplace_back(count, count, logic::false_bit);
    for (std::size_t i = 1; i < count; ++i) {
      given_.writers.back()[i] = bridge_.bit(execution_.writers[x][i - 1]);
      for (std::size_t j = 1; j < count; ++j)
        if (i != j) given_.wr.back()(i, j) = bridge_.bit(execution_.wr[x](i - 1, j - 1));
    }
  }

  logic::TermBridge bridge_;
  const Plan& plan_;
  std::span<const std::uint32_t> types_;
  const Visibility& execution_;
  const Level level_;
  level::HistoryTables<Bit> given_;
  Matrix<Bit> vis_;
  Matrix<Bit> ar_;
};

}  // namespace

std::string obstacle(const Level& level) {
  if (!has_witness(level, "vis") || !has_witness(level, "ar"))
    return fmt::format(
        "{} is not a level of visibility (vis) and arbitration (ar), which is what audit "
        "can use: EC, CC, PC, PSI, SI, SER of the framework cerone, or a level file of "
        "that "
        "framework{}",
        level.qualified_name(),
        level.name == "RC" ? "; the statements of one transaction at READ COMMITTED do not "
                             "share one snapshot, which visibility between transactions "
                             "cannot express"
                           : "");
  if (level.witnesses.size() != 2 || level.uses_events || level.uses_values)
    return fmt::format("{} speaks of more than visibility and arbitration of transactions",
                       level.qualified_name());
  for (const level::Axiom& axiom : level.axioms)
    if (!axiom.is_shape && !is_inherited(level, axiom.formula))
      return fmt::format(
          "axiom {} of {} may hold for an execution and not for a part of it, so audit "
          "cannot use it",
          axiom.name, level.qualified_name());
  return "";
}

Visibility open_visibility(Terms& terms, std::size_t count, std::vector<Term>& facts) {
  Visibility out;
  const auto open = [&](const char* name, std::size_t i, std::size_t j) {
    return terms.variable(fmt::format("{}.{}.{}", name, i, j), logic::TermSort::Bool);
  };
  out.vis = Matrix<Term>(count, count, terms.truth(false));
  out.ar = Matrix<Term>(count, count, terms.truth(false));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      if (i != j) out.vis(i, j) = open("vis", i, j);
      if (i < j) {
        out.ar(i, j) = open("ar", i, j);
        out.ar(j, i) = terms.negation(out.ar(i, j));
      }
    }
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      for (std::size_t k = 0; k < count; ++k)
        if (i != j && j != k && i != k)
          facts.push_back(
              terms.implies(terms.both(out.ar(i, j), out.ar(j, k)), out.ar(i, k)));
  return out;
}

Term demanded(Terms& terms, const Plan& plan, std::span<const std::uint32_t> types,
              const Visibility& execution) {
  return Ground(terms, plan, types, execution).demanded();
}

namespace {

constexpr double question_seconds = 10;

bool is_contradictory(Terms& terms, const std::vector<Term>& facts, const Budget& budget) {
  logic::TermSolver solver(terms);
  for (const Term fact : facts)
    solver.add(fact);
  return solver.solve({}, budget.within(question_seconds)) ==
         logic::SatAnswer::Unsatisfiable;
}

}  // namespace

bool writers_conflict(const Plan& plan, std::uint32_t first, std::uint32_t second,
                      const Budget& budget) {
  Terms terms;
  std::vector<Term> facts;
  Visibility execution = open_visibility(terms, 2, facts);
  execution.writers.push_back({terms.truth(true), terms.truth(true)});
  execution.wr.emplace_back(2, 2, terms.truth(false));
  const std::array types{first, second};
  facts.push_back(demanded(terms, plan, types, execution));
  facts.push_back(terms.negation(terms.either(execution.vis(0, 1), execution.vis(1, 0))));
  return is_contradictory(terms, facts, budget);
}

bool is_uniform(const Plan& plan) {
  return plan.levels.size() == 1 && plan.serial.empty() &&
         plan.levels.front().type_names.empty();
}

bool sees_transitively(const Plan& plan, const Budget& budget) {
  if (!is_uniform(plan)) return false;
  Terms terms;
  std::vector<Term> facts;
  const Visibility execution = open_visibility(terms, 3, facts);
  const std::array<std::uint32_t, 3> types{0, 0, 0};
  facts.push_back(demanded(terms, plan, types, execution));
  facts.push_back(execution.vis(0, 1));
  facts.push_back(execution.vis(1, 2));
  facts.push_back(terms.negation(execution.vis(0, 2)));
  return is_contradictory(terms, facts, budget);
}

}  // namespace isomer::audit
