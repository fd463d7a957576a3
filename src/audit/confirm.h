// SPDX-License-Identifier: MIT
// Do anomalies really happen?
#pragma once

#include "audit/audit.h"

namespace isomer::audit {

// Runs the anomalies as scenarios through explore at the plan's levels: with the rows and
// arguments that the solver found, with others, and if the program has a workload, with
// those that it draws.  Sets confirmation, scenario, level and harm.
void confirm(const Program& program, const Plan& plan, const Options& options,
             std::vector<Anomaly>& anomalies);

// How good the evidence is: 2 for a run that does harm, 1 for one that was not found to,
// 0 for none.
int rank(const Anomaly& anomaly);

}  // namespace isomer::audit
