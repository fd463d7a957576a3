// SPDX-License-Identifier: MIT
// A level's text as a circuit: the second meaning of a level, for universes where the
// history, the execution or both are partly open (level/eval.h has the first).
#pragma once

#include <optional>
#include <vector>

#include "level/history_tables.h"
#include "level/level.h"
#include "logic/circuit.h"

namespace isomer::level {

using logic::Bit;
using logic::Circuit;

// The bit that says whether the axiom holds, for each axiom of the level except those of
// the witnesses' shape (true_bit).
std::vector<Bit> encode_axioms(Circuit& circuit, const Level& level,
                               const HistoryTables<Bit>& tables,
                               const Execution<Bit>& execution);

// An order of all transactions cut down to what the total-order witness is an order of.
Matrix<Bit> restrict_order(Circuit& circuit, const Level& level, std::uint32_t witness,
                           std::size_t key, const Matrix<Bit>& order,
                           const HistoryTables<Bit>& tables);

// One formula.
Bit encode(Circuit& circuit, const Level& level, TermId formula,
           const HistoryTables<Bit>& tables, const Execution<Bit>& execution);

}  // namespace isomer::level
