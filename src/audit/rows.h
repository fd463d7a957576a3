// SPDX-License-Identifier: MIT
// The initial rows that a solution speaks of.
#pragma once

#include <string>
#include <vector>

#include "audit/chain.h"
#include "logic/term_solver.h"

namespace isomer::audit {

// What the transactions of the solution see and nobody inserts, the records of its
// dependencies, and what these refer to by foreign keys; those first.
Rows initial_rows(const Program& program, Chain& chain,
                  std::span<const Candidate* const> chosen, const logic::TermSolver& model);

// The tables, those that others refer to first.
std::vector<std::uint32_t> by_reference(const Program& program);

// Some value of the type, not null.
program::Value some_value(const program::Type& type);

}  // namespace isomer::audit
