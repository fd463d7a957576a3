// SPDX-License-Identifier: MIT
// From bounded cycles to executions of any length, and from cycles to harm.
#pragma once

#include "audit/search.h"

namespace isomer::audit {

// No cycle of any length: sets the verdict to Serializable if that can be shown, given that
// there is none up to result.cycle_max; says in `result.unknown` if not.
void prove(const Application& application, const Plan& plan, const Options& options,
           Result& result, Effort& effort);

// --- harm ---
//
// Which anomalies certainly do no harm?
//
// Whoever reads what nobody notices (audit/statements/noticed.h) can depend on others as it
// likes: the outcome is that of the transactions without these reads, which the level
// allows too, since an axiom that audit can use never asks for reads to be there.  So if an
// execution without them is serializable, the whole one has the outcome of that serial
// order: the same final state, and the same result for every caller.  (It is about
// transactions that commit.)
//
// To find that out, the cycles are searched once more without these reads.  An anomaly is
// harmless if none of them is made of some of its types.  This is a sufficient condition:
// of any other anomaly it is only known whether a run that does harm was found.

// Sets the harm of the anomalies that are harmless, and adds those that do not need the
// reads that nobody notices, if they were left out for a shorter one that does.  So if all
// are harmless in the end, no execution of up to result.cycle_max transactions does harm;
// nor does any, with result.harmless_proof.
void prove_harmless(const Application& application, const Plan& plan,
                    const Options& options, Result& result, Effort& effort);

}  // namespace isomer::audit
