// SPDX-License-Identifier: MIT
// Is there an execution that satisfies a level's text?  Bounded model finding: the witness
// relations, and whatever a history leaves open, are variables of a circuit; the axioms are
// its outputs.
//
// The caller makes the circuit, and limits it (logic::Circuit::set_limit): when that limit
// is met, every answer is Unknown.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "level/encode.h"
#include "level/history_tables.h"
#include "level/level.h"
#include "logic/finder.h"

namespace isomer::level {

// Witness relations as open as the framework leaves them: the total orders are orders (the
// constraint that makes them so goes to `facts`), every other relation is any relation.
Execution<Bit> open_execution(Circuit& circuit, const Level& level,
                              const HistoryTables<Bit>& tables, std::vector<Bit>& facts);

// Concrete tables as constants.
HistoryTables<Bit> constant_tables(const HistoryTables<Truth>& tables);
Execution<Bit> constant_execution(const Execution<Truth>& execution);

// What the finder's model says of a relation, a history and an execution.
Matrix<Truth> concrete(logic::Finder& finder, const Matrix<Bit>& table);
HistoryTables<Truth> concrete(logic::Finder& finder, const HistoryTables<Bit>& tables);
Execution<Truth> concrete(logic::Finder& finder, const Execution<Bit>& execution);

class ExecutionSearch {
 public:
  // Everything must outlive the search.
  ExecutionSearch(Circuit& circuit, const Level& level, const HistoryTables<Bit>& tables,
                  const Execution<Bit>& execution);

  // What else every execution satisfies.
  void require(std::span<const Bit> facts);

  // At least one of `facts` holds.
  void require_any(std::span<const Bit> facts) { finder_.require_any(facts); }

  // The value to try first for each pair of a total order: the lower transaction first.
  void prefer_given_order();

  // An execution that satisfies every axiom.  `find_for_good` makes the axioms facts, which
  // is faster, but afterwards nothing can be asked without them.
  logic::SatAnswer find(const Budget& budget);
  logic::SatAnswer find_for_good(const Budget& budget);

  // What was found.
  [[nodiscard]] logic::Finder& model() { return finder_; }

  // If nothing was found: axioms (indices into Level::axioms) that cannot hold together,
  // such that any fewer can.  Of several such sets one with many of the level's own axioms:
  // they say more than those of the framework.  Empty if the facts exclude each other;
  // absent if the budget runs out.
  std::optional<std::vector<std::size_t>> conflicting_axioms(const Budget& budget);

 private:
  const Circuit& circuit_;
  const Level& level_;
  const Execution<Bit>& execution_;
  logic::Finder finder_;
  std::vector<Bit> axioms_;
};

}  // namespace isomer::level
