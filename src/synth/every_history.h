// SPDX-License-Identifier: MIT
// All histories of a scope, one after another, without any solver: the first baseline of
// the paper (section 5, RQ1).  There are so many that it is of use for tiny scopes only,
// and as a second opinion on the circuits of open_history.h, with which it shares nothing.
#pragma once

#include <functional>

#include "synth/open_history.h"

namespace isomer::synth {

// Calls visit for every history of exactly `shape.scope.transactions` transactions, until
// it says false or the budget runs out.  Transactions are numbered by a topological order
// of so, and keys that nobody uses come last; renamed copies are not left out otherwise.
// Whether all were visited.
bool visit_histories(const OpenHistoryShape& shape, const Budget& budget,
                     const std::function<bool(const HistoryTables<Truth>&)>& visit);

}  // namespace isomer::synth
