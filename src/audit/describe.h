// SPDX-License-Identifier: MIT
// From a solution to an anomaly: calls with arguments, records with keys, and a name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "audit/chain.h"
#include "logic/term_solver.h"

namespace isomer::audit {

// The value of a cell in the solution.
program::Value value_of(const Cell& cell, const logic::TermSolver& model);

Anomaly described(const Program& program, const Chain& chain,
                  std::span<const Candidate* const> chosen, const logic::TermSolver& model);

// "long fork": by the kinds of its dependencies, as the literature has it.
std::string kind_of(const Program& program, const Anomaly& anomaly);

// The same for anomalies of the same types by the same statements.
std::string identity(const Anomaly& anomaly);

}  // namespace isomer::audit
