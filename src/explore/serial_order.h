// SPDX-License-Identifier: MIT
// Can the transactions of a run be put one after the other, so that nobody can tell the
// difference?  Each statement has to return what it returned in the run, and to write what
// it wrote there.  One that failed only because others were at work (has_told_nothing)
// fails again.
//
// Depth first, in the order of commits where that is possible: a transaction that does
// something else at its place is not looked behind.  Most runs that have an order have one
// near that of their commits, and most that have none fail at their first transactions; so
// the effort is bounded, and what is not found within it counts as not there.
#pragma once

#include <optional>
#include <vector>

#include "base/budget.h"
#include "database/access_log.h"
#include "database/schedule.h"
#include "store/store.h"

namespace isomer::explore {

// Such an order of the committed transactions, as places in log.committed(); it keeps the
// order within each session.  Absent if there is none, or if none was found with the effort
// that it is worth.  `calls` says which call of the program each of them is.
std::optional<std::vector<std::size_t>> serial_order(const database::Scenario& scenario,
                                                     const database::AccessLog& log,
                                                     const std::vector<store::Place>& calls,
                                                     const Budget& budget);

}  // namespace isomer::explore
