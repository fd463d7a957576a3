// SPDX-License-Identifier: MIT
// The names of anomalies.
#pragma once

#include <string>
#include <vector>

#include "check/check.h"
#include "check/instance.h"

namespace isomer::check {

struct Anomaly {
  std::string name;
  std::string summary;
};

// By the weakest level that forbids the transactions and by the shape of the evidence.
// `instance` is the minimal part, null if its reads are ambiguous; the cycle is in its ids.
Anomaly name_anomaly(Level weakest, const Instance* instance,
                     const std::vector<Edge>& cycle);

Anomaly name_problem(history::ProblemKind kind);

}  // namespace isomer::check
