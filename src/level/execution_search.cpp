// SPDX-License-Identifier: MIT
#include "level/execution_search.h"

namespace isomer::level {

using logic::SatAnswer;

ExecutionSearch::ExecutionSearch(Circuit& circuit, const Level& level,
                                 const HistoryTables<Bit>& tables,
                                 const Execution<Bit>& execution)
    : circuit_(circuit),
      level_(level),
      execution_(execution),
      finder_(circuit),
      axioms_(encode_axioms(circuit, level, tables, execution)) {}

void ExecutionSearch::require(std::span<const Bit> facts) {
  for (const Bit fact : facts)
    finder_.require(fact);
}

void ExecutionSearch::prefer_given_order() {
  for (std::size_t w = 0; w < execution_.size(); ++w)
    if (level_.witnesses[w].is_total_order)
      for (const Matrix<Bit>& table : execution_[w])
        for (std::size_t i = 0; i < table.rows(); ++i)
          for (std::size_t j = i + 1; j < table.columns(); ++j)
            if (circuit_.inputs(table(i, j).node()).empty()) finder_.prefer(table(i, j));
}

SatAnswer ExecutionSearch::find(const Budget& budget) {
  return finder_.solve(budget, axioms_);
}

SatAnswer ExecutionSearch::find_for_good(const Budget& budget) {
  require(axioms_);
  return finder_.solve(budget);
}

// By deletion, first of what comes first: the framework's axioms.
std::optional<std::vector<std::size_t>> ExecutionSearch::conflicting_axioms(
    const Budget& budget) {
  std::vector<std::size_t> core;
  for (std::size_t i = 0; i < axioms_.size(); ++i)
    if (axioms_[i] != logic::true_bit) core.push_back(i);
  for (std::size_t at = 0; at < core.size();) {
    std::vector<Bit> assumed;
    for (const std::size_t i : core)
      if (i != core[at]) assumed.push_back(axioms_[i]);
    const SatAnswer answer = finder_.solve(budget, assumed);
    if (answer == SatAnswer::Unknown) return std::nullopt;
    if (answer == SatAnswer::Unsatisfiable)
      core.erase(core.begin() + static_cast<std::ptrdiff_t>(at));
    else
      ++at;
  }
  return core;
}

}  // namespace isomer::level
