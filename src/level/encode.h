// SPDX-License-Identifier: MIT
// A level's text as a circuit: the second meaning of a level, for universes where the
// history, the execution or both are partly open (level/eval.h has the first).
#pragma once

#include <optional>
#include <vector>

#include "level/given.h"
#include "level/level.h"
#include "logic/circuit.h"

namespace isomer::level {

using logic::Bit;
using logic::Circuit;

// Witness relations as open as the framework leaves them: the total orders are orders (the
// constraint that makes them so goes to `facts`), every other relation is any relation.
Execution<Bit> open_execution(Circuit& circuit, const Level& level, const Given<Bit>& given,
                              std::vector<Bit>& facts);

// The bit that says whether the axiom holds, for each axiom of the level except those of
// the witnesses' shape (true_bit).
std::vector<Bit> encode_axioms(Circuit& circuit, const Level& level,
                               const Given<Bit>& given, const Execution<Bit>& execution);

// An order of all transactions cut down to what the total-order witness is an order of.
Matrix<Bit> restrict_order(Circuit& circuit, const Level& level, std::uint32_t witness,
                           std::size_t key, const Matrix<Bit>& order,
                           const Given<Bit>& given);

// One formula.
Bit encode(Circuit& circuit, const Level& level, TermId formula, const Given<Bit>& given,
           const Execution<Bit>& execution);

// Concrete tables as constants.
Given<Bit> constant_given(const Given<Truth>& given);
Execution<Bit> constant_execution(const Execution<Truth>& execution);

}  // namespace isomer::level
