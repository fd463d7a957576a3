// SPDX-License-Identifier: MIT
// The cycles and paths of dependencies of a recorded history, asked of the encoding one by
// one.
//
// A history that a level allows has an execution: the checker's order of its transactions
// is the arbitration order, and that, with who read from whom, is all that dependencies
// need.  So the calls, the order, and for each dependency its kind, its key and
// its two statements are part of a solution, if the encoding leaves out nothing that can
// happen.  Whatever rule is too strong makes one of these questions unsatisfiable, while
// the audit as a whole would mostly find another cycle of the same types.
#pragma once

#include <string>
#include <vector>

#include "audit/audit.h"
#include "check/asked_level.h"
#include "history/history.h"

namespace isomer::test {

struct ObservedChains {
  std::size_t asked = 0;
  std::size_t cycles = 0;           // of them, closed
  std::size_t unknown = 0;          // of them, the solver gave up
  std::vector<std::string> missed;  // the first that has no solution, for people
};

// The history's transactions are named after their calls, one in each session.
ObservedChains missed_chains(const program::Program& program,
                             const history::History& history,
                             const check::AskedLevel& level, const audit::Plan& plan,
                             const audit::Options& options);

}  // namespace isomer::test
