// SPDX-License-Identifier: MIT
// Do the invariants of a program hold after a run?
#pragma once

#include <vector>

#include "store/ran_transaction.h"

namespace isomer::store {

// The tables of the program, and each SQL invariant as a transaction type that returns what
// its query says, so that the machine can answer it.
Program invariant_program(const Program& program);

// SQL invariants are queries over the final state; NULL does not hold.  Litmus asserts are
// over the locals of labelled transactions.
std::vector<InvariantOutcome> check_invariants(const Program& program,
                                               const Program& invariants,
                                               const FinalState& state,
                                               const std::vector<RanTransaction>& ran,
                                               program::Granularity granularity);

}  // namespace isomer::store
