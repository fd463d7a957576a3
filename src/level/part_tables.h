// SPDX-License-Identifier: MIT
// What a recorded history, or part of it, gives to a level text.  What the part leaves open
// is either settled (a concrete history) or left to a solver.
#pragma once

#include <vector>

#include "level/history_tables.h"
#include "level/level.h"
#include "level/part.h"
#include "logic/circuit.h"

namespace isomer::level {

HistoryTables<Truth> history_tables(const Part& part, const Choices& choices);

// The same left open to a solver.
struct OpenTables {
  HistoryTables<logic::Bit> tables;
  std::vector<logic::Bit> facts;                // what every history satisfies
  std::vector<std::vector<logic::Bit>> writer;  // by Part::open_reads, then candidate
  std::vector<logic::Bit> took_effect;          // by Part::open_txns
};

OpenTables open_tables(const Part& part, logic::Circuit& circuit);

// A version order that was seen binds the orders of an execution: a total order never has
// the later writer first.  Keyed witnesses (vo[x]) speak of their own key, the others (co,
// ar) of all.
std::vector<logic::Bit> version_facts(const Part& part, const Level& level,
                                      const Execution<logic::Bit>& execution);
bool respects_versions(const Part& part, const Level& level,
                       const Execution<Truth>& execution);

}  // namespace isomer::level
