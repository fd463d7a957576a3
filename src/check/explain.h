// SPDX-License-Identifier: MIT
// Why a level forbids a history: a minimal set of transactions, a cycle where one exists,
// and the name people know the anomaly by.
#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "check/check.h"
#include "check/decide.h"

namespace isomer::check {

// `support`: transactions that are inconsistent by themselves under the level.
Violated explain(const History& history, Level level, std::vector<TxnId> support,
                 const Budget& budget);

// The violation of a single read, which no built-in level allows.
Violated explain(const History& history, const history::Problem& problem);

// The name of an anomaly, and what it means.
struct Anomaly {
  std::string name;
  std::string summary;
};

// By the weakest level that forbids the transactions and by the shape of the evidence.
// `resolved` is the minimal part, null if its reads are ambiguous; the cycle is in its ids.
Anomaly name_anomaly(Level weakest, const ResolvedHistory* resolved,
                     const std::vector<Edge>& cycle);

Anomaly name_problem(history::ProblemKind kind);

}  // namespace isomer::check
