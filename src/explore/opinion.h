// SPDX-License-Identifier: MIT
// A second opinion on a failing history.
#pragma once

#include <string>

#include "base/budget.h"
#include "check/check.h"
#include "explore/explore.h"

namespace isomer::explore {

struct Opinion {
  // The history as levels judge it: a transaction that aborted has its reads and no writes,
  // and its reads must be explained like any other's.  Transactions and keys have the same
  // ids as in the failure.
  history::History history;
  check::Result levels;       // the built-in ones; the level explored if it is none of them
  std::string contradiction;  // not empty: a checker says otherwise than the search
};

// Without a level, every history is allowed.
Opinion second_opinion(const Failure& failure,
                       const std::optional<check::AskedLevel>& level, const Budget& budget);

}  // namespace isomer::explore
