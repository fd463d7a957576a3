// SPDX-License-Identifier: MIT
// Executions whose cells a solver chooses, and the way to and from concrete ones.
#pragma once

#include <vector>

#include "level/encode.h"
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

}  // namespace isomer::level
