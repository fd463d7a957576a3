// SPDX-License-Identifier: MIT
// Scenarios, .toml files: which transactions of an application run, on which initial rows,
// and what must hold afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir.h"

namespace isomer::program {

struct NamedText {
  std::string_view file;
  std::string_view text;
};

// The application is read from beside `file`.
Expected<Program> parse_scenario(std::string_view file, std::string_view text);
// Of an application that is at hand.
Expected<Program> parse_scenario(const NamedText& scenario, const NamedText& application);

// --- random sessions, for a scenario with a [workload] (workload.cpp) ---

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

// The same for as many sessions, each with as many calls.
struct WorkloadShape {
  std::size_t sessions = 3;
  std::size_t calls = 4;  // of each
};

std::vector<std::vector<std::string>> workload_calls(const Program& program,
                                                     WorkloadShape shape,
                                                     std::uint64_t seed);
Expected<Program> with_workload(const Program& program, WorkloadShape shape,
                                std::uint64_t seed);

}  // namespace isomer::program
