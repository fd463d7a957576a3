// SPDX-License-Identifier: MIT
#include "level/encode.h"

#include "level/encoder.h"

namespace isomer::level {

using logic::false_bit;
using logic::true_bit;

std::vector<Bit> encode_axioms(Circuit& circuit, const Level& level,
                               const HistoryTables<Bit>& tables,
                               const Execution<Bit>& execution) {
  // Then the execution may lack tables.
  if (circuit.is_exhausted()) return std::vector<Bit>(level.axioms.size(), false_bit);
  Encoder encoder(circuit, level, tables, execution);
  std::vector<Bit> out;
  for (const Axiom& axiom : level.axioms)
    out.push_back(axiom.is_shape ? true_bit : encoder.formula(axiom.formula));
  return out;
}

Matrix<Bit> restrict_order(Circuit& circuit, const Level& level, std::uint32_t witness,
                           std::size_t key, const Matrix<Bit>& order,
                           const HistoryTables<Bit>& tables) {
  const TermId on = level.witnesses[witness].on;
  Set members = tables.txn_exists;
  if (!on.is_none()) {
    const Execution<Bit> none;  // a set that an order is total on mentions no witness
    Encoder encoder(circuit, level, tables, none);
    encoder.bind(0, static_cast<std::uint16_t>(key));
    members = encoder.set(on);
  }
  return intersect(circuit, order, product(circuit, members, members));
}

Bit encode(Circuit& circuit, const Level& level, TermId formula,
           const HistoryTables<Bit>& tables, const Execution<Bit>& execution) {
  return Encoder(circuit, level, tables, execution).formula(formula);
}

}  // namespace isomer::level
