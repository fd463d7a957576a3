// SPDX-License-Identifier: MIT
// From a solution of the solver to an anomaly: calls with arguments, records with keys, a
// name, and the initial rows that it speaks of.
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
                  std::span<const PossibleDependency* const> chosen,
                  const logic::TermSolver& model);

// "long fork": by the kinds of its dependencies, as the literature has it.
std::string kind_of(const Program& program, const Anomaly& anomaly);

// The same for anomalies of the same types by the same statements.
std::string identity(const Anomaly& anomaly);

// What the transactions of the solution see and nobody inserts, the records of its
// dependencies, and what these refer to by foreign keys; those first.
Rows initial_rows(const Program& program, Chain& chain,
                  std::span<const PossibleDependency* const> chosen,
                  const logic::TermSolver& model);

// The tables, those that others refer to first.
std::vector<std::uint32_t> by_reference(const Program& program);

// Some value of the type, not null.
program::Value some_value(const program::Type& type);

}  // namespace isomer::audit
