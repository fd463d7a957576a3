// SPDX-License-Identifier: MIT
// A level's text evaluated on a concrete execution: no search, no solver.  This is what
// decides whether a witness is one.
#pragma once

#include "level/history_tables.h"
#include "level/level.h"

namespace isomer::level {

bool holds(const Level& level, TermId formula, const HistoryTables<Truth>& tables,
           const Execution<Truth>& execution);

// The first axiom of the level (the shape of its witnesses included) that does not hold;
// null if all do.
const Axiom* failing_axiom(const Level& level, const HistoryTables<Truth>& tables,
                           const Execution<Truth>& execution);

}  // namespace isomer::level
