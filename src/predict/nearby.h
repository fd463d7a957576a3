// SPDX-License-Identifier: MIT
// Runs that differ from the observed one in a single transaction, for large runs.
//
// A solver that is to find a few changed reads among tens of thousands spends its time on
// the rest.  Most runs, however, have predictions in which one transaction t reads
// something else, and those can be listed: t has the only boundary, so with the rule Closed
// all others that take part (who do not happen after t) are as they were observed.  Two
// lists, fewest changes first:
//
//     one read of t returns another version (all that there are);
//     Relaxed: t misses a transaction u, and with it all that happened after u; each read
//     of t from one of these returns the latest version of another.
//
// A listed run is left out if the level surely forbids it (as in lazy_level.h), or if no
// cycle is near: with P the pco of the others, the paper's rules on reads and writes of t
// alone give who is before and behind t, and these must meet.  Cycles that need more are
// not found here; who finds nothing has not shown that there is nothing.
#pragma once

#include <functional>
#include <vector>

#include "predict/orders.h"

namespace isomer::predict {

struct ObservedRun {
  const Observed& observed;
  const TxnOrder& before;               // happens-before
  const std::vector<TxnNumber>& order;  // that explains it
};

// Until `visit` returns false, or the budget runs out.  The candidates are feasible.
void visit_nearby_runs(const ObservedRun& run, const Options& options,
                       const std::vector<std::vector<TxnNumber>>& readable,
                       const std::function<bool(const CandidateRun&)>& visit);

}  // namespace isomer::predict
