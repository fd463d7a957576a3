// SPDX-License-Identifier: MIT
// Random sessions for a program whose scenario has a [workload].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/ir.h"

namespace isomer::program {

// Three sessions of four or eight calls each: Table 3 of the IsoPredict paper (PLDI 2024).
enum class WorkloadSize : std::uint8_t { Small, Large };

// The calls of each session as texts, "withdraw(1, 100)"; none if there is no [workload].
// The same seed gives the same calls on every machine.
std::vector<std::vector<std::string>> workload_calls(const Program& program,
                                                     WorkloadSize size, std::uint64_t seed);

// The program with these calls in place of its own sessions.  A draw that does not fit its
// parameter is told where it stands in the scenario.
Expected<Program> with_workload(const Program& program, WorkloadSize size,
                                std::uint64_t seed);

}  // namespace isomer::program
