// SPDX-License-Identifier: MIT
// A finished run as a history (private to store.cpp).
#pragma once

#include <vector>

#include "history/history.h"
#include "store/runner.h"

namespace isomer::store {

// Values are shown as text.  If a transaction writes a value that its key has had before,
// the text gets a number ("60 #2"), so that it stays clear who read from whom.  Operations
// have places, "bank.sql:12".
history::History record(const Program& program, const Options& options,
                        const std::vector<RanTransaction>& transactions);

}  // namespace isomer::store
