// SPDX-License-Identifier: MIT
#include "audit/constraint.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "base/assert.h"
#include "level/encoder.h"
#include "logic/term_solver.h"

namespace isomer::audit {
namespace {

using level::Level;
using level::Op;
using level::Sort;
using level::TermId;
using logic::Bit;
using logic::Circuit;

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

std::optional<std::uint32_t> witness_named(const Level& level, std::string_view name) {
  for (std::uint32_t i = 0; i < level.witnesses.size(); ++i)
    if (level.witnesses[i].name == name && !level.witnesses[i].is_keyed) return i;
  return std::nullopt;
}

// --- circuits, and back to terms ---

class Ground {
 public:
  Ground(Terms& terms, const Plan& plan, std::span<const std::uint32_t> types,
         const Execution& execution)
      : terms_(terms), plan_(plan), types_(types), execution_(execution) {
    const std::size_t count = types.size() + 1;
    given_.txn_exists.assign(count, logic::true_bit);
    given_.so = Matrix<Bit>(count, count, logic::false_bit);
    for (std::size_t i = 1; i < count; ++i)
      given_.so(0, i) = logic::true_bit;
    for (auto& flawed : given_.flawed)
      flawed.assign(count, logic::false_bit);
    for (const Level& level : plan.levels)
      for (const std::string& type : level.type_names)
        given_.typed[type] = instances_of(type);
    vis_ = with_init(execution.vis);
    ar_ = with_init(execution.ar);
    for (std::size_t x = 0; x < execution.writers.size(); ++x)
      add_key(x);
  }

  Term demanded() {
    std::vector<Bit> parts;
    for (std::uint32_t i = 0; i < plan_.levels.size(); ++i)
      add_level(i, parts);
    std::vector<Term> out{meaning(circuit_.all(parts))};
    for (const auto& group : plan_.serial)
      add_serial(group, out);
    return terms_.all(out);
  }

 private:
  Bit variable(Term term) {
    if (terms_.is_true(term)) return logic::true_bit;
    if (terms_.is_false(term)) return logic::false_bit;
    const Bit bit = circuit_.variable();
    meanings_.resize(bit.node() + 1);
    meanings_[bit.node()] = term;
    return bit;
  }

  std::vector<Bit> instances_of(const std::string& type) const {
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
        if (i != j) out(i, j) = variable(relation(i - 1, j - 1));
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
      given_.writers.back()[i] = variable(execution_.writers[x][i - 1]);
      for (std::size_t j = 1; j < count; ++j)
        if (i != j) given_.wr.back()(i, j) = variable(execution_.wr[x](i - 1, j - 1));
    }
  }

  void add_level(std::uint32_t number, std::vector<Bit>& parts) {
    const Level& level = plan_.levels[number];
    level::Execution<Bit> execution(level.witnesses.size());
    execution[*witness_named(level, "vis")] = {vis_};
    execution[*witness_named(level, "ar")] = {ar_};
    level::Encoder encoder(circuit_, level, given_, execution);
    std::vector<bool> has_level(types_.size() + 1);
    for (std::size_t i = 0; i < types_.size(); ++i)
      has_level[i + 1] = plan_.level_of[types_[i]] == number;
    for (const level::Axiom& axiom : level.axioms) {
      if (axiom.is_shape) continue;
      parts.push_back(axiom.is_base ? encoder.formula(axiom.formula)
                                    : promised(encoder, level, axiom.formula, has_level));
    }
  }

  Bit promised(level::Encoder& encoder, const Level& level, TermId id,
               const std::vector<bool>& has_level) {
    const level::Term& term = level.terms[id];
    const bool is_for_all =
        std::all_of(has_level.begin() + 1, has_level.end(), [](bool has) { return has; });
    if (is_for_all) return encoder.formula(id);
    if (term.op == Op::And)
      return circuit_.both(promised(encoder, level, term.arguments()[0], has_level),
                           promised(encoder, level, term.arguments()[1], has_level));
    if (term.op == Op::Forall && term.type.first == Sort::Key) {
      std::vector<Bit> parts;
      for (std::size_t x = 0; x < given_.key_exists.size(); ++x) {
        encoder.bind(term.number, static_cast<std::uint16_t>(x));
        parts.push_back(promised(encoder, level, term.arguments()[0], has_level));
      }
      return circuit_.all(parts);
    }
    if (term.op != Op::In ||
        level.terms[term.arguments()[0]].type.kind != level::Kind::Relation)
      return logic::true_bit;
    const logic::Relation left = encoder.relation(term.arguments()[0]);
    const logic::Relation right = encoder.relation(term.arguments()[1]);
    std::vector<Bit> parts;
    for (std::size_t i = 1; i < left.rows(); ++i)
      for (std::size_t j = 1; j < left.columns(); ++j)
        if (has_level[j] && i != j)
          parts.push_back(
              circuit_.implies(circuit_.both(left(i, j), ar_(i, j)), right(i, j)));
    return circuit_.all(parts);
  }

  void add_serial(const std::vector<std::uint32_t>& group, std::vector<Term>& out) {
    for (std::size_t i = 0; i < types_.size(); ++i)
      for (std::size_t j = 0; j < types_.size(); ++j)
        if (i != j && is_serial_pair(group, types_[i], types_[j]))
          out.push_back(terms_.implies(execution_.ar(i, j), execution_.vis(i, j)));
  }

  // A pair of a type with itself is written [t, t]; [t, u] says nothing of two t.
  static bool is_serial_pair(const std::vector<std::uint32_t>& group, std::uint32_t a,
                             std::uint32_t b) {
    const auto count = [&](std::uint32_t type) {
      return std::count(group.begin(), group.end(), type);
    };
    return a == b ? count(a) > 1 : count(a) > 0 && count(b) > 0;
  }

  Term meaning(Bit bit) {
    const Term node = node_meaning(bit.node());
    return bit.is_negated() ? terms_.negation(node) : node;
  }

  Term node_meaning(std::uint32_t node) {
    if (meanings_.size() <= node) meanings_.resize(circuit_.node_count() + 1);
    if (node == 0) return terms_.truth(false);
    if (!meanings_[node].is_none()) return meanings_[node];
    std::vector<Term> inputs;
    for (const Bit input : circuit_.inputs(node))
      inputs.push_back(meaning(input));
    const Term out = terms_.all(inputs);
    meanings_[node] = out;
    return out;
  }

  Terms& terms_;
  const Plan& plan_;
  std::span<const std::uint32_t> types_;
  const Execution& execution_;
  Circuit circuit_;
  level::Given<Bit> given_;
  Matrix<Bit> vis_;
  Matrix<Bit> ar_;
  std::vector<Term> meanings_;  // by node
};

}  // namespace

std::string obstacle(const Level& level) {
  if (!witness_named(level, "vis") || !witness_named(level, "ar"))
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

Execution open_execution(Terms& terms, std::size_t count, std::vector<Term>& facts) {
  Execution out;
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
              const Execution& execution) {
  return Ground(terms, plan, types, execution).demanded();
}

namespace {

bool is_contradictory(Terms& terms, const std::vector<Term>& facts) {
  logic::TermSolver solver(terms);
  for (const Term fact : facts)
    solver.add(fact);
  return solver.solve({}, Budget(10)) == logic::SatAnswer::Unsatisfiable;
}

}  // namespace

bool writers_conflict(const Plan& plan, std::uint32_t first, std::uint32_t second) {
  Terms terms;
  std::vector<Term> facts;
  Execution execution = open_execution(terms, 2, facts);
  execution.writers.push_back({terms.truth(true), terms.truth(true)});
  execution.wr.emplace_back(2, 2, terms.truth(false));
  const std::array types{first, second};
  facts.push_back(demanded(terms, plan, types, execution));
  facts.push_back(terms.negation(terms.either(execution.vis(0, 1), execution.vis(1, 0))));
  return is_contradictory(terms, facts);
}

bool is_uniform(const Plan& plan) {
  return plan.levels.size() == 1 && plan.serial.empty() &&
         plan.levels.front().type_names.empty();
}

bool sees_transitively(const Plan& plan) {
  if (!is_uniform(plan)) return false;
  Terms terms;
  std::vector<Term> facts;
  const Execution execution = open_execution(terms, 3, facts);
  const std::array<std::uint32_t, 3> types{0, 0, 0};
  facts.push_back(demanded(terms, plan, types, execution));
  facts.push_back(execution.vis(0, 1));
  facts.push_back(execution.vis(1, 2));
  facts.push_back(terms.negation(execution.vis(0, 2)));
  return is_contradictory(terms, facts);
}

}  // namespace isomer::audit
