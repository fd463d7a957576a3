// SPDX-License-Identifier: MIT
// A guess at the commit order: runs the transactions one event at a time on a simulated
// store, taking care not to overwrite a version that somebody still has to read.
//
// If saturation left room, this is nearly always a witness already, at linear cost; if not,
// the search (search.h) learns from what went wrong, and guesses again.
#pragma once

#include <span>
#include <vector>

#include "check/check.h"
#include "check/order_graph.h"
#include "check/resolved_history.h"

namespace isomer::check {

// A total order of the transactions that respects the links (which must be acyclic for the
// level), and tries to respect the reads.  Empty if the budget runs out.
std::vector<TxnId> schedule(const ResolvedHistory& resolved, Level level,
                            std::span<const Link> links, std::span<const Link> more,
                            const Budget& budget);

}  // namespace isomer::check
