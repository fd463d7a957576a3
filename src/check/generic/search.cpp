// SPDX-License-Identifier: MIT
// Bounded model finding: the witness relations and the open choices of the history are
// variables of a circuit, the axioms its output.
//
// The search for an execution requires every axiom, so that what the framework settles can
// be a constant (known_pairs.h).  The search for conflicting axioms must be able to do
// without each of them, so it works on relations that are all open; it is asked of small
// parts only.
#include "check/generic/search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "base/assert.h"
#include "check/known_pairs.h"
#include "level/encode.h"
#include "level/miniscope.h"
#include "logic/finder.h"

namespace isomer::check {
namespace {

using level::Level;
using level::Part;
using logic::Bit;
using logic::Circuit;
using logic::Finder;
using logic::SatAnswer;

// About 2 GiB of tables, gates and clauses.
constexpr double cells_max = 1.5e8;

// What a search will hold at one time, roughly: the tables of the history, those of the
// terms, the gates of compositions and closures, and the clauses of orders.
class Estimate {
 public:
  Estimate(const Part& part, const Level& level)
      : universe_(part.universe), level_(level) {}

  double cells() {
    const double txns = size(level::Sort::Txn);
    double result = size(level::Sort::Key) * txns * txns;
    if (level_.uses_events) result += size(level::Sort::Read) * size(level::Sort::Read);
    const std::vector<bool> is_used = used_terms();
    for (std::uint32_t i = 0; i < level_.terms.size(); ++i) {
      const double cost = tables(level_.terms[{i}]) + gates(level_.terms[{i}]);
      if (is_used[i]) result += cost;
    }
    for (const level::Witness& witness : level_.witnesses)
      if (witness.is_total_order && !witness.is_keyed) result += txns * txns * txns / 6;
    return result;
  }

 private:
  [[nodiscard]] double size(level::Sort sort) const {
    switch (sort) {
      case level::Sort::Txn:
        return static_cast<double>(universe_.txns.size());
      case level::Sort::Key:
        return static_cast<double>(universe_.keys.size());
      case level::Sort::Val:
        return static_cast<double>(universe_.values.size());
      case level::Sort::Read:
        return static_cast<double>(universe_.reads.size());
    }
    ISOMER_UNREACHABLE();
  }

  // Terms come after their arguments.
  [[nodiscard]] std::vector<bool> used_terms() const {
    std::vector<bool> is_used(level_.terms.size(), false);
    for (const level::Axiom& axiom : level_.axioms)
      if (!axiom.is_shape) is_used[axiom.formula.index] = true;
    for (auto i = static_cast<std::uint32_t>(is_used.size()); i-- > 0;)
      if (is_used[i])
        for (const level::TermId argument : level_.terms[{i}].arguments())
          is_used[argument.index] = true;
    return is_used;
  }

  // A table for each assignment to those of the free variables that are inside one that the
  // term does not depend on (see encoder.h).
  double tables(const level::Term& term) {
    if (term.op == level::Op::Variable)
      range_[term.number] = std::max(range_[term.number], size(term.type.first));
    if (term.type.kind != level::Kind::Relation) return 0;
    double count = size(term.type.first) * size(term.type.second);
    for (auto v = static_cast<std::size_t>(std::countr_one(term.free_variables));
         v < range_.size(); ++v)
      if ((term.free_variables >> v & 1U) != 0) count *= std::max(range_[v], 1.0);
    return count;
  }

  // Relations that are not orders of everything have few settled pairs, so a composition or
  // closure of them is cubic.  What depends on a key is small.
  double gates(const level::Term& term) {
    const auto arguments = term.arguments();
    const bool is_open_witness =
        term.op == level::Op::Witness && (!level_.witnesses[term.number].is_total_order ||
                                          level_.witnesses[term.number].is_keyed);
    const auto is_open = [&](level::TermId id) { return is_open_[id.index]; };
    is_open_.push_back(is_open_witness ||
                       std::any_of(arguments.begin(), arguments.end(), is_open));
    const bool is_cubic = term.op == level::Op::Compose || term.op == level::Op::Plus ||
                          term.op == level::Op::Star || term.op == level::Op::Acyclic;
    if (!is_cubic || term.free_variables != 0 ||
        !std::all_of(arguments.begin(), arguments.end(), is_open))
      return 0;
    const double txns = size(level::Sort::Txn);
    return 2 * txns * txns * txns;
  }

  const level::Universe& universe_;
  const Level& level_;
  std::array<double, level::Terms::variable_count_max> range_{};
  std::vector<bool> is_open_;  // by term: depends on a relation that is not an order
};

void require_versions(Finder& finder, const Part& part, const Level& level,
                      const level::Execution<Bit>& execution) {
  for (const Bit fact : level::version_facts(part, level, execution))
    finder.require(fact);
}

level::Choices choices_in(Finder& finder, const Part& part, const level::OpenGiven& open) {
  level::Choices choices;
  for (std::size_t r = 0; r < part.open_reads.size(); ++r) {
    const auto chosen = std::find_if(open.writer[r].begin(), open.writer[r].end(),
                                     [&](Bit bit) { return finder.value(bit); });
    choices.writers.push_back(
        part.open_reads[r]
            .candidates[static_cast<std::size_t>(chosen - open.writer[r].begin())]);
  }
  for (const Bit bit : open.took_effect)
    choices.took_effect.push_back(finder.value(bit));
  return choices;
}

level::Execution<level::Truth> execution_in(Finder& finder,
                                            const level::Execution<Bit>& open) {
  level::Execution<level::Truth> result;
  for (const auto& tables : open) {
    result.emplace_back();
    for (const Matrix<Bit>& table : tables) {
      Matrix<level::Truth>& cells =
          result.back().emplace_back(table.rows(), table.columns(), level::Truth{0});
      for (std::size_t i = 0; i < table.rows(); ++i)
        for (std::size_t j = 0; j < table.columns(); ++j)
          cells(i, j) = finder.value(table(i, j)) ? 1 : 0;
    }
  }
  return result;
}

Found unknown(std::string reason) {
  Found result;
  result.reason = std::move(reason);
  return result;
}

}  // namespace

Found find_execution(const Part& part, const Level& definition, const Budget& budget) {
  const Level level = level::miniscoped(definition);
  if (Estimate(part, level).cells() > cells_max) return unknown("memory");
  Circuit circuit;
  const level::OpenGiven open = level::open_given(part, circuit);
  const NarrowExecution narrow = narrow_execution(circuit, level, part, open);
  Found result;
  if (narrow.is_contradictory) {
    result.kind = Found::Kind::None;
    return result;
  }
  if (budget.is_exhausted()) return unknown(budget.reason());
  const std::vector<Bit> axioms =
      level::encode_axioms(circuit, level, open.given, narrow.execution);
  Finder finder(circuit);
  for (const Bit fact : open.facts)
    finder.require(fact);
  for (const Bit fact : narrow.facts)
    finder.require(fact);
  for (const auto& clause : narrow.clauses)
    finder.require_any(clause);
  require_versions(finder, part, level, narrow.execution);
  for (const Bit axiom : axioms)
    finder.require(axiom);
  const SatAnswer answer = finder.solve(budget);
  result.clauses = finder.clause_count();
  if (answer == SatAnswer::Unknown) return unknown(budget.reason());
  if (answer == SatAnswer::Unsatisfiable) {
    result.kind = Found::Kind::None;
    return result;
  }
  result.kind = Found::Kind::Execution;
  result.choices = choices_in(finder, part, open);
  result.execution = execution_in(finder, narrow.execution);
  return result;
}

std::optional<std::vector<std::size_t>> conflicting_axioms(const Part& part,
                                                           const Level& definition,
                                                           const Budget& budget) {
  const Level level = level::miniscoped(definition);
  Circuit circuit;
  const level::OpenGiven open = level::open_given(part, circuit);
  std::vector<Bit> facts = open.facts;
  const level::Execution<Bit> execution =
      level::open_execution(circuit, level, open.given, facts);
  const std::vector<Bit> axioms =
      level::encode_axioms(circuit, level, open.given, execution);
  Finder finder(circuit);
  for (const Bit fact : facts)
    finder.require(fact);
  require_versions(finder, part, level, execution);

  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < axioms.size(); ++i)
    if (axioms[i] != logic::true_bit) kept.push_back(i);
  for (std::size_t i = kept.size(); i-- > 0;) {
    std::vector<Bit> assumed;
    for (std::size_t j = 0; j < kept.size(); ++j)
      if (j != i) assumed.push_back(axioms[kept[j]]);
    const SatAnswer answer = finder.solve(budget, assumed);
    if (answer == SatAnswer::Unknown) return std::nullopt;
    if (answer == SatAnswer::Unsatisfiable)
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return kept;
}

}  // namespace isomer::check
