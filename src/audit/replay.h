// SPDX-License-Identifier: MIT
// What explore runs into when it confirms an anomaly, in full: for pages that show it.
#pragma once

#include <optional>

#include "audit/audit.h"
#include "check/asked_level.h"
#include "explore/explore.h"

namespace isomer::audit {

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
