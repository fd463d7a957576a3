// SPDX-License-Identifier: MIT
// Do anomalies really happen?
#pragma once

#include <optional>

#include "audit/audit.h"
#include "check/asked_level.h"
#include "explore/explore.h"

namespace isomer::audit {

// Runs the anomalies as scenarios through explore at the plan's levels: with the rows and
// arguments that the solver found, with others, and if the program has a workload, with
// those that it draws.  Sets confirmation, scenario, level and harm.
void confirm(const Program& program, const Plan& plan, const Options& options,
             std::vector<Anomaly>& anomalies);

// How good the evidence is: 2 for a run that does harm, 1 for one that was not found to,
// 0 for none.
int evidence_of(const Anomaly& anomaly);

// What explore runs into when it confirms an anomaly, in full: for pages that show it.
struct Replay {
  Program program;  // the scenario
  check::AskedLevel level;
  check::Certified<explore::Failure> failure;
};

// Explores the scenario of a confirmed anomaly once more.  Absent if there is none, or if
// it is not found again in time.
std::optional<Replay> replay(const Program& program, const Plan& plan,
                             const Options& options, const Anomaly& anomaly);

}  // namespace isomer::audit
