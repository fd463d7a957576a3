// SPDX-License-Identifier: MIT
// Why a level forbids a history: a minimal set of transactions, a cycle where one exists,
// and the name people know the anomaly by.
#pragma once

#include <vector>

#include "base/budget.h"
#include "check/check.h"
#include "check/decide.h"

namespace isomer::check {

// `support`: transactions that are inconsistent by themselves under the level.
Violated explain(const History& history, Level level, std::vector<TxnId> support,
                 const Budget& budget);

// The violation of a single read, which no level allows.
Violated explain(const History& history, const history::Problem& problem);

}  // namespace isomer::check
