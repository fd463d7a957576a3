// SPDX-License-Identifier: MIT
// Rows and calls that may show an anomaly, as a scenario.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "base/random.h"

namespace isomer::audit {

struct Trial {
  Rows rows;
  std::vector<AnomalyTransaction> transactions;  // one a session
};

// [init] and [[session]]s: a scenario without the line `app = ..`.
std::string scenario_text(const Program& program, const Trial& trial);

Expected<Program> parsed_scenario(const Program& program, const std::string& text);

// The same with other numbers where these are not part of a key.
Trial varied(const Program& program, Trial trial, Random& random);

// A small database, most of whose keys are 1, and calls with such arguments: where all that
// can meet does meet.  Lists in texts ('1,1') are what the terms of the solver cannot tell.
Trial small_world(const Program& program, std::span<const std::uint32_t> types,
                  Random& random);

// The same where all keys are 1.
Trial tiny_world(const Program& program, std::span<const std::uint32_t> types,
                 Random& random);

// Another one, meant to go wrong: up to three rows a table, perhaps none, NULL wherever it
// may be, and the constants of the program's text, with their neighbours.  Some parameters
// keep the arguments of the solution, without which nothing may happen at all.
Trial hostile_world(const Program& program, const Trial& solution, Random& random);

}  // namespace isomer::audit
