// SPDX-License-Identifier: MIT
#include "synth/execution.h"

#include <algorithm>

#include "base/assert.h"
#include "level/eval.h"
#include "level/execution_search.h"

namespace isomer::synth {
namespace {

using level::Axiom;
using logic::Bit;
using logic::SatAnswer;

// About 2 GiB.
constexpr std::size_t inputs_max = 300'000'000;

NoExecution named(const level::Level& level, const std::vector<std::size_t>& axioms) {
  NoExecution out{.axioms = {}, .is_base = true};
  for (const std::size_t i : axioms) {
    const Axiom& axiom = level.axioms[i];
    if (!axiom.is_base) out.is_base = false;
    if (std::ranges::find(out.axioms, axiom.name) == out.axioms.end())
      out.axioms.push_back(axiom.name);
  }
  return out;
}

}  // namespace

ExecutionAnswer find_execution(const level::LeastForm& form,
                               const HistoryTables<Truth>& tables, const Budget& budget,
                               bool explain) {
  logic::Circuit circuit;
  circuit.set_limit(budget, inputs_max);
  const HistoryTables<Bit> known = level::constant_tables(tables);
  std::vector<Bit> facts;
  const Execution<Bit> execution = open_execution(circuit, form.level, known, facts);
  level::ExecutionSearch search(circuit, form.level, known, execution);
  search.require(facts);
  // A counterexample near the order of the transactions teaches most.
  search.prefer_given_order();
  const SatAnswer answer = search.find(budget);
  if (answer == SatAnswer::Unknown) return OutOfTime{};
  if (answer == SatAnswer::Unsatisfiable) {
    if (!explain) return NoExecution{};
    const auto axioms = search.conflicting_axioms(budget);
    return axioms ? ExecutionAnswer(named(form.level, *axioms)) : OutOfTime{};
  }
  Execution<Truth> found = level::concrete(search.model(), execution);
  ISOMER_ASSERT(level::failing_axiom(form.level, tables, found) == nullptr);
  return found;
}

}  // namespace isomer::synth
