// SPDX-License-Identifier: MIT
// Does an anomaly really happen?
#pragma once

#include "audit/audit.h"
#include "explore/explore.h"

namespace isomer::audit {

// Runs the anomaly as a scenario through explore at the plan's level, with the rows and
// arguments that the solver found and, if the program has a workload, with those that it
// draws.  Sets confirmation, scenario and is_harmless.
void confirm(const Program& program, const Plan& plan, const Options& options,
             Anomaly& anomaly);

// Does some serial order of the scenario's calls, one a session, end in the same state and
// give each the same result as the history?
bool has_serial_outcome(const Program& scenario, const history::History& history,
                        const Options& options, const check::AskedLevel& level);

}  // namespace isomer::audit
