// SPDX-License-Identifier: MIT
// The search for an execution requires every axiom, so that what the framework settles can
// be a constant (narrow_execution.h).  The search for conflicting axioms must be able to do
// without each of them, so it works on relations that are all open; it is asked of small
// parts only.
#include "check/generic/search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "base/assert.h"
#include "check/narrow_execution.h"
#include "level/execution_search.h"
#include "level/rewrite.h"

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
// The same of the circuit, whatever was estimated.
constexpr std::size_t inputs_max = 300'000'000;

// What a search will hold at one time, roughly: the tables of the history, those of the
// terms, the gates of compositions and closures, and the clauses of orders.
class Estimate {
 public:
  Estimate(const Part& part, const Level& level) : universe_(part.index), level_(level) {}

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

  const level::TableIndex& universe_;
  const Level& level_;
  std::array<double, level::Terms::variable_count_max> range_{};
  std::vector<bool> is_open_;  // by term: depends on a relation that is not an order
};

level::Choices choices_in(Finder& model, const Part& part, const level::OpenTables& open) {
  level::Choices choices;
  for (std::size_t r = 0; r < part.open_reads.size(); ++r) {
    const auto chosen = std::find_if(open.writer[r].begin(), open.writer[r].end(),
                                     [&](Bit bit) { return model.value(bit); });
    choices.writers.push_back(
        part.open_reads[r]
            .candidates[static_cast<std::size_t>(chosen - open.writer[r].begin())]);
  }
  for (const Bit bit : open.took_effect)
    choices.took_effect.push_back(model.value(bit));
  return choices;
}

// Why a search ended without an answer: time, or the limit of the circuit.
std::string reason_of(const Budget& budget) {
  return budget.is_exhausted() ? budget.reason() : "memory";
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
  circuit.set_limit(budget, inputs_max);
  const level::OpenTables open = level::open_tables(part, circuit);
  const NarrowExecution narrow = narrow_execution(circuit, level, part, open);
  if (circuit.is_exhausted()) return unknown(reason_of(budget));
  Found result;
  if (narrow.is_contradictory) {
    result.kind = Found::Kind::None;
    return result;
  }
  level::ExecutionSearch search(circuit, level, open.tables, narrow.execution);
  search.require(open.facts);
  search.require(narrow.facts);
  for (const auto& clause : narrow.clauses)
    search.require_any(clause);
  search.require(level::version_facts(part, level, narrow.execution));
  switch (search.find_for_good(budget)) {
    case SatAnswer::Unknown:
      return unknown(reason_of(budget));
    case SatAnswer::Unsatisfiable:
      result.kind = Found::Kind::None;
      return result;
    case SatAnswer::Satisfiable:
      break;
  }
  result.kind = Found::Kind::Execution;
  result.choices = choices_in(search.model(), part, open);
  result.execution = level::concrete(search.model(), narrow.execution);
  return result;
}

std::optional<std::vector<std::size_t>> conflicting_axioms(const Part& part,
                                                           const Level& definition,
                                                           const Budget& budget) {
  const Level level = level::miniscoped(definition);
  Circuit circuit;
  circuit.set_limit(budget, inputs_max);
  const level::OpenTables open = level::open_tables(part, circuit);
  std::vector<Bit> facts = open.facts;
  const level::Execution<Bit> execution =
      level::open_execution(circuit, level, open.tables, facts);
  if (circuit.is_exhausted()) return std::nullopt;
  level::ExecutionSearch search(circuit, level, open.tables, execution);
  search.require(facts);
  search.require(level::version_facts(part, level, execution));
  return search.conflicting_axioms(budget);
}

}  // namespace isomer::check
